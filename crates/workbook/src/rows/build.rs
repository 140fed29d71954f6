//! A record while its rows are read.

use std::collections::BTreeSet;

use super::record::{Fault, MOST_OF_EACH, MOST_TITLE, Record, Task, Value};
use crate::cell::Cell;
use crate::columns::column::Column;
use crate::columns::field::{Axis, Field, Stage};
use crate::own::GUARDED;
use crate::refused::MOST_COLUMNS;
use crate::settled::{Settled, Wrong};
use crate::sheet::Row;
use crate::values::choice::Choice;
use crate::values::{control, level, list};

/// Our own workbooks cut what is longer than a cell takes, in units of UTF-16; a character may be two.
const MOST_OF_A_CELL: usize = 32_766;

pub(super) struct Builder<'a> {
    pub(super) settled: Settled<'a>,
    pub(super) record: Record,
    /// Scores with their columns, and the factors beside ours, to compare.
    pub(super) scores: Vec<(Stage, usize, f64)>,
    /// The numbers of the factors as the file has them.
    pub(super) factors: Vec<(Stage, Axis, f64)>,
    pub(super) third: Option<f64>,
    /// What we have no field for.
    pub(super) blocks: Vec<(String, String)>,
    /// What it has too many of.
    full: BTreeSet<&'static str>,
}

/// Where a value stands.
#[derive(Clone, Copy)]
struct Place<'p> {
    row: u32,
    column: &'p Column,
    /// Whether it is in a row after the first of its record.
    is_more: bool,
}

impl<'a> Builder<'a> {
    /// Begins a record with its first row.
    pub(super) fn new(settled: Settled<'a>, row: Row<'_>) -> Self {
        let (scores, factors, blocks) = (Vec::new(), Vec::new(), Vec::new());
        let (record, third, full) = (Record::default(), None, BTreeSet::new());
        let mut builder = Self { settled, record, scores, factors, third, blocks, full };
        builder.add(row, false);
        builder
    }

    /// Adds another row to it.
    pub(super) fn join(&mut self, row: Row<'_>) {
        if self.has_room((self.record.rows.len(), MOST_OF_EACH), row.number, "rows") {
            self.add(row, true);
        } else {
            self.record.rows.push(row.number);
        }
    }

    /// Whether a record that has so many of something takes one more; if not, that is a fault.
    fn has_room(&mut self, (count, most): (usize, usize), row: u32, what: &'static str) -> bool {
        if count >= most && self.full.insert(what) {
            let wrong = format!("A record has at most {most} {what}.");
            let (column, read, nearest) = (None, String::new(), None);
            self.record.faults.push(Fault { row, column, read, wrong, nearest, is_remark: false });
        }
        count < most
    }

    fn push_task(&mut self, row: u32, title: &str) {
        if self.has_room((self.record.tasks.len(), MOST_OF_EACH), row, "tasks") {
            self.record.tasks.push(Task { title: title.to_owned(), due: None });
        }
    }

    fn extend(&mut self, row: u32, field: Field, more: Vec<String>) {
        if !self.record.extend(field, more) {
            self.has_room((MOST_OF_EACH, MOST_OF_EACH), row, "items in a list");
        }
    }

    fn add(&mut self, row: Row<'_>, is_more: bool) {
        self.record.rows.push(row.number);
        let tasks = self.record.tasks.len();
        let mut due = None;
        for column in &self.settled.proposal.columns {
            let place = Place { row: row.number, column, is_more };
            // What is merged downwards belongs to each row; a name that is merged belongs to one record.
            let is_name = matches!(column.field, Field::ExternalRef | Field::Title);
            let cell = if is_name { row.cell(column.index) } else { row.filled(column.index) };
            match (column.field, cell) {
                (_, Cell::Empty) | (Field::Ignored, _) => {}
                (field, Cell::Error(error)) => {
                    let is_remark = matches!(field, Field::Score(_));
                    let wrong = ("A formula has no result.".to_owned(), None);
                    self.fault(place, error, wrong, is_remark);
                }
                (Field::TaskDue, cell) => match self.settled.date(cell) {
                    Ok((date, ..)) => due = Some(date),
                    Err(wrong) => self.fault(place, &cell.shown(), wrong, false),
                },
                (field, cell) => self.value(place, field, cell),
            }
        }
        if let Some(due) = due {
            self.due(row.number, tasks, due);
        }
    }

    /// The date until when the tasks of a row are due; without tasks its plan is one.
    fn due(&mut self, row: u32, tasks: usize, due: jiff::civil::Date) {
        if self.record.tasks.len() == tasks {
            let plan = self.record.text(Field::TreatmentPlan).unwrap_or("Treatment");
            let title = crate::words::beginning(plan, MOST_TITLE);
            if self.record.tasks.iter().any(|task| task.title == title) {
                return;
            }
            self.push_task(row, &title);
        }
        for task in self.record.tasks.iter_mut().skip(tasks) {
            task.due = Some(due);
        }
    }

    fn value(&mut self, place: Place<'_>, field: Field, cell: Cell<'_>) {
        if let Some(choice) = Choice::of(field, self.settled.proposal.kind) {
            return self.word(place, choice, cell);
        }
        match field {
            Field::Rating(stage, axis) => self.rating(place, stage, axis, cell),
            Field::Score(stage) => {
                if let Some(score) = level::number(cell) {
                    self.scores.push((stage, place.column.index, score));
                }
            }
            _ if field.is_date() => match self.settled.date(cell) {
                Ok((date, time, offset)) => {
                    self.set(place, field, Value::Date(date, time, offset), &cell.shown());
                }
                Err(wrong) => self.fault(place, &cell.shown(), wrong, false),
            },
            _ => {
                let shown = cell.shown();
                if self.settled.proposal.is_our_book && shown.encode_utf16().count() >= MOST_OF_A_CELL {
                    let wrong =
                        "The text fills its cell and may have been cut: import the CSV export instead.";
                    return self.fault(place, &shown, (wrong.to_owned(), None), false);
                }
                let text = self.unguarded(&shown);
                self.text(place, field, text);
            }
        }
    }

    fn rating(&mut self, place: Place<'_>, stage: Stage, axis: Axis, cell: Cell<'_>) {
        if let Some(number) = level::number(cell) {
            self.factors.push((stage, axis, number));
        }
        match self.settled.level(axis, cell) {
            Ok(level) => {
                for stage in self.settled.stages(stage) {
                    self.set(place, Field::Rating(*stage, axis), Value::Level(level), &cell.shown());
                }
            }
            Err(wrong) => self.fault(place, &cell.shown(), wrong, false),
        }
    }

    fn word(&mut self, place: Place<'_>, choice: Choice, cell: Cell<'_>) {
        match self.settled.choice(choice, cell) {
            Ok(word) => self.set(place, place.column.field, Value::Text(word), &cell.shown()),
            Err(wrong) => self.fault(place, &cell.shown(), wrong, false),
        }
    }

    fn text(&mut self, place: Place<'_>, field: Field, text: &str) {
        let record = &mut self.record;
        match field {
            // The further controls of a risk over several rows are what its treatment does.
            Field::Task => self.push_task(place.row, text),
            Field::ExistingControls | Field::TreatmentPlan if place.is_more => {
                let is_there = record.text(field).is_some_and(|before| before == text)
                    || record.tasks.iter().any(|task| task.title == text);
                if !is_there {
                    self.push_task(place.row, text);
                }
            }
            Field::Controls | Field::Tags if self.settled.proposal.is_ours => {
                self.extend(place.row, field, list::items(text));
            }
            Field::Controls => {
                self.extend(place.row, field, control::numbers(text, MOST_OF_EACH + 1));
                if control::has_words(text) {
                    self.text(place, Field::ExistingControls, text);
                }
            }
            Field::Tags | Field::Aliases => {
                // Our own files have one sign between names, which may have a comma in them.
                let separators: &[char] =
                    if self.settled.proposal.is_ours { &[';'] } else { &[',', ';', '\n'] };
                let parts = text.split(separators).map(str::trim).filter(|part| !part.is_empty());
                self.extend(place.row, field, parts.map(str::to_owned).collect());
            }
            Field::Description | Field::ExistingControls | Field::TreatmentPlan | Field::Note => {
                record.append(field, text);
            }
            Field::Block => {
                self.third = self.third.or_else(|| third(place.column, text));
                self.block(place, text);
            }
            _ => self.set(place, field, Value::Text(text.to_owned()), text),
        }
    }

    /// Sets a field; a further row that says otherwise says so in a block.
    fn set(&mut self, place: Place<'_>, field: Field, value: Value, shown: &str) {
        match self.record.fields.get(&field) {
            None => {
                self.record.fields.insert(field, value);
            }
            Some(before) if *before != value => self.block(place, shown),
            Some(_) => {}
        }
    }

    fn block(&mut self, place: Place<'_>, text: &str) {
        let (block, most) = ((place.column.name.clone(), text.to_owned()), MOST_COLUMNS as usize);
        if !self.blocks.contains(&block)
            && self.has_room((self.blocks.len(), most), place.row, "texts without a field")
        {
            self.blocks.push(block);
        }
    }

    fn fault(&mut self, place: Place<'_>, read: &str, (wrong, nearest): Wrong, is_remark: bool) {
        let column = Some(place.column.index);
        let read = crate::words::beginning(read, 200);
        self.record.faults.push(Fault { row: place.row, column, read, wrong, nearest, is_remark });
    }

    /// Without the apostrophe that our own CSV exports put before what a spreadsheet would take for a formula.
    fn unguarded<'t>(&self, text: &'t str) -> &'t str {
        let proposal = self.settled.proposal;
        let guarded = text.strip_prefix('\'').filter(|text| text.starts_with(GUARDED));
        guarded.filter(|_| proposal.is_ours && !proposal.is_our_book).unwrap_or(text)
    }
}

/// The third factor of a product, if the column is one.
fn third(column: &Column, text: &str) -> Option<f64> {
    let name = crate::words::folded(&column.name);
    if crate::columns::ratings::is_third(&name) { level::number(Cell::Text(text)) } else { None }
}
