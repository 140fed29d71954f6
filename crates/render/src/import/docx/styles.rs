//! The styles of a document (ECMA-376, part 1, 17.7).

use std::collections::HashMap;

use super::super::tree::Element;
use super::properties::Properties;

/// The most styles that are based on each other.
const MOST_BASES: usize = 20;

#[derive(Debug, Default)]
pub(super) struct Styles {
    styles: HashMap<String, Style>,
}

#[derive(Debug)]
pub(super) struct Style {
    /// In small letters: Word writes the same English names in every language.
    pub(super) name: String,
    based_on: Option<String>,
    properties: Properties,
    outline: Option<u8>,
    pub(super) list: Option<String>,
    pub(super) level: Option<usize>,
}

impl Styles {
    pub(super) fn read(part: Option<&Element>) -> Self {
        let styles = part.map(|part| part.find("style")).unwrap_or_default();
        let styles = styles
            .into_iter()
            .filter_map(|style| Some((style.attribute("styleId")?.to_owned(), read_style(style))));
        Self { styles: styles.collect() }
    }

    /// A style and those that it is based on.
    pub(super) fn chain(&self, id: Option<&str>) -> impl Iterator<Item = &Style> {
        let first = id.and_then(|id| self.styles.get(id));
        let next = |style: &&Style| self.styles.get(style.based_on.as_deref()?);
        std::iter::successors(first, next).take(MOST_BASES)
    }

    pub(super) fn properties(&self, id: Option<&str>) -> Properties {
        self.chain(id).fold(Properties::default(), |known, style| known.or(style.properties))
    }

    /// The level of the headings that have a style, from 1 to 6.
    pub(super) fn heading(&self, id: Option<&str>) -> Option<u8> {
        self.chain(id).find_map(|style| {
            let level = style.name.strip_prefix("heading ").and_then(|level| level.parse().ok());
            level.or_else(|| style.outline.filter(|level| *level < 9).map(|level| level + 1))
        })
    }

    /// Whether a style, or one that it is based on, has one of these names.
    pub(super) fn is_one_of(&self, id: Option<&str>, names: &[&str]) -> bool {
        self.chain(id).any(|style| names.contains(&style.name.as_str()))
    }
}

fn read_style(style: &Element) -> Style {
    let paragraph = style.child("pPr");
    let numbering = paragraph.and_then(|paragraph| paragraph.child("numPr"));
    let name = style.value("name").unwrap_or_default().to_lowercase();
    let mut properties = Properties::read(style.child("rPr"));
    if matches!(name.as_str(), "source text" | "html code" | "verbatim char" | "code" | "inline code") {
        properties.code = Some(true);
    }
    Style {
        properties,
        based_on: style.value("basedOn").map(str::to_owned),
        outline: paragraph
            .and_then(|paragraph| paragraph.value("outlineLvl"))
            .and_then(|level| level.parse().ok()),
        list: numbering.and_then(|numbering| numbering.value("numId")).map(str::to_owned),
        level: numbering.and_then(|numbering| numbering.value("ilvl")).and_then(|level| level.parse().ok()),
        name,
    }
}
