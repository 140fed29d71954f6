//! Risks, their history, their soft deletion and the tags on them.

mod change_many;
mod due;
mod facets;
mod happened;
mod journaled;
mod list;
mod of_controls;
mod purged;
mod ratings;
mod read;
mod references;
mod rerated;
mod reviews;
mod tag_links;
mod undone;
mod write;

pub use change_many::{BulkChange, Target};
pub use due::DueFilter;
pub use facets::facets;
pub use happened::{Happened, happened};
pub(crate) use journaled::recorded;
pub(crate) use list::with_latest;
pub use list::{
    RiskFilter, RiskQuery, RiskSort, count, existing, found, list, list_by_number, list_graded, list_ranked,
};
pub use of_controls::{ControlledRisk, of_controls};
pub use purged::purged_after;
pub(crate) use ratings::of_numbers;
pub use ratings::{HeatMap, Rated, RatingBasis, heat_map, list_by_rating};
pub(crate) use read::{by_number, current, get_without_tags, latest_known, names};
pub use read::{get, get_many};
pub(crate) use references::with_references;
pub(crate) use rerated::save_ratings;
pub use reviews::{count_reviews, review, reviews};
pub(crate) use tag_links::TAGS;
pub use write::{create, delete, patch_faults, restore, update};

use domain::RiskNumber;
use domain::risk::Risk;
use domain::scale::Grades;
use domain::search::SearchKind;

use crate::ledger::journal::Subject;
use crate::ledger::trash::{Deletable, Entries};

crate::ledger::record::record! {
    Risk in "risk" {
        number: Plain => Key,
        title: Plain => Journaled,
        description: Plain => Journaled,
        category: Plain => Journaled,
        owner: APerson => Journaled,
        owner_name: Plain => Journaled,
        asset: Plain => Journaled,
        threat: Plain => Journaled,
        vulnerability: Plain => Journaled,
        existing_controls: Plain => Journaled,
        controls: AList => Journaled,
        external_ref: Plain => Journaled,
        treatment: AWord => Journaled,
        treatment_plan: Plain => Journaled,
        status: AWord => Journaled,
        status_reason: Plain => Journaled,
        status_date: Plain => Journaled,
        evaluate_every_days: Plain => Journaled,
        evaluations_from: Plain => Journaled,
        review_every_days: Plain => Journaled,
        next_review_date: Plain => Journaled,
        inherent: ARating => Journaled,
        target: ARating => Journaled,
        scale_version: Plain => Journaled,
        created_date: Plain => Fixed,
        updated_date: Plain => Counted,
        deleted_date: Plain => Journaled,
        version: Plain => Counted,
        seq_from: Plain => Counted,
    }
    without {
        current: None,
        grades: Grades::default(),
        acceptance: None,
        acceptance_request: None,
        tags: Vec::new(),
    }
}

crate::ledger::record::versioned!(Risk);

impl Deletable for Risk {
    const SEARCHED: SearchKind = SearchKind::Risk;
    const ENTRIES: Entries =
        Entries { deleted: "risk.deleted", restored: "risk.restored", purged: "risk.purged" };
    const PARTS: &'static [(&'static str, &'static str)] = &[
        ("evaluation", "risk"),
        ("risk_latest", "risk"),
        ("risk_review", "risk"),
        ("risk_tag", "risk"),
        ("risk_task", "risk"),
        ("risk_acceptance", "risk"),
        ("risk_acceptance_history", "risk"),
    ];
    const MORE_TEXTS: &'static [&'static str] = &["controls"];

    fn subject(number: i64) -> Subject {
        subject(RiskNumber(number))
    }
}

/// The subject of a risk's entries, and of those of its evaluations, tags and tasks.
pub(crate) fn subject(number: RiskNumber) -> Subject {
    Subject::new("risk", number.to_string())
}
