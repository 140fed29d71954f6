//! Writes blocks as Markdown.

use super::block::{Block, Line, List};
use super::escape::{Place, longest_ticks};
use super::line::line;

/// The most lists and quotes inside each other: the words of deeper ones are in the deepest.
const MOST_DEPTH: usize = 16;

/// The most bytes that are written, with what stands before each line of a list or a quote.
const MOST_BYTES: usize = 1024 * 1024;

/// A document with its footnotes, in which each line ends with a line feed; and whether the rest of it is left out.
pub(super) fn document(blocks: &[Block], notes: &[Vec<Block>]) -> (String, bool) {
    let mut writer = Writer { left: MOST_BYTES, is_cut: false };
    let mut parts = vec![writer.text(blocks, Inside::default())];
    for (number, note) in (1..).zip(notes) {
        let note = writer.text(note, Inside::default().and(4));
        parts.push(indented(&format!("[^{number}]: "), "    ", &note));
    }
    parts.retain(|part| !part.is_empty());
    let mut out = parts.join("\n\n");
    if !out.is_empty() {
        out.push('\n');
    }
    (out, writer.is_cut)
}

/// What a block is in.
#[derive(Clone, Copy, Default)]
struct Inside {
    /// How many lists and quotes.
    depth: usize,
    /// How many bytes stand before each line.
    before: usize,
}

impl Inside {
    fn and(self, before: usize) -> Self {
        Self { depth: self.depth + 1, before: self.before + before }
    }
}

/// Writes until there is enough.
struct Writer {
    left: usize,
    is_cut: bool,
}

impl Writer {
    /// Blocks with an empty line between them.
    fn text(&mut self, blocks: &[Block], inside: Inside) -> String {
        let mut out = String::new();
        // Lists of one kind that follow each other have other marks, or they would be one list.
        let mut other_mark = false;
        let mut before: Option<&Block> = None;
        let is_deep = inside.depth >= MOST_DEPTH;
        for block in blocks {
            if self.is_cut {
                break;
            }
            other_mark = match (before, block) {
                (Some(Block::List(a)), Block::List(b)) if a.start.is_some() == b.start.is_some() => {
                    !other_mark
                }
                _ => false,
            };
            let part = match block {
                Block::Heading(level, words) => self.counted(heading(*level, words), inside),
                Block::Paragraph(words) => self.counted(line(words, Place::Paragraph), inside),
                Block::Item(item) => self.text(&item.blocks, inside),
                Block::List(list) if is_deep => {
                    list.items.iter().map(|item| self.text(item, inside)).collect::<Vec<_>>().join("\n\n")
                }
                Block::List(list) => self.list_text(list, other_mark, inside),
                Block::Table(rows) => self.counted(table(rows), inside),
                Block::Quote(blocks) if is_deep => self.text(blocks, inside),
                Block::Quote(blocks) => quote(&self.text(blocks, inside.and(2))),
                Block::Code(code) => self.counted(fenced(code), inside),
                Block::Rule => self.counted("___".to_owned(), inside),
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

    /// As much of a text as may still be written.
    fn counted(&mut self, mut text: String, inside: Inside) -> String {
        // An empty line and its beginning stand before it.
        let bytes = text.len() + (text.matches('\n').count() + 2) * (inside.before + 1);
        if bytes > self.left {
            self.is_cut = true;
            text.truncate(text.floor_char_boundary(self.left / (inside.before + 2)));
        }
        self.left = self.left.saturating_sub(bytes);
        text
    }

    fn list_text(&mut self, list: &List, other_mark: bool, inside: Inside) -> String {
        let is_tight = list.items.iter().all(|item| is_tight(item));
        let mut out = String::new();
        for (number, item) in (list.start.unwrap_or(0)..).zip(&list.items) {
            if self.is_cut {
                break;
            }
            let mark = match (list.start, other_mark) {
                (None, false) => "- ".to_owned(),
                (None, true) => "* ".to_owned(),
                // A number of CommonMark has at most nine digits.
                (Some(_), false) => format!("{}. ", number % 1_000_000_000),
                (Some(_), true) => format!("{}) ", number % 1_000_000_000),
            };
            let inner = inside.and(mark.len());
            let words = match item.split_first() {
                Some((Block::Paragraph(words), lists)) if is_tight && !lists.is_empty() => {
                    let words = self.counted(line(words, Place::Paragraph), inner);
                    format!("{words}\n{}", self.text(lists, inner))
                }
                _ => self.text(item, inner),
            };
            if !out.is_empty() {
                out.push_str(if is_tight { "\n" } else { "\n\n" });
            }
            out.push_str(&indented(&mark, &" ".repeat(mark.len()), &words));
        }
        out
    }
}

fn heading(level: u8, words: &Line) -> String {
    let words = line(words, Place::Heading);
    if words.is_empty() { words } else { format!("{} {words}", "#".repeat(usize::from(level.clamp(1, 6)))) }
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
