//! Imports: spreadsheets that become records, in the order in which a person meets them: sent, understood, tried, run.

mod one;
mod sent;
mod step;

use axum::routing::{get, post};
use domain::import::{Import, ImportKind};
use domain::{ImportId, ResourceKind};
use http::Page;

use crate::frame::layout::Section;
use crate::frame::page_request::{PageRequest, Result};
use crate::pages::{form, sent as sent_to};

/// The import in the path.
async fn import(request: &PageRequest) -> Result<Import> {
    request.require(ImportKind::SCOPES)?;
    let id = request.path(0, ResourceKind::Import, ImportId::parse)?;
    let import = store::imports::get(&mut request.read().await?, request.id(), &request.viewer(), id).await?;
    request.permissions().require(import.kind.scope().into())?;
    Ok(import)
}

/// The kinds of imports that the person may make, in the order of a list to choose from.
fn kinds(request: &PageRequest) -> Vec<ImportKind> {
    ImportKind::ALL.iter().copied().filter(|kind| request.may(kind.scope())).collect()
}

/// The part of the console that records of this kind are in, with the path of their list.
fn section(kind: ImportKind) -> (Section, &'static str) {
    match kind {
        ImportKind::Risks | ImportKind::Evaluations => (Section::Risks, "risks"),
        ImportKind::Incidents => (Section::Incidents, "incidents"),
        ImportKind::Tags => (Section::Tags, "tags"),
    }
}

/// The pages about imports.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        form("/o/{slug}/imports", get(sent::page).post(sent::submit)),
        form("/o/{slug}/imports/{id}", get(one::page).post(step::submit)),
        sent_to("/o/{slug}/imports/{id}/cancel", post(step::cancel)),
    ]
}
