//! How wide the columns of a table are. To find that by itself, Typst would lay out each cell twice.

use super::characters::width;
use crate::paper::Table;

/// The width of a line, in points. `document.typ` has the sizes.
const LINE: usize = 450;

/// The size that the letters of a head, which are bold, are counted with, in tenths of a point.
const HEAD: usize = 100;

/// The size of the letters of other cells, in tenths of a point: a word of this width is not broken.
const WORD: usize = 95;

/// The size that the letters of a whole text are counted with, because most of them are narrow.
const CELL: usize = 80;

/// What is free beside the words of a cell, in points.
const INSET: usize = 10;

/// The width of each column in points. Each has room for its longest word, as far as these fit into the line together; the rest of
/// the line is shared by how much more text the columns have.
pub(super) fn widths(table: &Table<'_>) -> Vec<usize> {
    let mut words: Vec<usize> = table.head.iter().map(|text| longest_word(text, HEAD)).collect();
    let mut needed: Vec<usize> = table.head.iter().map(|text| points(text, HEAD)).collect();
    for row in &table.rows {
        for ((word, needed), text) in words.iter_mut().zip(&mut needed).zip(row) {
            *word = longest_word(text, WORD).max(*word);
            *needed = points(text, CELL).max(*needed);
        }
    }
    let words = within_a_line(&words);
    // A text of several lines counts as one, so that it leaves something to others.
    let more = needed.iter().zip(&words).map(|(needed, word)| needed.saturating_sub(*word).min(LINE));
    let more: Vec<usize> = more.collect();
    let wanted: usize = more.iter().sum();
    let free = (LINE - words.iter().sum::<usize>()).min(wanted);
    words.iter().zip(more).map(|(word, more)| word + more * free / wanted.max(1)).collect()
}

/// These widths, if they fit into a line together; otherwise the widest have equal shares of what the others leave.
fn within_a_line(widths: &[usize]) -> Vec<usize> {
    let mut order: Vec<_> = widths.iter().copied().enumerate().collect();
    order.sort_by_key(|(_, width)| *width);
    let (mut left, mut others) = (LINE, order.len());
    for (_, width) in &mut order {
        *width = (left / others).min(*width);
        (left, others) = (left - *width, others - 1);
    }
    order.sort_by_key(|(column, _)| *column);
    order.into_iter().map(|(_, width)| width).collect()
}

fn longest_word(text: &str, size: usize) -> usize {
    text.split_whitespace().map(|word| points(word, size)).max().unwrap_or(INSET)
}

/// The width of a word that fits into a column of this width, in tenths of the size of its letters.
pub(super) fn room(points: usize) -> usize {
    points.saturating_sub(INSET) * 100 / WORD
}

/// About the width of a text of this size. Where its letters are wider than most, it fills another line.
fn points(text: &str, size: usize) -> usize {
    let tenths: usize = text.chars().map(|it| if it.is_whitespace() { 3 } else { width(it) }).sum();
    (tenths * size).div_ceil(100) + INSET
}
