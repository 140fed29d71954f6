//! Rows that expire: they are no longer visible to any caller, and their removal is not journaled.

use db::{Engine, Tx};
use jiff::{SignedDuration, Timestamp};
use macros::boxed;

use super::Taken;
use crate::dialect::skip_locked;
use crate::error::Result;
use crate::undo::continued;
use crate::{idempotency, invitations, refusals, reset_links, revocations, sessions, token_families};

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

/// What is swept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sweep {
    /// Answers by Idempotency-Key.
    IdempotencyKeys,
    /// Families of refresh tokens.
    TokenFamilies,
    /// The deny-list of access tokens.
    Revocations,
    /// What clients were refused.
    Refusals,
    /// Sessions of people.
    Sessions,
    /// Invitations that were not accepted.
    Invitations,
    /// Reset links that were not used.
    ResetLinks,
    /// Which writes are one request, for undoing it.
    ContinuedRequests,
}

impl Sweep {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::IdempotencyKeys,
        Self::TokenFamilies,
        Self::Revocations,
        Self::Refusals,
        Self::Sessions,
        Self::Invitations,
        Self::ResetLinks,
        Self::ContinuedRequests,
    ];

    /// The name, as it is measured and logged.
    pub fn name(self) -> &'static str {
        match self {
            Self::IdempotencyKeys => "idempotency_keys",
            Self::TokenFamilies => "token_families",
            Self::Revocations => "revocations",
            Self::Refusals => "refusals",
            Self::Sessions => "sessions",
            Self::Invitations => "invitations",
            Self::ResetLinks => "reset_links",
            Self::ContinuedRequests => "continued_requests",
        }
    }

    fn expiries(self) -> &'static [Expiry] {
        match self {
            Self::IdempotencyKeys => &[idempotency::EXPIRY],
            Self::TokenFamilies => &[token_families::EXPIRY],
            Self::Revocations => &[revocations::EXPIRY],
            Self::Refusals => &[refusals::EXPIRY],
            Self::Sessions => &[sessions::EXPIRY, sessions::IDLE_EXPIRY],
            Self::Invitations => &[invitations::EXPIRY],
            Self::ResetLinks => &[reset_links::EXPIRY],
            Self::ContinuedRequests => &[continued::EXPIRY],
        }
    }

    /// The statements that look (`$1` is a date) and that delete (at most `$2`), for the test that checks their
    /// indexes.
    #[doc(hidden)]
    pub fn statements(self, engine: Engine) -> Vec<String> {
        self.expiries().iter().flat_map(|expiry| [expiry.look(), expiry.delete(engine)]).collect()
    }
}

impl Expiry {
    /// What has this date or an earlier one has expired at `now`.
    fn cutoff(&self, now: Timestamp) -> Timestamp {
        now.saturating_sub(self.kept).unwrap_or(Timestamp::MIN)
    }

    fn look(&self) -> String {
        let Self { table, date, .. } = self;
        format!("SELECT {date} FROM {table} WHERE {date} <= $1 ORDER BY {date} LIMIT 1")
    }

    /// MATERIALIZED, because PostgreSQL might otherwise choose other rows each time it evaluates the subquery.
    fn delete(&self, engine: Engine) -> String {
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

/// Whether anything has expired at `now`. Only reads.
#[boxed]
pub async fn is_due(tx: &mut Tx, sweep: Sweep, now: Timestamp) -> Result<bool> {
    for expiry in sweep.expiries() {
        let found: Option<(Timestamp,)> = tx.query_opt(&expiry.look(), &[&expiry.cutoff(now)]).await?;
        if found.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Deletes at most `most` rows, of every organization, that have expired at `now`, the oldest first.
/// No request uses them any more, so the organizations' heads need not be locked.
#[boxed]
pub async fn sweep(tx: &mut Tx, sweep: Sweep, now: Timestamp, most: u32) -> Result<Taken> {
    let most = u64::from(most);
    let mut count = 0;
    for expiry in sweep.expiries() {
        let left = i64::try_from(most - count).unwrap_or(i64::MAX);
        count += tx.execute(&expiry.delete(tx.engine()), &[&expiry.cutoff(now), &left]).await?;
    }
    Ok(Taken { count, more: count >= most })
}
