//! Tasks of incidents and risks. The operations are the same for both; those of risks are in `of_risks.rs`.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod list_all;
pub(crate) mod of_risks;
pub(crate) mod read;
pub(crate) mod restore;
pub(crate) mod update;
pub(crate) mod view;

use domain::task::TaskOf;
use domain::{IncidentNumber, ResourceKind, RiskNumber};
use http::api_request::ApiRequest;
use http::error::Result;

use crate::shared::number;

use view::TaskView;

/// Reads the record in the path.
type InPath = fn(&ApiRequest) -> Result<TaskOf>;

/// The incident in the path.
fn incident_in_path(request: &ApiRequest) -> Result<TaskOf> {
    request.path(0, ResourceKind::Incident, IncidentNumber::parse).map(TaskOf::Incident)
}

/// The risk in the path.
fn risk_in_path(request: &ApiRequest) -> Result<TaskOf> {
    request.path(0, ResourceKind::Risk, RiskNumber::parse).map(TaskOf::Risk)
}

/// The record and the number of the task in the path.
fn task_in_path(request: &ApiRequest, of: InPath) -> Result<(TaskOf, i64)> {
    Ok((of(request)?, request.path(1, ResourceKind::Task, number)?))
}
