//! Documents: the library, one of them as it reads, and the proposal with who chose what.

pub(crate) mod acknowledge;
pub(crate) mod acknowledgements;
pub(crate) mod add;
pub(crate) mod approval;
pub(crate) mod approval_steps;
pub(crate) mod bulk;
pub(crate) mod choose;
pub(crate) mod comment;
mod controls;
pub(crate) mod edit;
pub(crate) mod exception;
pub(crate) mod exceptions;
pub(crate) mod export;
pub(crate) mod file;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod offer;
pub(crate) mod open;
pub(crate) mod paper;
pub(crate) mod paste;
mod printed;
pub(crate) mod properties;
pub(crate) mod proposal;
mod proposal_draft;
pub(crate) mod seen;
pub(crate) mod show;
mod shown_step;
pub(crate) mod status;
pub(crate) mod step;
pub(crate) mod tags;
pub(crate) mod versions;
mod written;

use axum::routing::{get, post};
use domain::Scope;
use http::Page;
use lists::printed_file::Form;

use crate::frame::page_request::PageRequest;
use crate::pages::{form, sent, shown};

/// What reading documents needs.
const READ: &[Scope] = &[Scope::DocumentsRead];

/// What choosing in them needs.
const WRITE: &[Scope] = &[Scope::DocumentsWrite];

/// The pages about documents.
pub(crate) fn pages() -> Vec<Page> {
    [of_documents(), of_proposals(), of_acknowledgements()].into_iter().flatten().collect()
}

fn of_documents() -> Vec<Page> {
    vec![
        shown("/o/{slug}/documents", get(list::page)),
        shown("/o/{slug}/documents/export", get(export::file)),
        sent("/o/{slug}/documents/bulk", post(bulk::submit)),
        form("/o/{slug}/documents/new", get(add::page).post(add::submit)),
        form("/o/{slug}/documents/import", get(import::page).post(import::submit)),
        sent("/o/{slug}/documents/import/paste", post(paste::submit)),
        shown("/o/{slug}/documents/{document}", get(show::page)),
        shown("/o/{slug}/documents/{document}/versions", get(versions::page)),
        shown("/o/{slug}/documents/{document}/versions/{number}", get(versions::show)),
        shown(
            "/o/{slug}/documents/{document}/versions/{number}/word",
            get(|request: PageRequest| file::published(request, Form::Word)),
        ),
        shown(
            "/o/{slug}/documents/{document}/versions/{number}/pdf",
            get(|request: PageRequest| file::published(request, Form::Pdf)),
        ),
        sent("/o/{slug}/documents/{document}/proposals", post(open::submit)),
        sent("/o/{slug}/documents/{document}/edits", post(choose::submit)),
        shown("/o/{slug}/exceptions", get(exceptions::all)),
        form("/o/{slug}/documents/{document}/exceptions", get(exceptions::page).post(exceptions::ask)),
        form(
            "/o/{slug}/documents/{document}/exceptions/{number}",
            get(exception::page).post(exception::submit),
        ),
        form("/o/{slug}/documents/{document}/edit", get(edit::page).post(edit::submit)),
        form("/o/{slug}/documents/{document}/properties", get(properties::page).post(properties::submit)),
        form("/o/{slug}/documents/{document}/offer", get(offer::page).post(offer::submit)),
        sent("/o/{slug}/documents/{document}/archive", post(status::archive)),
        sent("/o/{slug}/documents/{document}/restore", post(status::restore)),
        sent("/o/{slug}/documents/{document}/delete", post(status::delete)),
        sent("/o/{slug}/documents/{document}/reviews", post(status::review)),
        sent("/o/{slug}/documents/{document}/tags", post(tags::submit)),
    ]
}

fn of_proposals() -> Vec<Page> {
    vec![
        form("/o/{slug}/documents/{document}/proposals/{number}", get(proposal::page).post(step::submit)),
        sent("/o/{slug}/documents/{document}/proposals/{number}/resolve", post(step::resolve)),
        sent("/o/{slug}/documents/{document}/proposals/{number}/take-back", post(step::take_back)),
        form(
            "/o/{slug}/documents/{document}/proposals/{number}/approval",
            get(approval::page).post(approval::submit),
        ),
        form(
            "/o/{slug}/documents/{document}/proposals/{number}/steps",
            get(approval_steps::page).post(approval_steps::submit),
        ),
        sent("/o/{slug}/documents/{document}/proposals/{number}/comments", post(comment::write)),
        sent(
            "/o/{slug}/documents/{document}/proposals/{number}/comments/{comment}/resolve",
            post(comment::resolve),
        ),
        sent(
            "/o/{slug}/documents/{document}/proposals/{number}/comments/{comment}/adopt",
            post(comment::adopt),
        ),
        sent("/o/{slug}/documents/{document}/proposals/{number}/seen", post(seen::submit)),
        shown(
            "/o/{slug}/documents/{document}/proposals/{number}/word",
            get(|request: PageRequest| file::proposed(request, Form::Word)),
        ),
        shown(
            "/o/{slug}/documents/{document}/proposals/{number}/pdf",
            get(|request: PageRequest| file::proposed(request, Form::Pdf)),
        ),
    ]
}

fn of_acknowledgements() -> Vec<Page> {
    vec![
        form("/o/{slug}/documents/{document}/acknowledge", get(acknowledge::page).post(acknowledge::submit)),
        form(
            "/o/{slug}/documents/{document}/acknowledgements",
            get(acknowledgements::page).post(acknowledgements::ask),
        ),
        shown("/o/{slug}/documents/{document}/acknowledgements/export", get(acknowledgements::file)),
        sent("/o/{slug}/documents/{document}/acknowledgements/paper", post(paper::submit)),
        shown(
            "/o/{slug}/documents/{document}/acknowledgements/word",
            get(|request: PageRequest| acknowledgements::printed(request, Form::Word)),
        ),
        shown(
            "/o/{slug}/documents/{document}/acknowledgements/pdf",
            get(|request: PageRequest| acknowledgements::printed(request, Form::Pdf)),
        ),
        sent("/o/{slug}/documents/{document}/acknowledgements/{request}/end", post(acknowledgements::end)),
    ]
}
