//! A text to print, with what stands around it.

/// What is printed, in the order in which it is. Labels are in English.
#[derive(Debug, Clone, Default)]
pub struct Paper<'t> {
    /// The title.
    pub title: &'t str,
    /// The language of the text (BCP 47), which a PDF is read out in; English if it is empty.
    pub language: &'t str,
    /// What stands at the head of each page, such as the classification.
    pub head: &'t str,
    /// What stands at the foot of each page, before the number of the page, such as the reference and the version.
    pub foot: &'t str,
    /// Said on each page of what is not approved.
    pub draft: Option<&'t str>,
    /// What is known of it, each with its label.
    pub facts: Vec<(&'t str, String)>,
    /// The tables of the first page, such as the history.
    pub tables: Vec<Table<'t>>,
    /// The title of the contents, which a PDF has; without one it has none.
    pub contents: Option<&'t str>,
    /// The text, as Markdown.
    pub markdown: &'t str,
    /// More texts, as Markdown, each below its title.
    pub sections: Vec<(&'t str, &'t str)>,
    /// Whether a character that no font has is refused in facts and tables too, where a question mark stands for it otherwise.
    pub exact: bool,
}

impl<'t> Paper<'t> {
    /// The texts, each with its title if it has one.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (Option<&'t str>, &'t str)> {
        let first = Some((None, self.markdown)).filter(|(_, text)| !text.is_empty());
        first.into_iter().chain(self.sections.iter().map(|(title, text)| (Some(*title), *text)))
    }
}

/// A table with a title.
#[derive(Debug, Clone, Default)]
pub struct Table<'t> {
    /// Its title.
    pub title: &'t str,
    /// The titles of the columns.
    pub head: Vec<&'t str>,
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<String>>,
}

/// Why a text cannot be printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unprintable {
    /// The fonts lack these characters, the first 20 of them.
    Characters(Vec<char>),
    /// The program that prints found this fault.
    Failed(String),
}
