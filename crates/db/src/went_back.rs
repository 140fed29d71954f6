//! What a database lacks that went back.

use std::fmt;

use uuid::Uuid;

use crate::head::Head;

/// An entry of a journal, shown as `SEQ:HASH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Its number; 0 before the first.
    pub seq: i64,
    /// Its hash.
    pub hash: [u8; 32],
}

/// An entry that was acknowledged and that the database does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WentBack {
    /// Whose journal it is of; nil is the instance's own.
    pub organization: Uuid,
    /// The last entry that this process acknowledged.
    pub acknowledged: Position,
    /// Where the journal ends now.
    pub found: Position,
    /// PostgreSQL's timelines when it was acknowledged and now; 0 where the server does not say.
    pub timelines: (u32, u32),
}

impl Position {
    pub(crate) fn of(head: &Head) -> Self {
        Self { seq: head.seq, hash: head.hash }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.seq)?;
        self.hash.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Display for WentBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { organization, acknowledged, found, timelines: (before, now) } = self;
        write!(f, "the journal of organization {organization} ")?;
        match found.seq < acknowledged.seq {
            true => write!(f, "ends at entry {}, before entry {acknowledged}", found.seq)?,
            false => write!(f, "has another entry in the place of {acknowledged}")?,
        }
        write!(f, ", which this process has acknowledged")?;
        match (before, now) {
            (0, _) | (_, 0) => Ok(()),
            _ => write!(f, " (PostgreSQL's timeline was {before} and is {now})"),
        }
    }
}
