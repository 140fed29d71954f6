//! Records with a number, a version and a history.

use jiff::Timestamp;

use super::Record;

/// A record of which every state is kept. [`versioned!`] implements it by the names of the fields.
pub(crate) trait Versioned: Record + Clone {
    /// Its number.
    fn number(&self) -> i64;

    /// Counts its states from 1.
    fn version(&self) -> i64;

    /// When this state began.
    fn updated_date(&self) -> Timestamp;

    /// When it was deleted, if it is.
    fn deleted_date(&self) -> Option<Timestamp>;

    /// The entry that this state begins with.
    fn seq_from(&self) -> i64;

    /// The same fields, as the state that follows `now` and begins at `at`.
    fn after(&self, now: &Self, at: Timestamp) -> Self;

    /// The same state, begun by this entry.
    fn begun_by(self, seq_from: i64) -> Self;
}

/// Implements [`Versioned`] for a record with the fields `number`, `version`, `updated_date`, `deleted_date` and
/// `seq_from`.
macro_rules! versioned {
    ($record:ty) => {
        impl $crate::ledger::record::Versioned for $record {
            fn number(&self) -> i64 {
                self.number.number()
            }

            fn version(&self) -> i64 {
                self.version
            }

            fn updated_date(&self) -> jiff::Timestamp {
                self.updated_date
            }

            fn deleted_date(&self) -> Option<jiff::Timestamp> {
                self.deleted_date
            }

            fn seq_from(&self) -> i64 {
                self.seq_from
            }

            fn after(&self, now: &Self, at: jiff::Timestamp) -> Self {
                Self { updated_date: at, version: now.version + 1, ..self.clone() }
            }

            fn begun_by(self, seq_from: i64) -> Self {
                Self { seq_from, ..self }
            }
        }
    };
}

pub(crate) use versioned;
