//! New versions of the parts of an incident whose present text was redacted.

use db::{Param, Tx};
use domain::{IncidentNumber, OrgId, redaction};

use super::rows::Found;
use super::tables::{Table, When};
use crate::error::Result;
use crate::notes;

/// A part that gets a new version.
pub(super) struct Part {
    table: &'static Table,
    number: i64,
    latest: &'static str,
}

impl Part {
    /// As entries name it, such as `notes/3`.
    pub(super) fn name(&self) -> String {
        format!("{}/{}", self.table.prefix, self.number)
    }
}

/// The parts among these rows that have a version. Of the editions of a review this is the latest one: they share their
/// version, and only the latest one is changed.
pub(super) async fn parts(
    tx: &mut Tx,
    organization: OrgId,
    incident: IncidentNumber,
    rows: &[Found],
) -> Result<Vec<Part>> {
    let present = rows.iter().filter(|row| row.when == When::Now);
    let mut parts: Vec<Part> = present
        .filter_map(|&Found { table, number, .. }| Some(Part { table, number, latest: table.latest? }))
        .collect();
    if parts.iter().any(|part| part.table.part == redaction::Part::Review) {
        let sql = "SELECT MAX(edition) FROM incident_review WHERE organization = $1 AND incident = $2";
        let (edition,): (Option<i64>,) =
            tx.query_one(sql, &[&organization.uuid(), &incident.number()]).await?;
        parts.retain(|part| part.table.part != redaction::Part::Review || edition == Some(part.number));
    }
    Ok(parts)
}

/// Makes the stored row of each part its next version, which begins with the entry `seq`.
pub(super) async fn begin(
    tx: &mut Tx,
    organization: OrgId,
    incident: IncidentNumber,
    parts: &[Part],
    seq: i64,
) -> Result<()> {
    for Part { table, number, latest } in parts {
        notes::keep_state(tx, organization, table.part, incident, *number, seq).await?;
        let sql = format!(
            "UPDATE {} SET version = version + 1, updated_date = $4, {latest} = $5
             WHERE organization = $1 AND {} = $2 AND {} = $3",
            table.name, table.whole, table.number
        );
        let at = tx.at();
        let params: [&dyn Param; 5] = [&organization.uuid(), &incident.number(), number, &at, &seq];
        tx.send(&sql, &params).await?;
    }
    Ok(())
}
