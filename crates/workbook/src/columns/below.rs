//! What stands below a header.

use crate::cell::Cell;
use crate::sheet::Sheet;
use crate::values::{control, date, level};
use crate::words::beginning;

/// How many rows are looked at.
const MOST_ROWS: usize = 500;

/// The most characters of a word for a level.
const MOST_WORD: usize = 30;

/// How many cells of a column are what.
#[derive(Debug, Default)]
pub(crate) struct Below {
    pub(crate) filled: usize,
    /// Numbers, also with words after them.
    pub(crate) numbers: usize,
    /// Numbers up to 10, percentages, and words for levels.
    pub(crate) ratings: usize,
    pub(crate) dates: usize,
    /// Texts with a number of a control.
    pub(crate) controls: usize,
    pub(crate) sample: String,
}

impl Below {
    /// What stands in a column of the rows from this position on.
    pub(crate) fn of(sheet: Sheet<'_>, first: usize, column: usize) -> Self {
        let mut below = Self::default();
        for row in sheet.rows_in(first..sheet.len().min(first.saturating_add(MOST_ROWS))) {
            let cell = row.cell(column);
            if !cell.is_empty() && !matches!(cell, Cell::Error(_)) {
                below.add(cell);
            }
        }
        below
    }

    fn add(&mut self, cell: Cell<'_>) {
        let shown = cell.shown();
        if self.sample.is_empty() {
            self.sample = beginning(&shown, 80);
        }
        self.filled += 1;
        let number = level::number(cell);
        self.numbers += usize::from(number.is_some());
        let is_word = number.is_none()
            && !matches!(cell, Cell::Date(_))
            && shown.chars().count() <= MOST_WORD
            && shown.split_whitespace().count() <= 3;
        self.ratings += usize::from(number.is_some_and(|number| (0.0..=100.0).contains(&number)) || is_word);
        self.dates += usize::from(matches!(cell, Cell::Date(_)) || date::looks_like_one(&shown));
        self.controls += usize::from(!control::numbers(&shown, 1).is_empty());
    }

    /// Whether most of what stands there is of this kind; an empty column is of none.
    pub(crate) fn are_most(&self, count: usize) -> bool {
        self.filled > 0 && count * 2 > self.filled
    }
}
