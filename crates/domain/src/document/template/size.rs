//! How much a text prints of an item, without printing it.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Template;
use super::escape::escaped;
use super::tokens::Token;

/// The most characters that the beginning of a line has before the further lines of a value too.
pub(super) const MAX_PREFIX: usize = 64;

/// The most characters of the number of a heading: six parts of at most eight digits, each with what follows it.
pub(super) const MAX_NUMBER: usize = 6 * 9;

/// How often a text prints each of its items; none of a text that lists all.
#[derive(Debug)]
pub struct Uses<'t>(Option<HashMap<&'t str, Use>>);

/// Of a text without places.
impl Default for Uses<'_> {
    fn default() -> Self {
        Self(Some(HashMap::new()))
    }
}

/// In how many places an item is printed.
#[derive(Debug, Clone, Copy, Default)]
struct Use {
    places: usize,
    /// The most characters before a further line of its value, in all places together.
    before: usize,
}

/// What stands in a line before a place.
#[derive(Clone, Copy)]
enum Line {
    /// So many characters, which further lines of a value have too.
    Prefix(usize),
    /// Words.
    Words,
    /// What another value or a block prints.
    Unknown,
}

impl Line {
    fn and(self, text: &str) -> Self {
        match self {
            _ if !is_prefix(text) => Self::Words,
            Self::Prefix(length) => Self::Prefix(length + text.len()),
            other => other,
        }
    }

    fn most(self) -> usize {
        match self {
            Self::Prefix(length) if length <= MAX_PREFIX => length,
            Self::Unknown => MAX_PREFIX,
            Self::Prefix(_) | Self::Words => 0,
        }
    }
}

/// Whether further lines of a value begin with this too, or with as many spaces: the marks of lists and quotations.
pub(super) fn is_prefix(text: &str) -> bool {
    text.bytes().all(|byte| b" \t>-*+.)0123456789".contains(&byte))
}

impl<'t> Template<'t> {
    /// How often it prints each item, whichever blocks are printed.
    pub fn uses(&self) -> Uses<'t> {
        let (mut uses, mut line): (HashMap<_, Use>, _) = (HashMap::new(), Line::Prefix(0));
        for (_, token) in &self.tokens {
            line = match *token {
                Token::Text(text) => match text.rsplit_once('\n') {
                    Some((_, begun)) => Line::Prefix(0).and(begun),
                    None => line.and(text),
                },
                Token::Value(item) => {
                    let it = uses.entry(item).or_default();
                    it.places += 1;
                    it.before += line.most();
                    Line::Unknown
                }
                Token::Reference(_) => line,
                Token::Block(..) => Line::Unknown,
            };
        }
        Uses(Some(uses))
    }
}

impl Uses<'_> {
    /// Of a text without a template, which lists all items.
    pub fn listed() -> Self {
        Self(None)
    }

    /// At most so many characters come of this text of an item in all its places.
    pub fn printed(&self, item: &str, text: &str, is_markdown: bool) -> usize {
        let listed = Use { places: 1, before: 2 };
        let it = self.0.as_ref().map_or(listed, |uses| uses.get(item).copied().unwrap_or_default());
        let text = if is_markdown { Cow::Borrowed(text.trim()) } else { Cow::Owned(escaped(text)) };
        let headings = text.split('\n').filter(|line| is_markdown && line.contains('#')).count();
        let once = text.chars().count() + headings * MAX_NUMBER;
        it.places * once + it.before * text.matches('\n').count()
    }
}
