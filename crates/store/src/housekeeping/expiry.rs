//! When rows of a table have expired.

use db::Engine;
use jiff::{SignedDuration, Timestamp};

use crate::dialect::skip_locked;

/// When rows of a table have expired. The date has an index.
#[derive(Debug)]
pub(crate) struct Expiry {
    /// The table.
    pub(crate) table: &'static str,
    /// The columns of its key.
    pub(crate) key: &'static str,
    /// The date that counts.
    pub(crate) date: &'static str,
    /// How long a row is kept after that date.
    pub(crate) kept: SignedDuration,
}

impl Expiry {
    /// What has this date or an earlier one has expired at `now`.
    pub(super) fn cutoff(&self, now: Timestamp) -> Timestamp {
        now.saturating_sub(self.kept).unwrap_or(Timestamp::MIN)
    }

    pub(super) fn look(&self) -> String {
        let Self { table, date, .. } = self;
        format!("SELECT {date} FROM {table} WHERE {date} <= $1 ORDER BY {date} LIMIT 1")
    }

    /// MATERIALIZED, because PostgreSQL might otherwise choose other rows each time it evaluates the subquery.
    pub(super) fn delete(&self, engine: Engine) -> String {
        let Self { table, key, date, .. } = self;
        let skip_locked = skip_locked(engine);
        format!(
            "WITH expired AS MATERIALIZED (
                 SELECT {key} FROM {table} WHERE {date} <= $1 ORDER BY {date} LIMIT $2{skip_locked}
             )
             DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM expired)"
        )
    }
}
