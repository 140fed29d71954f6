//! Saved views: the tabs above a list, saving one, changing it and deleting it.

mod edit;
mod new;
pub(in crate::pages) mod shown;
pub(crate) mod tabs;

use axum::routing::{get, post};
use domain::saved_view::{SavedView, ViewReader, ViewedList};
use domain::{ResourceKind, SavedViewId, Scope};
use http::Page;

use crate::frame::layout::Section;
use crate::frame::page_request::{PageRequest, Result};
use crate::pages::{form, sent};
use shown::Shown;

/// What keeping views needs: one of these.
const READ: &[Scope] =
    &[Scope::IncidentsRead, Scope::IncidentsDeclare, Scope::RisksRead, Scope::DocumentsRead];

/// The pages about saved views.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        form("/o/{slug}/views/new", get(new::page).post(new::submit)),
        sent("/o/{slug}/views/filter", post(edit::replace_filter)),
        form("/o/{slug}/views/{id}", get(edit::page).post(edit::submit)),
        sent("/o/{slug}/views/{id}/delete", post(edit::delete)),
    ]
}

/// The caller, to whom the shared views and their own exist.
pub(super) fn reader(request: &PageRequest) -> ViewReader {
    ViewReader::new(&request.member.actor(), request.permissions().scopes())
}

fn id(request: &PageRequest) -> Result<SavedViewId> {
    request.path(0, ResourceKind::SavedView, SavedViewId::parse)
}

/// The address of a list with this query.
fn address(request: &PageRequest, list: ViewedList, query: &str) -> String {
    let mark = if query.is_empty() { "" } else { "?" };
    request.to(&format!("/{list}{mark}{query}"))
}

/// The address of the list as the view shows it.
pub(super) fn address_of(request: &PageRequest, view: &SavedView) -> String {
    address(request, view.list, &Shown::of_view(view).query(view.list))
}

fn section(list: ViewedList) -> Section {
    match list {
        ViewedList::Incidents => Section::Incidents,
        ViewedList::Risks => Section::Risks,
        ViewedList::Documents => Section::Documents,
    }
}
