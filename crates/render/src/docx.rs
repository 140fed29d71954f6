//! A text in Markdown as a Word document (Office Open XML, ECMA-376).

mod page;
mod styles;

use std::io;

use comrak::nodes::{ListType, NodeCode, NodeList, NodeValue, TableAlignment};
use comrak::{Arena, Node};
use docx_rs::{
    AlignmentType, BreakType, Docx, Footnote, Hyperlink, HyperlinkType, IndentLevel, LevelOverride,
    Numbering, NumberingId, Paragraph, Run, RunFonts, TableCell, TableRow,
};

use crate::paper::Paper;

/// The most elements inside each other.
const MOST_DEPTH: usize = 40;

/// The deepest level of a list that Word has.
const DEEPEST_LEVEL: usize = 8;

/// A Word document of a text and what stands around it. A text that is longer, deeper or more laborious than texts are stands in
/// it as it was written.
pub fn docx(paper: &Paper<'_>) -> io::Result<Vec<u8>> {
    let mut file = written(paper).build();
    file.document = styles::with_heads(&file.document);
    let mut bytes = io::Cursor::new(Vec::new());
    file.pack(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.into_inner())
}

/// The texts with their titles.
fn written(paper: &Paper<'_>) -> Docx {
    let mut writer = Writer::of(paper);
    for (title, text) in paper.texts() {
        let place = Place { above: usize::from(title.is_some()), ..Place::default() };
        if let Some(title) = title {
            let heading = Paragraph::new().style("Heading1").keep_next(true);
            writer.add(heading.add_run(Run::new().add_text(xml(title))));
        }
        let (blocks, notes) = (writer.docx.document.children.len(), writer.notes);
        if writer.text(text, place).is_none() {
            writer.docx.document.children.truncate(blocks);
            writer.notes = notes;
            writer.source(text, place);
        }
    }
    writer.docx
}

struct Writer {
    docx: Docx,
    /// How many lists there are: each counts for itself.
    lists: usize,
    notes: usize,
}

/// Where a block stands.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    depth: usize,
    /// The level of the title that the text stands below.
    above: usize,
    /// How many lists it is inside.
    lists: usize,
    /// The list whose item begins with the next paragraph.
    item: Option<usize>,
    is_quote: bool,
}

/// How words are set.
#[derive(Debug, Clone, Copy, Default)]
struct Marks {
    strong: bool,
    emphasis: bool,
    deleted: bool,
}

impl Writer {
    fn of(paper: &Paper<'_>) -> Self {
        Self { docx: page::begin(paper), lists: 0, notes: 0 }
    }

    fn text(&mut self, text: &str, place: Place) -> Option<()> {
        let arena = Arena::new();
        self.blocks(crate::parse(&arena, text)?, place)
    }

    fn blocks(&mut self, parent: Node<'_>, mut place: Place) -> Option<()> {
        if place.depth > MOST_DEPTH {
            return None;
        }
        place.depth += 1;
        for node in parent.children() {
            match &node.data().value {
                NodeValue::Heading(heading) => {
                    let level = (usize::from(heading.level) + place.above).min(6);
                    let style = format!("Heading{level}");
                    let heading = self.words(Paragraph::new().style(&style).keep_next(true), node)?;
                    self.add(heading);
                }
                NodeValue::Paragraph => {
                    let paragraph = self.words(place.paragraph(), node)?;
                    self.add(paragraph);
                    place.item = None;
                }
                NodeValue::CodeBlock(code) => self.source(&code.literal, place),
                NodeValue::HtmlBlock(html) => self.source(&html.literal, place),
                NodeValue::ThematicBreak => self.add(styles::rule()),
                NodeValue::BlockQuote => self.blocks(node, Place { is_quote: true, ..place })?,
                NodeValue::List(list) => self.list(node, list, place)?,
                NodeValue::Table(table) => self.table(node, &table.alignments)?,
                // They are written where they are referred to.
                NodeValue::FootnoteDefinition(_) => {}
                _ => self.blocks(node, place)?,
            }
        }
        Some(())
    }

    fn add(&mut self, paragraph: Paragraph) {
        self.docx = std::mem::take(&mut self.docx).add_paragraph(paragraph);
    }

    fn source(&mut self, text: &str, place: Place) {
        for line in text.trim_end_matches('\n').split('\n') {
            self.add(
                place.indented(Paragraph::new().style("Source")).add_run(Run::new().add_text(xml(line))),
            );
        }
    }

    fn list(&mut self, node: Node<'_>, list: &NodeList, place: Place) -> Option<()> {
        self.lists += 1;
        let id = styles::FIRST_LIST + self.lists;
        let level = place.lists.min(DEEPEST_LEVEL);
        let numbering = match list.list_type {
            ListType::Bullet => Numbering::new(id, styles::BULLETS),
            ListType::Ordered => {
                Numbering::new(id, styles::NUMBERS).add_override(LevelOverride::new(level).start(list.start))
            }
        };
        self.docx = std::mem::take(&mut self.docx).add_numbering(numbering);
        for item in node.children() {
            self.blocks(item, Place { lists: place.lists + 1, item: Some(id), ..place })?;
        }
        Some(())
    }

    fn table(&mut self, node: Node<'_>, alignments: &[TableAlignment]) -> Option<()> {
        let mut rows = Vec::new();
        for row in node.children() {
            let is_head = matches!(row.data().value, NodeValue::TableRow(true));
            let mut cells = Vec::new();
            for (cell, alignment) in row.children().zip(alignments) {
                let style = if is_head { "TableHead" } else { "TableText" };
                let paragraph = Paragraph::new().style(style).align(align(*alignment));
                cells.push(TableCell::new().add_paragraph(self.words(paragraph, cell)?));
            }
            rows.push(if is_head { styles::head(cells) } else { TableRow::new(cells).cant_split() });
        }
        let table = styles::table(rows);
        self.docx = std::mem::take(&mut self.docx)
            .add_table(table)
            .add_paragraph(Paragraph::new().style("AfterTable"));
        Some(())
    }

    /// A paragraph with the words of a block.
    fn words(&mut self, mut paragraph: Paragraph, block: Node<'_>) -> Option<Paragraph> {
        if let Some(NodeValue::TaskItem(task)) = block.parent().map(|item| item.data().value.clone())
            && block.previous_sibling().is_none()
        {
            paragraph =
                paragraph.add_run(Run::new().add_text(if task.symbol.is_some() { "☑ " } else { "☐ " }));
        }
        for node in block.children() {
            paragraph = self.inline(paragraph, node, Marks::default(), 0)?;
        }
        Some(paragraph)
    }

    fn inline(&mut self, to: Paragraph, node: Node<'_>, mut marks: Marks, depth: usize) -> Option<Paragraph> {
        if depth > MOST_DEPTH {
            return None;
        }
        match &node.data().value {
            NodeValue::FootnoteReference(reference) => return self.note(to, node, &reference.name),
            NodeValue::Link(link) | NodeValue::Image(link) => {
                if let Some(address) = crate::link::allowed(&link.url) {
                    let words = crate::link::words(node);
                    let words = if words.trim().is_empty() { link.url.clone() } else { words };
                    let link = Hyperlink::new(address.as_str(), HyperlinkType::External);
                    return Some(
                        to.add_hyperlink(link.add_run(marks.run().style("Hyperlink").add_text(xml(&words)))),
                    );
                }
            }
            NodeValue::Strong => marks.strong = true,
            NodeValue::Emph => marks.emphasis = true,
            NodeValue::Strikethrough => marks.deleted = true,
            value => return Some(leaf(to, value, marks)),
        }
        node.children().try_fold(to, |to, child| self.inline(to, child, marks, depth + 1))
    }

    /// The text of a footnote stands where it is referred to.
    fn note(&mut self, to: Paragraph, node: Node<'_>, name: &str) -> Option<Paragraph> {
        let root = node.ancestors().last()?;
        let is_it = |it: &Node<'_>| match &it.data().value {
            NodeValue::FootnoteDefinition(definition) => definition.name == name,
            _ => false,
        };
        // A text with more footnotes than that is not one.
        self.notes += 1;
        if self.notes > 1_000 {
            return None;
        }
        let mut content = Vec::new();
        for block in root.children().find(is_it).iter().flat_map(|it| it.children()) {
            let text = crate::link::words(block);
            content.push(
                Paragraph::new().style("FootnoteText").add_run(Run::new().add_text(xml(&format!(" {text}")))),
            );
        }
        Some(to.add_run(Run::new().add_footnote_reference(Footnote { id: self.notes, content })))
    }
}

impl Place {
    fn paragraph(&self) -> Paragraph {
        match self.item {
            Some(list) => {
                let level = IndentLevel::new((self.lists - 1).min(DEEPEST_LEVEL));
                Paragraph::new().style("ListParagraph").numbering(NumberingId::new(list), level)
            }
            None if self.is_quote => self.indented(Paragraph::new().style("Quote")),
            None => self.indented(Paragraph::new()),
        }
    }

    /// Below the text of the list's item that it belongs to.
    fn indented(&self, paragraph: Paragraph) -> Paragraph {
        let lists = i32::try_from(self.lists + usize::from(self.is_quote)).unwrap_or(0);
        if lists == 0 { paragraph } else { paragraph.indent(Some(styles::INDENT * lists), None, None, None) }
    }
}

impl Marks {
    fn run(self) -> Run {
        let run = if self.strong { Run::new().bold() } else { Run::new() };
        let run = if self.emphasis { run.italic() } else { run };
        if self.deleted { run.strike() } else { run }
    }
}

fn leaf(to: Paragraph, value: &NodeValue, marks: Marks) -> Paragraph {
    match value {
        NodeValue::Text(text) => to.add_run(marks.run().add_text(xml(text))),
        NodeValue::HtmlInline(text) => to.add_run(marks.run().add_text(xml(text))),
        NodeValue::Code(NodeCode { literal, .. }) => to.add_run(
            marks
                .run()
                .fonts(RunFonts::new().ascii(styles::FIXED).hi_ansi(styles::FIXED))
                .add_text(xml(literal)),
        ),
        NodeValue::SoftBreak | NodeValue::LineBreak => {
            to.add_run(Run::new().add_break(BreakType::TextWrapping))
        }
        _ => to,
    }
}

fn align(alignment: TableAlignment) -> AlignmentType {
    match alignment {
        TableAlignment::Right => AlignmentType::Right,
        TableAlignment::Center => AlignmentType::Center,
        TableAlignment::Left | TableAlignment::None => AlignmentType::Left,
    }
}

/// A text without the characters that XML does not have (XML 1.0, 2.2).
fn xml(text: &str) -> String {
    let is_one = |it: char| matches!(it, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..);
    text.chars().map(|it| if is_one(it) { it } else { char::REPLACEMENT_CHARACTER }).collect()
}
