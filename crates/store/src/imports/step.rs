//! What becomes of a row, whatever it is imported as.

use domain::RiskNumber;
use domain::import::{Import, ImportRow, PreparedRow, RowContent, RowFault, RowOutcome};

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
    fn without_change(row: &'p PreparedRow, outcome: RowOutcome) -> Self {
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

    /// A row about a record that is new (`before` is none), or that it changes or not.
    pub(super) fn changing(row: &'p PreparedRow, before: Option<N>, is_changed: bool, change: C) -> Self {
        let outcome = match &before {
            None => RowOutcome::Created,
            Some(_) if is_changed => RowOutcome::Updated,
            Some(_) => RowOutcome::Unchanged,
        };
        Self::of(row, outcome, before, Some(change))
    }
}

/// What becomes of each row: what `step` says of one that is `imported`.
pub(super) fn steps<'p, T: 'p, C, N>(
    rows: &'p [PreparedRow],
    imported: fn(&'p PreparedRow) -> Option<&'p T>,
    mut step: impl FnMut(&'p PreparedRow, &'p T) -> Step<'p, C, N>,
) -> Vec<Step<'p, C, N>> {
    let of_row = |row: &'p PreparedRow| match (imported(row), &row.content) {
        (Some(it), _) => step(row, it),
        (None, RowContent::Wrong) => Step::without_change(row, RowOutcome::Wrong),
        _ => Step::without_change(row, RowOutcome::Skipped),
    };
    rows.iter().map(of_row).collect()
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
