//! The units of the index: the texts of a record by itself, and those of each of its parts.

/// The texts that the index takes in and out together: a record's title and description, or a part of it, such as a note. So a
/// write costs what it changes, however much the record has beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Unit {
    /// The number of the record.
    pub(crate) number: i64,
    /// [`OWN`], or the number of the part: see `tables.rs`, of a document `documents.rs`.
    pub(crate) part: i64,
}

/// Stands for the texts of the record itself.
pub(crate) const OWN: i64 = 0;

impl Unit {
    /// The texts of a record itself.
    pub(crate) fn own(number: i64) -> Self {
        Self { number, part: OWN }
    }

    /// Whether it is a record itself.
    pub(crate) fn is_own(self) -> bool {
        self.part == OWN
    }
}

/// The parameter of [`crate::ledger::dialect::wanted_units`].
pub(super) fn parameter<'u>(units: impl IntoIterator<Item = &'u Unit>) -> String {
    let pairs: Vec<[i64; 2]> = units.into_iter().map(|unit| [unit.number, unit.part]).collect();
    serde_json::json!(pairs).to_string()
}
