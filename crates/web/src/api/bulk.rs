//! What became of each of many records.

use domain::bulk::{ItemOutcome, ItemResult};
use domain::words;

use crate::http::problem::ItemProblem;
use crate::http::word::OneOf;

words! {
    "BulkItemOutcome"
    /// What became of one of many records.
    pub(super) enum Outcome {
        /// It was changed.
        Changed = "changed",
        /// It was so already.
        Unchanged = "unchanged",
        /// A rule forbids the change.
        Failed = "failed",
        /// It does not exist, is deleted, or is not for the caller to see.
        NotFound = "not_found",
    }
}

pub(super) type OutcomeView = OneOf<Outcome>;

/// An outcome as responses show it, with the problem of one that failed.
pub(super) fn view(outcome: &ItemOutcome) -> (OutcomeView, Option<ItemProblem<'_>>) {
    let (outcome, problem) = match outcome {
        ItemOutcome::Changed => (Outcome::Changed, None),
        ItemOutcome::Unchanged => (Outcome::Unchanged, None),
        ItemOutcome::Failed(error) => (Outcome::Failed, Some(ItemProblem::of(error))),
        ItemOutcome::NotFound => (Outcome::NotFound, None),
    };
    (outcome.into(), problem)
}

/// How many were changed.
pub(super) fn changed_count<N>(results: &[ItemResult<N>]) -> i64 {
    let changed = results.iter().filter(|it| it.outcome == ItemOutcome::Changed).count();
    i64::try_from(changed).unwrap_or(i64::MAX)
}
