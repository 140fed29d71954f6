//! Closed risks that happened all the same.

use db::{Tx, Value};
use domain::incident::Viewer;
use domain::{IncidentNumber, Line, OrgId, RiskNumber, UserId};
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::list::{Text, seen};

/// A closed risk, and an incident that has been linked to it as materialised since it was closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    /// The risk.
    pub risk: RiskNumber,
    /// Its title.
    pub title: Line,
    /// The incident.
    pub incident: IncidentNumber,
}

/// Up to `limit` of those of an owner, of the incidents that the caller sees; the latest link first.
#[boxed]
pub async fn happened(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    owner: UserId,
    limit: i64,
) -> Result<Vec<Happened>> {
    let mut text = Text::of(organization);
    let owner = text.add(Value::Uuid(owner.uuid()));
    let is_seen = seen("incident", viewer, &mut text);
    let limit = text.add(Value::Integer(limit));
    let sql = format!(
        "SELECT risk.number, risk.title, link.incident
         FROM risk
         JOIN incident_link AS link ON link.organization = risk.organization AND link.to_risk = risk.number
              AND link.kind = 'materialised' AND link.removed_date IS NULL
              AND link.created_date >= risk.status_date
         JOIN incident ON incident.organization = link.organization AND incident.number = link.incident
              AND incident.deleted_date IS NULL AND {is_seen}
         WHERE risk.organization = $1 AND risk.owner = {owner} AND risk.status = 'closed'
               AND risk.deleted_date IS NULL
         ORDER BY link.seq_from DESC LIMIT {limit}"
    );
    let rows: Vec<(i64, String, i64)> = tx.query(&sql, &text.params()).await?;
    let happened = |(risk, title, incident): (i64, String, i64)| Happened {
        risk: RiskNumber(risk),
        title: Line::stored(title),
        incident: IncidentNumber(incident),
    };
    Ok(rows.into_iter().map(happened).collect())
}
