//! The tables of a record and of its parts, with their columns of text.

use domain::redaction::Part;

use crate::ledger::journal::Subject;
use crate::ledger::record::Statements;

/// The record that texts are taken out of.
pub(crate) struct Texts {
    /// As entries name it.
    pub(crate) subject: Subject,
    /// Its number.
    pub(crate) number: i64,
    /// Its tables.
    pub(crate) tables: &'static [Table],
}

/// A table with rows of records or of their parts.
pub(crate) struct Table {
    /// What its rows are.
    pub(crate) part: Part,
    /// What the fields of its rows begin with in entries; nothing for the record itself.
    pub(crate) prefix: &'static str,
    /// Its name.
    pub(crate) name: &'static str,
    /// Its statements, if the earlier states of its rows are in the table of this name with `_history`.
    pub(crate) history: Option<fn() -> &'static Statements>,
    /// The column with the number of the record.
    pub(crate) whole: &'static str,
    /// The column with the number of the row in the record; that of the record itself is the same.
    pub(crate) number: &'static str,
    /// The column with the entry of the latest change of a row, if the rows are parts with versions of their own.
    pub(crate) latest: Option<&'static str>,
    /// Whether only the row with the highest number is changed: the others are earlier editions of it.
    pub(crate) is_edition: bool,
    /// Its columns of text.
    pub(crate) columns: fn() -> &'static [Column],
}

/// A column of text.
pub(crate) struct Column {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it has.
    pub(crate) holds: Holds,
}

/// What a column of text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// What people wrote, of at most so many characters.
    Text(usize),
    /// JSON: a copy of fields of the record as another system sent them.
    Copy,
    /// The actions of a review: a list with titles.
    Actions,
    /// The reference of another system, by which the record is found: no two may be the same.
    Reference,
    /// Words of closed lists, ids and numbers, or the name of a system: nothing that a redaction changes.
    Closed,
}

/// Whether a row is a present state or an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// In the table.
    Now,
    /// In its history.
    Earlier,
}

impl Table {
    /// Where the states of its rows are.
    pub(crate) fn states(&self) -> &'static [When] {
        if self.history.is_some() { &[When::Now, When::Earlier] } else { &[When::Now] }
    }

    /// The columns that a redaction may change.
    pub(crate) fn open(&self) -> impl Iterator<Item = &'static Column> + use<> {
        (self.columns)().iter().filter(|column| column.holds != Holds::Closed)
    }

    /// Where the present rows are, or the earlier ones.
    pub(crate) fn rows(&self, when: When) -> String {
        match when {
            When::Now => self.name.to_owned(),
            When::Earlier => format!("{}_history", self.name),
        }
    }

    /// The number of a row in the record; none for the record itself.
    pub(crate) fn number_of(&self, own: i64) -> Option<i64> {
        (!self.prefix.is_empty()).then_some(own)
    }
}

/// The table and the number of the row that a field of an entry belongs to, and the rest of the field's name.
pub(crate) fn of_field<'f>(
    tables: &'static [Table],
    field: &'f str,
) -> Option<(&'static Table, Option<i64>, &'f str)> {
    let Some((prefix, rest)) = field.split_once('/') else {
        let own = tables.iter().find(|table| table.prefix.is_empty())?;
        return Some((own, None, field));
    };
    let table = tables.iter().find(|table| table.prefix == prefix)?;
    let (number, name) = rest.split_once('/')?;
    Some((table, Some(number.parse().ok()?), name))
}
