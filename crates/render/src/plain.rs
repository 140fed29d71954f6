//! The words of a text in Markdown, without its marks.

use comrak::Node;
use comrak::arena_tree::NodeEdge;
use comrak::nodes::NodeValue;

/// The words of a tree on one line. What stands on lines of its own, such as a paragraph or a cell, is a word of its own.
pub(crate) fn plain(root: Node<'_>) -> String {
    let mut written = String::new();
    for edge in root.traverse() {
        match edge {
            NodeEdge::Start(node) => start(&mut written, &node.data().value),
            NodeEdge::End(node) if node.data().value.block() => written.push(' '),
            NodeEdge::End(_) => {}
        }
    }
    written.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn start(written: &mut String, value: &NodeValue) {
    match value {
        NodeValue::Text(text) => written.push_str(text),
        NodeValue::Code(code) => written.push_str(&code.literal),
        NodeValue::HtmlInline(text) => written.push_str(text),
        NodeValue::HtmlBlock(html) => written.push_str(&html.literal),
        NodeValue::CodeBlock(code) => written.push_str(&code.literal),
        NodeValue::SoftBreak | NodeValue::LineBreak => written.push(' '),
        _ => {}
    }
}
