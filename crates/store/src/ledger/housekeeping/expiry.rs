//! When rows of a table have expired.

use db::{Engine, Tx};
use jiff::{SignedDuration, Timestamp};

use super::Taken;
use crate::ledger::dialect::skip_locked;
use crate::ledger::error::Result;

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
    fn cutoff(&self, now: Timestamp) -> Timestamp {
        now.saturating_sub(self.kept).unwrap_or(Timestamp::MIN)
    }

    pub(crate) fn look(&self) -> String {
        let Self { table, date, .. } = self;
        format!("SELECT {date} FROM {table} WHERE {date} <= $1 ORDER BY {date} LIMIT 1")
    }

    /// MATERIALIZED, because PostgreSQL might otherwise choose other rows each time it evaluates the subquery.
    pub(crate) fn delete(&self, engine: Engine) -> String {
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

/// Whether any of these rows have expired at `now`. Only reads.
pub(crate) async fn is_any_due(tx: &mut Tx, expiries: &[Expiry], now: Timestamp) -> Result<bool> {
    for expiry in expiries {
        let found: Option<(Timestamp,)> = tx.query_opt(&expiry.look(), &[&expiry.cutoff(now)]).await?;
        if found.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Deletes at most `most` of these rows, of every organization, that have expired at `now`, the oldest first.
/// No request uses them any more, so the organizations' heads need not be locked.
pub(crate) async fn delete_due(tx: &mut Tx, expiries: &[Expiry], now: Timestamp, most: u32) -> Result<Taken> {
    let most = u64::from(most);
    let mut count = 0;
    for expiry in expiries {
        let left = i64::try_from(most - count).unwrap_or(i64::MAX);
        count += tx.execute(&expiry.delete(tx.engine()), &[&expiry.cutoff(now), &left]).await?;
    }
    Ok(Taken { count, more: count >= most })
}
