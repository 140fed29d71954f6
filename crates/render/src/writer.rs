//! Writes the tree of a text as HTML. Nothing of the text gets into the HTML but through [`escape`].

use std::fmt::Write as _;

use comrak::Node;
use comrak::arena_tree::NodeEdge;
use comrak::nodes::{ListType, NodeCode, NodeList, NodeValue, TableAlignment};

use crate::MOST_HTML_BYTES;

/// The most elements inside each other.
const MOST_DEPTH: usize = 100;

/// The highest heading of a text is below those of the page and of its sections.
const LOWERED_BY: u8 = 2;

#[derive(Default)]
pub(crate) struct Writer<'a> {
    pub(crate) html: String,
    /// The link that is open: links are not in each other.
    pub(crate) link: Option<Node<'a>>,
    /// What a task begins with, until its first words.
    mark: &'static str,
    /// The columns of the table.
    columns: Vec<TableAlignment>,
    column: usize,
}

impl<'a> Writer<'a> {
    /// The HTML of a tree; none if it is too deep or too long.
    pub(crate) fn write(mut self, root: Node<'a>) -> Option<String> {
        let mut depth = 0;
        for edge in root.traverse() {
            match edge {
                NodeEdge::Start(node) => {
                    depth += 1;
                    self.start(node);
                }
                NodeEdge::End(node) => {
                    depth -= 1;
                    self.end(node);
                }
            }
            if depth > MOST_DEPTH || self.html.len() > MOST_HTML_BYTES {
                return None;
            }
        }
        Some(self.html)
    }

    fn start(&mut self, node: Node<'a>) {
        match &node.data().value {
            NodeValue::Paragraph => {
                self.html.push_str(if is_tight(node) { "" } else { "<p>" });
                self.html.push_str(std::mem::take(&mut self.mark));
            }
            NodeValue::Heading(heading) => self.tag("<h", lowered(heading.level)),
            NodeValue::List(list) => self.open_list(list),
            NodeValue::TaskItem(task) => {
                self.html.push_str("<li class=\"task\">");
                self.mark = if task.symbol.is_some() { "☑ " } else { "☐ " };
            }
            NodeValue::CodeBlock(code) => self.html.push_str(&source(&code.literal)),
            NodeValue::HtmlBlock(html) => {
                self.html.push_str("<p>");
                for (number, line) in html.literal.trim_end().lines().enumerate() {
                    self.html.push_str(if number == 0 { "" } else { "<br>\n" });
                    escape(&mut self.html, line);
                }
                self.html.push_str("</p>\n");
            }
            NodeValue::Text(text) => escape(&mut self.html, text),
            NodeValue::HtmlInline(text) => escape(&mut self.html, text),
            NodeValue::Code(NodeCode { literal, .. }) => {
                self.html.push_str("<code>");
                escape(&mut self.html, literal);
                self.html.push_str("</code>");
            }
            NodeValue::SoftBreak | NodeValue::LineBreak => self.html.push_str("<br>\n"),
            NodeValue::ThematicBreak => self.html.push_str("<hr>\n"),
            NodeValue::Link(link) | NodeValue::Image(link) => self.open_link(node, link),
            NodeValue::Table(table) => {
                self.columns.clone_from(&table.alignments);
                self.html.push_str("<div class=\"scroll\" tabindex=\"0\"><table>\n");
            }
            NodeValue::TableRow(is_header) => {
                self.column = 0;
                let is_first = node.previous_sibling().is_some_and(is_header_row);
                self.html.push_str(if *is_header { "<thead>\n" } else { "" });
                self.html.push_str(if is_first { "<tbody>\n" } else { "" });
                self.html.push_str("<tr>");
            }
            NodeValue::TableCell => self.open_cell(node),
            // No links: the page can have other texts, whose footnotes have the same names.
            NodeValue::FootnoteReference(note) => {
                let _ = write!(self.html, "<sup>{}</sup>", note.ix);
            }
            NodeValue::FootnoteDefinition(_) => {
                let is_first = !node.previous_sibling().is_some_and(is_footnote);
                self.html.push_str(if is_first { "<ol class=\"footnotes\">\n<li>" } else { "<li>" });
            }
            other => self.tag("<", element(other)),
        }
    }

    fn end(&mut self, node: Node<'a>) {
        match &node.data().value {
            NodeValue::Paragraph => self.html.push_str(if is_tight(node) { "" } else { "</p>\n" }),
            NodeValue::Heading(heading) => {
                self.tag("</h", lowered(heading.level));
                self.html.push('\n');
            }
            NodeValue::List(list) => self.html.push_str(match list.list_type {
                ListType::Bullet => "</ul>\n",
                ListType::Ordered => "</ol>\n",
            }),
            NodeValue::TaskItem(_) => {
                self.html.push_str(std::mem::take(&mut self.mark));
                self.html.push_str("</li>\n");
            }
            NodeValue::Link(link) | NodeValue::Image(link) => self.close_link(node, link),
            NodeValue::Table(_) => self.html.push_str("</table></div>\n"),
            NodeValue::TableRow(is_header) => {
                self.html.push_str("</tr>\n");
                let is_last = !is_header && node.next_sibling().is_none();
                self.html.push_str(if *is_header { "</thead>\n" } else { "" });
                self.html.push_str(if is_last { "</tbody>\n" } else { "" });
            }
            NodeValue::TableCell => self.html.push_str(if is_head(node) { "</th>" } else { "</td>" }),
            NodeValue::FootnoteDefinition(_) => {
                let is_last = !node.next_sibling().is_some_and(is_footnote);
                self.html.push_str(if is_last { "</li>\n</ol>\n" } else { "</li>\n" });
            }
            other => {
                self.tag("</", element(other));
                let is_block = matches!(other, NodeValue::BlockQuote | NodeValue::Item(_));
                self.html.push_str(if is_block { "\n" } else { "" });
            }
        }
    }

    /// A tag without attributes; none for what has no element.
    fn tag(&mut self, begin: &str, name: Option<&str>) {
        if let Some(name) = name {
            // Writing to a string cannot fail.
            let _ = write!(self.html, "{begin}{name}>");
        }
    }

    fn open_list(&mut self, list: &NodeList) {
        let _ = match (list.list_type, list.start) {
            (ListType::Bullet, _) => self.html.write_str("<ul>\n"),
            (ListType::Ordered, 1) => self.html.write_str("<ol>\n"),
            (ListType::Ordered, start) => writeln!(self.html, "<ol start=\"{start}\">"),
        };
    }

    fn open_cell(&mut self, node: Node<'a>) {
        let class = match self.columns.get(self.column) {
            Some(TableAlignment::Right) => " class=\"right\"",
            Some(TableAlignment::Center) => " class=\"center\"",
            _ => "",
        };
        self.column += 1;
        let name = if is_head(node) { "th" } else { "td" };
        let _ = write!(self.html, "<{name}{class}>");
    }
}

/// A text as it was written.
pub(crate) fn source(text: &str) -> String {
    let mut html = "<pre><code>".to_owned();
    escape(&mut html, text);
    html.push_str("</code></pre>\n");
    html
}

/// Adds a text, which is the same text where HTML has texts and in attributes. A parser of HTML replaces U+0000 and carriage
/// returns.
pub(crate) fn escape(html: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\0' => html.push('\u{fffd}'),
            '\r' => html.push('\n'),
            _ => html.push(character),
        }
    }
}

/// The element of what has no attributes.
fn element(value: &NodeValue) -> Option<&'static str> {
    match value {
        NodeValue::BlockQuote => Some("blockquote"),
        NodeValue::Item(_) => Some("li"),
        NodeValue::Emph => Some("em"),
        NodeValue::Strong => Some("strong"),
        NodeValue::Strikethrough => Some("del"),
        _ => None,
    }
}

fn lowered(level: u8) -> Option<&'static str> {
    ["1", "2", "3", "4", "5", "6"].get(usize::from((level + LOWERED_BY).min(6) - 1)).copied()
}

/// Whether a paragraph is an item of a list whose items have no lines between them.
fn is_tight(node: Node<'_>) -> bool {
    let list = node.ancestors().nth(2);
    list.is_some_and(|list| matches!(&list.data().value, NodeValue::List(list) if list.tight))
}

fn is_footnote(node: Node<'_>) -> bool {
    matches!(node.data().value, NodeValue::FootnoteDefinition(_))
}

fn is_header_row(node: Node<'_>) -> bool {
    matches!(node.data().value, NodeValue::TableRow(true))
}

/// Whether a cell is the head of its column. An empty one is none.
fn is_head(node: Node<'_>) -> bool {
    node.parent().is_some_and(is_header_row) && node.first_child().is_some()
}
