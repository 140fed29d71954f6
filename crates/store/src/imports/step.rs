//! What becomes of a row, whatever it is imported as.

use domain::RiskNumber;
use domain::import::{Import, ImportRow, PreparedRow, RowFault, RowOutcome};

/// What becomes of a row.
pub(super) struct Step<'p, C, N = RiskNumber> {
    pub(super) row: &'p PreparedRow,
    pub(super) outcome: RowOutcome,
    pub(super) record: Option<N>,
    faults: Vec<RowFault>,
    /// What is written for it.
    pub(super) change: Option<C>,
}

impl<'p, C, N> Step<'p, C, N> {
    /// A row that changes nothing.
    pub(super) fn without_change(row: &'p PreparedRow, outcome: RowOutcome) -> Self {
        Self { row, outcome, record: None, faults: Vec::new(), change: None }
    }

    /// A row that cannot be imported, for these reasons.
    pub(super) fn wrong(row: &'p PreparedRow, reasons: Vec<String>) -> Self {
        let faults = reasons.into_iter().map(|detail| RowFault::of(row.first_row, detail)).collect();
        Self { row, outcome: RowOutcome::Wrong, record: None, faults, change: None }
    }

    /// A row about this record.
    pub(super) fn of(
        row: &'p PreparedRow,
        outcome: RowOutcome,
        record: Option<N>,
        change: Option<C>,
    ) -> Self {
        Self { row, outcome, record, faults: Vec::new(), change }
    }
}

/// What becomes of the rows, of which the first has this place.
pub(super) fn outcomes<C, N: ToString>(
    steps: &[Step<'_, C, N>],
    import: &Import,
    first: usize,
) -> Vec<ImportRow> {
    let outcome = |(place, step): (usize, &Step<'_, C, N>)| {
        let id = step.record.as_ref().map(ToString::to_string);
        let mut row = step.row.outcome(import, place, step.outcome, id);
        row.faults.extend(step.faults.iter().cloned());
        row
    };
    (first..).zip(steps).map(outcome).collect()
}
