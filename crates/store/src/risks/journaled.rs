//! Risks as they are held against the journal, with their tags and evaluations, which stand in entries of the risk.

use std::collections::HashMap;

use db::{Param, Tx};
use domain::risk::Risk;
use domain::{OrgId, RiskNumber, TagId};
use serde_json::json;
use uuid::Uuid;

use super::{subject, tags};
use crate::dialect::{numbers_parameter, wanted_numbers};
use crate::error::Result;
use crate::evaluations::{self, Evaluated};
use crate::records::page::{Cursor, RecordPage};
use crate::verify::recorded::{Link, Made, Recorded, versions};

/// Risks that are read at a time.
const PAGE: i64 = 200;

/// The next risks with every state that each had, deleted ones too.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<Risk>::read(tx, organization, after, PAGE).await?;
    let numbers: Vec<_> = page.records.iter().map(|risk| risk.number).collect();
    let mut versions = versions(tx, organization, &page.records).await?;
    let mut links = tag_links(tx, organization, &numbers).await?;
    let mut evaluated = evaluations::recorded(tx, organization, &numbers).await?;
    Ok(page.map(|risk| {
        let Evaluated { links: mut all, fields, latest } = evaluated.remove(&risk.number).unwrap_or_default();
        let tags = links.remove(&risk.number).unwrap_or_default();
        let mut record = Recorded::of(subject(risk.number), &risk).made(Made::at(risk.created_date));
        record.fields.extend(fields);
        record
            .fields
            .extend(tags.iter().filter(|it| it.seq_to.is_none()).map(|it| (it.field.clone(), json!(true))));
        all.extend(tags);
        let of_links = all.iter().map(|link| link.seq_to.unwrap_or(link.seq_from).max(link.seq_from)).max();
        record.seq_from = Some(risk.seq_from.max(of_links.unwrap_or_default()));
        record.faults.extend(latest.fault(risk.deleted_date.is_some()));
        record.versions = versions.remove(&risk.number.number()).unwrap_or_default();
        record.links = all;
        record
    }))
}

/// The tags that each risk has or had.
async fn tag_links(
    tx: &mut Tx,
    organization: OrgId,
    numbers: &[RiskNumber],
) -> Result<HashMap<RiskNumber, Vec<Link>>> {
    let sql = format!(
        "SELECT risk, tag, seq_from, seq_to FROM risk_tag
         WHERE organization = $1 AND risk IN (SELECT wanted.number FROM {}) ORDER BY risk, seq_from",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().map(|number| number.number()));
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    let rows: Vec<(i64, Uuid, i64, Option<i64>)> = tx.query(&sql, &params).await?;
    let mut all: HashMap<_, Vec<Link>> = HashMap::new();
    for (risk, tag, seq_from, seq_to) in rows {
        let link = Link { field: tags::field(TagId(tag)), seq_from, seq_to, made: None };
        all.entry(RiskNumber(risk)).or_default().push(link);
    }
    Ok(all)
}
