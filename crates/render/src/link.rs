//! Links and images, and the addresses that a text may link to.

use comrak::Node;
use comrak::nodes::{NodeCode, NodeLink, NodeValue};
use url::Url;

use crate::writer::{Writer, escape};

impl<'a> Writer<'a> {
    pub(crate) fn open_link(&mut self, node: Node<'a>, link: &NodeLink) {
        let Some(address) = allowed(&link.url).filter(|_| self.link.is_none()) else { return };
        self.link = Some(node);
        self.html.push_str("<a href=\"");
        escape(&mut self.html, address.as_str());
        if !link.title.is_empty() {
            self.html.push_str("\" title=\"");
            escape(&mut self.html, &link.title);
        }
        self.html.push_str("\" rel=\"nofollow noopener noreferrer\">");
    }

    /// Ends a link. One without words has its address instead; one that a text may not link to has it beside its words.
    pub(crate) fn close_link(&mut self, node: Node<'a>, link: &NodeLink) {
        let is_open = self.link.is_some_and(|open| open.same_node(node));
        if self.link.is_some() && !is_open {
            return;
        }
        let words = words(node);
        if words.trim().is_empty() {
            escape(&mut self.html, &link.url);
        } else if !is_open && !link.url.is_empty() && words != link.url {
            self.html.push_str(" (");
            escape(&mut self.html, &link.url);
            self.html.push(')');
        }
        if is_open {
            self.html.push_str("</a>");
            self.link = None;
        }
    }
}

/// The address as a browser reads it; none if it is not absolute, or not of a kind that a text may link to.
pub(crate) fn allowed(address: &str) -> Option<Url> {
    Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https" | "mailto"))
}

/// The words of a link or of an image.
pub(crate) fn words(node: Node<'_>) -> String {
    let mut words = String::new();
    for part in node.descendants() {
        match &part.data().value {
            NodeValue::Text(text) => words.push_str(text),
            NodeValue::Code(NodeCode { literal: text, .. }) | NodeValue::HtmlInline(text) => {
                words.push_str(text);
            }
            _ => {}
        }
    }
    words
}
