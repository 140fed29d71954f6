//! Reviews of incidents. The entries of the incident tell of them: each edition is a part of it.

mod read;
mod task;
mod write;

pub use read::{Publication, ReviewDetails, count_editions, editions, get, publications};
pub use task::action_to_task;
pub use write::{patch_faults, update};

use domain::review::Review;

use crate::ledger::part::part;

crate::ledger::record::record! {
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

part! {
    Review as "reviews" |it| {
        id: it.edition,
        entries: (it.seq, it.seq_from),
        made: (it.created_date, &it.created_by),
        version: (it.version, it.updated_date),
    }
    is_counted_together: true
}
