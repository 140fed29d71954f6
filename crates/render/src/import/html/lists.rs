//! Lists: as HTML has them, and as Word and Google Docs write them.

use super::css::{has_class, is_mark_of_word, list_of_word};
use super::{Block, Element, Flow, Lost, Node, Reader, Style};
use crate::import::block::{Item, List};
use crate::import::plain::{Mark, mark};

impl Reader {
    pub(super) fn list(&mut self, element: &Element, style: &Style, flow: &mut Flow) {
        let is_ordered = element.name == "ol";
        if is_ordered && element.attribute("type").is_some_and(|kind| kind != "1") {
            self.report.add(Lost::Numbering);
        }
        let start = element.attribute("start").and_then(|start| start.parse().ok()).unwrap_or(1);
        let mut items: Vec<Vec<Block>> = Vec::new();
        for node in &element.children {
            let mut inner = Flow::default();
            match node {
                Node::Element(child) if child.name == "li" => {
                    items.push(self.item(child, style));
                    continue;
                }
                // A list in a list belongs to the item before it.
                Node::Element(child) => self.element(child, style, &mut inner),
                Node::Text(text) => inner.text(text, style),
            }
            inner.end();
            let blocks = inner.blocks.nested();
            match items.last_mut() {
                Some(item) => item.extend(blocks),
                None if blocks.is_empty() => {}
                None => items.push(blocks),
            }
        }
        match level_of_google(element).or_else(|| level_of_word_online(element)) {
            _ if items.is_empty() => {}
            Some(level) => {
                flow.end();
                for (number, blocks) in (start..).zip(items) {
                    flow.blocks.push(Block::Item(Item {
                        level,
                        number: is_ordered.then_some(number),
                        blocks,
                    }));
                }
            }
            None => flow.add(Block::List(List { start: is_ordered.then_some(start), items })),
        }
    }

    fn item(&mut self, element: &Element, style: &Style) -> Vec<Block> {
        let mut flow = Flow::default();
        if has_class(element, "checked") {
            flow.text("☑ ", style);
        }
        self.children(element, style, &mut flow);
        flow.end();
        flow.blocks.nested()
    }

    /// An item that is a paragraph: its mark says whether it has a number.
    pub(super) fn item_of_word(&mut self, element: &Element, style: &Style, flow: &mut Flow) {
        let Some((list, level)) = list_of_word(element) else { return };
        let mut mark_text = String::new();
        element.walk(&mut |part| {
            if is_mark_of_word(part) && mark_text.is_empty() {
                part.push_text(&mut mark_text);
            }
            true
        });
        let number = match number(mark_text.trim()) {
            Some((number, is_plain)) => {
                if !is_plain {
                    self.report.add(Lost::Numbering);
                }
                self.count(list, level, number)
            }
            None => None,
        };
        let mut inner = Flow::default();
        self.children(element, style, &mut inner);
        inner.end();
        let blocks = inner.blocks.nested();
        flow.end();
        if !blocks.is_empty() {
            flow.blocks.push(Block::Item(Item { level, number, blocks }));
        }
    }

    /// The number of an item: what it shows, or else the next one.
    fn count(&mut self, list: &str, level: usize, shown: Option<u64>) -> Option<u64> {
        let numbers = self.numbers.entry(list.to_owned()).or_insert([1; 9]);
        numbers.iter_mut().skip(level + 1).for_each(|deeper| *deeper = 1);
        let next = numbers.get_mut(level)?;
        let number = shown.unwrap_or(*next);
        *next = number.saturating_add(1);
        Some(number)
    }
}

/// The number that a mark of Word shows, if it can be known, and whether it is a plain one; none for a bullet.
fn number(text: &str) -> Option<(Option<u64>, bool)> {
    match mark(text) {
        Some(Mark::Bullet) => None,
        Some(Mark::Number(number, is_plain)) => Some((Some(number), is_plain)),
        None => (text.len() > 1 && text.contains(|letter: char| letter.is_ascii_alphanumeric()))
            .then_some((None, false)),
    }
}

/// The level of a list of Word for the web, where each item is a list of its own: `<li data-aria-level="2">`.
fn level_of_word_online(element: &Element) -> Option<usize> {
    let level = element.child("li")?.attribute("data-aria-level")?.parse::<usize>().ok()?;
    Some(level.clamp(1, 10) - 1)
}

/// The level of a list of Google Docs, whose lists are not in each other: `class="lst-kix_x-1"`.
fn level_of_google(element: &Element) -> Option<usize> {
    let class = element.attribute("class")?.split_whitespace().find(|class| class.starts_with("lst-kix"))?;
    class.rsplit_once('-')?.1.parse::<usize>().ok().map(|level| level.min(9))
}
