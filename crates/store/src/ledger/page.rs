//! One page of a list.

/// Some rows of a list in its order, and whether more follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows of this page.
    pub rows: Vec<T>,
    /// Whether there is a row after the last of these.
    pub has_more: bool,
}

impl<T> Default for Page<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), has_more: false }
    }
}

impl<T> Page<T> {
    /// A page of at most `limit` of these rows, which were read with a limit of one more.
    pub fn cut(mut rows: Vec<T>, limit: i64) -> Self {
        let limit = usize::try_from(limit).unwrap_or_default();
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        Self { rows, has_more }
    }

    /// The same page with each row made into something else.
    pub fn map<U>(self, make: impl FnMut(T) -> U) -> Page<U> {
        Page { rows: self.rows.into_iter().map(make).collect(), has_more: self.has_more }
    }
}
