//! What differs between two texts: as a unified diff, and as HTML with the words marked.

#[cfg(test)]
mod tests;

use similar::{ChangeTag, DiffOp, TextDiff};

use crate::Html;
use crate::writer::escape;

/// The most lines of a text, and words of a changed part, that are compared one by one; of more, all are another's.
const MOST: usize = 5_000;

/// Lines that are shown before and after a change.
const CONTEXT: usize = 1;

/// What differs between two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// A unified diff; empty for equal texts.
    pub unified: String,
    /// The changed lines and their neighbours, with `<del>` and `<ins>` around words; empty for equal texts.
    pub html: Html,
}

/// What differs between two texts with these names.
pub fn difference((before_name, before): (&str, &str), (after_name, after): (&str, &str)) -> Difference {
    if before == after {
        return Difference { unified: String::new(), html: Html(String::new()) };
    }
    let is_long = |text: &str| text.lines().nth(MOST).is_some();
    if is_long(before) || is_long(after) {
        let mut html = Marked::default();
        html.put(ChangeTag::Delete, before);
        html.put(ChangeTag::Insert, after);
        return Difference { unified: replaced(before, after), html: html.end() };
    }
    let lines = TextDiff::from_lines(before, after);
    let unified = lines.unified_diff().context_radius(3).header(before_name, after_name).to_string();
    let mut html = Marked::default();
    for (index, group) in lines.grouped_ops(CONTEXT).iter().enumerate() {
        if index > 0 {
            html.rule();
        }
        for operation in group {
            changed(&lines, operation, &mut html);
        }
    }
    Difference { unified, html: html.end() }
}

/// A part of the text that stays, or that was replaced.
fn changed(lines: &TextDiff<'_, '_, '_, str>, operation: &DiffOp, html: &mut Marked) {
    let part = |all: &[&str], range: std::ops::Range<usize>| all.get(range).unwrap_or_default().concat();
    let before = part(lines.old_slices(), operation.old_range());
    let after = part(lines.new_slices(), operation.new_range());
    if before == after {
        return html.put(ChangeTag::Equal, &before);
    }
    let words = |text: &str| text.split_whitespace().nth(MOST).is_some();
    if words(&before) || words(&after) {
        html.put(ChangeTag::Delete, &before);
        return html.put(ChangeTag::Insert, &after);
    }
    marked_words(&before, &after, html);
}

/// The words of both texts. Spaces between words that are replaced belong to them, so that they are read as phrases.
fn marked_words(before: &str, after: &str, html: &mut Marked) {
    let words = TextDiff::from_words(before, after);
    let mut changes = words.iter_all_changes().peekable();
    let (mut gone, mut new) = (String::new(), String::new());
    while let Some(change) = changes.next() {
        let (tag, text) = (change.tag(), change.value());
        let is_between = tag == ChangeTag::Equal
            && !gone.is_empty()
            && !new.is_empty()
            && text.bytes().all(|byte| byte == b' ')
            && changes.peek().is_some_and(|next| next.tag() != ChangeTag::Equal);
        if tag == ChangeTag::Delete || is_between {
            gone.push_str(text);
        }
        if tag == ChangeTag::Insert || is_between {
            new.push_str(text);
        }
        if tag == ChangeTag::Equal && !is_between {
            html.put(ChangeTag::Delete, &std::mem::take(&mut gone));
            html.put(ChangeTag::Insert, &std::mem::take(&mut new));
            html.put(tag, text);
        }
    }
    html.put(ChangeTag::Delete, &gone);
    html.put(ChangeTag::Insert, &new);
}

/// The unified diff of two texts of which nothing is the same.
fn replaced(before: &str, after: &str) -> String {
    let lines =
        |sign: char, text: &str| text.lines().map(|line| format!("{sign}{line}\n")).collect::<String>();
    format!("{}{}", lines('-', before), lines('+', after))
}

/// HTML that is written word by word: a paragraph for each line, with its changed words in elements of their own.
#[derive(Default)]
struct Marked {
    html: String,
    /// The words that are written next, with how they changed.
    words: String,
    tag: Option<ChangeTag>,
    is_in_line: bool,
}

impl Marked {
    fn put(&mut self, tag: ChangeTag, text: &str) {
        if self.tag != Some(tag) {
            self.write_words();
            self.tag = Some(tag);
        }
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.end_line();
            }
            self.words.push_str(line);
        }
    }

    fn write_words(&mut self) {
        if self.words.is_empty() {
            return;
        }
        if !self.is_in_line {
            self.html.push_str("<p>");
            self.is_in_line = true;
        }
        let (start, end) = match self.tag {
            Some(ChangeTag::Delete) => ("<del>", "</del>"),
            Some(ChangeTag::Insert) => ("<ins>", "</ins>"),
            _ => ("", ""),
        };
        self.html.push_str(start);
        escape(&mut self.html, &self.words);
        self.html.push_str(end);
        self.words.clear();
    }

    fn end_line(&mut self) {
        self.write_words();
        if self.is_in_line {
            self.html.push_str("</p>");
            self.is_in_line = false;
        }
    }

    fn rule(&mut self) {
        self.end_line();
        self.html.push_str("<hr>");
    }

    fn end(mut self) -> Html {
        self.end_line();
        Html(self.html)
    }
}
