//! A record that rows become.

use std::collections::BTreeMap;

use jiff::civil::{Date, Time};
use jiff::tz::Offset;

use crate::columns::field::Field;

/// The most characters of a title.
pub(super) const MOST_TITLE: usize = 200;

/// The most rows, tasks, and items of a list, of a record.
pub(super) const MOST_OF_EACH: usize = 500;

/// The most bytes of a text of the register. What is longer is a fault when it is written, and need not be read whole.
const MOST_PROSE: usize = 65_536;

/// A value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A text; a word of a closed list as the API has it.
    Text(String),
    /// Names of tags, numbers of controls, aliases.
    List(Vec<String>),
    /// A level of a factor.
    Level(u8),
    /// A date, with its time and the offset from UTC if it says them; without that in the zone of the person who wrote it.
    Date(Date, Option<Time>, Option<Offset>),
}

/// A task of a treatment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Task {
    /// What is to be done.
    pub title: String,
    /// Until when.
    pub due: Option<Date>,
}

/// Something about a row that somebody has to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The number of the row.
    pub row: u32,
    /// The index of the column; none if something is missing that no column has.
    pub column: Option<usize>,
    /// What was read.
    pub read: String,
    /// What is wrong.
    pub wrong: String,
    /// The nearest right value.
    pub nearest: Option<String>,
    /// Whether the row is imported all the same.
    pub is_remark: bool,
}

/// A record that rows become.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    /// The numbers of its rows.
    pub rows: Vec<u32>,
    /// Its fields. Ratings are inherent, current or target; blocks are in the description.
    pub fields: BTreeMap<Field, Value>,
    /// Its tasks.
    pub tasks: Vec<Task>,
    /// What is wrong, and what is only remarkable.
    pub faults: Vec<Fault>,
}

impl Record {
    /// Whether it cannot be imported.
    pub fn is_wrong(&self) -> bool {
        self.faults.iter().any(|fault| !fault.is_remark)
    }

    /// How many bytes its texts have.
    pub(super) fn bytes(&self) -> usize {
        let value = |value: &Value| match value {
            Value::Text(text) => text.len(),
            Value::List(list) => list.iter().map(|item| item.len() + size_of::<String>()).sum(),
            Value::Level(_) | Value::Date(..) => 0,
        };
        let fault = |fault: &Fault| fault.read.len() + fault.wrong.len() + size_of::<Fault>();
        self.fields.values().map(value).sum::<usize>()
            + self.tasks.iter().map(|task| task.title.len() + size_of::<Task>()).sum::<usize>()
            + self.faults.iter().map(fault).sum::<usize>()
    }

    /// The text of a field.
    pub fn text(&self, field: Field) -> Option<&str> {
        match self.fields.get(&field) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The items of a field with a list.
    pub fn list(&self, field: Field) -> &[String] {
        match self.fields.get(&field) {
            Some(Value::List(list)) => list,
            _ => &[],
        }
    }

    /// The level of a factor.
    pub fn level(&self, field: Field) -> Option<u8> {
        match self.fields.get(&field) {
            Some(Value::Level(level)) => Some(*level),
            _ => None,
        }
    }

    /// Adds a paragraph to a text, unless it has it, or is too long already.
    pub(super) fn append(&mut self, field: Field, text: &str) {
        match self.fields.get_mut(&field) {
            Some(Value::Text(before)) if before.len() > MOST_PROSE => {}
            Some(Value::Text(before)) if !before.split("\n\n").any(|part| part == text) => {
                before.push_str("\n\n");
                before.push_str(text);
            }
            Some(_) => {}
            None => {
                self.fields.insert(field, Value::Text(text.to_owned()));
            }
        }
    }

    /// Adds what a list does not have yet. Returns whether there is room for it.
    pub(super) fn extend(&mut self, field: Field, more: Vec<String>) -> bool {
        let Value::List(list) = self.fields.entry(field).or_insert_with(|| Value::List(Vec::new())) else {
            return true;
        };
        for item in more {
            if !list.contains(&item) {
                if list.len() >= MOST_OF_EACH {
                    return false;
                }
                list.push(item);
            }
        }
        true
    }
}
