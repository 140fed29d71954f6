//! The versions of an organization's scale.

mod grades;
mod read;

pub(crate) use grades::{band_code, band_of_code, codes, order, present_codes};
pub(crate) use read::changed;
pub use read::{count, get, known, list, require_generation};

use db::Tx;
use domain::OrgId;
use domain::scale::Scale;

use crate::ledger::error::Result;
use crate::ledger::journal::Subject;
use crate::ledger::record::record;
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded};

record! {
    Scale in "scale" {
        number: Plain => Key,
        generation: Plain => Journaled,
        reason: Plain => Journaled,
        content: AScaleContent => Journaled,
        created_by: AnActor => Fixed,
        created_date: Plain => Fixed,
        seq_from: Plain => Fixed,
    }
}

/// Versions that are compared with the journal at a time.
const PAGE: i64 = 100;

/// The subject of a version's entry.
pub(crate) fn subject(number: i64) -> Subject {
    Subject::new("scale", number.to_string())
}

/// The next versions, as they are held against the journal.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<Scale>::read(tx, organization, after, PAGE).await?;
    Ok(page.map(|scale| {
        let recorded = Recorded::of(subject(scale.number), &scale);
        let made = scale.created_date.zip(scale.created_by.as_ref()).map(|(at, by)| Made::by(at, by));
        Recorded { seq_from: Some(scale.seq_from), made, ..recorded }
    }))
}
