//! The organization's head: the one row that serialises an organization's writers, on every process.

use jiff::Timestamp;
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::row::{FromRow, Row};

/// How many numbers an organization counts. `store` defines what each one counts.
pub const COUNTERS: usize = 8;

/// Where an organization's journal and numbers stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The last journal entry; 0 before the first.
    pub seq: i64,
    /// The hash of that entry; 32 zero bytes before the first.
    pub hash: [u8; 32],
    /// The time of the last write that was journaled.
    pub last_at: Option<Timestamp>,
    /// The last number handed out of each kind; 0 before the first.
    pub counters: [i64; COUNTERS],
}

impl Head {
    /// The head of an organization in which nothing has happened.
    pub fn empty() -> Self {
        Self { seq: 0, hash: [0; 32], last_at: None, counters: [0; COUNTERS] }
    }

    /// The stored form of the counters: decimal numbers with spaces between, so that a later binary
    /// can count more kinds without a migration.
    pub(crate) fn counters_text(&self) -> String {
        self.counters.map(|number| number.to_string()).join(" ")
    }
}

impl FromRow for Head {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let hash: Vec<u8> = row.get(1)?;
        let text: String = row.get(3)?;
        let mut counters = [0; COUNTERS];
        for (slot, number) in counters.iter_mut().zip(text.split(' ')) {
            *slot = number.parse().map_err(|_| Error::internal("organization_head.counters is damaged"))?;
        }
        Ok(Self {
            seq: row.get(0)?,
            hash: hash.try_into().map_err(|_| Error::internal("organization_head.hash is damaged"))?,
            last_at: row.get(2)?,
            counters,
        })
    }
}

/// A head that a write holds, and whether it moved.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub(crate) organization: Uuid,
    pub(crate) head: Head,
    pub(crate) moved: bool,
}

pub(crate) const LOAD: &str =
    "SELECT seq, hash, last_at, counters FROM organization_head WHERE organization = $1";

/// PostgreSQL has other writers, so reading the head there also locks it.
pub(crate) const LOAD_AND_LOCK: &str =
    "SELECT seq, hash, last_at, counters FROM organization_head WHERE organization = $1 FOR UPDATE";

pub(crate) const SAVE: &str =
    "UPDATE organization_head SET seq = $2, hash = $3, last_at = $4, counters = $5 WHERE organization = $1";

pub(crate) const CREATE: &str =
    "INSERT INTO organization_head (organization, seq, hash, last_at, counters) VALUES ($1, 0, $2, NULL, $3)
     ON CONFLICT (organization) DO NOTHING";
