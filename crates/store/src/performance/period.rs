//! The period of a figure, and the state of the register that it is computed from.

use db::Tx;
use domain::OrgId;
use domain::performance::cutoff;
use jiff::Timestamp;
use macros::boxed;

use super::figure::now;
use crate::ledger::error::Result;
use crate::ledger::journal;
use crate::ledger::view::{Deleted, View};

/// A period, with the register as it was known at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// Its length in days of 24 hours.
    pub days: i64,
    /// Its last moment.
    pub until: Timestamp,
    /// The register as it stood after this journal entry; none: as it stands.
    pub as_of_seq: Option<i64>,
}

impl Period {
    /// The moment before it begins.
    pub(super) fn after(self) -> Timestamp {
        cutoff(self.until, self.days)
    }

    pub(super) fn view(self, deleted: Deleted) -> View {
        View { as_of_seq: self.as_of_seq, at: None, deleted }
    }
}

/// The last `days` times 24 hours, with the register as it stands.
#[boxed]
pub async fn period(tx: &mut Tx, organization: OrgId, days: i64) -> Result<Period> {
    Ok(Period { days, until: now(tx, organization).await?, as_of_seq: None })
}

/// The period before, with the register as it was known at its end.
#[boxed]
pub async fn previous(tx: &mut Tx, organization: OrgId, period: Period) -> Result<Period> {
    let until = period.after();
    let known = journal::resolve(tx, organization, Some(until), None).await?.map(|it| it.seq);
    let as_of_seq = known.map(|seq| period.as_of_seq.map_or(seq, |last| last.min(seq)));
    Ok(Period { until, as_of_seq, ..period })
}
