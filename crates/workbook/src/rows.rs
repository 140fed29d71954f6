//! Rows to records: filled down, joined, and each value read with the proposal and the answers.

mod build;
mod finish;
pub(crate) mod record;

use build::Builder;
use finish::finish;
use record::Record;

use crate::cell::Cell;
use crate::columns::column::Column;
use crate::columns::field::{Field, Kind, Stage};
use crate::propose::Proposal;
use crate::question::Answers;
use crate::settled::Settled;
use crate::sheet::{Row, Sheet, Workbook};
use crate::values::level::Levels;

/// What becomes of rows.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// A record, of one row or several.
    Record(Box<Record>),
    /// Rows that have no record.
    Skipped {
        /// The number of the first.
        first: u32,
        /// The number of the last.
        last: u32,
        /// Why.
        why: Skipped,
    },
}

impl Entry {
    /// How many bytes its texts have: those of cells that are merged or repeated count in each record.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Record(record) => record.bytes(),
            Self::Skipped { .. } => 0,
        }
    }
}

/// Why rows are skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skipped {
    /// Nothing stands in them, or only formats.
    Empty,
    /// Nothing but an id, a score or what is ignored.
    OnlyId,
    /// The header once more.
    Header,
}

/// The rows of a workbook after its header, in their order. Of a proposal for another workbook nothing fits.
pub fn rows<'a>(
    workbook: &'a Workbook,
    proposal: &'a Proposal,
    levels: &'a Levels,
    answers: &'a Answers,
) -> Rows<'a> {
    let sheet = workbook.sheet(proposal.sheet);
    let header = proposal.header_rows.last().copied().unwrap_or(0);
    let at = sheet.map_or(0, |sheet| sheet.position(header.saturating_add(1)));
    Rows { sheet, settled: Settled { proposal, levels, answers }, at, last: header }
}

/// See [`rows`].
#[derive(Debug)]
pub struct Rows<'a> {
    sheet: Option<Sheet<'a>>,
    settled: Settled<'a>,
    /// The position of the next row that has something in it.
    at: usize,
    /// The number of the row before it that has been counted.
    last: u32,
}

impl Iterator for Rows<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let sheet = self.sheet?;
        let row = sheet.row(self.at)?;
        let first = self.last.saturating_add(1);
        if row.number > first {
            self.last = row.number - 1;
            return Some(Entry::Skipped { first, last: self.last, why: Skipped::Empty });
        }
        self.at += 1;
        self.last = row.number;
        if let Some(why) = self.is_skipped(row) {
            return Some(Entry::Skipped { first: row.number, last: row.number, why });
        }
        let mut builder = Builder::new(self.settled, row);
        while let Some(more) = sheet.row(self.at).filter(|more| self.continues(row, *more)) {
            builder.join(more);
            self.at += 1;
            self.last = more.number;
        }
        Some(Entry::Record(Box::new(finish(builder))))
    }
}

impl<'a> Rows<'a> {
    /// The same from the row with this number on, which is the first of an entry.
    #[must_use]
    pub fn starting_at(self, row: u32) -> Self {
        let at = self.sheet.map_or(0, |sheet| sheet.position(row));
        Self { at, last: row.saturating_sub(1), ..self }
    }

    fn columns(&self) -> &'a [Column] {
        &self.settled.proposal.columns
    }

    fn is_skipped(&self, row: Row<'_>) -> Option<Skipped> {
        let columns = self.columns();
        let has_content = |column: &Column| {
            let is_counted =
                !matches!(column.field, Field::ExternalRef | Field::OwnId | Field::Score(_) | Field::Ignored);
            // A template with formulas for rows that nobody has filled yet has zeros and errors in them.
            let cell = row.cell(column.index);
            is_counted && !matches!(cell, Cell::Empty | Cell::Error(_)) && cell != Cell::Number(0.0)
        };
        if !columns.iter().any(has_content) {
            return Some(Skipped::OnlyId);
        }
        let is_name = |column: &&Column| column.is_named(&row.cell(column.index).shown());
        let (repeated, filled) = (columns.iter().filter(is_name).count(), row.cells().count());
        (repeated >= 2 && repeated * 4 > filled * 3).then_some(Skipped::Header)
    }

    /// Whether a row says more about the record of the row before it.
    fn continues(&self, first: Row<'_>, more: Row<'_>) -> bool {
        let of = |field: Field| self.columns().iter().find(|column| column.field == field);
        let (id, title) = (of(Field::ExternalRef), of(Field::Title));
        let shown = |column: Option<&Column>, row: Row<'_>| {
            column.map(|column| row.cell(column.index).shown()).unwrap_or_default()
        };
        // Evaluations of one risk follow each other, and are several records.
        let is_joined = matches!(self.settled.proposal.kind, Kind::Risks | Kind::Incidents);
        // So are the rows of our own files.
        let has_key = is_joined && !self.settled.proposal.is_ours && (id.is_some() || title.is_some());
        let (next_id, next_title) = (shown(id, more), shown(title, more));
        let is_nameless = next_id.is_empty() && next_title.is_empty();
        let is_repeated = !next_id.is_empty()
            && next_id == shown(id, first)
            && (next_title.is_empty() || next_title == shown(title, first));
        more.number == self.last + 1
            && has_key
            && (is_nameless || is_repeated)
            && self.is_skipped(more).is_none()
            && !self.is_rated_alone(more, is_nameless)
    }

    /// Whether a row without a name has a whole rating of its own: it is a risk whose title is missing, which is a fault.
    fn is_rated_alone(&self, row: Row<'_>, is_nameless: bool) -> bool {
        let is_inherent = |column: &&Column| {
            matches!(column.field, Field::Rating(Stage::Inherent | Stage::Single, _))
                && !row.cell(column.index).is_empty()
        };
        is_nameless && self.columns().iter().filter(is_inherent).count() >= 2
    }
}
