//! A file while it is made, part after part.

use domain::Error;
use http::error::Result;
use render::{Book, Table};

use super::legend::LEGEND;

/// How far a file is made.
#[derive(Default)]
pub(super) struct Making {
    has_head: bool,
    book: Option<Book>,
}

impl Making {
    /// Whether this is the first part, before which the names of the columns stand.
    pub(super) fn is_first(&mut self) -> bool {
        !std::mem::replace(&mut self.has_head, true)
    }

    /// The bytes of a workbook with more rows in the sheet of this name, and with its legend at the end of all.
    pub(super) fn rows(
        &mut self,
        name: &str,
        rows: impl Iterator<Item = Vec<String>>,
        legend: Option<&Table<'_>>,
    ) -> Result<Vec<u8>> {
        let failed = |error| Error::Internal(format!("a part of a workbook: {error}"));
        let mut book = match self.book.take() {
            Some(book) => book,
            None => Book::begin([name, LEGEND]).map_err(failed)?,
        };
        for row in rows {
            book.add(&row).map_err(failed)?;
        }
        if let Some(legend) = legend {
            return Ok(book.finish(legend).map_err(failed)?);
        }
        let made = book.take();
        self.book = Some(book);
        Ok(made)
    }
}
