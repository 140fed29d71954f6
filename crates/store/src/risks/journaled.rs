//! Risks as the journal should have them. Their tags and evaluations stand in entries of the risk too.

use std::collections::HashMap;

use db::Tx;
use domain::{OrgId, RiskNumber, TagId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{read, subject, tags};
use crate::dialect::{numbers_parameter, wanted_numbers};
use crate::error::Result;
use crate::journal::Current;
use crate::view::View;
use crate::{evaluations, record};

/// Risks that are compared with the journal at a time.
const PAGE: i64 = 1_000;

/// Every risk with its tags and evaluations as the journal should have it, deleted ones too.
pub(crate) async fn journaled(tx: &mut Tx, organization: OrgId) -> Result<Vec<Current>> {
    let view = View::with_deleted();
    let (mut all, mut before) = (Vec::new(), None);
    loop {
        let page = read::list(tx, organization, view, before, PAGE).await?;
        let numbers: Vec<_> = page.rows.iter().map(|risk| risk.number).collect();
        let mut links = latest_links(tx, organization, &numbers).await?;
        let mut evaluations = evaluations::journaled(tx, organization, &numbers).await?;
        for risk in &page.rows {
            let (evaluated, judged) = evaluations.remove(&risk.number).unwrap_or_default();
            let (linked, tags) = links.remove(&risk.number).unwrap_or_default();
            let own = record::journaled(risk).map(|(name, value)| (name.to_owned(), value));
            let subject = subject(risk.number);
            all.push(Current {
                subject_kind: subject.kind,
                subject_id: subject.id,
                seq_from: Some(risk.seq_from.max(linked).max(evaluated)),
                fields: own.chain(judged).chain(tags).collect(),
            });
        }
        before = page.rows.last().map(|risk| risk.number);
        if !page.has_more {
            return Ok(all);
        }
    }
}

/// For each risk the entry that last put a tag on it or took one off, and the fields of all tags it ever had.
async fn latest_links(
    tx: &mut Tx,
    organization: OrgId,
    numbers: &[RiskNumber],
) -> Result<HashMap<RiskNumber, (i64, Vec<(String, Value)>)>> {
    let sql = format!(
        "SELECT risk, tag, MAX(COALESCE(seq_to, seq_from)), CAST(MAX(CASE WHEN seq_to IS NULL THEN 1 ELSE 0 END) AS BIGINT)
         FROM risk_tag WHERE organization = $1 AND risk IN (SELECT number FROM {}) GROUP BY risk, tag",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().map(|number| number.number()));
    let rows: Vec<(i64, Uuid, i64, i64)> = tx.query(&sql, &[&organization.uuid(), &numbers]).await?;
    let mut all: HashMap<_, (i64, Vec<_>)> = HashMap::new();
    for (risk, tag, seq, is_on) in rows {
        let (latest, fields) = all.entry(RiskNumber(risk)).or_default();
        *latest = seq.max(*latest);
        let value = if is_on == 1 { json!(true) } else { Value::Null };
        fields.push((tags::field(TagId(tag)), value));
    }
    Ok(all)
}
