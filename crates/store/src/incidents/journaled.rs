//! Incidents as the journal should have them.

use db::Tx;
use domain::OrgId;
use domain::incident::Incident;

use super::{read, subject};
use crate::error::Result;
use crate::journal::Current;
use crate::record;
use crate::view::View;

/// Incidents that are compared with the journal at a time.
const PAGE: i64 = 1_000;

/// Every incident as the journal should have it, deleted ones too.
pub(crate) async fn journaled(tx: &mut Tx, organization: OrgId) -> Result<Vec<Current>> {
    let view = View::with_deleted();
    let (mut all, mut before) = (Vec::new(), None);
    loop {
        let page = read::list(tx, organization, view, before, PAGE).await?;
        before = page.rows.last().map(|incident| incident.number);
        all.extend(page.rows.iter().map(current));
        if !page.has_more {
            return Ok(all);
        }
    }
}

fn current(incident: &Incident) -> Current {
    let subject = subject(incident.number);
    Current {
        subject_kind: subject.kind,
        subject_id: subject.id,
        seq_from: Some(incident.seq_from),
        fields: record::journaled(incident).map(|(name, value)| (name.to_owned(), value)).collect(),
    }
}
