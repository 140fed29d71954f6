//! The language of templates (docs/documents.md, "Templates"): Markdown with places for the values of items, blocks that
//! depend on an option, and references to the numbers of headings. There are no loops and no expressions.

mod check;
mod escape;
mod fault;
mod headings;
mod render;
mod size;
#[cfg(test)]
mod tests;
mod tokens;

use std::fmt;

pub use check::Places;
pub use escape::escaped;
pub use fault::{Reason, TemplateFault};
pub use render::Printed;
pub use size::Uses;
use tokens::Tokens;

/// The most bytes of a template.
pub const MAX_TEMPLATE: usize = 64 * 1024;

/// A template whose places and blocks are sound. Whether its items exist is said by [`Template::check`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template<'t> {
    text: &'t str,
    tokens: Tokens<'t>,
}

impl<'t> Template<'t> {
    /// Reads a template; or all its faults, in the order of the text.
    pub fn parse(text: &'t str) -> Result<Self, Vec<TemplateFault>> {
        let (tokens, mut faults) = tokens::read(text);
        check::blocks(&tokens, &mut faults);
        fault::located(text, faults)?;
        Ok(Self { text, tokens })
    }

    /// The ids of the items that it prints or refers to, or whose options choose its blocks, in the order of the text.
    pub fn items(&self) -> impl Iterator<Item = &'t str> {
        self.tokens.iter().filter_map(|(_, token)| token.item())
    }
}

/// The normal form: what it says is the same, and reading it again gives the same template.
impl fmt::Display for Template<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tokens.iter().try_for_each(|(_, token)| token.fmt(f))
    }
}
