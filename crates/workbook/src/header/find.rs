//! The header of a sheet: the row, or up to three joined rows, with the most words that name fields.

use std::collections::BTreeSet;

use super::names::{Head, heads};
use crate::cell::Cell;
use crate::columns::guess::{self, is_stage};
use crate::sheet::{Row, Sheet};
use crate::words::folded;

/// How many rows with something in them are looked at.
const MOST_ROWS: usize = 60;

/// The most characters of a name of a column; a longer text is a sentence.
const MOST_NAME: usize = 80;

/// Where the header is.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// The positions of its rows, one after the other.
    pub(crate) rows: Vec<usize>,
    /// How many columns have known words.
    pub(crate) known: usize,
}

/// The header of a sheet; the first of equal ones.
pub(crate) fn find(sheet: Sheet<'_>) -> Option<Found> {
    let mut best: Option<(usize, usize)> = None;
    for (at, row) in sheet.rows_in(0..sheet.len().min(MOST_ROWS)).enumerate() {
        let known = known(row);
        if best.is_none_or(|(_, most)| known > most) && known > 0 && is_texts(row) {
            best = Some((at, known));
        }
    }
    let (at, _) = best?;
    let mut rows = vec![at];
    // Groups above it, and names below what is a row of groups.
    while rows.len() < 3 && rows.first().is_some_and(|first| is_group(sheet, *first)) {
        let above = rows.first().map_or(0, |first| first - 1);
        rows.insert(0, above);
    }
    while rows.len() < 3 && rows.last().is_some_and(|last| has_names_below(sheet, &rows, *last)) {
        rows.push(rows.last().map_or(0, |last| last + 1));
    }
    let known = names_known(&heads(sheet, &rows));
    Some(Found { rows, known })
}

fn names_known(heads: &[Head]) -> usize {
    heads.iter().filter(|head| guess::known(&head.folded) > 0).count()
}

/// How many different ones: the columns of a merged group have one name until the row below tells them apart.
fn different_known(heads: &[Head]) -> usize {
    let known = heads.iter().map(|head| head.folded.as_str()).filter(|folded| guess::known(folded) > 0);
    known.collect::<BTreeSet<_>>().len()
}

/// How much its cells are like names of columns.
fn known(row: Row<'_>) -> usize {
    row.cells().map(|(_, cell)| known_name(cell)).sum()
}

fn known_name(cell: Cell<'_>) -> usize {
    let Cell::Text(text) = cell else { return 0 };
    if text.chars().count() > MOST_NAME || text.split_whitespace().count() > 8 {
        return 0;
    }
    guess::known(&folded(text))
}

fn is_texts(row: Row<'_>) -> bool {
    row.cells().all(|(_, cell)| !matches!(cell, Cell::Number(_) | Cell::Percent(_) | Cell::Date(_)))
}

/// Whether the row right above one is a row of groups: a text that names a field or a rating stands over several columns.
fn is_group(sheet: Sheet<'_>, at: usize) -> bool {
    let (Some(row), Some(above)) = (sheet.row(at), at.checked_sub(1).and_then(|above| sheet.row(above)))
    else {
        return false;
    };
    let first = row.cells().next().map_or(0, |(column, _)| column);
    // A title stands alone in the first column.
    let has_groups = above.cells().count() >= 2 || above.cells().any(|(column, _)| column > first);
    let is_spread = |(column, cell): (usize, Cell<'_>)| {
        let text = folded(&cell.shown());
        above.cell(column + 1).is_empty()
            && !row.cell(column).is_empty()
            && !row.cell(column + 1).is_empty()
            && text.chars().count() <= MOST_NAME
            && (guess::known(&text) > 0 || is_stage(&text))
    };
    above.number + 1 == row.number && has_groups && is_texts(above) && above.cells().any(is_spread)
}

/// Whether the row right below one has names below the groups of the header.
fn has_names_below(sheet: Sheet<'_>, rows: &[usize], at: usize) -> bool {
    let (Some(row), Some(below)) = (sheet.row(at), sheet.row(at + 1)) else { return false };
    let is_next = row.number + 1 == below.number && is_texts(below);
    // Columns that have no name yet, or are part of a group, get one.
    let is_grouped = |column: usize| {
        let name = row.cell(column);
        let merge = sheet.merge(row.number, column);
        name.is_empty()
            || merge.is_some_and(|merge| merge.last.1 > merge.first.1)
            || row.cell(column + 1).is_empty()
    };
    let named = below.cells().filter(|(column, cell)| is_grouped(*column) && known_name(*cell) > 0).count();
    let most = below.cells().count();
    let mut joined = rows.to_vec();
    joined.push(at + 1);
    is_next
        && named >= 2
        && named * 2 >= most
        && different_known(&heads(sheet, &joined)) > different_known(&heads(sheet, rows))
}
