//! What is kept of a workbook: a cell takes 8 bytes, and a number 8 more; texts stand one after the other.

use crate::cell::Cell;
use crate::merges::Merges;

/// Texts one after the other.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    pub(crate) all: String,
    pub(crate) ends: Vec<u32>,
}

impl Texts {
    pub(crate) fn get(&self, index: u32) -> &str {
        let index = index as usize;
        let from = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let to = self.ends.get(index).copied().unwrap_or(from);
        self.all.get(from as usize..to as usize).unwrap_or_default()
    }
}

/// What stands in a cell that is read; a text by its number.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Text(u32),
    Number(f64),
    Percent(f64),
    Bool(bool),
    Date(f64),
    Error(u32),
}

/// What is kept of a cell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) column: u16,
    what: What,
    /// The number of its text, the place of its number, or 1 for yes.
    at: u32,
}

#[derive(Debug, Clone, Copy)]
enum What {
    Text,
    Error,
    Bool,
    Number,
    Percent,
    Date,
}

/// What is kept of a sheet: its rows by their numbers, each with the position of its first cell.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) name: String,
    pub(crate) is_hidden: bool,
    pub(crate) rows: Vec<(u32, usize)>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) numbers: Vec<f64>,
    pub(crate) merges: Merges,
}

impl Kept {
    /// Keeps a cell of the last row.
    pub(crate) fn put(&mut self, column: u16, kind: Kind) {
        let (what, at) = match kind {
            Kind::Text(text) => (What::Text, text),
            Kind::Error(text) => (What::Error, text),
            Kind::Bool(flag) => (What::Bool, flag.into()),
            Kind::Number(number) => (What::Number, self.number(number)),
            Kind::Percent(share) => (What::Percent, self.number(share)),
            Kind::Date(serial) => (What::Date, self.number(serial)),
        };
        self.slots.push(Slot { column, what, at });
    }

    fn number(&mut self, number: f64) -> u32 {
        self.numbers.push(number);
        u32::try_from(self.numbers.len() - 1).unwrap_or(u32::MAX)
    }

    /// What stands in a cell.
    pub(crate) fn cell<'w>(&self, slot: Slot, texts: &'w Texts) -> Cell<'w> {
        let number = || self.numbers.get(slot.at as usize).copied().unwrap_or_default();
        match slot.what {
            What::Text => Cell::Text(texts.get(slot.at)),
            What::Error => Cell::Error(texts.get(slot.at)),
            What::Bool => Cell::Bool(slot.at == 1),
            What::Number => Cell::Number(number()),
            What::Percent => Cell::Percent(number()),
            What::Date => Cell::Date(number()),
        }
    }

    /// Gives back the memory beyond what it has.
    pub(crate) fn shrink(&mut self) {
        self.rows.shrink_to_fit();
        self.slots.shrink_to_fit();
        self.numbers.shrink_to_fit();
    }
}
