//! Writes blocks as Markdown.

use super::block::{Block, Line, List};
use super::escape::{Place, longest_ticks};
use super::line::line;

/// The most lists and quotes inside each other: the words of deeper ones are in the deepest.
const MOST_DEPTH: usize = 16;

/// A document with its footnotes; each line ends with a line feed.
pub(super) fn document(blocks: &[Block], notes: &[Vec<Block>]) -> String {
    let mut parts = vec![text(blocks, 0)];
    for (number, note) in (1..).zip(notes) {
        parts.push(indented(&format!("[^{number}]: "), "    ", &text(note, 1)));
    }
    parts.retain(|part| !part.is_empty());
    let mut out = parts.join("\n\n");
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Blocks with an empty line between them.
fn text(blocks: &[Block], depth: usize) -> String {
    let mut out = String::new();
    // Lists of one kind that follow each other have other marks, or they would be one list.
    let mut other_mark = false;
    let mut before: Option<&Block> = None;
    for block in blocks {
        other_mark = match (before, block) {
            (Some(Block::List(a)), Block::List(b)) if a.start.is_some() == b.start.is_some() => !other_mark,
            _ => false,
        };
        let part = match block {
            Block::Heading(level, words) => heading(*level, words),
            Block::Paragraph(words) => line(words, Place::Paragraph),
            Block::Item(item) => text(&item.blocks, depth),
            Block::List(list) if depth >= MOST_DEPTH => {
                list.items.iter().map(|item| text(item, depth)).collect::<Vec<_>>().join("\n\n")
            }
            Block::List(list) => list_text(list, other_mark, depth),
            Block::Table(rows) => table(rows),
            Block::Quote(blocks) if depth >= MOST_DEPTH => text(blocks, depth),
            Block::Quote(blocks) => quote(&text(blocks, depth + 1)),
            Block::Code(code) => fenced(code),
            Block::Rule => "___".to_owned(),
        };
        if part.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str(&part);
        before = Some(block);
    }
    out
}

fn heading(level: u8, words: &Line) -> String {
    let words = line(words, Place::Heading);
    if words.is_empty() { words } else { format!("{} {words}", "#".repeat(usize::from(level.clamp(1, 6)))) }
}

fn list_text(list: &List, other_mark: bool, depth: usize) -> String {
    let is_tight = list.items.iter().all(|item| is_tight(item));
    let mut out = String::new();
    for (number, item) in (list.start.unwrap_or(0)..).zip(&list.items) {
        let mark = match (list.start, other_mark) {
            (None, false) => "- ".to_owned(),
            (None, true) => "* ".to_owned(),
            // A number of CommonMark has at most nine digits.
            (Some(_), false) => format!("{}. ", number % 1_000_000_000),
            (Some(_), true) => format!("{}) ", number % 1_000_000_000),
        };
        let words = match item.split_first() {
            Some((Block::Paragraph(words), lists)) if is_tight && !lists.is_empty() => {
                format!("{}\n{}", line(words, Place::Paragraph), text(lists, depth + 1))
            }
            _ => text(item, depth + 1),
        };
        if !out.is_empty() {
            out.push_str(if is_tight { "\n" } else { "\n\n" });
        }
        out.push_str(&indented(&mark, &" ".repeat(mark.len()), &words));
    }
    out
}

/// Whether an item is a paragraph, or one and a list that may follow it without an empty line (CommonMark 0.31.2, 5.3).
fn is_tight(item: &[Block]) -> bool {
    match item {
        [] | [Block::Paragraph(_)] => true,
        [Block::Paragraph(_), Block::List(list)] => {
            let begins = list.items.first().and_then(|item| item.first());
            matches!(list.start, None | Some(1)) && matches!(begins, Some(Block::Paragraph(_)))
        }
        _ => false,
    }
}

fn quote(text: &str) -> String {
    let lines = text.lines().map(|line| if line.is_empty() { ">".to_owned() } else { format!("> {line}") });
    lines.collect::<Vec<_>>().join("\n")
}

/// A text whose first line is after a mark and whose others are below it.
fn indented(mark: &str, indent: &str, text: &str) -> String {
    let mut out = mark.to_owned();
    for (at, line) in text.lines().enumerate() {
        if at > 0 {
            out.push('\n');
            out.push_str(if line.is_empty() { "" } else { indent });
        }
        out.push_str(line);
    }
    out.truncate(out.trim_end().len());
    out
}

/// The first row is the head.
fn table(rows: &[Vec<Line>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut out = String::new();
    for (at, row) in rows.iter().enumerate() {
        // Rows after the head may be shorter.
        let cells = if at == 0 { columns } else { row.len() };
        out.push('|');
        for column in 0..cells {
            let words = row.get(column).map(|cell| line(cell, Place::Cell)).unwrap_or_default();
            out.push_str(if words.is_empty() { "" } else { " " });
            out.push_str(&words);
            out.push_str(" |");
        }
        out.push('\n');
        if at == 0 {
            out.push('|');
            out.push_str(&"---|".repeat(columns));
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Code between fences; as a paragraph if it has what a template reads, because code has no escapes.
fn fenced(code: &str) -> String {
    let code = code.trim_matches('\n').trim_end();
    if code.contains("{{") || code.contains("{%") {
        let run = super::block::Run { text: code.to_owned(), style: super::block::Style::default() };
        return line(&vec![run], Place::Paragraph);
    }
    let fence = "`".repeat(3.max(longest_ticks(code) + 1));
    if code.is_empty() { String::new() } else { format!("{fence}\n{code}\n{fence}") }
}
