//! An action of a review becomes a task of the incident.

use db::Tx;
use domain::incident::Viewer;
use domain::task::{NewTask, TaskOf};
use domain::{Author, Error, IncidentNumber, OrgId, ResourceKind};
use macros::boxed;

use super::{read, write};
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::tasks::{self, TaskDetails};
use crate::{incidents, people};

/// Makes a task of the action with this number in the latest edition of the review, and notes it there. An owner who has left
/// does not own the task.
#[boxed]
pub async fn action_to_task(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    incident: IncidentNumber,
    number: i64,
) -> Result<TaskDetails> {
    let viewer = Viewer::of(author);
    let incident = incidents::get(tx, organization, &viewer, incident, View::now()).await?;
    let review = read::latest(tx, organization, incident.number).await?;
    let review = review.ok_or(Error::NotFound(ResourceKind::Review))?;
    let action = review.action(number)?;
    let owner = people::person(tx, organization, action.owner).await?;
    let new = NewTask {
        title: action.title.clone(),
        notes: None,
        owner: owner.map(|person| person.id),
        due: action.due,
        mandatory: false,
        position: None,
    };
    let details = tasks::create(tx, organization, author, TaskOf::Incident(incident.number), &new).await?;
    let after = review.with_task(number, details.task.number, tx.at());
    write::write(tx, organization, author, Some(&review), after).await?;
    Ok(details)
}
