//! Tokens of HTML to a tree. What ends an element that is not closed is a subset of the rules of browsers (HTML, 13.1.2.4):
//! each token takes a bounded time.

use html5gum::{DefaultEmitter, HtmlString, Token, Tokenizer};

use super::BLOCKS;
use super::Element;
use crate::import::tree::Builder;

/// Elements without an end.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];

/// The attributes that are read.
const ATTRIBUTES: &[&str] = &[
    "aria-level",
    "checked",
    "cite",
    "class",
    "colspan",
    "data-aria-level",
    "datetime",
    "hidden",
    "href",
    "id",
    "name",
    "role",
    "rowspan",
    "start",
    "style",
    "title",
    "type",
];

/// The tree of a text, and whether the text has more than it.
pub(super) fn tree(text: &str) -> (Element, bool) {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut builder = Builder::new();
    for Ok(token) in Tokenizer::new_with_emitter(text, emitter) {
        match token {
            Token::StartTag(tag) => {
                let name = local(&tag.name);
                let attributes = tag.attributes.iter().map(|(name, value)| (utf8(name), utf8(value)));
                let attributes = attributes.filter(|(name, _)| ATTRIBUTES.contains(&name.as_str())).collect();
                close_before(&mut builder, &name);
                let is_empty = VOID.contains(&name.as_str()) || (tag.self_closing && is_foreign(&tag.name));
                builder.open(name, attributes);
                if is_empty {
                    builder.close();
                }
            }
            Token::EndTag(tag) => end(&mut builder, &local(&tag.name)),
            Token::String(text) => builder.text(&utf8(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
        if builder.is_full() {
            return (builder.finish(), true);
        }
    }
    (builder.finish(), false)
}

fn utf8(text: &HtmlString) -> String {
    String::from_utf8_lossy(text).into_owned()
}

/// The name without a prefix, as in `o:p` of Word.
fn local(name: &HtmlString) -> String {
    let name = utf8(name);
    name.rsplit_once(':')
        .map_or(name.clone(), |(_, local)| format!("{}{local}", if local == "p" { "o-" } else { "" }))
}

fn is_foreign(name: &HtmlString) -> bool {
    name.contains(&b':') || name.as_slice() == b"path"
}

/// Closes what the begin of an element ends.
fn close_before(builder: &mut Builder, name: &str) {
    let in_table = |name: &str| matches!(name, "table");
    match name {
        "li" => builder
            .close_to(|open| open == "li", |open| matches!(open, "ul" | "ol" | "menu" | "dir" | "td" | "th")),
        "td" | "th" => {
            builder.close_to(|open| matches!(open, "td" | "th"), |open| in_table(open) || open == "tr");
        }
        "tr" => builder.close_to(|open| open == "tr", in_table),
        "thead" | "tbody" | "tfoot" => {
            builder.close_to(|open| matches!(open, "thead" | "tbody" | "tfoot"), in_table);
        }
        "dt" | "dd" => {
            builder.close_to(|open| matches!(open, "dt" | "dd"), |open| open == "dl" || open == "td");
        }
        "option" | "optgroup" => builder.close_to(|open| open == "option", |open| open == "select"),
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            builder.close_to(|open| open == "p" || is_heading(open), is_block);
        }
        "ul" | "ol" | "table" | "pre" | "blockquote" | "hr" => builder.close_to(|open| open == "p", is_block),
        name if is_block(name) => builder.close_to(|open| open == "p", is_block),
        "a" => builder.close_to(|open| open == "a", is_block),
        _ => {}
    }
}

fn is_heading(name: &str) -> bool {
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

fn is_block(name: &str) -> bool {
    BLOCKS.contains(&name) || is_heading(name) || matches!(name, "ul" | "ol" | "table" | "pre" | "blockquote")
}

/// Closes an element. An end without a begin is nothing; one within a cell does not close what is around it.
fn end(builder: &mut Builder, name: &str) {
    if builder.is_too_deep() {
        builder.close();
    } else if is_heading(name) {
        builder.close_to(is_heading, |open| matches!(open, "td" | "th" | "table"));
    } else if matches!(name, "table" | "tr" | "tbody" | "thead" | "tfoot") {
        builder.close_to(|open| open == name, |open| open == "table");
    } else if is_block(name) {
        builder.close_to(|open| open == name, |open| matches!(open, "td" | "th" | "table"));
    } else {
        builder.close_to(|open| open == name, is_block);
    }
}
