//! Risks as they are held against the journal, with their tags, tasks, acceptances, evaluations and reviews, which stand in entries
//! of the risk.

use std::collections::HashMap;

use db::Tx;
use domain::acceptance::Acceptance;
use domain::risk::Risk;
use domain::{OrgId, RiskNumber};

use super::reviews::{self, Reviewed};
use super::subject;
use super::tag_links::TAGS;
use crate::evaluations::{self, Evaluated};
use crate::ledger::error::Result;
use crate::ledger::part::{self, RecordedParts};
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded, versions};
use crate::tasks::TaskRow;

/// Risks that are read at a time.
const PAGE: i64 = 200;

/// The next risks with every state that each had, deleted ones too.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<Risk>::read(tx, organization, after, PAGE).await?;
    let numbers: Vec<_> = page.records.iter().map(|risk| risk.number).collect();
    let mut versions = versions(tx, organization, &page.records).await?;
    let mut evaluated = evaluations::recorded(tx, organization, &numbers).await?;
    let numbers: Vec<i64> = numbers.iter().map(|number| number.number()).collect();
    let mut parts = HashMap::new();
    TAGS.recorded(tx, organization, &numbers, &mut parts).await?;
    let mut reviewed = reviews::recorded(tx, organization, &numbers).await?;
    part::recorded::<TaskRow<RiskNumber>>(tx, organization, &numbers, &mut parts).await?;
    part::recorded_with_history::<Acceptance>(tx, organization, &numbers, &mut parts).await?;
    Ok(page.map(|risk| {
        let Evaluated { links: mut all, fields, latest } = evaluated.remove(&risk.number).unwrap_or_default();
        let RecordedParts { fields: of_parts, links, states, histories, seq } =
            parts.remove(&risk.number.number()).unwrap_or_default();
        let mut record = Recorded::of(subject(risk.number), &risk).made(Made::at(risk.created_date));
        record.fields.extend(fields);
        record.fields.extend(of_parts);
        (record.parts, record.histories) = (states, histories);
        let Reviewed { fields, links: reviews } = reviewed.remove(&risk.number.number()).unwrap_or_default();
        record.fields.extend(fields);
        all.extend(reviews);
        all.extend(links);
        let of_links = all.iter().map(|link| link.seq_to.unwrap_or(link.seq_from).max(link.seq_from)).max();
        record.seq_from = Some(risk.seq_from.max(of_links.unwrap_or_default()).max(seq));
        record.faults.extend(latest.fault(&risk));
        record.versions = versions.remove(&risk.number.number()).unwrap_or_default();
        record.links = all;
        record
    }))
}
