//! Incidents as they are held against the journal.

use std::collections::HashMap;

use db::{Tx, Value};
use domain::OrgId;
use domain::incident::Incident;

use super::subject;
use crate::error::Result;
use crate::list::{Direction, Select};
use crate::page::Page;
use crate::record::{self, Stored};
use crate::records::{Cursor, RecordPage};
use crate::verify::{Made, Recorded, Version};
use crate::view::View;

/// Incidents that are read at a time.
const PAGE: i64 = 200;

/// The next incidents with every state that each had, deleted ones too.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let select = Select::<Incident>::of(organization, View::with_deleted());
    let page: Page<Stored<Incident>> =
        select.order(&["number"], Direction::Ascending, after).page(tx, PAGE).await?;
    let numbers = page.rows.iter().map(|Stored(incident)| incident.number.number());
    let mut earlier: HashMap<_, Vec<Version>> = HashMap::new();
    for (state, seq_to) in record::history::<Incident>(tx, organization, numbers).await? {
        earlier.entry(state.number).or_default().push(version(&state, Some(seq_to)));
    }
    let next = page.rows.last().filter(|_| page.has_more);
    let next = next.map(|Stored(incident)| vec![Value::from(incident.number.number())]);
    let records = page.rows.into_iter().map(|Stored(incident)| {
        let mut versions = earlier.remove(&incident.number).unwrap_or_default();
        versions.push(version(&incident, None));
        let recorded = Recorded::of(subject(incident.number), &incident);
        let made = Made::by(incident.created_date, &incident.opened_by);
        Recorded { seq_from: Some(incident.seq_from), versions, ..recorded.made(made) }
    });
    Ok(RecordPage { records: records.collect(), next })
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
