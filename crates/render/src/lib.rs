//! Markdown to HTML that is safe in a page, to Word documents and to PDF: pure functions.
//!
//! It is GitHub Flavored Markdown: tables, task lists, strikethrough, footnotes, and addresses in the text become links. A line break
//! stays one. Of the HTML in a text nothing acts, it is shown as text; so is a link that is not to `http:`, `https:` or
//! `mailto:`. An image is a link to it, since a page loads nothing from elsewhere.

mod book;
mod difference;
mod docx;
pub mod import;
mod link;
mod paper;
#[cfg(feature = "pdf")]
mod pdf;
mod plain;
mod writer;
mod xlsx;

use std::cell::Cell;
use std::fmt;

use comrak::{Arena, Node, Options};

pub use book::{Book, MOST_SHEET_ROWS};
pub use difference::{Difference, difference};
pub use docx::docx;
pub use paper::{Paper, Table, Unprintable};
#[cfg(feature = "pdf")]
pub use pdf::pdf;
use writer::Writer;
pub use xlsx::xlsx;

/// Whether this program was built with the feature `pdf`.
pub const PRINTS_PDF: bool = cfg!(feature = "pdf");

/// The most bytes of a text that is read as Markdown: a policy of some 80 pages.
pub const MOST_BYTES: usize = 256 * 1024;

/// The most bytes of HTML that a text becomes.
pub const MOST_HTML_BYTES: usize = 2 * 1024 * 1024;

/// How often the parser may ask whether to go on: every 256 steps, and 64 KiB of a text take some 1,000 of those at most if
/// nobody made it to take long.
fn most_questions(text: &str) -> usize {
    4_096 * text.len().div_ceil(64 * 1024).max(1)
}

/// A PDF of a text; this program was built without.
#[cfg(not(feature = "pdf"))]
pub fn pdf(_: &Paper<'_>) -> Result<Vec<u8>, Unprintable> {
    Err(Unprintable::Failed("the feature pdf is not built".to_owned()))
}

/// HTML that is safe inside the element of a page that has texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    /// The HTML.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The words of a text in Markdown on one line, for an excerpt of it. It is no HTML.
pub fn plain(text: &str) -> String {
    let written = read(text, |root| Some(plain::plain(root)));
    written.unwrap_or_else(|| text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The HTML of a text in Markdown. One that is longer, deeper or more laborious than texts are is shown as it was written.
pub fn html(text: &str) -> Html {
    Html(read(text, |root| Writer::default().write(root)).unwrap_or_else(|| writer::source(text)))
}

/// What `write` makes of the tree of a text; none of one that is longer, deeper or more laborious than texts are.
fn read(text: &str, write: impl for<'a> FnOnce(Node<'a>) -> Option<String>) -> Option<String> {
    let arena = Arena::new();
    write(parse(&arena, text)?)
}

/// The tree of a text; none if it is longer or more laborious than texts are.
fn parse<'a>(arena: &'a Arena<'a>, text: &str) -> Option<Node<'a>> {
    if text.len() > MOST_BYTES {
        return None;
    }
    let (asked, most) = (Cell::new(0), most_questions(text));
    let is_too_long = || {
        asked.set(asked.get() + 1);
        asked.get() > most
    };
    comrak::try_parse_document(arena, text, &options(), &is_too_long).ok()
}

fn options() -> Options<'static> {
    let mut options = Options::default();
    let extension = &mut options.extension;
    extension.autolink = true;
    extension.cjk_friendly_emphasis = true;
    extension.footnotes = true;
    extension.strikethrough = true;
    extension.table = true;
    extension.tasklist = true;
    options
}
