//! What stood before work on an incident went back a step, from the incident's history. Each state names the latest step
//! back before it, so they are found from the present one back.

use std::collections::HashMap;
use std::iter::successors;

use db::{Param, Tx};
use domain::OrgId;
use domain::incident::{Incident, Spell, Status, Step};
use jiff::Timestamp;

use crate::ledger::error::Result;
use crate::ledger::record::{Record, Stored, stored_word};

/// The most spells of an incident that are shown: the latest.
const MOST_SHOWN: i64 = 50;

/// The versions of an incident `$2` that began with its `$4` latest steps back, of which `$3` is the last.
const STEPS: &str = "WITH RECURSIVE step (version, place) AS (
    SELECT CAST($3 AS bigint), CAST(1 AS bigint)
    UNION ALL
    SELECT before.last_step_back, step.place + 1
    FROM step JOIN incident_history AS before
        ON before.organization = $1 AND before.number = $2 AND before.version = step.version - 1
    WHERE before.last_step_back IS NOT NULL AND before.last_step_back < step.version AND step.place < $4
)";

/// The condition on a state that it is the one before or after such a step.
const BESIDE_STEP: &str = "r.organization = $1 AND r.number = $2
    AND r.version IN (SELECT version FROM step UNION ALL SELECT version - 1 FROM step)";

/// The states before and after each step back, the latest first. `earlier` says of a state which step was the last before it.
fn walk<S>(
    states: &HashMap<i64, S>,
    last: Option<i64>,
    earlier: fn(&S) -> Option<i64>,
) -> impl Iterator<Item = (&S, &S)> {
    let step = |version: i64| Some((states.get(&(version - 1))?, states.get(&version)?));
    successors(last.and_then(step), move |(before, _)| earlier(before).and_then(step))
}

/// The latest spells of an incident, the first one first.
pub(super) async fn spells(tx: &mut Tx, organization: OrgId, incident: &Incident) -> Result<Vec<Spell>> {
    let Some(last) = incident.last_step_back else { return Ok(Vec::new()) };
    let statements = Incident::statements();
    let (columns, joins) = (&statements.columns, &statements.joins);
    let sql = format!("{STEPS} SELECT {columns} FROM incident_history AS r{joins} WHERE {BESIDE_STEP}");
    let params: [&dyn Param; 4] = [&organization.uuid(), &incident.number.number(), &last, &MOST_SHOWN];
    let earlier: Vec<Stored<Incident>> = tx.query(&sql, &params).await?;
    let mut states: HashMap<i64, &Incident> =
        earlier.iter().map(|Stored(state)| (state.version, state)).collect();
    states.insert(incident.version, incident);
    let steps = walk(&states, Some(last), |state| state.last_step_back);
    let mut spells: Vec<Spell> = steps.map(|(before, after)| Spell::between(before, after)).collect();
    spells.reverse();
    Ok(spells)
}

/// When a status was recorded, and the latest step back before.
struct Recorded {
    status: Status,
    at: Timestamp,
    last_step_back: Option<i64>,
}

/// When the last reopening of an incident was recorded, whatever date it was given.
pub(super) async fn last_reopening(
    tx: &mut Tx,
    organization: OrgId,
    incident: &Incident,
) -> Result<Option<Timestamp>> {
    let Some(last) = incident.last_step_back.filter(|_| incident.reopen_count > 0) else { return Ok(None) };
    let sql = format!(
        "{STEPS} SELECT r.version, r.status, r.updated_date, r.last_step_back FROM incident_history AS r
         WHERE {BESIDE_STEP}"
    );
    let params: [&dyn Param; 4] = [&organization.uuid(), &incident.number.number(), &last, &i64::MAX];
    let earlier: Vec<(i64, String, Timestamp, Option<i64>)> = tx.query(&sql, &params).await?;
    let mut states = HashMap::new();
    for (version, status, at, last_step_back) in earlier {
        states.insert(version, Recorded { status: stored_word(&status)?, at, last_step_back });
    }
    let (status, at) = (incident.status, incident.updated_date);
    states.insert(incident.version, Recorded { status, at, last_step_back: Some(last) });
    let is_reopening = |(before, after): &(&Recorded, &Recorded)| {
        Step::back(before.status, after.status).is_some_and(|step| step.is_reopening())
    };
    let reopening = walk(&states, Some(last), |state| state.last_step_back).find(is_reopening);
    Ok(reopening.map(|(_, after)| after.at))
}
