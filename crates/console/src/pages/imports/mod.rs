//! Imports: spreadsheets that become risks, in the order in which a person meets them: sent, understood, tried, run.

mod one;
mod sent;
mod step;

use axum::routing::{get, post};
use domain::import::Import;
use domain::{ImportId, ResourceKind, Scope};
use http::Page;

use crate::frame::page_request::{PageRequest, Result};
use crate::pages::{form, sent as sent_to};

/// What importing risks needs.
const WRITE: &[Scope] = &[Scope::RisksWrite];

/// The import in the path.
async fn import(request: &PageRequest) -> Result<Import> {
    request.require(WRITE)?;
    let id = request.path(0, ResourceKind::Import, ImportId::parse)?;
    Ok(store::imports::get(&mut request.read().await?, request.id(), id).await?)
}

/// The pages about imports.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        form("/o/{slug}/imports", get(sent::page).post(sent::submit)),
        form("/o/{slug}/imports/{id}", get(one::page).post(step::submit)),
        sent_to("/o/{slug}/imports/{id}/cancel", post(step::cancel)),
    ]
}
