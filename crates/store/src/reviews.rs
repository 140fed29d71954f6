//! Reviews of incidents. The entries of the incident tell of them: each edition is a part of it.

mod read;
mod task;
mod write;

pub use read::{ReviewDetails, count_editions, editions, get};
pub use task::action_to_task;
pub use write::{patch_faults, update};

use domain::review::Review;
use jiff::Timestamp;

use crate::part::Part;
use crate::verify::recorded::Made;

crate::record::record! {
    Review in "incident_review" {
        incident: Plain => Key,
        edition: Plain => Key,
        owner: APerson => Journaled,
        summary: Plain => Journaled,
        root_cause: Plain => Journaled,
        contributing_factors: Plain => Journaled,
        impact: Plain => Journaled,
        went_well: Plain => Journaled,
        lessons: Plain => Journaled,
        actions: AnActionList => Journaled,
        state: AWord => Journaled,
        created_by: AnActor => Fixed,
        created_date: Plain => Fixed,
        published_date: Plain => Journaled,
        updated_date: Plain => Counted,
        version: Plain => Counted,
        seq_from: Plain => Fixed,
        seq: Plain => Counted,
    }
}

impl Part for Review {
    const PREFIX: &'static str = "reviews";
    const WHOLE: &'static str = "incident";
    const IS_COUNTED_TOGETHER: bool = true;

    fn whole(&self) -> i64 {
        self.incident.number()
    }

    fn id(&self) -> String {
        self.edition.to_string()
    }

    fn entries(&self) -> (i64, i64) {
        (self.seq, self.seq_from)
    }

    fn made(&self) -> Made {
        Made::by(self.created_date, &self.created_by)
    }

    fn version(&self) -> Option<(i64, Timestamp)> {
        Some((self.version, self.updated_date))
    }
}
