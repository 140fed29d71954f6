//! Lists for people.

use super::{escape, line};
use crate::failure::Result;

/// A list with a header line. Rows are written as they come, so a long list needs no memory; a cell that is wider
/// than its column moves the rest of its row.
pub(crate) struct Table<const N: usize>([usize; N]);

impl<const N: usize> Table<N> {
    /// Writes the header: each column's title and how wide it is at least.
    pub(crate) fn begin(columns: [(&str, usize); N]) -> Result<Self> {
        let widths = columns.map(|(title, width)| width.max(title.len()));
        let table = Self(widths);
        table.row(columns.map(|(title, _)| title))?;
        Ok(table)
    }

    /// Writes a row.
    pub(crate) fn row(&self, cells: [&str; N]) -> Result<()> {
        line(self.text(cells).trim_end())
    }

    fn text(&self, cells: [&str; N]) -> String {
        let cells = cells.into_iter().zip(self.0).map(|(cell, width)| format!("{:<width$}", escape(cell)));
        cells.collect::<Vec<_>>().join("  ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_a_cell_stays_in_its_row() {
        let table = Table([4, 3]);
        assert_eq!(table.text(["ID", "NAME"]), "ID    NAME");
        assert_eq!(table.text(["1", "a\nb"]), "1     a\\nb");
        assert_eq!(table.text(["12345", "x"]), "12345  x  ");
    }
}
