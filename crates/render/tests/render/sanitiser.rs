//! A sanitiser by others says whether HTML is safe: what a text becomes, it does not change.

use std::collections::{HashMap, HashSet};

use ammonia::{Builder, UrlRelative};
use scraper::{Html, Selector};

const TAGS: [&str; 25] = [
    "a",
    "blockquote",
    "br",
    "code",
    "del",
    "div",
    "em",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "strong",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
    "b",
];

fn sanitiser() -> Builder<'static> {
    let mut builder = Builder::empty();
    builder
        .tags(HashSet::from(TAGS))
        .tag_attributes(HashMap::from([
            ("a", HashSet::from(["href", "title", "rel"])),
            ("ol", HashSet::from(["start"])),
        ]))
        .tag_attribute_values(HashMap::from([("div", HashMap::from([("tabindex", HashSet::from(["0"]))]))]))
        .allowed_classes(HashMap::from([
            ("li", HashSet::from(["task"])),
            ("div", HashSet::from(["scroll"])),
            ("th", HashSet::from(["right", "center"])),
            ("td", HashSet::from(["right", "center"])),
        ]))
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .url_relative(UrlRelative::Deny)
        .link_rel(None);
    builder
}

/// HTML as a parser of a browser reads and writes it.
fn read(html: &str) -> Html {
    Html::parse_fragment(html)
}

/// Checks the HTML of a text, and that it leaves nothing open in the page around it.
#[track_caller]
pub(crate) fn check(text: &str) {
    let html = render::html(text).to_string();
    let (ours, clean) = (read(&html), sanitiser().clean(&html).to_string());
    assert_eq!(ours.html(), read(&clean).html(), "{text:?}");
    assert!(ours.errors.is_empty(), "{text:?}: {:?}\n{html}", ours.errors);
    for link in ours.select(&Selector::parse("a").unwrap()) {
        assert!(link.attr("href").is_some(), "{text:?}: {html}");
        assert_eq!(link.attr("rel"), Some("nofollow noopener noreferrer"), "{text:?}: {html}");
        assert!(!link.text().collect::<String>().is_empty(), "{text:?}: {html}");
    }
    let around = read(&format!("<section>{html}</section><i id=\"after\"></i>"));
    let after = around.select(&Selector::parse("html > #after").unwrap()).count();
    assert_eq!(after, 1, "{text:?}: {}", around.html());
}
