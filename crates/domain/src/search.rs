//! Search: how texts are cut into words, what a query asks for, and where a text has it. See docs/api.md, "Search".

mod looking;
mod query;
mod snippet;
mod spelling;
#[cfg(test)]
mod tests;
mod words;

pub use looking::Looking;
pub use query::{QUERY_CHARACTERS, SearchQuery, Term};
pub use snippet::{Snippet, SnippetPart};
pub use spelling::{corrected, one_letter_away};
pub use words::{Cut, cut, folded_line};

crate::words! {
    "SearchKind"
    /// What a search finds.
    pub enum SearchKind {
        /// An incident, by its own texts and those of its notes, tasks, review and links.
        Incident = "incident",
        /// A risk.
        Risk = "risk",
        /// A document, by its own texts, its items, its text in force and its open proposal.
        Document = "document",
    }
}

/// Which text of a record has a word. The better one is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// What else a record has: further fields, notes, the text of a document.
    Rest = 1,
    /// The description.
    Description = 2,
    /// The title, or the reference of a document.
    Title = 3,
}

impl Weight {
    /// All of them, the best first.
    pub const ALL: [Self; 3] = [Self::Title, Self::Description, Self::Rest];

    /// The weight with this number.
    pub fn of(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|weight| *weight as u8 == number)
    }
}

/// The texts of a record as they are searched: each one's words with a space before, between and after them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    lines: Vec<(Weight, String)>,
}

impl Texts {
    /// Adds a text. One without a word is none.
    pub fn add(&mut self, weight: Weight, text: &str) {
        let line = folded_line(text);
        if !line.is_empty() {
            self.lines.push((weight, line));
        }
    }

    /// Each text with its weight.
    pub fn lines(&self) -> impl Iterator<Item = (Weight, &str)> {
        self.lines.iter().map(|(weight, line)| (*weight, line.as_str()))
    }

    /// Each word with its best weight.
    pub fn words(&self) -> std::collections::BTreeMap<&str, Weight> {
        let mut words = std::collections::BTreeMap::new();
        for (weight, line) in self.lines() {
            for word in line.split(' ').filter(|word| !word.is_empty()) {
                let best = words.entry(word).or_insert(weight);
                *best = weight.max(*best);
            }
        }
        words
    }

    /// One text that [`Texts::parse`] reads: a line for each, which begins with the number of its weight.
    pub fn stored(&self) -> String {
        let lines: Vec<String> =
            self.lines.iter().map(|(weight, line)| format!("{}{line}", *weight as u8)).collect();
        lines.join("\n")
    }

    /// Reads what [`Texts::stored`] wrote; none if it is something else.
    pub fn parse(stored: &str) -> Option<Self> {
        let line = |line: &str| {
            let (weight, words) = line.split_at_checked(1)?;
            Some((Weight::of(weight.parse().ok()?)?, words.to_owned()))
        };
        Some(Self { lines: stored.lines().map(line).collect::<Option<_>>()? })
    }
}
