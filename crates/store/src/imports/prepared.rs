//! The rows of a file, before they are planned and written.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use domain::import::PreparedRow;

/// Reads the records again of which there are outlines.
type Again = dyn Fn(&[PreparedRow]) -> Vec<PreparedRow> + Send + Sync;

/// The rows of a file. Those of a long one may be outlines: 100,000 risks would take 125 MB, and the file that they are read from
/// takes 30.
#[derive(Clone)]
pub struct Prepared {
    rows: Vec<PreparedRow>,
    again: Option<Arc<Again>>,
}

impl Prepared {
    /// Rows some of which are outlines, and how records are read again.
    pub fn outlined(
        rows: Vec<PreparedRow>,
        again: impl Fn(&[PreparedRow]) -> Vec<PreparedRow> + Send + Sync + 'static,
    ) -> Self {
        Self { rows, again: Some(Arc::new(again)) }
    }

    /// Some of the rows, with what is in them.
    pub fn read<'r>(&self, rows: &'r [PreparedRow]) -> Cow<'r, [PreparedRow]> {
        match &self.again {
            Some(again) => Cow::Owned(again(rows)),
            None => Cow::Borrowed(rows),
        }
    }
}

impl From<Vec<PreparedRow>> for Prepared {
    fn from(rows: Vec<PreparedRow>) -> Self {
        Self { rows, again: None }
    }
}

impl Deref for Prepared {
    type Target = [PreparedRow];

    fn deref(&self) -> &[PreparedRow] {
        &self.rows
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.fmt(f)
    }
}
