//! How many records of a list have a tag.

use db::FromRow;
use uuid::Uuid;

/// How many records have a tag.
pub(crate) struct TagCount {
    pub(crate) id: Uuid,
    pub(crate) name: String,
    pub(crate) count: i64,
}

impl FromRow for TagCount {
    fn from_row(row: &db::Row<'_>) -> db::Result<Self> {
        Ok(Self { id: row.get(0)?, name: row.get(1)?, count: row.get(2)? })
    }
}
