//! Evaluations of risks: recorded, superseded, never edited.

mod all;
mod journaled;
mod latest;
mod plan;
mod read;
mod record;

pub use all::{RegisterEvaluation, RiskName, all, count_all};
pub(crate) use journaled::{Evaluated, recorded};
pub use read::{count, get, list};
pub use record::{Recorded, plan_all, record, record_all};

use domain::evaluation::Evaluation;

crate::ledger::record::record! {
    Evaluation in "evaluation" {
        risk: Plain => Key,
        number: Plain => Key,
        rating: ARating => Fixed,
        inherent_score: Plain => Fixed,
        target_score: Plain => Fixed,
        performance_basis_points: Plain => Fixed,
        scale_version: Plain => Fixed,
        evaluated_at: Plain => Fixed,
        evaluated_day: Plain => Fixed,
        created_date: Plain => Fixed,
        evaluator: AnActor => Fixed,
        note: Plain => Fixed,
        supersedes: Plain => Fixed,
        superseded_by: Plain => Counted,
        seq_from: Plain => Fixed,
        seq_to: Plain => Counted,
    }
}
