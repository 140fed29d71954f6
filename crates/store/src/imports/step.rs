//! What becomes of a row, whatever it is imported as.

use domain::RiskNumber;
use domain::import::{Import, ImportRow, PreparedRow, RowFault, RowOutcome};

/// What becomes of a row.
pub(super) struct Step<'p, C> {
    pub(super) row: &'p PreparedRow,
    pub(super) outcome: RowOutcome,
    pub(super) record: Option<RiskNumber>,
    faults: Vec<RowFault>,
    /// What is written for it.
    pub(super) change: Option<C>,
}

impl<'p, C> Step<'p, C> {
    /// A row that changes nothing.
    pub(super) fn without_change(row: &'p PreparedRow, outcome: RowOutcome) -> Self {
        Self { row, outcome, record: None, faults: Vec::new(), change: None }
    }

    /// A row that cannot be imported, for these reasons.
    pub(super) fn wrong(row: &'p PreparedRow, reasons: Vec<String>) -> Self {
        let fault = |detail| RowFault {
            row: row.first_row,
            column: None,
            read: String::new(),
            detail,
            nearest: None,
        };
        let faults = reasons.into_iter().map(fault).collect();
        Self { faults, ..Self::without_change(row, RowOutcome::Wrong) }
    }

    /// A row about this record.
    pub(super) fn of(
        row: &'p PreparedRow,
        outcome: RowOutcome,
        record: Option<RiskNumber>,
        change: Option<C>,
    ) -> Self {
        Self { row, outcome, record, faults: Vec::new(), change }
    }
}

/// What becomes of the rows, of which the first has this place.
pub(super) fn outcomes<C>(steps: &[Step<'_, C>], import: &Import, first: usize) -> Vec<ImportRow> {
    let outcome = |(place, step): (usize, &Step<'_, C>)| {
        let id = step.record.map(|number| number.to_string());
        let mut row = step.row.outcome(import, place, step.outcome, id);
        row.faults.extend(step.faults.iter().cloned());
        row
    };
    (first..).zip(steps).map(outcome).collect()
}
