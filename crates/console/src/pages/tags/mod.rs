//! The tags of the organization.

mod edit;
mod list;

use axum::routing::{get, post};
use domain::Scope;
use http::Page;

use crate::frame::form::As;
use crate::pages::{form, sent, shown};

/// What reading tags needs.
const READ: &[Scope] = &[Scope::TagsRead];

/// What changing, merging and deleting them needs.
const WRITE: &[Scope] = &[Scope::TagsWrite];

/// The members of a tag, as its forms have them.
const MEMBERS: &[(&str, As)] =
    &[("name", As::Text), ("color", As::TextOrNull), ("description", As::TextOrNull)];

/// The pages of tags.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        form("/o/{slug}/tags", get(list::page).post(list::submit)),
        shown("/o/{slug}/tags/export", get(list::export)),
        form("/o/{slug}/tags/{id}", get(edit::page).post(edit::submit)),
        sent("/o/{slug}/tags/{id}/merge", post(edit::merge)),
        sent("/o/{slug}/tags/{id}/delete", post(edit::delete)),
    ]
}
