//! The piece of a text that shows why it was found.

use super::{Cut, SearchQuery, cut};

/// About so many bytes of a text are shown before the first match.
const BEFORE: usize = 60;
/// And so many altogether.
const LENGTH: usize = 240;
/// A match is longer if it is a phrase with much between its words, or a long word; of a match at most so many bytes are shown.
const LONGEST_MATCH: usize = 1_000;

/// A piece of a text, cut where what was searched begins and ends.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snippet {
    /// In the order of the text; put together they are the piece.
    pub parts: Vec<SnippetPart>,
    /// Whether the text goes on before it.
    pub is_cut_before: bool,
    /// Whether the text goes on after it.
    pub is_cut_after: bool,
}

/// A part of a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnippetPart {
    /// The text as it is written.
    pub text: String,
    /// Whether it is what was searched.
    pub is_match: bool,
}

impl Snippet {
    /// The piece of a text around the first match, with every match in it marked; none if it has none.
    pub fn of(text: &str, query: &SearchQuery) -> Option<Self> {
        let cuts: Vec<Cut> = cut(text).collect();
        let matches = matches(&cuts, query);
        let (first, _) = *matches.first()?;
        let wanted = if text.len() <= LENGTH { 0 } else { first.saturating_sub(BEFORE) };
        // A piece begins and ends with a whole word.
        let start = cuts.iter().map(|it| it.start).find(|start| *start >= wanted).unwrap_or(first).min(first);
        let start = if wanted == 0 { 0 } else { start };
        let mut ends = cuts.iter().map(|it| it.end).filter(|end| *end > first && *end <= start + LENGTH);
        let first_end = matches.first().map_or(first, |(_, end)| *end);
        let end =
            if text.len() <= start + LENGTH { text.len() } else { ends.next_back().unwrap_or(first_end) };
        let end = end.max(first_end).min(text.floor_char_boundary(first + LONGEST_MATCH));
        let parts = parts(text, start, end, &matches);
        Some(Self { parts, is_cut_before: start > 0, is_cut_after: end < text.len() })
    }

    /// The beginning of a text, or all of it, with every match in it marked.
    pub fn beginning(text: &str, query: &SearchQuery) -> Self {
        let cuts: Vec<Cut> = cut(text).collect();
        let mut ends = cuts.iter().map(|it| it.end).filter(|end| *end <= LENGTH);
        // The first word may be longer than the piece.
        let end = ends.next_back().unwrap_or_else(|| text.floor_char_boundary(LENGTH));
        let end = if text.len() <= LENGTH { text.len() } else { end };
        let parts = parts(text, 0, end, &matches(&cuts, query));
        Self { parts, is_cut_before: false, is_cut_after: end < text.len() }
    }

    /// The whole text, with every match marked.
    pub fn whole(text: &str, query: &SearchQuery) -> Self {
        let cuts: Vec<Cut> = cut(text).collect();
        let parts = parts(text, 0, text.len(), &matches(&cuts, query));
        Self { parts, is_cut_before: false, is_cut_after: false }
    }
}

/// Where terms of the query begin and end in the text, in order and without overlaps.
fn matches(cuts: &[Cut], query: &SearchQuery) -> Vec<(usize, usize)> {
    let words: Vec<&str> = cuts.iter().map(|cut| cut.word.as_str()).collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let longest = query.terms.iter().filter_map(|term| term.matches(rest)).max();
        if let Some(count) = longest
            && let (Some(first), Some(last)) = (cuts.get(at), cuts.get(at + count - 1))
        {
            found.push((first.start, last.end));
        }
        at += longest.unwrap_or(1).max(1);
    }
    found
}

fn parts(text: &str, start: usize, end: usize, matches: &[(usize, usize)]) -> Vec<SnippetPart> {
    let mut parts = Vec::new();
    let mut add = |from: usize, to: usize, is_match: bool| {
        if let Some(text) = text.get(from..to).filter(|text| !text.is_empty()) {
            parts.push(SnippetPart { text: text.to_owned(), is_match });
        }
    };
    let mut at = start;
    // The first match may be longer than the piece; of others there is all or nothing.
    let shown = matches.iter().copied().filter(|(from, _)| *from >= start && *from < end);
    for (from, to) in shown.enumerate().filter(|(place, (_, to))| *place == 0 || *to <= end).map(|(_, it)| it)
    {
        add(at, from, false);
        add(from, to.min(end), true);
        at = to.min(end);
    }
    add(at, end, false);
    parts
}
