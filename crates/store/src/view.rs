//! Which records a read sees, and in which state.

/// What a read of records that have a history sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct View {
    /// The register as it stood after this journal entry; none: as it stands.
    pub as_of_seq: Option<i64>,
    /// Whether deleted records are seen.
    pub deleted: Deleted,
}

impl View {
    /// The register as it stands, without deleted records.
    pub fn now() -> Self {
        Self::default()
    }

    /// The register as it stood after the journal entry `seq`, without what was deleted then.
    pub fn as_of(seq: i64) -> Self {
        Self { as_of_seq: Some(seq), ..Self::default() }
    }

    /// The rows of `table` and of its history, with the columns `stored`, that a view as of the entry `$4` sees: up to
    /// `$3` of the organization `$1`, the greatest number first, that meet a condition on `number` and `$2`.
    ///
    /// Rows are chosen before they are joined with others, so that a page of the past costs no more than the page.
    /// Each part ends by itself: otherwise PostgreSQL reads and sorts the whole register for one.
    pub(crate) fn past(self, table: &str, stored: &str, condition: &str) -> String {
        let deleted = self.deleted.condition();
        let part = format!("organization = $1 AND {condition} AND seq_from <= $4 {deleted}");
        let page = "ORDER BY number DESC LIMIT $3";
        format!(
            "SELECT * FROM (SELECT {stored} FROM {table} WHERE {part} {page}) AS present
             UNION ALL
             SELECT * FROM (SELECT {stored} FROM {table}_history WHERE {part} AND seq_to > $4 {page}) AS past
             {page}"
        )
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
    /// The condition on a table with a `deleted_date`, to follow other conditions.
    pub(crate) fn condition(self) -> &'static str {
        match self {
            Self::Without => "AND deleted_date IS NULL",
            Self::Only => "AND deleted_date IS NOT NULL",
            Self::With => "",
        }
    }
}
