//! The names of what the entries of a page have the ids of.

use std::collections::{HashMap, HashSet};

use db::{Param, Tx};
use domain::incident::Viewer;
use domain::timeline::{Names, Payload};
use domain::{IncidentNumber, OrgId};
use jiff::tz::TimeZone;
use uuid::Uuid;

use crate::incidents::read::unseen;
use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;
use crate::ledger::members;
use crate::links;

/// The names for these payloads. The number of statements does not depend on how many there are.
pub(super) async fn of(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    number: IncidentNumber,
    payloads: impl Iterator<Item = &Payload> + Clone,
    zone: TimeZone,
) -> Result<Names> {
    let ids: HashSet<Uuid> = payloads.clone().flat_map(Names::ids_in).collect();
    let tasks: HashSet<i64> = payloads.clone().flat_map(|payload| parts_in(payload, "tasks/")).collect();
    let mut numbers: HashSet<i64> = payloads.clone().flat_map(Names::incidents_in).collect();
    let linked: HashSet<i64> = payloads.flat_map(|payload| parts_in(payload, "links/")).collect();
    let links = match linked.is_empty() {
        true => HashMap::new(),
        false => links::names(tx, organization, number, linked).await?,
    };
    numbers.extend(links.values().filter_map(|link| link.to.incident()));
    let of_parts = task_titles(tx, organization, number, tasks).await?;
    let mut of_ids = members::names(tx, organization, ids).await?;
    of_ids.extend(tag_names(tx, organization, number).await?);
    let unseen = match numbers.is_empty() {
        true => HashSet::new(),
        false => unseen(tx, organization, viewer, &numbers.into_iter().collect::<Vec<_>>()).await?,
    };
    let (sees_risks, sees_documents) = (viewer.sees_risks(), viewer.sees_documents());
    Ok(Names { of_ids, of_parts, links, unseen, sees_risks, sees_documents, zone })
}

/// The titles of these tasks of an incident, deleted ones too, by the beginning of their fields.
async fn task_titles(
    tx: &mut Tx,
    organization: OrgId,
    number: IncidentNumber,
    tasks: HashSet<i64>,
) -> Result<HashMap<String, String>> {
    // CROSS JOIN, because SQLite keeps its order: each task is looked up.
    let sql = format!(
        "SELECT task.number, task.title FROM {} CROSS JOIN incident_task AS task
         WHERE task.organization = $1 AND task.incident = $3 AND task.number = wanted.number",
        wanted_numbers(tx.engine())
    );
    let tasks = numbers_parameter(tasks);
    let params: [&dyn Param; 3] = [&organization.uuid(), &tasks, &number.number()];
    let rows: Vec<(i64, String)> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().map(|(number, title)| (format!("tasks/{number}"), title)).collect())
}

/// The numbers of the parts of one kind that a payload tells of.
fn parts_in<'p>(payload: &'p Payload, prefix: &'static str) -> impl Iterator<Item = i64> + use<'p> {
    let fields = payload.changes().iter().filter_map(move |change| change.field.strip_prefix(prefix));
    fields.filter_map(|field| field.split('/').next()?.parse().ok())
}

/// The names of the tags that are or were on an incident, by id.
async fn tag_names(tx: &mut Tx, organization: OrgId, number: IncidentNumber) -> Result<Vec<(Uuid, String)>> {
    let sql = "SELECT tag.id, tag.name FROM incident_tag AS link CROSS JOIN tag
         WHERE link.organization = $1 AND link.incident = $2
           AND tag.organization = link.organization AND tag.id = link.tag";
    let params: [&dyn Param; 2] = [&organization.uuid(), &number.number()];
    Ok(tx.query(sql, &params).await?)
}
