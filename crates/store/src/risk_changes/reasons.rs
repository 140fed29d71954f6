//! What was said with changes. These texts may be long, so they are read only for the changes that are shown.

use std::collections::HashMap;

use db::{Param, Tx};
use domain::OrgId;
use domain::risk_change::RiskChangeKind as Kind;
use macros::boxed;

use super::RiskChange;
use crate::ledger::dialect::wanted_units;
use crate::ledger::error::Result;

/// Where the text of a change is: the table, the risk and the entry.
type Place = (String, i64, i64);

/// What is said with a decision.
const OF_DECISION: &str = "CASE WHEN r.state IN ('accepted', 'refused') THEN r.note ELSE r.end_reason END";

/// The tables and histories with the texts, each with its column of risks.
const SOURCES: [(&str, &str, &str, &str); 7] = [
    ("evaluation", "", "risk", "r.note"),
    ("risk", "", "number", "r.status_reason"),
    ("risk", "_history", "number", "r.status_reason"),
    ("risk_acceptance", "", "risk", OF_DECISION),
    ("risk_acceptance", "_history", "risk", OF_DECISION),
    ("policy_exception", "", "risk", OF_DECISION),
    ("policy_exception", "_history", "risk", OF_DECISION),
];

/// Reads the reasons of these changes, as far as [`super::between`] has not.
#[boxed]
pub async fn add_reasons(tx: &mut Tx, organization: OrgId, changes: &mut [RiskChange]) -> Result<()> {
    let wanted = wanted_units(tx.engine());
    let texts = SOURCES.map(|(table, history, risk, text)| {
        format!(
            "SELECT '{table}', r.{risk}, r.seq_from, {text} FROM {table}{history} AS r
             WHERE r.organization = $1 AND (r.{risk}, r.seq_from) IN (SELECT wanted.number, wanted.part FROM {wanted})"
        )
    });
    let sql = texts.join(" UNION ALL ");
    let pairs: Vec<[i64; 2]> = changes.iter().filter_map(place).map(|(_, risk, seq)| [risk, seq]).collect();
    let params: [&dyn Param; 2] = [&organization.uuid(), &serde_json::json!(pairs).to_string()];
    let rows: Vec<(String, i64, i64, Option<String>)> = tx.query(&sql, &params).await?;
    let texts = rows.into_iter().map(|(table, risk, seq, text)| ((table, risk, seq), text));
    let mut texts: HashMap<Place, Option<String>> = texts.collect();
    for change in changes {
        let text = place(change).and_then(|place| texts.remove(&place)).flatten();
        if text.is_some() {
            change.cause.reason = text;
        }
    }
    Ok(())
}

fn place(change: &RiskChange) -> Option<Place> {
    let table = match change.kind {
        Kind::Worse | Kind::Better | Kind::NotComparable | Kind::FirstEvaluated => "evaluation",
        Kind::Closed | Kind::Reopened => "risk",
        Kind::RiskAccepted
        | Kind::AcceptanceRefused
        | Kind::AcceptanceWithdrawn
        | Kind::AcceptanceRevoked => "risk_acceptance",
        Kind::ExceptionAccepted
        | Kind::ExceptionRefused
        | Kind::ExceptionWithdrawn
        | Kind::ExceptionRevoked => "policy_exception",
        Kind::New
        | Kind::Gone
        | Kind::InherentMoved
        | Kind::TargetMoved
        | Kind::TreatmentChanged
        | Kind::ScaleChanged => return None,
    };
    let (number, _) = change.risk.as_ref()?;
    Some((table.to_owned(), number.number(), change.cause.seq))
}
