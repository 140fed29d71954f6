//! The tree of a text as values: a text is a string, anything else a dictionary of its kind `t` and its children `c`.

use std::collections::HashMap;

use comrak::nodes::{ListType, NodeCode, NodeFootnoteReference, NodeTable, NodeValue, TableAlignment};
use comrak::{Arena, Node};
use typst::foundations::{Array, Dict, IntoValue, Value};

use super::characters::{INDENTED, LINE, broken};

/// The most elements inside each other: Typst goes no deeper than 80 calls.
const MOST_DEPTH: usize = 24;

/// The most elements of all texts, which bounds the time that they take.
const MOST_ELEMENTS: usize = 20_000;

/// The most footnotes.
const MOST_NOTES: usize = 1_000;

/// The most columns of a table that is not cut.
const MOST_COLUMNS: usize = 40;

/// The most bytes of an address that Typst links to.
const MOST_ADDRESS: usize = 8_000;

/// The deepest level of a heading that PDF has.
const DEEPEST_LEVEL: u8 = 6;

/// The blocks of a text, which may stand below a title; none if it is longer, deeper or more laborious than texts are.
pub(super) fn read(markdown: &str, has_title: bool, before: &mut Before) -> Option<Array> {
    let arena = Arena::new();
    let root = crate::parse(&arena, markdown)?;
    let Before { elements, notes } = *before;
    let mut reader = Reader { elements, notes_before: notes, ..Reader::of(root, u8::from(has_title)) };
    let blocks = reader.children(root, 0);
    before.elements = reader.elements;
    before.notes += if blocks.is_some() { reader.most_notes } else { 0 };
    blocks
}

/// What the texts before have.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Before {
    elements: usize,
    /// Their footnotes, which count on.
    notes: i64,
}

/// The title of a text.
pub(super) fn title(text: &str) -> Value {
    let words: Array = [broken(text, LINE).into_value()].into_iter().collect();
    let heading = with(with(kind("h"), "level", 1_i64), "c", words);
    with(heading, "notes", Array::new()).into_value()
}

/// The text as it was written.
pub(super) fn source(markdown: &str) -> Array {
    [leaf("pre", markdown, INDENTED)].into_iter().collect()
}

struct Reader<'a> {
    /// The level of the title that the text stands below.
    above: u8,
    /// The level of the heading before.
    level: u8,
    /// The highest level of a heading.
    top: u8,
    /// The width of a word that is not broken, in tenths of the size of its letters.
    room: usize,
    elements: usize,
    notes: HashMap<String, Node<'a>>,
    /// How many footnotes the texts before have.
    notes_before: i64,
    /// The highest number of a footnote of this text.
    most_notes: i64,
    /// The footnotes of the heading that is being read.
    of_heading: Option<Array>,
}

impl<'a> Reader<'a> {
    fn of(root: Node<'a>, above: u8) -> Self {
        let levels = root.descendants().filter_map(|node| match &node.data().value {
            NodeValue::Heading(heading) => Some(heading.level),
            _ => None,
        });
        let notes = root.descendants().filter_map(|node| match &node.data().value {
            NodeValue::FootnoteDefinition(definition) => Some((definition.name.clone(), node)),
            _ => None,
        });
        let top = levels.min().unwrap_or(1);
        let notes = notes.collect();
        let (elements, notes_before, most_notes) = (0, 0, 0);
        let (level, room, of_heading) = (above, INDENTED, None);
        Self { above, level, top, room, elements, notes, notes_before, most_notes, of_heading }
    }

    fn children(&mut self, node: Node<'a>, depth: usize) -> Option<Array> {
        if depth > MOST_DEPTH || self.notes.len() > MOST_NOTES {
            return None;
        }
        let mut all = Array::new();
        for child in node.children() {
            self.elements += 1;
            if self.elements > MOST_ELEMENTS {
                return None;
            }
            if let Some(value) = self.node(child, depth)? {
                all.push(value);
            }
        }
        Some(all)
    }

    /// The value of a node, which a definition of a footnote does not have.
    fn node(&mut self, node: Node<'a>, depth: usize) -> Option<Option<Value>> {
        let value = &node.data().value;
        Some(Some(match value {
            NodeValue::Text(text) => broken(text, self.room).into_value(),
            NodeValue::HtmlInline(text) => broken(text, self.room).into_value(),
            NodeValue::Code(NodeCode { literal, .. }) => leaf("code", literal, self.room),
            NodeValue::CodeBlock(code) => leaf("pre", &code.literal, self.room),
            NodeValue::HtmlBlock(html) => leaf("pre", &html.literal, self.room),
            NodeValue::SoftBreak | NodeValue::LineBreak => kind("br").into_value(),
            NodeValue::ThematicBreak => kind("hr").into_value(),
            NodeValue::FootnoteReference(reference) => self.reference(reference, depth)?,
            NodeValue::FootnoteDefinition(_) => return Some(None),
            NodeValue::Table(table) => {
                let outside = self.room;
                self.room = room_of_a_cell(table)?;
                let made = self.parent(node, depth)?;
                self.room = outside;
                made
            }
            NodeValue::Heading(heading) => {
                // A level is not left out on the way down (ISO 14289-1, 7.4.2).
                let level = heading.level - self.top + 1 + self.above;
                self.level = level.min(self.level + 1).min(DEEPEST_LEVEL);
                let made = with(kind("h"), "level", i64::from(self.level));
                self.of_heading = Some(Array::new());
                let made = with(made, "c", self.children(node, depth + 1)?);
                with(made, "notes", self.of_heading.take().unwrap_or_default()).into_value()
            }
            _ => self.parent(node, depth)?,
        }))
    }

    /// The text of a footnote is printed where it is referred to first.
    fn reference(&mut self, reference: &NodeFootnoteReference, depth: usize) -> Option<Value> {
        let number = i64::from(reference.ix);
        self.most_notes = self.most_notes.max(number);
        let number = with(kind("note"), "n", self.notes_before + number);
        let definition = self.notes.get(&reference.name).copied().filter(|_| reference.ref_num == 1);
        let Some(definition) = definition else { return Some(number.into_value()) };
        let heading = self.of_heading.take();
        let note = with(number.clone(), "c", self.children(definition, depth + 1)?).into_value();
        match heading {
            Some(mut notes) => {
                notes.push(note);
                self.of_heading = Some(notes);
                Some(number.into_value())
            }
            None => Some(note),
        }
    }

    fn parent(&mut self, node: Node<'a>, depth: usize) -> Option<Value> {
        // A quotation goes through more of Typst's calls than anything else.
        let deeper = if matches!(node.data().value, NodeValue::BlockQuote) { 2 } else { 1 };
        let mut children = self.children(node, depth + deeper)?;
        if let Some(task) = task_of(node) {
            children.insert(0, task.into_value()).ok()?;
        }
        Some(with(described(node), "c", children).into_value())
    }
}

/// The mark that a paragraph begins with, if it is the first of a task.
fn task_of(paragraph: Node<'_>) -> Option<&'static str> {
    match paragraph.parent().filter(|_| paragraph.previous_sibling().is_none())?.data().value {
        NodeValue::TaskItem(ref task) => Some(if task.symbol.is_some() { "☑ " } else { "☐ " }),
        _ => None,
    }
}

/// What has children, without them.
fn described(node: Node<'_>) -> Dict {
    match &node.data().value {
        NodeValue::Paragraph => kind(if is_inline(node) { "span" } else { "p" }),
        NodeValue::List(list) => {
            let made = with(kind("ul"), "apart", !is_in_tight_list(node));
            let made = with(made, "tight", list.tight);
            match list.list_type {
                ListType::Bullet => made,
                ListType::Ordered => {
                    with(with(made, "t", "ol"), "start", i64::try_from(list.start).unwrap_or(1))
                }
            }
        }
        NodeValue::Table(table) => {
            let columns: Array = table.alignments.iter().map(|it| align(*it).into_value()).collect();
            with(kind("table"), "columns", columns)
        }
        NodeValue::Link(link) | NodeValue::Image(link) => match crate::link::allowed(&link.url) {
            Some(address) if address.as_str().len() <= MOST_ADDRESS => {
                with(kind("a"), "url", address.as_str())
            }
            _ => kind("span"),
        },
        NodeValue::BlockQuote => kind("quote"),
        NodeValue::Emph => kind("em"),
        NodeValue::Strong => kind("strong"),
        NodeValue::Strikethrough => kind("del"),
        _ => kind("span"),
    }
}

/// Whether a paragraph stands on the line of its bullet or number.
fn is_inline(paragraph: Node<'_>) -> bool {
    let is_note =
        paragraph.parent().is_some_and(|it| matches!(it.data().value, NodeValue::FootnoteDefinition(_)));
    is_in_tight_list(paragraph) || is_note && paragraph.previous_sibling().is_none()
}

fn is_in_tight_list(block: Node<'_>) -> bool {
    let list = block.ancestors().nth(2);
    list.is_some_and(|it| matches!(&it.data().value, NodeValue::List(list) if list.tight))
}

/// The width of a cell, in tenths of the size of its letters: a column has at least its share of the line of 450 points.
/// `document.typ` has the sizes.
fn room_of_a_cell(table: &NodeTable) -> Option<usize> {
    let share = 4_500 / table.alignments.len().max(1);
    match table.alignments.len() {
        0..=6 => Some((share - 100) / 10),
        7..=20 => Some((share - 40) / 7),
        21..=MOST_COLUMNS => Some((share - 10) / 5),
        _ => None,
    }
}

fn kind(name: &str) -> Dict {
    with(Dict::new(), "t", name)
}

fn with(mut dict: Dict, name: &str, value: impl IntoValue) -> Dict {
    dict.insert(name.into(), value.into_value());
    dict
}

fn leaf(name: &str, text: &str, room: usize) -> Value {
    with(kind(name), "text", broken(text.trim_end_matches('\n'), room)).into_value()
}

fn align(alignment: TableAlignment) -> &'static str {
    match alignment {
        TableAlignment::Right => "right",
        TableAlignment::Center => "center",
        TableAlignment::Left | TableAlignment::None => "left",
    }
}
