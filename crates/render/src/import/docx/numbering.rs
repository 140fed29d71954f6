//! Which lists there are (ECMA-376, part 1, 17.9), and the numbers that their items have come to.

use std::collections::HashMap;

use super::super::tree::Element;
use super::styles::Styles;

/// The levels of a list.
const LEVELS: usize = 9;

#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// The definition of each list, by `numId`, and its levels that begin anew.
    lists: HashMap<String, (String, Vec<(usize, u64)>)>,
    definitions: HashMap<String, [Level; LEVELS]>,
    /// The last number of each level of a definition; none where the next item is the first.
    counters: HashMap<String, [Option<u64>; LEVELS]>,
    begun: HashMap<String, bool>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Level {
    kind: Kind,
    start: u64,
    is_compound: bool,
}

/// How the items of a level are marked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Bullet,
    /// By nothing.
    None,
    /// By 1, 2, 3.
    Decimal,
    /// By letters, Roman numerals, words.
    Other,
}

/// What an item of a list is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbered {
    pub(super) kind: Kind,
    pub(super) number: u64,
    /// Whether the numbers of the levels above are part of its own, as in 2.1.
    pub(super) is_compound: bool,
}

impl Numbering {
    pub(super) fn read(part: Option<&Element>, styles: &Styles) -> Self {
        let mut numbering = Self::default();
        let Some(part) = part.and_then(|part| part.child("numbering")) else { return numbering };
        let mut by_style = Vec::new();
        for element in part.elements() {
            if element.name == "abstractNum"
                && let Some(id) = element.attribute("abstractNumId")
            {
                numbering.definitions.insert(id.to_owned(), levels(element));
                by_style.extend(element.value("numStyleLink").map(|style| (id.to_owned(), style)));
            } else if element.name == "num"
                && let (Some(id), Some(definition)) =
                    (element.attribute("numId"), element.value("abstractNumId"))
            {
                numbering.lists.insert(id.to_owned(), (definition.to_owned(), restarts(element)));
            }
        }
        // A definition can be that of a style.
        for (id, style) in by_style {
            let list = styles.chain(Some(style)).find_map(|style| style.list.as_deref());
            let levels =
                list.and_then(|list| numbering.definitions.get(&numbering.lists.get(list)?.0)).copied();
            numbering.definitions.extend(levels.map(|levels| (id, levels)));
        }
        numbering
    }

    /// Counts an item of a list; none if the document has no such list.
    pub(super) fn count(&mut self, list: &str, level: usize) -> Option<Numbered> {
        let level = level.min(LEVELS - 1);
        let (definition, restarts) = self.lists.get(list)?;
        let levels = self.definitions.get(definition)?;
        let counters = self.counters.entry(definition.clone()).or_default();
        if self.begun.insert(list.to_owned(), true).is_none() {
            for (level, start) in restarts {
                if let Some(counter) = counters.get_mut(*level) {
                    *counter = start.checked_sub(1);
                }
            }
        }
        let known = levels.get(level)?;
        let counter = counters.get_mut(level)?;
        let number = counter.map_or(known.start, |last| last.saturating_add(1));
        *counter = Some(number);
        counters.iter_mut().skip(level + 1).for_each(|deeper| *deeper = None);
        Some(Numbered { kind: known.kind, number, is_compound: known.is_compound })
    }
}

fn levels(definition: &Element) -> [Level; LEVELS] {
    let mut levels = [Level::default(); LEVELS];
    for element in definition.elements().filter(|element| element.name == "lvl") {
        let at = element.attribute("ilvl").and_then(|level| level.parse::<usize>().ok());
        let Some(level) = at.and_then(|at| levels.get_mut(at)) else { continue };
        let text = element.value("lvlText").unwrap_or_default();
        *level = Level {
            kind: match element.value("numFmt") {
                Some("bullet") => Kind::Bullet,
                Some("none") => Kind::None,
                Some("decimal" | "decimalZero") | None => Kind::Decimal,
                Some(_) => Kind::Other,
            },
            start: element.value("start").and_then(|start| start.parse().ok()).unwrap_or(0),
            is_compound: text.matches('%').count() > 1,
        };
    }
    levels
}

/// The levels at which a list begins anew, and with which number.
fn restarts(list: &Element) -> Vec<(usize, u64)> {
    let overrides = list.elements().filter(|element| element.name == "lvlOverride");
    let restart = |element: &Element| {
        let level = element.attribute("ilvl")?.parse().ok()?;
        Some((level, element.value("startOverride")?.parse().ok()?))
    };
    overrides.filter_map(restart).collect()
}
