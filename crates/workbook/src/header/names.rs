//! The names of columns, from one header row or several.

use crate::cell::Cell;
use crate::sheet::{Row, Sheet};
use crate::words::{beginning, folded};

/// The most characters of a name.
const MOST_NAME: usize = 120;

/// The name of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) column: usize,
    /// As it stands there; of several rows with a colon between.
    pub(crate) name: String,
    pub(crate) folded: String,
}

/// The names of all columns that have one or have something below, from the header rows at these positions.
pub(crate) fn heads(sheet: Sheet<'_>, rows: &[usize]) -> Vec<Head> {
    let rows: Vec<Row<'_>> = rows.iter().filter_map(|at| sheet.row(*at)).collect();
    let width = rows.iter().flat_map(|row| row.cells()).map(|(column, _)| column + 1).max().unwrap_or(0);
    let last = rows.len().saturating_sub(1);
    let mut names: Vec<Vec<String>> = vec![Vec::new(); width];
    for (nth, row) in rows.iter().enumerate() {
        let mut above = String::new();
        for (column, name) in names.iter_mut().enumerate() {
            let own = title(row.filled(column));
            let is_spread = own.is_empty() && nth < last && is_below_another(&rows, nth, column);
            if !own.is_empty() {
                above.clone_from(&own);
            } else if !is_spread {
                above.clear();
            }
            let part = if is_spread { above.clone() } else { own };
            if !part.is_empty() && name.last() != Some(&part) {
                name.push(part);
            }
        }
    }
    (0..)
        .zip(names)
        .map(|(column, parts)| head(column, &parts))
        .filter(|head| !head.name.is_empty())
        .collect()
}

/// Whether a name stands in a row below, and none above it: it belongs to the group to its left, as CSV has merged cells.
fn is_below_another(rows: &[Row<'_>], nth: usize, column: usize) -> bool {
    let stands = |row: &Row<'_>| !row.filled(column).is_empty();
    rows.iter().skip(nth + 1).any(stands) && !rows.iter().take(nth).any(stands)
}

fn head(column: usize, parts: &[String]) -> Head {
    let name = parts.join(": ");
    // "Risk #" is the number of the risk.
    Head { column, folded: folded(&name.replace('#', " no ")), name }
}

fn title(cell: Cell<'_>) -> String {
    let shown = cell.shown();
    let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    beginning(&line, MOST_NAME)
}
