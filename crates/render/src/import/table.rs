//! Tables: rows of cells, each with one line.

use super::block::{Block, Line, List, Run, Style, words};
use super::lost::{Lost, Report};

/// The most columns; what stands in further ones is in the last. (A table of Word has at most 63.)
const MOST_COLUMNS: usize = 64;

/// A cell as it is in the document.
pub(super) struct Cell {
    pub(super) blocks: Vec<Block>,
    /// Over how many columns and rows it goes, this one included.
    pub(super) columns: usize,
    pub(super) rows: usize,
}

/// The block of a table; none if no cell has words.
pub(super) fn table(rows: Vec<Vec<Cell>>, report: &mut Report) -> Option<Block> {
    if let [row] = rows.as_slice()
        && row.len() == 1
    {
        report.add(Lost::Box);
        return rows.into_iter().flatten().next().map(|cell| Block::Quote(cell.blocks));
    }
    // For each column, how many of the next rows a cell from above is in.
    let mut from_above = [0_usize; MOST_COLUMNS];
    let lines: Vec<Vec<Line>> = rows.into_iter().map(|row| line_up(row, &mut from_above, report)).collect();
    lines.iter().flatten().any(|line| !words(line).is_empty()).then_some(Block::Table(lines))
}

/// The cells of a row, with empty ones where a cell from above or from the left is.
fn line_up(row: Vec<Cell>, from_above: &mut [usize; MOST_COLUMNS], report: &mut Report) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    let mut occupied = from_above.iter_mut();
    for cell in row {
        let mut free = None;
        for column in occupied.by_ref() {
            if *column == 0 {
                free = Some(column);
                break;
            }
            *column -= 1;
            out.push(Line::new());
        }
        if cell.columns > 1 || cell.rows > 1 {
            report.add(Lost::MergedCell);
        }
        let line = cell_line(cell.blocks, report);
        let Some(column) = free else {
            if let Some(last) = out.last_mut() {
                append(last, line, " ");
            }
            continue;
        };
        *column = cell.rows.saturating_sub(1);
        out.push(line);
        for column in occupied.by_ref().take(cell.columns.saturating_sub(1)) {
            *column = cell.rows.saturating_sub(1);
            out.push(Line::new());
        }
    }
    occupied.for_each(|column| *column = column.saturating_sub(1));
    while out.len() > 1 && out.last().is_some_and(Vec::is_empty) {
        out.pop();
    }
    out
}

/// The words of blocks in one line.
fn cell_line(blocks: Vec<Block>, report: &mut Report) -> Line {
    if !matches!(blocks.as_slice(), [] | [Block::Paragraph(_)]) {
        report.add(Lost::BlocksInCell);
    }
    let mut line = Line::new();
    blocks.into_iter().for_each(|block| append_block(&mut line, block));
    line
}

fn append_block(line: &mut Line, block: Block) {
    match block {
        Block::Heading(_, words) | Block::Paragraph(words) => append(line, words, " "),
        Block::Item(item) => item.blocks.into_iter().for_each(|block| append_block(line, block)),
        Block::List(List { start, items }) => {
            for (number, item) in (start.unwrap_or(0)..).zip(items) {
                let mark = if start.is_some() { format!("{number}.") } else { "•".to_owned() };
                append(line, vec![plain(&mark)], " ");
                item.into_iter().for_each(|block| append_block(line, block));
            }
        }
        Block::Table(rows) => rows.into_iter().flatten().for_each(|cell| append(line, cell, " ")),
        Block::Quote(blocks) => blocks.into_iter().for_each(|block| append_block(line, block)),
        Block::Code(text) => {
            append(line, vec![Run { text, style: Style { code: true, ..Style::default() } }], " ");
        }
        Block::Rule => {}
    }
}

fn append(line: &mut Line, more: Line, between: &str) {
    if !line.is_empty() && !more.is_empty() {
        line.push(plain(between));
    }
    line.extend(more);
}

fn plain(text: &str) -> Run {
    Run { text: text.to_owned(), style: Style::default() }
}
