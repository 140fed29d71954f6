//! What people write about incidents.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod restore;
pub(crate) mod revisions;
pub(crate) mod update;
mod view;

use domain::{IncidentNumber, ResourceKind};
use http::api_request::ApiRequest;
use http::error::Result;
use store::notes::NoteId;
use view::NoteView;

use super::shared::number;

/// The note that a path addresses.
fn note_id(request: &ApiRequest) -> Result<NoteId> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    Ok(NoteId { incident, number: request.path(1, ResourceKind::Note, number)? })
}
