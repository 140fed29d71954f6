//! Incidents as they are held against the journal.

use std::collections::HashMap;

use db::Tx;
use domain::incident::Incident;
use domain::link::IncidentLink;
use domain::review::Review;
use domain::{IncidentNumber, OrgId};

use super::reports::IncidentReport;
use super::subject;
use super::tag_links::TAGS;
use crate::ledger::error::Result;
use crate::ledger::part::{self, RecordedParts};
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded, versions};
use crate::notes::IncidentNote;
use crate::tasks::TaskRow;

/// Incidents that are read at a time.
const PAGE: i64 = 200;

/// The next incidents with every state that each had, deleted ones too.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<Incident>::read(tx, organization, after, PAGE).await?;
    let numbers: Vec<i64> = page.records.iter().map(|incident| incident.number.number()).collect();
    let mut parts = parts(tx, organization, &numbers).await?;
    let mut versions = versions(tx, organization, &page.records).await?;
    Ok(page.map(|incident| {
        let versions = versions.remove(&incident.number.number()).unwrap_or_default();
        let recorded = Recorded::of(subject(incident.number), &incident);
        let made = Made::by(incident.created_date, &incident.opened_by);
        let mut recorded = recorded.made(made);
        let RecordedParts { fields, links, states, histories, seq } =
            parts.remove(&incident.number.number()).unwrap_or_default();
        recorded.fields.extend(fields);
        let seq_from = Some(incident.seq_from.max(seq));
        Recorded { seq_from, versions, links, parts: states, histories, ..recorded }
    }))
}

/// The parts of these incidents.
async fn parts(tx: &mut Tx, organization: OrgId, numbers: &[i64]) -> Result<HashMap<i64, RecordedParts>> {
    let mut parts = HashMap::new();
    // One line for each kind.
    part::recorded::<TaskRow<IncidentNumber>>(tx, organization, numbers, &mut parts).await?;
    part::recorded::<Review>(tx, organization, numbers, &mut parts).await?;
    part::recorded_with_history::<IncidentNote>(tx, organization, numbers, &mut parts).await?;
    TAGS.recorded(tx, organization, numbers, &mut parts).await?;
    part::recorded::<IncidentLink>(tx, organization, numbers, &mut parts).await?;
    part::recorded::<IncidentReport>(tx, organization, numbers, &mut parts).await?;
    Ok(parts)
}
