//! HTML to blocks.

mod css;
mod footnotes;
mod lists;
mod parse;
mod tables;

use std::collections::HashMap;
use std::rc::Rc;

use css::declared;

use super::block::{Block, Blocks, Line, Run, Style, has_words, words};
use super::lost::{Lost, Report};
use super::tree::{Element, Node};
use super::{Imported, Notes, finished, part};

/// Elements whose text is not of the document.
const SKIPPED: &[&str] = &[
    "head", "title", "script", "style", "template", "noscript", "select", "textarea", "button", "nav", "xml",
    "datalist", "math",
];

/// Elements that are shown and have no text.
const IMAGES: &[&str] =
    &["img", "svg", "video", "audio", "canvas", "object", "embed", "iframe", "picture", "map", "imagedata"];

/// Elements that do not begin a paragraph are inline.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hgroup",
    "html",
    "legend",
    "li",
    "main",
    "menu",
    "p",
    "section",
    "summary",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
];

pub(super) fn read(text: &str) -> Imported {
    let (root, is_cut) = parse::tree(text);
    let (reader, blocks, notes) = blocks(&root, is_cut, false);
    let name = root.find("title").first().map(|title| title.text());
    finished(blocks, &notes, reader.title, name, reader.report)
}

pub(super) fn read_part(text: &str) -> Imported {
    let (root, is_cut) = parse::tree(text);
    let (reader, blocks, notes) = blocks(&root, is_cut, true);
    part(blocks, &notes, reader.report)
}

/// The blocks and the footnotes of a document or of a part of one, with what was found beside them.
fn blocks(root: &Element, is_cut: bool, is_part: bool) -> (Reader, Blocks, Notes) {
    let footnotes = footnotes::find(root);
    let mut reader = Reader {
        footnotes: footnotes.links,
        numbers: HashMap::new(),
        report: Report::default(),
        title: None,
        is_part,
    };
    let mut flow = Flow::default();
    reader.children(root, &Style::default(), &mut flow);
    flow.end();
    if is_cut {
        reader.report.add(Lost::Rest);
    }
    let notes = footnotes.texts.iter().map(|text| reader.note(text)).collect();
    (reader, flow.blocks, notes)
}

/// The blocks of an element, and the paragraph that has not ended.
#[derive(Default)]
struct Flow {
    blocks: Blocks,
    line: Line,
}

impl Flow {
    fn end(&mut self) {
        self.blocks.paragraph(std::mem::take(&mut self.line));
    }

    fn add(&mut self, block: Block) {
        self.end();
        self.blocks.push(block);
    }

    fn text(&mut self, text: &str, style: &Style) {
        self.line.push(Run { text: text.to_owned(), style: style.clone() });
    }
}

struct Reader {
    footnotes: HashMap<*const Element, footnotes::Link>,
    /// The next number of each list of Word.
    numbers: HashMap<String, [u64; 9]>,
    report: Report,
    title: Option<String>,
    /// Whether a title is a heading of the text.
    is_part: bool,
}

impl Reader {
    fn children(&mut self, element: &Element, style: &Style, flow: &mut Flow) {
        for node in &element.children {
            match node {
                // Line feeds of the source are spaces.
                Node::Text(text) => flow.text(&text.replace(['\n', '\r'], " "), style),
                Node::Element(element) => self.element(element, style, flow),
            }
        }
    }

    /// The blocks in an element.
    fn blocks(&mut self, element: &Element, style: &Style) -> Vec<Block> {
        let mut flow = Flow::default();
        self.children(element, style, &mut flow);
        flow.end();
        flow.blocks.nested()
    }

    fn element(&mut self, element: &Element, style: &Style, flow: &mut Flow) {
        let name = element.name.as_str();
        if SKIPPED.contains(&name) || self.is_left_out(element) {
            return;
        }
        match self.footnotes.get(&std::ptr::from_ref(element)) {
            Some(footnotes::Link::To(number)) => {
                let style = Style { note: Some(*number), ..Style::default() };
                return flow.line.push(Run { text: String::new(), style });
            }
            Some(footnotes::Link::Back | footnotes::Link::Text) => return,
            None => {}
        }
        if let Some(level) = css::heading_level(element) {
            return self.heading(level, element, style, flow);
        }
        match name {
            "br" => flow.text("\n", style),
            "hr" => flow.add(Block::Rule),
            "ul" | "ol" | "menu" | "dir" => self.list(element, style, flow),
            "table" => self.table(element, style, flow),
            "blockquote" => {
                let blocks = self.blocks(element, style);
                flow.add(Block::Quote(blocks));
            }
            "pre" | "xmp" | "listing" | "plaintext" => flow.add(Block::Code(preformatted(element))),
            "input"
                if element.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox")) =>
            {
                flow.text(if element.attribute("checked").is_some() { "☑ " } else { "☐ " }, style);
            }
            "dt" => {
                flow.end();
                self.children(element, &Style { bold: true, ..style.clone() }, flow);
                flow.end();
            }
            "p" | "div" if css::list_of_word(element).is_some() => self.item_of_word(element, style, flow),
            "p" if self.title.is_none()
                && (css::has_class(element, "MsoTitle") || css::has_class(element, "title")) =>
            {
                match self.is_part {
                    true => self.heading(1, element, style, flow),
                    false => self.title = Some(words(&self.line(element))),
                }
            }
            name if BLOCKS.contains(&name) => {
                flow.end();
                self.children(element, style, flow);
                flow.end();
            }
            _ => {
                let style = self.styled(element, style);
                self.children(element, &style, flow);
            }
        }
    }

    /// Whether nothing of an element is kept.
    fn is_left_out(&mut self, element: &Element) -> bool {
        let name = element.name.as_str();
        let of_word = element.attribute("style").and_then(|style| declared(style, "mso-element"));
        let is_comment =
            of_word.is_some_and(|it| it == "comment-list") || css::has_class(element, "MsoCommentReference");
        let is_tracked =
            name == "del" && (element.attribute("datetime").is_some() || element.attribute("cite").is_some());
        let lost = match name {
            name if IMAGES.contains(&name) => Lost::Image,
            _ if is_comment => Lost::Comment,
            _ if is_tracked => Lost::TrackedChange,
            "p" if css::class_begins(element, "MsoToc") => Lost::Contents,
            "div" if matches!(element.attribute("title"), Some("header" | "footer")) => Lost::PageHeader,
            _ if css::is_hidden(element) => Lost::Hidden,
            // The mark of an item, of which the paragraph is made.
            _ => return css::is_mark_of_word(element),
        };
        self.report.add(lost);
        true
    }

    fn heading(&mut self, level: u8, element: &Element, style: &Style, flow: &mut Flow) {
        let mut inner = Flow::default();
        // What a heading looks like is said by its level.
        self.children(element, &Style { bold: false, ..style.clone() }, &mut inner);
        if has_words(&inner.line) {
            let line: Line = inner
                .line
                .drain(..)
                .map(|run| Run { style: Style { bold: false, ..run.style }, ..run })
                .collect();
            self.report.heading(&words(&line));
            flow.add(Block::Heading(level, line));
        }
        flow.end();
        flow.blocks.extend(inner.blocks.nested());
    }

    /// The words of an element in one line.
    fn line(&mut self, element: &Element) -> Line {
        let mut flow = Flow::default();
        self.children(element, &Style::default(), &mut flow);
        flow.line
    }

    fn note(&mut self, text: &Element) -> Vec<Block> {
        self.blocks(text, &Style::default())
    }

    /// The style of what is in an inline element.
    fn styled(&mut self, element: &Element, around: &Style) -> Style {
        let mut style = around.clone();
        match element.name.as_str() {
            "b" | "strong" => style.bold = true,
            "i" | "em" | "cite" | "dfn" | "var" => style.italic = true,
            "s" | "strike" | "del" => style.strike = true,
            "code" | "tt" | "kbd" | "samp" => style.code = true,
            "u" if style.link.is_none() => self.report.add(Lost::Underline),
            "sup" | "sub" if element.find("a").is_empty() => self.report.add(Lost::Raised),
            "a" => {
                if let Some(href) = element.attribute("href").map(str::trim) {
                    match crate::link::allowed(href) {
                        Some(url) => style.link = Some(Rc::from(url.as_str())),
                        None => self.report.add(Lost::Link),
                    }
                }
            }
            _ => {}
        }
        if css::restyle(element, &mut style) {
            self.report.add(Lost::Colour);
        }
        style
    }
}

/// The text of preformatted code, whose line breaks may be elements.
fn preformatted(element: &Element) -> String {
    let mut out = String::new();
    for node in &element.children {
        match node {
            Node::Text(text) => out.push_str(&text.replace('\r', "")),
            Node::Element(element) if element.name == "br" => out.push('\n'),
            Node::Element(element) => {
                let is_block = BLOCKS.contains(&element.name.as_str());
                out.push_str(if is_block && !out.is_empty() && !out.ends_with('\n') { "\n" } else { "" });
                out.push_str(&preformatted(element));
            }
        }
    }
    out
}
