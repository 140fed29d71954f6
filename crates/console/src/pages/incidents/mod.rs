//! Incidents: the list, one of them, and what is done with it.

pub(crate) mod as_of;
mod bulk;
pub(crate) mod change;
mod columns;
pub(crate) mod declare;
pub(crate) mod edit;
pub(crate) mod figures;
pub(crate) mod filter;
pub(crate) mod links;
pub(crate) mod list;
mod mentions;
pub(crate) mod note;
pub(crate) mod notes;
mod other_filters;
pub(crate) mod review;
pub(crate) mod severity;
pub(crate) mod show;
mod stepper;
mod unit;

use axum::routing::{get, post};
use domain::Scope::{self, IncidentsDeclare, IncidentsRead};
use domain::incident::{Incident, IncidentPatch, Transition};
use domain::json::{self, Json};
use domain::record::Record as _;
use domain::{Faults, IncidentNumber, ResourceKind};

use http::Page;
use lists::printed_file::Form as FileForm;

use crate::frame::form::{As, Form};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::words::label_of;
use crate::pages::listed::{self, bulk as bulk_pages, tags, task, tasks, trash};
use crate::pages::{form, sent, shown};
use crate::texts;

/// What reading incidents needs: one of these.
pub(in crate::pages) const READ: &[Scope] = &[IncidentsRead, IncidentsDeclare];

/// What changing them needs.
const WRITE: &[Scope] = &[Scope::IncidentsWrite];

/// The number in the path.
fn number(request: &PageRequest) -> Result<IncidentNumber> {
    request.path(0, ResourceKind::Incident, IncidentNumber::parse)
}

/// The address of an incident's page.
fn address(request: &PageRequest, number: IncidentNumber) -> String {
    request.to(&format!("/incidents/{number}"))
}

/// The label of a field.
fn label(name: &str) -> &'static str {
    Incident::field(name).map_or("", |field| field.label)
}

/// The members of a transition, as the forms have them.
const TRANSITION: &[(&str, As)] = &[
    ("to", As::Text),
    ("assigned_to", As::TextOrNull),
    ("resolution_reason", As::TextOrNull),
    ("resolution_summary", As::TextOrNull),
    ("reason", As::TextOrNull),
    ("responded_date", As::Time),
    ("duplicate_of", As::TextOrNull),
];

/// `POST /o/{slug}/incidents/{id}/assign`: assigns the incident; nothing else changes.
async fn assign(request: PageRequest) -> Result {
    let read = json::body::<IncidentPatch>;
    let told = |request: &PageRequest, number, form: &Form| {
        let me = &request.member.person;
        match form.is("assigned_to", me.id.to_string()) {
            true => texts::assigned(number, &me.name),
            false => texts::record_updated(number),
        }
    };
    listed::change::change::<Incident>(request, (&[("assigned_to", As::TextOrNull)], read), told).await
}

/// `POST /o/{slug}/incidents/{id}/status`: changes the status.
async fn change_status(request: PageRequest) -> Result {
    let read = |body: Json<'_>, faults: &mut Faults| json::body::<Transition>(body, faults).map(Into::into);
    let told = |_: &PageRequest, number, form: &Form| texts::moved(number, &label_of(form.text("to")));
    listed::change::change::<Incident>(request, (TRANSITION, read), told).await
}

/// The pages about incidents.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        shown("/o/{slug}/incidents", get(list::page)),
        form("/o/{slug}/incidents/new", get(declare::page).post(declare::submit)),
        form("/o/{slug}/incidents/trash", get(trash::page::<Incident>).post(trash::restore::<Incident>)),
        shown("/o/{slug}/incidents/figures", get(figures::page)),
        shown("/o/{slug}/incidents/export", get(listed::export::<Incident>)),
        sent("/o/{slug}/incidents/columns", post(columns::submit)),
        sent("/o/{slug}/incidents/bulk", post(bulk_pages::submit::<Incident>)),
        sent("/o/{slug}/incidents/delete", post(bulk_pages::delete::<Incident>)),
        shown("/o/{slug}/incidents/{id}", get(show::page)),
        form("/o/{slug}/incidents/{id}/edit", get(edit::page).post(edit::submit)),
        form("/o/{slug}/incidents/{id}/severity", get(severity::page).post(severity::submit)),
        form("/o/{slug}/incidents/{id}/review", get(review::page).post(review::submit)),
        shown(
            "/o/{slug}/incidents/{id}/review/word",
            get(|request: PageRequest| review::file(request, FileForm::Word)),
        ),
        shown(
            "/o/{slug}/incidents/{id}/review/pdf",
            get(|request: PageRequest| review::file(request, FileForm::Pdf)),
        ),
        sent("/o/{slug}/incidents/{id}/review/actions/{number}", post(review::to_task)),
        form("/o/{slug}/incidents/{id}/change/{what}", get(change::page).post(change::submit)),
        shown("/o/{slug}/incidents/{id}/as-of", get(as_of::page)),
        sent("/o/{slug}/incidents/{id}/assign", post(assign)),
        sent("/o/{slug}/incidents/{id}/status", post(change_status)),
        sent("/o/{slug}/incidents/{id}/delete", post(trash::delete_one::<Incident>)),
        sent("/o/{slug}/incidents/{id}/restore", post(trash::restore_one::<Incident>)),
        sent("/o/{slug}/incidents/{id}/notes", post(notes::submit)),
        form("/o/{slug}/incidents/{id}/notes/{number}", get(note::page).post(note::submit)),
        sent("/o/{slug}/incidents/{id}/tasks", post(tasks::add::<Incident>)),
        sent("/o/{slug}/incidents/{id}/tasks/{number}", post(tasks::act::<Incident>)),
        form(
            "/o/{slug}/incidents/{id}/tasks/{number}/edit",
            get(task::page::<Incident>).post(task::submit::<Incident>),
        ),
        sent("/o/{slug}/incidents/{id}/tasks/{number}/restore", post(tasks::restore::<Incident>)),
        sent("/o/{slug}/incidents/{id}/tags", post(tags::submit::<Incident>)),
        sent("/o/{slug}/incidents/{id}/links", post(links::add)),
        sent("/o/{slug}/incidents/{id}/links/{number}", post(links::remove)),
    ]
}
