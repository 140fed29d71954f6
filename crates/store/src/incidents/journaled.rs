//! Incidents as they are held against the journal.

use std::collections::HashMap;

use db::Tx;
use domain::OrgId;
use domain::incident::Incident;

use super::subject;
use crate::error::Result;
use crate::record;
use crate::records::page::{Cursor, RecordPage};
use crate::verify::recorded::{Made, Recorded, Version};

/// Incidents that are read at a time.
const PAGE: i64 = 200;

/// The next incidents with every state that each had, deleted ones too.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<Incident>::read(tx, organization, after, PAGE).await?;
    let numbers = page.records.iter().map(|incident| incident.number.number());
    let mut earlier: HashMap<_, Vec<Version>> = HashMap::new();
    for (state, seq_to) in record::history::<Incident>(tx, organization, numbers).await? {
        earlier.entry(state.number).or_default().push(version(&state, Some(seq_to)));
    }
    Ok(page.map(|incident| {
        let mut versions = earlier.remove(&incident.number).unwrap_or_default();
        versions.push(version(&incident, None));
        let recorded = Recorded::of(subject(incident.number), &incident);
        let made = Made::by(incident.created_date, &incident.opened_by);
        Recorded { seq_from: Some(incident.seq_from), versions, ..recorded.made(made) }
    }))
}

fn version(incident: &Incident, seq_to: Option<i64>) -> Version {
    Version {
        number: incident.version,
        updated: incident.updated_date,
        seq_from: incident.seq_from,
        seq_to,
        fields: record::journaled(incident).map(|(name, value)| (name.to_owned(), value)).collect(),
    }
}
