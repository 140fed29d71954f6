//! Reading the tasks of one incident.

use db::{Param, Tx};
use domain::incident::{Incident, Viewer};
use domain::task::Task;
use domain::{Error, IncidentNumber, Line, OrgId, ResourceKind};
use macros::boxed;

use crate::incidents;
use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{self, Stored};
use crate::ledger::view::{Deleted, View};

/// A task with what is shown of its incident.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskDetails {
    /// The task.
    pub task: Task,
    /// The title of its incident.
    pub incident_title: Line,
}

/// The order of the tasks of an incident.
const ORDER: &[&str] = &["position", "number"];

/// So many tasks of an incident can be moved up and down; further ones have a position only.
const MOST_ORDERED: i64 = 200;

/// One task of an incident that the caller sees.
#[boxed]
pub async fn get(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    incident: IncidentNumber,
    number: i64,
    deleted: Deleted,
) -> Result<TaskDetails> {
    let incident = incidents::get(tx, organization, viewer, incident, View::now()).await?;
    let task = find(tx, organization, &incident, number, deleted).await?;
    Ok(TaskDetails { task, incident_title: incident.title })
}

/// One task of an incident that was read in this transaction.
pub(super) async fn find(
    tx: &mut Tx,
    organization: OrgId,
    incident: &Incident,
    number: i64,
    deleted: Deleted,
) -> Result<Task> {
    let key = [incident.number.number().into(), number.into()];
    let found: Option<Task> = record::find(tx, organization, &key).await?;
    let found = found.filter(|task| deleted.sees(task.deleted_date));
    Ok(found.ok_or(Error::NotFound(ResourceKind::Task))?)
}

/// The first tasks of an incident, by position and number.
pub(super) async fn first(tx: &mut Tx, organization: OrgId, incident: IncidentNumber) -> Result<Vec<Task>> {
    let tasks = of_incident(organization, incident).order(ORDER, Direction::Ascending, []);
    Ok(tasks.page(tx, MOST_ORDERED).await?.map(|Stored(task)| task).rows)
}

/// Up to `limit` tasks of an incident that the caller sees, by position and number: those after the task with this position
/// and number.
#[boxed]
pub async fn list_of_incident(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    incident: IncidentNumber,
    after: Option<(i64, i64)>,
    limit: i64,
) -> Result<Page<TaskDetails>> {
    let incident = incidents::get(tx, organization, viewer, incident, View::now()).await?;
    let after = after.map(|(position, number)| [position.into(), number.into()]).into_iter().flatten();
    let tasks = of_incident(organization, incident.number).order(ORDER, Direction::Ascending, after);
    let title = incident.title;
    let details = |Stored(task)| TaskDetails { task, incident_title: title.clone() };
    Ok(tasks.page(tx, limit).await?.map(details))
}

/// How many tasks an incident has, whoever sees it.
#[boxed]
pub async fn count_of_incident(tx: &mut Tx, organization: OrgId, incident: IncidentNumber) -> Result<i64> {
    of_incident(organization, incident).count(tx).await
}

/// Those of these incidents that have an open mandatory task.
pub(crate) async fn with_open_mandatory(
    tx: &mut Tx,
    organization: OrgId,
    incidents: &[i64],
) -> Result<Vec<i64>> {
    let sql = format!(
        "SELECT (SELECT MIN(task.incident) FROM incident_task AS task
                 WHERE task.organization = $1 AND task.incident = wanted.number AND task.mandatory
                   AND task.deleted_date IS NULL AND task.status IN ('open', 'in_progress'))
         FROM {}",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(incidents.iter().copied());
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    let rows: Vec<(Option<i64>,)> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().filter_map(|(number,)| number).collect())
}

fn of_incident<'q>(organization: OrgId, incident: IncidentNumber) -> Select<'q, Task> {
    Select::of(organization, View::now()).filter(Filter::is("incident", incident.number().into()))
}
