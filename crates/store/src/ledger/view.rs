//! Which records a read sees, and in which state.

use jiff::Timestamp;

/// What a read of records that have a history sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct View {
    /// The register as it stood after this journal entry; none: as it stands.
    pub as_of_seq: Option<i64>,
    /// The time at which it is looked at, which decides what has expired; none: that of the entry, or now.
    pub at: Option<Timestamp>,
    /// Whether deleted records are seen.
    pub deleted: Deleted,
}

impl View {
    /// The register as it stands, without deleted records.
    pub fn now() -> Self {
        Self::default()
    }

    /// The register as it stands, with deleted records; also for records that are never deleted.
    pub fn with_deleted() -> Self {
        Self { deleted: Deleted::With, ..Self::default() }
    }

    /// The register as it stood after the journal entry `seq`, without what was deleted then.
    pub fn as_of(seq: i64) -> Self {
        Self { as_of_seq: Some(seq), ..Self::default() }
    }

    /// The same, looked at at this time.
    pub fn at(self, at: Timestamp) -> Self {
        Self { at: Some(at), ..self }
    }
}

/// Whether deleted records are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Deleted {
    /// As if they did not exist.
    #[default]
    Without,
    /// Only they.
    Only,
    /// Like all others.
    With,
}

impl Deleted {
    /// Whether a record with this `deleted_date` is seen.
    pub(crate) fn sees(self, deleted_date: Option<Timestamp>) -> bool {
        match self {
            Self::Without => deleted_date.is_none(),
            Self::Only => deleted_date.is_some(),
            Self::With => true,
        }
    }

    /// The condition on a table `r` with a `deleted_date`, to follow other conditions.
    pub(crate) fn condition(self) -> &'static str {
        match self {
            Self::Without => " AND r.deleted_date IS NULL",
            Self::Only => " AND r.deleted_date IS NOT NULL",
            Self::With => "",
        }
    }
}
