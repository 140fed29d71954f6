//! One page of a list.

/// Some rows of a list in its order, and whether more follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows of this page.
    pub rows: Vec<T>,
    /// Whether there is a row after the last of these.
    pub has_more: bool,
}

impl<T> Page<T> {
    /// A page of at most `limit` of these rows, which were read with a limit of one more.
    pub fn cut(mut rows: Vec<T>, limit: i64) -> Self {
        let limit = usize::try_from(limit).unwrap_or_default();
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        Self { rows, has_more }
    }
}
