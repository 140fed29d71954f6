//! The fields of a risk that the journal tells of. Its tags and evaluations are told of in entries of
//! the risk too.

use std::collections::HashMap;

use db::Tx;
use domain::risk::{Rating, Risk};
use domain::time::format;
use domain::{OrgId, RiskNumber};
use serde_json::{Value, json};

use super::read;
use crate::dialect::{numbers_parameter, wanted_numbers};
use crate::error::Result;
use crate::evaluations;
use crate::journal::{Current, Payload, Subject};
use crate::view::{Deleted, View};

/// Risks that are compared with the journal at a time.
const PAGE: i64 = 1_000;

/// The subject of a risk's entries.
pub(crate) fn subject(number: RiskNumber) -> Subject {
    Subject::new("risk", number.to_string())
}

/// What the journal tells of a change.
pub(super) fn changes(before: Option<&Risk>, after: &Risk) -> Payload {
    let before = before.map(fields);
    let mut before = before.into_iter().flatten().map(|(_, value)| value);
    fields(after).into_iter().fold(Payload::new(), |payload, (name, value)| {
        payload.change(name, before.next().unwrap_or_default(), value)
    })
}

fn fields(risk: &Risk) -> [(&'static str, Value); 10] {
    let rating = |rating: Rating| json!({"likelihood": rating.likelihood, "impact": rating.impact});
    // By id: names change, and with them the order by name.
    let mut tags: Vec<_> = risk.tags.iter().map(|tag| tag.id).collect();
    tags.sort_unstable();
    [
        ("title", json!(risk.title)),
        ("description", json!(risk.description)),
        ("category", json!(risk.category)),
        ("owner", json!(risk.owner.as_ref().map(|person| person.id))),
        ("status", json!(risk.status.as_str())),
        ("status_reason", json!(risk.status_reason)),
        ("inherent", rating(risk.inherent)),
        ("target", rating(risk.target)),
        ("tags", json!(tags)),
        ("deleted_date", json!(risk.deleted_date.map(format))),
    ]
}

/// Every risk with its tags and evaluations as the journal should have it, deleted ones too.
pub(crate) async fn journaled(tx: &mut Tx, organization: OrgId) -> Result<Vec<Current>> {
    let view = View { deleted: Deleted::With, ..View::now() };
    let (mut all, mut before) = (Vec::new(), None);
    loop {
        let page = read::list(tx, organization, view, before, PAGE).await?;
        let numbers: Vec<_> = page.rows.iter().map(|risk| risk.number).collect();
        let mut links = latest_links(tx, organization, &numbers).await?;
        let mut evaluations = evaluations::journaled(tx, organization, &numbers).await?;
        for risk in &page.rows {
            let (evaluated, judged) = evaluations.remove(&risk.number).unwrap_or_default();
            let linked = links.remove(&risk.number).unwrap_or_default();
            let own = fields(risk).into_iter().map(|(name, value)| (name.to_owned(), value));
            all.push(Current {
                subject_kind: "risk",
                subject_id: risk.number.to_string(),
                seq_from: Some(risk.seq_from.max(linked).max(evaluated)),
                fields: own.chain(judged).collect(),
            });
        }
        before = page.rows.last().map(|risk| risk.number);
        if !page.has_more {
            return Ok(all);
        }
    }
}

/// The entry that last put a tag on each risk, or took one off.
async fn latest_links(
    tx: &mut Tx,
    organization: OrgId,
    numbers: &[RiskNumber],
) -> Result<HashMap<RiskNumber, i64>> {
    let sql = format!(
        "SELECT risk, MAX(COALESCE(seq_to, seq_from)) FROM risk_tag
         WHERE organization = $1 AND risk IN (SELECT number FROM {}) GROUP BY risk",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().map(|number| number.number()));
    let rows: Vec<(i64, i64)> = tx.query(&sql, &[&organization.uuid(), &numbers]).await?;
    Ok(rows.into_iter().map(|(risk, seq)| (RiskNumber(risk), seq)).collect())
}
