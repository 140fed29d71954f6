//! Requests and acknowledgements as they are held against the journal.

use db::Tx;
use domain::OrgId;
use domain::acknowledgement::{Acknowledgement, AcknowledgementRequest};

use super::requests::subject;
use crate::ledger::error::Result;
use crate::ledger::journal::Subject;
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded};

/// Records that are read at a time.
const PAGE: i64 = 1_000;

/// The next requests, ended ones too.
pub(crate) async fn recorded_requests(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<AcknowledgementRequest>::read(tx, organization, after, PAGE).await?;
    Ok(page.map(|row| {
        let made = Made::by(row.created_date, &row.created_by);
        Recorded { seq_from: Some(row.seq_from), ..Recorded::of(subject(row.id), &row).made(made) }
    }))
}

/// The next acknowledgements.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<Acknowledgement>::read(tx, organization, after, PAGE).await?;
    Ok(page.map(|row| {
        let subject = Subject::new("acknowledgement", row.id.to_string());
        Recorded::of(subject, &row).made(Made::by(row.created_date, &row.recorded_by))
    }))
}
