//! What a search asks for.

use super::{Texts, Weight, cut};

/// The most characters of a query.
pub const QUERY_CHARACTERS: usize = 500;

/// What people write instead of `"`, with or without knowing it.
const QUOTATION_MARKS: [char; 9] = ['“', '”', '„', '‟', '«', '»', '「', '」', '＂'];

/// What a record must have, and what it must not have, to be found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchQuery {
    /// All of these must occur.
    pub terms: Vec<Term>,
    /// None of these may occur.
    pub excluded: Vec<Term>,
    /// Whether it finds every record where it has no term. Otherwise it finds none.
    pub finds_all: bool,
}

/// A word, the beginning of one, or words that follow each other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    /// The words in their order; at least one.
    pub words: Vec<String>,
    /// Whether the last one may go on.
    pub is_prefix: bool,
}

impl SearchQuery {
    /// Reads a query: `word`, `word*` for words that begin so, `"a phrase"` in quotation marks of any kind, and any of these after
    /// `-` to exclude it. What is written together is one phrase: `CVE-2024-1234`, `ada@example.com`. Every text is a query; what
    /// is no word is passed over.
    pub fn parse(text: &str) -> Self {
        Self::read(text, false)
    }

    /// The same of what somebody types into a box: the last word is the beginning of one, unless a space or a quotation mark
    /// follows.
    pub fn typed(text: &str) -> Self {
        Self::read(text, true)
    }

    fn read(text: &str, is_typed: bool) -> Self {
        let mut query = Self::default();
        let text = text.replace(QUOTATION_MARKS, "\"");
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let is_excluded = rest.starts_with('-');
            rest = rest.strip_prefix('-').unwrap_or(rest);
            let (term, after) = match rest.strip_prefix('"') {
                Some(quoted) => {
                    let (phrase, after) = quoted.split_once('"').unwrap_or((quoted, ""));
                    (Term::of(phrase, false), after)
                }
                None => {
                    let end = rest.find(|it: char| it.is_whitespace() || it == '"').unwrap_or(rest.len());
                    let (word, after) = rest.split_at(end);
                    let is_last = is_typed && after.is_empty() && !is_excluded;
                    (Term::of(word, word.ends_with('*') || is_last), after)
                }
            };
            let terms = if is_excluded { &mut query.excluded } else { &mut query.terms };
            if let Some(term) = term.filter(|term| !terms.contains(term)) {
                terms.push(term);
            }
            rest = after.trim_start();
        }
        query
    }

    /// A search for what has words that begin like each word of a text, as of somebody who is still typing it.
    pub fn beginnings(text: &str) -> Self {
        let terms = cut(text).map(|cut| Term { words: vec![cut.word], is_prefix: true });
        Self { terms: terms.collect(), ..Self::default() }
    }

    /// A search for everything.
    pub fn everything() -> Self {
        Self { finds_all: true, ..Self::default() }
    }

    /// Whether it asks for nothing at all.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.excluded.is_empty() && !self.finds_all
    }

    /// How many of the terms a text has.
    pub fn count_in(&self, text: &str) -> usize {
        let mut texts = Texts::default();
        texts.add(Weight::Rest, text);
        self.terms.iter().filter(|term| term.weight_in(&texts).is_some()).count()
    }

    /// How good a match these texts are: the worst of the terms' best weights. None: they are no match.
    pub fn weight_in(&self, texts: &Texts) -> Option<Weight> {
        let mut looking = self.looking();
        looking.look_at(texts);
        looking.weight()
    }
}

impl Term {
    fn of(text: &str, is_prefix: bool) -> Option<Self> {
        let words: Vec<String> = cut(text).map(|cut| cut.word).collect();
        (!words.is_empty()).then_some(Self { words, is_prefix })
    }

    /// What a line of [`Texts`] that has it contains.
    pub fn wanted(&self) -> String {
        let end = if self.is_prefix { "" } else { " " };
        format!(" {}{end}", self.words.join(" "))
    }

    /// The weight of the best text that has it.
    pub fn weight_in(&self, texts: &Texts) -> Option<Weight> {
        let wanted = self.wanted();
        texts.lines().filter(|(_, line)| line.contains(&wanted)).map(|(weight, _)| weight).max()
    }

    /// How many words the term matches at the beginning of these, which follow each other; none if it does not match.
    pub(super) fn matches(&self, words: &[&str]) -> Option<usize> {
        let (last, before) = self.words.split_last()?;
        let matched = words.get(..self.words.len())?;
        let (last_word, words_before) = matched.split_last()?;
        let ends = if self.is_prefix { last_word.starts_with(last.as_str()) } else { last_word == last };
        (ends && before == words_before).then_some(matched.len())
    }
}
