//! The journal: who changed what, whether it is as it was written, and the whole of it as a file.

mod export;
mod list;
mod proof;

use axum::routing::get;
use domain::Scope;
use http::Page;

use crate::pages::shown;

/// What each of these pages needs.
const READ: &[Scope] = &[Scope::JournalRead];

/// The pages of the journal.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        shown("/o/{slug}/journal", get(list::page)),
        shown("/o/{slug}/journal/proof", get(proof::page)),
        shown("/o/{slug}/journal/export", get(export::file)),
    ]
}
