//! What is wrong with a template, and where.

use std::fmt;

/// The most faults that are reported of one template.
const MOST: usize = 100;

/// What is wrong at a place of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateFault {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong.
    pub reason: Reason,
}

/// What is wrong with a place, a block or a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// `{{` without `}}`, or `{%` without `%}`, in the same line.
    NotClosed(&'static str),
    /// What stands between the braces is none of the forms of the language.
    UnknownForm(String),
    /// `elif`, `else` or `endif` where no block is open.
    NoBlock(&'static str),
    /// `elif` or `else` after the `else` of the same block.
    AfterElse(&'static str),
    /// An `if` without `endif`.
    NoEndif,
    /// Blocks that are nested too deeply.
    TooDeep(usize),
    /// No item of the document has this id.
    UnknownItem(String),
    /// The item has no option with this id.
    UnknownOption {
        /// The item.
        item: String,
        /// What is not among its options.
        option: String,
    },
    /// The item is a text and has no options.
    NotASelect(String),
    /// A reference to an item that the template prints nowhere.
    NotPrinted(String),
    /// A reference to an anchor that no heading has.
    UnknownAnchor(String),
    /// Two headings have this anchor.
    AnchorTwice(String),
}

impl fmt::Display for TemplateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotClosed(end) => write!(f, "{end} is missing in this line"),
            Self::UnknownForm(form) => write!(
                f,
                "{form} is not known; use {{{{item}}}}, {{{{ref:item}}}}, {{{{ref:#anchor}}}}, \
                 {{% if item == \"option\" %}}, {{% elif item == \"option\" %}}, {{% else %}} or {{% endif %}}"
            ),
            Self::NoBlock(word) => write!(f, "{word} without an if before it"),
            Self::AfterElse(word) => write!(f, "{word} after the else of its if"),
            Self::NoEndif => f.write_str("the if has no endif"),
            Self::TooDeep(most) => write!(f, "blocks can be nested {most} deep"),
            Self::UnknownItem(item) => write!(f, "there is no item {item}"),
            Self::UnknownOption { item, option } => write!(f, "the item {item} has no option {option}"),
            Self::NotASelect(item) => write!(f, "the item {item} is a text and has no options"),
            Self::NotPrinted(item) => {
                write!(f, "the item {item} is not in the template, so it is under no heading")
            }
            Self::UnknownAnchor(anchor) => write!(f, "no heading ends with {{#{anchor}}}"),
            Self::AnchorTwice(anchor) => write!(f, "another heading ends with {{#{anchor}}} already"),
        }
    }
}

/// Fails with what was found at these bytes of the text, if anything was. Lines and columns are counted in one pass.
pub(super) fn located(text: &str, mut found: Vec<(usize, Reason)>) -> Result<(), Vec<TemplateFault>> {
    if found.is_empty() {
        return Ok(());
    }
    found.sort_by_key(|(at, _)| *at);
    found.truncate(MOST);
    let (mut line, mut column, mut letters) = (1, 1, text.char_indices().peekable());
    let placed = found.into_iter().map(|(at, reason)| {
        while let Some((_, letter)) = letters.next_if(|(position, _)| *position < at) {
            (line, column) = if letter == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        TemplateFault { line, column, reason }
    });
    Err(placed.collect())
}
