//! A workbook: its sheets and their rows.

use std::ops::Range;

use crate::cell::Cell;
use crate::kept::{Kept, Slot, Texts};
use crate::merges::Merge;
use crate::read::encoding::Encoding;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Values with a separator: CSV and TSV.
    Text,
    /// A workbook of Excel, with macros or without.
    Xlsx,
    /// A spreadsheet of OpenDocument.
    Ods,
}

/// The sheets of a file.
#[derive(Debug)]
pub struct Workbook {
    /// What the file is.
    pub format: Format,
    /// In which encoding a text was read.
    pub encoding: Option<Encoding>,
    /// The separator with which a text was read.
    pub separator: Option<char>,
    pub(crate) texts: Texts,
    pub(crate) sheets: Vec<Kept>,
}

impl Workbook {
    /// A sheet by its position from 0.
    pub fn sheet(&self, index: usize) -> Option<Sheet<'_>> {
        self.sheets.get(index).map(|kept| Sheet { texts: &self.texts, kept })
    }

    /// All sheets in their order.
    pub fn sheets(&self) -> impl Iterator<Item = Sheet<'_>> {
        self.sheets.iter().map(|kept| Sheet { texts: &self.texts, kept })
    }
}

/// A sheet of a workbook.
#[derive(Debug, Clone, Copy)]
pub struct Sheet<'w> {
    texts: &'w Texts,
    kept: &'w Kept,
}

impl<'w> Sheet<'w> {
    /// Its name; none in a text.
    pub fn name(self) -> &'w str {
        &self.kept.name
    }

    /// Whether its author hid it.
    pub fn is_hidden(self) -> bool {
        self.kept.is_hidden
    }

    /// How many rows have something in them.
    pub fn len(self) -> usize {
        self.kept.rows.len()
    }

    /// Whether no row has anything in it.
    pub fn is_empty(self) -> bool {
        self.kept.rows.is_empty()
    }

    /// A row that has something in it, by its position among those.
    pub fn row(self, index: usize) -> Option<Row<'w>> {
        let (number, first) = *self.kept.rows.get(index)?;
        let end = self.kept.rows.get(index + 1).map_or(self.kept.slots.len(), |(_, next)| *next);
        Some(Row { number, slots: self.kept.slots.get(first..end).unwrap_or_default(), sheet: self })
    }

    /// The rows that have something in them.
    pub fn rows(self) -> impl Iterator<Item = Row<'w>> {
        self.rows_in(0..self.len())
    }

    pub(crate) fn rows_in(self, range: Range<usize>) -> impl Iterator<Item = Row<'w>> {
        range.filter_map(move |index| self.row(index))
    }

    /// The position of the first row with this number or a higher one.
    pub(crate) fn position(self, number: u32) -> usize {
        self.kept.rows.partition_point(|(at, _)| *at < number)
    }

    fn numbered(self, number: u32) -> Option<Row<'w>> {
        self.row(self.position(number)).filter(|row| row.number == number)
    }

    /// The merged range that covers a cell.
    pub(crate) fn merge(self, row: u32, column: usize) -> Option<Merge> {
        self.kept.merges.over(row, u32::try_from(column).ok()?)
    }
}

/// A row of a sheet that has something in it.
#[derive(Debug, Clone, Copy)]
pub struct Row<'w> {
    /// Its number, as spreadsheets show it: from 1.
    pub number: u32,
    slots: &'w [Slot],
    sheet: Sheet<'w>,
}

impl<'w> Row<'w> {
    /// What stands in a column, counted from 0.
    pub fn cell(self, column: usize) -> Cell<'w> {
        let found = self.slots.binary_search_by_key(&column, |slot| usize::from(slot.column));
        found.ok().and_then(|at| self.slots.get(at)).map_or(Cell::Empty, |slot| self.shown(*slot))
    }

    /// What is shown in a column: of a merged range what stands in its first cell.
    pub fn filled(self, column: usize) -> Cell<'w> {
        let own = self.cell(column);
        if !own.is_empty() {
            return own;
        }
        let Some(merge) = self.sheet.merge(self.number, column) else { return Cell::Empty };
        let first = self.sheet.numbered(merge.first.0);
        first.map_or(Cell::Empty, |row| row.cell(merge.first.1 as usize))
    }

    /// The columns that have something in them, with it.
    pub fn cells(self) -> impl Iterator<Item = (usize, Cell<'w>)> {
        self.slots.iter().map(move |slot| (usize::from(slot.column), self.shown(*slot)))
    }

    fn shown(self, slot: Slot) -> Cell<'w> {
        self.sheet.kept.cell(slot, self.sheet.texts)
    }
}
