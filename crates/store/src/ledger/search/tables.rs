//! The tables whose rows are parts of incidents that searches find. Which columns have the texts is said by their records.

use std::collections::BTreeMap;

use db::Engine;
use domain::IncidentNumber;
use domain::link::IncidentLink;
use domain::note::Note;
use domain::record::{Holds, Record as Described};
use domain::review::Review;
use domain::task::Task;

use super::unit::Unit;
use crate::ledger::dialect::members;
use crate::ledger::record::{self, Record};

/// Stands between texts that are read together. No text has it.
pub(super) const SEPARATOR: char = '\u{1f}';

/// A table with a row for each part.
pub(super) struct PartTable {
    /// Its name.
    pub(super) name: &'static str,
    /// What the units of its rows add to the numbers of these, so that no unit of another table has the same number.
    base: i64,
    /// The column that counts the rows of an incident.
    number: &'static str,
    /// The column with the entry of the latest change.
    latest: &'static str,
    /// The column with the time when a row was taken away, if rows are.
    gone: Option<&'static str>,
    texts: fn() -> Vec<(&'static str, Holds)>,
}

/// Every table.
const TABLES: [PartTable; 4] = [
    PartTable {
        name: "incident_note",
        base: 0,
        number: "number",
        latest: "seq_from",
        gone: Some("deleted_date"),
        texts: Note::searched,
    },
    PartTable {
        name: "incident_task",
        base: 1 << 40,
        number: "number",
        latest: "seq",
        gone: Some("deleted_date"),
        texts: Task::searched,
    },
    // Of the editions of a review the latest one that was published, and the one that is being written.
    PartTable {
        name: "incident_review",
        base: 2 << 40,
        number: "edition",
        latest: "seq",
        gone: None,
        texts: Review::searched,
    },
    PartTable {
        name: "incident_link",
        base: 3 << 40,
        number: "number",
        latest: "seq",
        gone: Some("removed_date"),
        texts: IncidentLink::searched,
    },
];

impl Unit {
    /// The unit of a row of a table, if it is one of parts that searches find.
    pub(crate) fn of_row(table: &str, incident: IncidentNumber, number: i64) -> Option<Self> {
        Some(named(table)?.unit(incident, number))
    }
}

/// The unit of a row, if a change of it changes what searches may still find.
pub(super) fn reworded<R: Record>(
    (incident, number): (IncidentNumber, i64),
    before: &R,
    after: &R,
) -> Option<Unit> {
    let table = named(R::TABLE)?;
    let searched = (table.texts)();
    let is_found = |name: &str| table.gone == Some(name) || searched.iter().any(|(it, _)| *it == name);
    let found =
        |row: &R| record::journaled(row).filter(|(name, _)| is_found(name)).collect::<BTreeMap<_, _>>();
    let (before, after) = (found(before), found(after));
    let was_gone = table.gone.and_then(|gone| before.get(gone)).is_some_and(|at| !at.is_null());
    (before != after && !was_gone).then(|| table.unit(incident, number))
}

fn named(name: &str) -> Option<&'static PartTable> {
    TABLES.iter().find(|table| table.name == name)
}

/// One statement of what `select` makes for each table.
pub(super) fn of_each(select: impl Fn(&PartTable) -> String) -> String {
    TABLES.iter().map(select).collect::<Vec<_>>().join(" UNION ALL ")
}

/// The same for the sum of numbers, of which each may be NULL.
pub(super) fn sum_of_each(select: impl Fn(&PartTable) -> String) -> String {
    TABLES.iter().map(|table| format!("COALESCE(({}), 0)", select(table))).collect::<Vec<_>>().join(" + ")
}

impl PartTable {
    fn unit(&self, incident: IncidentNumber, number: i64) -> Unit {
        Unit { number: incident.number(), part: self.base + number }
    }

    /// The number of the unit of the row `r`.
    pub(super) fn part(&self) -> String {
        format!("r.{} + {}", self.number, self.base)
    }

    /// The condition that the row `r` is of the unit with this number.
    pub(super) fn is_unit(&self, part: &str) -> String {
        format!("r.{} = {part} - {}", self.number, self.base)
    }

    /// The entry of the latest change of the row `r`.
    pub(super) fn latest(&self) -> String {
        format!("r.{}", self.latest)
    }

    /// The condition that searches find the row `r`.
    pub(super) fn is_there(&self) -> String {
        match self.gone {
            Some(gone) => format!("r.{gone} IS NULL"),
            None => format!(
                "NOT EXISTS (SELECT 1 FROM {} AS later
                     WHERE later.organization = r.organization AND later.incident = r.incident
                       AND later.{number} > r.{number} AND later.published_date IS NOT NULL)",
                self.name,
                number = self.number
            ),
        }
    }

    /// The texts of the row `r`, one after the other, which [`split`] separates.
    pub(super) fn texts(&self, engine: Engine) -> String {
        joined(engine, &(self.texts)())
    }

    /// The bytes of the texts of the row `r`.
    pub(super) fn bytes(&self) -> String {
        bytes((self.texts)().iter().map(|(name, _)| *name))
    }
}

/// The texts in these columns of the row `r`, one after the other.
pub(super) fn joined(engine: Engine, columns: &[(&str, Holds)]) -> String {
    let text = |(name, holds): &(&str, Holds)| match holds {
        Holds::Actions => {
            format!("COALESCE({}, '')", members(engine, &format!("r.{name}"), &["title"], SEPARATOR))
        }
        _ => format!("COALESCE(r.{name}, '')"),
    };
    let texts: Vec<String> = columns.iter().map(text).collect();
    if texts.is_empty() { "''".to_owned() } else { texts.join(&format!(" || '{SEPARATOR}' || ")) }
}

/// The bytes in these columns of the row `r`.
pub(super) fn bytes<'c>(columns: impl Iterator<Item = &'c str>) -> String {
    let lengths: Vec<String> =
        columns.map(|column| format!("COALESCE(octet_length(r.{column}), 0)")).collect();
    format!("CAST({} AS BIGINT)", lengths.join(" + "))
}

/// The texts of a column that [`joined`] makes.
pub(super) fn split(joined: &str) -> impl Iterator<Item = &str> {
    joined.split(SEPARATOR).filter(|text| !text.is_empty())
}
