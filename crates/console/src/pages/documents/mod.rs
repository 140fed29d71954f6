//! Documents: the library, one of them as it reads, and the proposal with who chose what.

pub(crate) mod add;
pub(crate) mod choose;
pub(crate) mod export;
pub(crate) mod list;
mod printed;
pub(crate) mod proposal;
pub(crate) mod show;

use axum::routing::{get, post};
use domain::Scope;
use http::Page;

use crate::pages::{form, sent, shown};

/// What reading documents needs.
const READ: &[Scope] = &[Scope::DocumentsRead];

/// What choosing in them needs.
const WRITE: &[Scope] = &[Scope::DocumentsWrite];

/// The pages about documents.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        shown("/o/{slug}/documents", get(list::page)),
        shown("/o/{slug}/documents/export", get(export::file)),
        form("/o/{slug}/documents/new", get(add::page).post(add::submit)),
        shown("/o/{slug}/documents/{document}", get(show::page)),
        shown("/o/{slug}/documents/{document}/proposals/{number}", get(proposal::page)),
        sent("/o/{slug}/documents/{document}/edits", post(choose::submit)),
    ]
}
