//! Acceptances of risks, from the request on. The entries of the risk tell of them: they are parts of it.

mod ask;
mod confirm;
mod decide;
mod end;
mod follow;
mod list;
mod missing;
mod of_risk;
mod read;
mod waiting;
mod waive;
mod write;

pub use ask::ask;
pub use confirm::{Confirmed, confirm};
pub use decide::{decide, deciders};
pub use end::{revoke, withdraw};
pub(crate) use follow::{follow, follow_all};
pub use list::{AcceptanceFilter, AcceptancePosition, count, list};
pub(crate) use missing::{decision_state, is_decision_missing};
pub use of_risk::{count_of_risk, get, list_of_risk};
pub use read::AcceptanceDetails;
pub(crate) use read::{of_risks, today};
pub use waiting::{to_confirm, waiting};
pub use waive::waive_four_eyes;

use domain::acceptance::Acceptance;
use domain::decision::Decision;
use jiff::Timestamp;

use crate::ledger::part::{Part, PartWithHistory};
use crate::ledger::record::{columns, record};
use crate::ledger::verify::recorded::Made;

columns! {
    Decision {
        state: AWord => Journaled,
        reason: Plain => Journaled,
        until: Plain => Journaled,
        requested_by: AnActor => Fixed,
        requested_date: Plain => Fixed,
        four_eyes_waived: Plain => Journaled,
        decided_by: AnActor => Journaled,
        decided_date: Plain => Journaled,
        on_behalf_of: APerson => Journaled,
        note: Plain => Journaled,
        board: Plain => Journaled,
        board_date: Plain => Journaled,
        minutes: Plain => Journaled,
        confirmed_by: AnActor => Journaled,
        confirmed_on_behalf_of: APerson => Journaled,
        confirmed_date: Plain => Journaled,
        end_reason: Plain => Journaled,
        ended_by: AnActor => Journaled,
        ended_date: Plain => Journaled,
        updated_date: Plain => Counted,
        version: Plain => Counted,
        seq: Plain => Fixed,
        seq_from: Plain => Counted,
    }
}

record! {
    Acceptance in "risk_acceptance" with decision: Decision {
        risk: Plain => Key,
        number: Plain => Key,
        risk_version: Plain => Journaled,
        treatment: AWord => Journaled,
        treatment_plan: Plain => Journaled,
        evaluation: Plain => Journaled,
        evaluated_at: Plain => Journaled,
        rating: ARating => Journaled,
        scale_version: Plain => Journaled,
        band: Plain => Journaled,
        band_place: Plain => Journaled,
        band_count: Plain => Journaled,
        stale_by: Plain => Journaled,
        scale_until: Plain => Journaled,
    }
}

impl Part for Acceptance {
    const PREFIX: &'static str = "acceptances";
    const WHOLE: &'static str = "risk";

    fn whole(&self) -> i64 {
        self.risk.number()
    }

    fn id(&self) -> String {
        self.number.to_string()
    }

    fn entries(&self) -> (i64, i64) {
        (self.decision.seq_from, self.decision.seq)
    }

    fn made(&self) -> Made {
        Made::by(self.decision.requested_date, &self.decision.requested_by)
    }
}

impl PartWithHistory for Acceptance {
    fn state(&self) -> (i64, Timestamp) {
        (self.decision.version, self.decision.updated_date)
    }
}
