//! The headings of a Markdown text: those with `#` (CommonMark 0.31.2, 4.2), outside of fenced code (4.5).

use super::tokens::is_name;

/// A heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Heading<'t> {
    /// The byte at which its number goes: after the `#` and the space.
    pub(super) at: usize,
    /// The count of `#`, from 1 to 6.
    pub(super) level: usize,
    /// The bytes of `{#anchor}` with the space before it, at the end of the line, and the anchor.
    pub(super) anchor: Option<(usize, usize, &'t str)>,
}

/// The headings, in the order of the text.
pub(super) fn read(text: &str) -> impl Iterator<Item = Heading<'_>> {
    let (mut from, mut fence) = (0, None);
    text.split_inclusive('\n').filter_map(move |line| {
        let begins = from;
        from += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        let inner = line.trim_start_matches(' ');
        let indent = line.len() - inner.len();
        if indent > 3 {
            return None;
        }
        if let Some(open) = fence {
            if closes(inner, open) {
                fence = None;
            }
            return None;
        }
        fence = opens(inner);
        let level = inner.bytes().take_while(|byte| *byte == b'#').count();
        let rest = inner.get(level..).filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))?;
        if !(1..=6).contains(&level) {
            return None;
        }
        let title = rest.trim_start();
        let at = begins + line.len() - title.len();
        Some(Heading { at, level, anchor: anchor(title, at) })
    })
}

/// The anchors of the headings, each with the byte at which it begins.
pub(super) fn anchors(text: &str) -> impl Iterator<Item = (usize, &str)> {
    read(text).filter_map(|heading| heading.anchor.map(|(from, _, anchor)| (from, anchor)))
}

/// The fence of a code block that begins in this line: its letter, and how many of it.
fn opens(line: &str) -> Option<(u8, usize)> {
    let letter = *line.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let count = line.bytes().take_while(|byte| *byte == letter).count();
    let is_inline = letter == b'`' && line[count..].contains('`');
    (count >= 3 && !is_inline).then_some((letter, count))
}

fn closes(line: &str, (letter, least): (u8, usize)) -> bool {
    let count = line.bytes().take_while(|byte| *byte == letter).count();
    count >= least && line[count..].trim().is_empty()
}

fn anchor(title: &str, at: usize) -> Option<(usize, usize, &str)> {
    let trimmed = title.trim_end();
    let inner = trimmed.strip_suffix('}')?;
    let (before, name) = inner.rsplit_once("{#")?;
    let from = at + before.trim_end().len();
    (is_name(name) && !before.ends_with('\\')).then_some((from, at + trimmed.len(), name))
}

/// Counts headings: 1, 1.1, 1.2, 2. The highest level of the text is the first part of the number.
#[derive(Debug)]
pub(super) struct Numbers {
    top: usize,
    counts: Vec<usize>,
}

impl Numbers {
    /// Of a text whose highest heading has this level.
    pub(super) fn from(top: usize) -> Self {
        Self { top, counts: Vec::new() }
    }

    /// The number of the next heading.
    pub(super) fn next(&mut self, level: usize) -> String {
        self.counts.resize(level.saturating_sub(self.top) + 1, 0);
        if let Some(last) = self.counts.last_mut() {
            *last += 1;
        }
        self.counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")
    }
}
