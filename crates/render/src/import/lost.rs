//! What a document has and its Markdown has not.

use std::fmt;

/// A kind of thing that Markdown does not keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// An image, a drawing, a chart or an embedded file.
    Image,
    /// A text box: its text stands after the paragraph that it was at.
    TextBox,
    /// A comment.
    Comment,
    /// A tracked change: the text is as if it was accepted.
    TrackedChange,
    /// The colour of a text or of its background.
    Colour,
    /// Underlined text.
    Underline,
    /// Superscript or subscript: the text stands in the line.
    Raised,
    /// A field, for example a date or a page number: the text is what it last showed.
    Field,
    /// A formula: its characters stand in the line.
    Formula,
    /// A cell over several columns or rows of a table: its text is in the first of them.
    MergedCell,
    /// Paragraphs, lists or tables in a cell: their words stand in one line.
    BlocksInCell,
    /// A table with one cell: it is a quote.
    Box,
    /// Letters or Roman numerals that a list was numbered with, or the numbers of the levels above: it has numbers.
    Numbering,
    /// A link to a place that a browser does not reach, for example in the same document.
    Link,
    /// A table of contents.
    Contents,
    /// Hidden text.
    Hidden,
    /// A character of a font of symbols.
    Symbol,
    /// The text of the head or foot of pages.
    PageHeader,
    /// The rest of a text that is too large.
    Rest,
}

impl Lost {
    /// What it is, in the plural, and what became of it.
    fn words(self) -> &'static str {
        match self {
            Self::Image => "images and drawings",
            Self::TextBox => "text boxes (their text stands after the paragraph)",
            Self::Comment => "comments",
            Self::TrackedChange => "tracked changes (taken as accepted)",
            Self::Colour => "colours",
            Self::Underline => "underlining",
            Self::Raised => "superscript and subscript",
            Self::Field => "fields (the text is what they last showed)",
            Self::Formula => "formulas (their characters stand in the line)",
            Self::MergedCell => "merged cells (the text is in the first)",
            Self::BlocksInCell => "paragraphs and lists in cells of tables (their words stand in one line)",
            Self::Box => "tables with one cell (they are quotes)",
            Self::Numbering => {
                "letters, Roman numerals and compound numbers of lists (they are plain numbers)"
            }
            Self::Link => "links within the document or to files",
            Self::Contents => "tables of contents",
            Self::Hidden => "hidden text",
            Self::Symbol => "characters of symbol fonts",
            Self::PageHeader => "headers and footers of pages",
            Self::Rest => "the rest of a text that is too large",
        }
    }
}

/// What was not kept of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotKept {
    /// The kind.
    pub what: Lost,
    /// How many.
    pub count: usize,
    /// The words of the heading that the first stands under; empty before the first heading.
    pub under: String,
}

/// One line in plain words.
impl fmt::Display for NotKept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what.words(), self.count)?;
        match (self.under.as_str(), self.count) {
            ("", _) => Ok(()),
            (under, 1) => write!(f, ", under “{under}”"),
            (under, _) => write!(f, ", the first under “{under}”"),
        }
    }
}

/// Collects what is not kept.
#[derive(Default)]
pub(super) struct Report {
    under: String,
    not_kept: Vec<NotKept>,
}

impl Report {
    /// What follows stands under this heading.
    pub(super) fn heading(&mut self, words: &str) {
        self.under = words.chars().take(80).collect();
    }

    pub(super) fn add(&mut self, what: Lost) {
        match self.not_kept.iter_mut().find(|known| known.what == what) {
            Some(known) => known.count += 1,
            None => self.not_kept.push(NotKept { what, count: 1, under: self.under.clone() }),
        }
    }

    pub(super) fn not_kept(self) -> Vec<NotKept> {
        self.not_kept
    }
}
