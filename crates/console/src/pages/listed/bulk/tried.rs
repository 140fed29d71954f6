//! What would become of each record.

use std::collections::HashMap;
use std::fmt::Display;
use std::hash::Hash;

use db::Tx;
use domain::Line;
use domain::bulk::{ItemOutcome, ItemResult};
use domain::document::DocumentStatus;
use domain::incident::Status;
use domain::risk::RiskStatus;
use http::Error;

use super::{Field, Number, Operation, labelled};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// The most rows of the table.
const SHOWN: usize = 100;

/// A record as the table shows it.
pub(crate) struct Record {
    /// Its title.
    pub(crate) title: Line,
    /// Its status.
    pub(crate) now: Now,
}

/// The status that a record has.
pub(crate) enum Now {
    Incident(Status),
    Risk(RiskStatus),
    Document(DocumentStatus),
}

/// The results of a dry run, those that are refused first.
pub(crate) struct Tried {
    pub(super) changed: usize,
    pub(super) unchanged: usize,
    pub(super) failed: usize,
    pub(super) gone: usize,
    pub(super) rows: Vec<Row>,
    pub(super) total: usize,
    /// Those that the change is made of: what matches a filter only later is not among them.
    pub(super) ids: String,
}

pub(super) struct Row {
    pub(super) number: String,
    pub(super) record: Option<Record>,
    pub(super) outcome: &'static str,
    pub(super) badge: &'static str,
    pub(super) problem: Option<String>,
}

impl Tried {
    pub(super) async fn read<O: Operation>(
        tx: &mut Tx,
        request: &PageRequest,
        operation: O,
        results: &[ItemResult<Number<O>>],
    ) -> Result<Self> {
        let found = O::records(tx, request, &shown(results)).await?;
        Ok(Self::of(request, &operation.fields(), results, found))
    }

    /// The results, with those of the records that are shown.
    pub(crate) fn of<N: Display + Eq + Hash>(
        request: &PageRequest,
        fields: &[Field],
        results: &[ItemResult<N>],
        mut found: HashMap<N, Record>,
    ) -> Self {
        let rows = sorted(results).into_iter().map(|it| {
            let record = found.remove(&it.id);
            Row::of(it, record, |error| told(error, request, fields))
        });
        let rows = rows.collect();
        let is_meant =
            |it: &&ItemResult<N>| matches!(it.outcome, ItemOutcome::Changed | ItemOutcome::Failed(_));
        let ids: Vec<String> = results.iter().filter(is_meant).map(|it| it.id.to_string()).collect();
        let count = |is: fn(&ItemOutcome) -> bool| results.iter().filter(|it| is(&it.outcome)).count();
        Self {
            changed: count(|it| *it == ItemOutcome::Changed),
            unchanged: count(|it| *it == ItemOutcome::Unchanged),
            failed: count(|it| matches!(it, ItemOutcome::Failed(_))),
            gone: count(|it| *it == ItemOutcome::NotFound),
            rows,
            total: results.len(),
            ids: ids.join(" "),
        }
    }
}

/// Those that the table has, the refused ones first.
fn sorted<N>(results: &[ItemResult<N>]) -> Vec<&ItemResult<N>> {
    let mut sorted: Vec<_> = results.iter().collect();
    sorted.sort_by_key(|it| match it.outcome {
        ItemOutcome::Failed(_) => 0,
        ItemOutcome::NotFound => 1,
        ItemOutcome::Changed => 2,
        ItemOutcome::Unchanged => 3,
    });
    sorted.truncate(SHOWN);
    sorted
}

/// The records of the table. What is not found is not told of: it may be deleted, or not for the person to see.
pub(crate) fn shown<N: Clone>(results: &[ItemResult<N>]) -> Vec<N> {
    let found = sorted(results).into_iter().filter(|it| it.outcome != ItemOutcome::NotFound);
    found.map(|it| it.id.clone()).collect()
}

/// Why a record is refused: what is wrong with the form for it, or with its state.
fn told(error: &domain::Error, request: &PageRequest, fields: &[Field]) -> String {
    match Problems::of(error.clone().into()) {
        Ok(problems) if problems.has_faults() => labelled(problems, request, fields).sentences(),
        _ => {
            let (_, title, detail) = Error::from(error.clone()).in_words();
            if detail.is_empty() { title } else { detail }
        }
    }
}

impl Row {
    fn of<N: Display>(
        result: &ItemResult<N>,
        record: Option<Record>,
        told: impl FnOnce(&domain::Error) -> String,
    ) -> Self {
        let (outcome, badge, problem) = match &result.outcome {
            ItemOutcome::Changed => (texts::WOULD_CHANGE, "blue", None),
            ItemOutcome::Unchanged => (texts::UNCHANGED, "", None),
            ItemOutcome::NotFound => (texts::NOT_FOUND, "", None),
            ItemOutcome::Failed(error) => (texts::IS_REFUSED, "bad", Some(told(error))),
        };
        Self { number: result.id.to_string(), record, outcome, badge, problem }
    }
}
