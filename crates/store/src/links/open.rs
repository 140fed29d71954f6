//! The open incidents that lead to risks.

use std::collections::HashMap;

use db::{Tx, Value};
use domain::incident::{Category, Status};
use domain::severity::Severity;
use domain::{IncidentNumber, OrgId, RiskNumber};

use super::LinkReader;
use crate::ledger::dialect::{among, among_parameter};
use crate::ledger::error::Result;
use crate::ledger::list::{Text, seen};
use crate::ledger::record::stored_word;

/// So many open incidents of a risk are named.
const MOST_INCIDENTS: i64 = 20;

/// An incident that is not closed or dismissed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenIncident {
    /// Its number.
    pub number: IncidentNumber,
    /// Its title.
    pub title: String,
    /// Its status.
    pub status: Status,
    /// Its severity.
    pub severity: Severity,
}

/// How many open incidents that the reader sees lead to each of these risks, and the latest ones. Risks without any are absent.
pub(crate) async fn open_incidents(
    tx: &mut Tx,
    organization: OrgId,
    reader: &LinkReader,
    risks: impl Iterator<Item = RiskNumber>,
) -> Result<HashMap<RiskNumber, (i64, Vec<OpenIncident>)>> {
    let (mut text, engine) = (Text::of(organization), tx.engine());
    let wanted = text.add(Value::from(among_parameter(engine, risks.map(RiskNumber::number))));
    let among = among(engine, "link.to_risk", &wanted);
    let is_seen = seen("other", &reader.viewer, &mut text);
    let open = Status::ALL.iter().filter(|status| status.category() == Category::Open);
    let open: Vec<_> = open.map(|status| format!("'{status}'")).collect();
    let sql = format!(
        "SELECT risk, number, title, status, severity, incidents FROM (
             SELECT found.to_risk AS risk, other.number, other.title, other.status, other.severity,
                    count(*) OVER (PARTITION BY found.to_risk) AS incidents,
                    row_number() OVER (PARTITION BY found.to_risk ORDER BY other.number DESC) AS place
             FROM (SELECT DISTINCT link.to_risk, link.incident FROM incident_link AS link
                   WHERE link.organization = $1 AND {among} AND link.removed_date IS NULL) AS found
             JOIN incident AS other ON other.organization = $1 AND other.number = found.incident
             WHERE other.deleted_date IS NULL AND other.status IN ({}) AND {is_seen}) AS counted
         WHERE place <= {MOST_INCIDENTS} ORDER BY risk, place",
        open.join(", ")
    );
    let rows: Vec<(i64, i64, String, String, Option<String>, i64)> = tx.query(&sql, &text.params()).await?;
    let mut found: HashMap<_, (i64, Vec<_>)> = HashMap::new();
    for (risk, number, title, status, severity, count) in rows {
        let (number, status) = (IncidentNumber(number), stored_word(&status)?);
        let severity = severity.map_or(Ok(Severity::default()), |word| stored_word(&word))?;
        let of_risk = found.entry(RiskNumber(risk)).or_insert((count, Vec::new()));
        of_risk.1.push(OpenIncident { number, title, status, severity });
    }
    Ok(found)
}
