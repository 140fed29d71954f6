//! Imports: spreadsheets that become records.

pub(crate) mod cancel;
pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod rows;
pub(crate) mod run;
pub(crate) mod update;
mod view;

use domain::import::ImportKind;
use domain::{ImportId, ResourceKind};
use http::api_request::ApiRequest;
use http::error::Result;

use view::ImportView;

/// The import that the path names.
fn named(request: &ApiRequest) -> Result<ImportId> {
    request.path(0, ResourceKind::Import, ImportId::parse)
}

/// Refuses a caller who may not make such an import.
fn require(request: &ApiRequest, kind: ImportKind) -> Result<()> {
    Ok(request.permissions().require(kind.scope().into())?)
}
