//! A text to print, with what stands around it.

/// What is printed, in the order in which it is. The labels are in the language of the text.
#[derive(Debug, Clone, Default)]
pub struct Paper<'t> {
    /// The title.
    pub title: &'t str,
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
    /// The text, as Markdown.
    pub markdown: &'t str,
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
