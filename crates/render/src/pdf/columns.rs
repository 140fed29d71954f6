//! How wide the columns of a table are. To find that by itself, Typst would lay out each cell twice.

use super::characters::width;
use crate::paper::Table;

/// The width of a line, in points. `document.typ` has the sizes.
const LINE: usize = 450;

/// The size that the letters of a head, which are bold, are counted with, in tenths of a point.
const HEAD: usize = 100;

/// The same of the letters of other cells, most of which are narrow.
const CELL: usize = 80;

/// What is free beside the words of a cell, in points.
const INSET: usize = 10;

/// The width of each column in points: what it needs, or its share of what the narrower ones leave of the line.
pub(super) fn widths(table: &Table<'_>) -> Vec<usize> {
    let mut needed: Vec<usize> = table.head.iter().map(|text| points(text, HEAD)).collect();
    for row in &table.rows {
        for (needed, text) in needed.iter_mut().zip(row) {
            *needed = points(text, CELL).max(*needed);
        }
    }
    let mut order: Vec<_> = needed.iter().copied().enumerate().collect();
    order.sort_by_key(|(_, needed)| *needed);
    let (mut left, mut others) = (LINE, order.len());
    for (_, width) in &mut order {
        *width = (left / others).min(*width);
        (left, others) = (left - *width, others - 1);
    }
    order.sort_by_key(|(column, _)| *column);
    order.into_iter().map(|(_, width)| width).collect()
}

/// The width of a word that fits into a column of this width, in tenths of the size of its letters.
pub(super) fn room(points: usize) -> usize {
    points.saturating_sub(INSET) * 100 / 95
}

/// About the width of a text of this size. Where its letters are wider than most, it fills another line.
fn points(text: &str, size: usize) -> usize {
    let tenths: usize = text.chars().map(|it| if it.is_whitespace() { 3 } else { width(it) }).sum();
    tenths * size / 100 + INSET
}
