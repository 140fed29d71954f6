//! Messages of external systems about incidents that are closed or dismissed. They change nothing of the incident, and
//! stand in its timeline. A system can send any number of them: beyond a limit they are counted and not kept.

use db::{FromRow, Param, Row, Tx};
use domain::incident::{Incident, MAX_MESSAGE_BYTES, MAX_MESSAGES, Message, is_only_counted};
use domain::{Actor, Author, IncidentNumber, OrgId};
use jiff::Timestamp;

use super::subject;
use crate::ledger::error::Result;
use crate::ledger::part::{self, part};
use crate::ledger::{journal, record};

/// A message.
pub(super) struct IncidentReport {
    incident: IncidentNumber,
    /// Counted per incident from 1.
    number: i64,
    /// The message, as JSON.
    message: String,
    /// The version of the incident that had begun with the latest step back.
    last_step_back: Option<i64>,
    created_date: Timestamp,
    reported_by: Actor,
    seq_from: i64,
}

record::record! {
    IncidentReport in "incident_report" {
        incident: Plain => Key,
        number: Plain => Key,
        message: Plain => Journaled,
        last_step_back: Plain => Journaled,
        created_date: Plain => Fixed,
        reported_by: AnActor => Fixed,
        seq_from: Plain => Counted,
    }
}

part! {
    IncidentReport as "reports" |it| {
        id: it.number,
        entries: (it.seq_from, it.seq_from),
        made: (it.created_date, &it.reported_by),
    }
}

/// The latest report of an incident: its number, its message and the latest step back before it.
struct Latest(i64, String, Option<i64>);

impl FromRow for Latest {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        Ok(Self(row.get(0)?, row.get(1)?, row.get(2)?))
    }
}

/// Whether a message about an incident that is not open was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It stands in the timeline, or the system said the same before.
    Whole,
    /// There are too many, so it was only counted.
    Counted,
}

/// Keeps a message about an incident that is not open, unless it is what the system said last.
pub(super) async fn keep(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    incident: &Incident,
    message: &Message,
) -> Result<Kept> {
    let sql = "SELECT number, message, last_step_back FROM incident_report
               WHERE organization = $1 AND incident = $2 ORDER BY number DESC LIMIT 1";
    let params: [&dyn Param; 2] = [&organization.uuid(), &incident.number.number()];
    let latest: Option<Latest> = tx.query_opt(sql, &params).await?;
    let (text, counted) = (message.to_json(), message.to_json_counted());
    let repeated = match &latest {
        // A report from before a reopening: the system may have said something else since.
        Some(Latest(_, last, then)) if *then == incident.last_step_back => match last {
            last if *last == text => Some(Kept::Whole),
            last if *last == counted => Some(Kept::Counted),
            _ => None,
        },
        _ => message.is_known(incident).then_some(Kept::Whole),
    };
    if let Some(kept) = repeated {
        return Ok(kept);
    }
    let is_full = is_full(tx, organization, incident.number, latest.as_ref(), &text).await?;
    let (kept, text) = if is_full { (Kept::Counted, counted) } else { (Kept::Whole, text) };
    let report = IncidentReport {
        incident: incident.number,
        number: latest.map_or(1, |Latest(number, ..)| number + 1),
        message: text,
        last_step_back: incident.last_step_back,
        created_date: tx.at(),
        reported_by: author.actor.clone(),
        seq_from: 0,
    };
    let (kind, payload) = ("incident.reported", part::changes(None, &report));
    let seq = journal::append(tx, organization, author, kind, subject(incident.number), payload).await?;
    record::insert(tx, organization, &IncidentReport { seq_from: seq, ..report }).await?;
    Ok(kept)
}

/// Whether a message is one too many, or makes them too large. After one that was not kept no other is, so that the first
/// ones are together, and few rows are read.
async fn is_full(
    tx: &mut Tx,
    organization: OrgId,
    incident: IncidentNumber,
    latest: Option<&Latest>,
    text: &str,
) -> Result<bool> {
    let Some(Latest(number, last, _)) = latest else { return Ok(false) };
    if *number >= MAX_MESSAGES || is_only_counted(last) {
        return Ok(true);
    }
    let sql = "SELECT CAST(SUM(octet_length(message)) AS BIGINT) FROM incident_report
               WHERE organization = $1 AND incident = $2";
    let params: [&dyn Param; 2] = [&organization.uuid(), &incident.number()];
    let (bytes,): (i64,) = tx.query_one(sql, &params).await?;
    Ok(bytes + i64::try_from(text.len()).unwrap_or(i64::MAX) > MAX_MESSAGE_BYTES)
}
