//! Risks: the register, one of them with its history, and evaluating it.

pub(crate) mod acceptance;
pub(crate) mod acceptances;
pub(crate) mod acceptances_of;
pub(crate) mod add;
mod bulk;
pub(crate) mod changes;
pub(crate) mod chart;
mod choice;
mod deciders;
pub(crate) mod edit;
pub(crate) mod evaluate;
mod filter;
pub(crate) mod heat_map;
mod line;
pub(crate) mod list;
pub(crate) mod performance;
pub(crate) mod report;
mod review;
pub(crate) mod round;
pub(crate) mod round_page;
pub(crate) mod scale;
mod scale_form;
pub(crate) mod show;

use axum::routing::{get, post};
use domain::json;
use domain::risk::Risk;
use domain::{ResourceKind, RiskNumber, Scope};

use http::Page;
use lists::printed_file::Form as FileForm;

use choice::{Choice, Judged, choices, judged, levels};

use crate::frame::form::{As, Form};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::words::label_of;
use crate::pages::listed::{self, bulk as bulk_pages, tags, task, tasks, trash};
use crate::pages::{form, sent, shown};
use crate::texts;

/// What reading risks needs.
const READ: &[Scope] = &[Scope::RisksRead];

/// What changing them needs.
const WRITE: &[Scope] = &[Scope::RisksWrite];

/// The members of a risk that people fill in, as the forms have them, but for the texts that they ask for.
const MEMBERS: &[(&str, As)] = &[
    ("title", As::Text),
    ("description", As::Text),
    ("owner", As::TextOrNull),
    ("owner_name", As::TextOrNull),
    ("controls", As::Values),
    ("external_ref", As::TextOrNull),
    ("treatment", As::Text),
    ("inherent/likelihood", As::Integer),
    ("inherent/impact", As::Integer),
    ("target/likelihood", As::Part),
    ("target/impact", As::Part),
    ("evaluate_every_days", As::Integer),
    ("review_every_days", As::Integer),
    ("next_review_date", As::TextOrNull),
];

/// What deleting and restoring them needs.
const DELETE: &[Scope] = &[Scope::RisksDelete];

/// The number in the path.
fn number(request: &PageRequest) -> Result<RiskNumber> {
    request.path(0, ResourceKind::Risk, RiskNumber::parse)
}

/// `POST /o/{slug}/risks/{id}/status`: closes a risk, or opens it again.
async fn change_status(request: PageRequest) -> Result {
    const MEMBERS: &[(&str, As)] = &[("status", As::Text), ("status_reason", As::TextOrNull)];
    let told = |_: &PageRequest, number, form: &Form| texts::moved(number, &label_of(form.text("status")));
    listed::change::change::<Risk>(request, (MEMBERS, json::body), told).await
}

/// The pages about risks.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        shown("/o/{slug}/risks", get(list::page)),
        shown("/o/{slug}/risks/export", get(listed::export::<Risk>)),
        sent("/o/{slug}/risks/bulk", post(bulk_pages::submit::<Risk>)),
        sent("/o/{slug}/risks/delete", post(bulk_pages::delete::<Risk>)),
        form("/o/{slug}/risks/evaluate", get(round::begin).post(round::begin_chosen)),
        form("/o/{slug}/risks/new", get(add::page).post(add::submit)),
        form("/o/{slug}/risks/trash", get(trash::page::<Risk>).post(trash::restore::<Risk>)),
        form("/o/{slug}/risks/acceptances", get(acceptances::page).post(acceptances::confirm)),
        shown("/o/{slug}/risks/heat-map", get(heat_map::page)),
        shown("/o/{slug}/risks/changes", get(changes::page)),
        shown("/o/{slug}/reports/risks", get(report::page)),
        shown(
            "/o/{slug}/reports/risks/pdf",
            get(|request: PageRequest| report::file(request, FileForm::Pdf)),
        ),
        shown(
            "/o/{slug}/reports/risks/word",
            get(|request: PageRequest| report::file(request, FileForm::Word)),
        ),
        shown(
            "/o/{slug}/reports/risks/excel",
            get(|request: PageRequest| report::file(request, FileForm::Workbook)),
        ),
        sent("/o/{slug}/reports/risks/keep", post(report::keep)),
        shown("/o/{slug}/risks/performance", get(performance::page)),
        form("/o/{slug}/risks/scale", get(scale::page).post(scale::submit)),
        shown("/o/{slug}/risks/{id}", get(show::page)),
        form("/o/{slug}/risks/{id}/evaluate", get(round_page::page).post(round_page::submit)),
        form("/o/{slug}/risks/{id}/edit", get(edit::page).post(edit::submit)),
        form("/o/{slug}/risks/{id}/acceptances", get(acceptances_of::page).post(acceptances_of::ask)),
        form("/o/{slug}/risks/{id}/acceptances/{number}", get(acceptance::page).post(acceptance::submit)),
        sent("/o/{slug}/risks/{id}/status", post(change_status)),
        sent("/o/{slug}/risks/{id}/tags", post(tags::submit::<Risk>)),
        sent("/o/{slug}/risks/{id}/tasks", post(tasks::add::<Risk>)),
        sent("/o/{slug}/risks/{id}/tasks/{number}", post(tasks::act::<Risk>)),
        form("/o/{slug}/risks/{id}/tasks/{number}/edit", get(task::page::<Risk>).post(task::submit::<Risk>)),
        sent("/o/{slug}/risks/{id}/tasks/{number}/restore", post(tasks::restore::<Risk>)),
        sent("/o/{slug}/risks/{id}/delete", post(trash::delete_one::<Risk>)),
        sent("/o/{slug}/risks/{id}/restore", post(trash::restore_one::<Risk>)),
        sent("/o/{slug}/risks/{id}/evaluations", post(evaluate::submit)),
        sent("/o/{slug}/risks/{id}/reviews", post(review::submit)),
    ]
}
