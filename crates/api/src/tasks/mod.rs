//! Tasks of incidents.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod list_all;
pub(crate) mod read;
pub(crate) mod restore;
pub(crate) mod update;
pub(crate) mod view;

use domain::{IncidentNumber, ResourceKind};
use http::api_request::ApiRequest;
use http::error::Result;

use crate::shared::number;

use view::TaskView;

/// The incident and the number of the task in the path.
fn task_in_path(request: &ApiRequest) -> Result<(IncidentNumber, i64)> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    Ok((incident, request.path(1, ResourceKind::Task, number)?))
}
