//! Footnotes: HTML has none, but word processors write two links that lead to each other.

use std::collections::HashMap;

use super::Element;

/// What an element is for a footnote.
#[derive(Debug, Clone, Copy)]
pub(super) enum Link {
    /// The reference to the note with this number.
    To(usize),
    /// The link from the note back to its reference.
    Back,
    /// The text of the note, which does not stand where it is.
    Text,
}

/// The footnotes of a tree.
pub(super) struct Footnotes<'t> {
    pub(super) links: HashMap<*const Element, Link>,
    /// The elements with the texts, in the order of their references.
    pub(super) texts: Vec<&'t Element>,
}

/// A link within the document.
struct Inner<'t> {
    element: &'t Element,
    target: &'t str,
    /// The names of the link, or of the elements that it is in.
    names: Vec<&'t str>,
    /// The element that would be the text of a note.
    text: &'t Element,
    /// The places of the link and of that element in the order of the document.
    at: usize,
    text_at: usize,
    /// Whether its words can be the mark of a note.
    is_mark: bool,
}

pub(super) fn find(root: &Element) -> Footnotes<'_> {
    let mut inner = Vec::new();
    collect(root, &mut Vec::new(), &mut 0, &mut inner);
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for (at, link) in inner.iter().enumerate() {
        for name in &link.names {
            by_name.entry(name).or_insert(at);
        }
    }
    let mut footnotes = Footnotes { links: HashMap::new(), texts: Vec::new() };
    for (at, reference) in inner.iter().enumerate() {
        let Some(back) = by_name.get(reference.target).and_then(|at| inner.get(*at)) else { continue };
        let is_back = by_name.get(back.target).is_some_and(|known| *known == at);
        let pointer = std::ptr::from_ref(back.text);
        // A reference is before its note, and so not in it.
        let is_note = is_back && reference.is_mark && reference.at < back.text_at;
        let is_known = |element: *const Element| footnotes.links.contains_key(&element);
        if !is_note || is_known(pointer) || is_known(std::ptr::from_ref(reference.element)) {
            continue;
        }
        footnotes.texts.push(back.text);
        footnotes.links.insert(std::ptr::from_ref(reference.element), Link::To(footnotes.texts.len()));
        footnotes.links.insert(std::ptr::from_ref(back.element), Link::Back);
        footnotes.links.insert(pointer, Link::Text);
    }
    footnotes
}

/// Collects the links; `path` are the elements that this one is in, with their places, and `next` is its place.
fn collect<'t>(
    element: &'t Element,
    path: &mut Vec<(&'t Element, usize)>,
    next: &mut usize,
    out: &mut Vec<Inner<'t>>,
) {
    let at = *next;
    *next += 1;
    path.push((element, at));
    let target = element.attribute("href").and_then(|href| href.split_once('#')).map(|(_, target)| target);
    if let Some(target) = target.filter(|target| element.name == "a" && !target.is_empty()) {
        let (text, text_at) = text_of(path).unwrap_or((element, at));
        let near = path.iter().rev().take(5).map(|(part, _)| part);
        let names = near.filter(|part| !matches!(part.name.as_str(), "body" | "html" | "section" | "ol"));
        let names = names.flat_map(|part| [part.attribute("name"), part.attribute("id")]).flatten().collect();
        let mark = element.text();
        let is_mark = mark.trim().len() <= 8 && !mark.trim().contains(' ');
        out.push(Inner { element, target, names, text, at, text_at, is_mark });
    }
    element.elements().for_each(|child| collect(child, path, next, out));
    path.pop();
}

/// The element with the text of a note whose link back has this path: its paragraph, or a `div` around it that has the note's
/// name or nothing else in it.
fn text_of<'t>(path: &[(&'t Element, usize)]) -> Option<(&'t Element, usize)> {
    let is_block = |name: &str| matches!(name, "p" | "li" | "div" | "aside" | "dd" | "td");
    let at = path.iter().rposition(|(element, _)| is_block(&element.name))?;
    let text = *path.get(at)?;
    let around = at.checked_sub(1).and_then(|at| path.get(at)).copied();
    let is_note = |around: &Element| {
        let is_first = around.elements().next().is_some_and(|first| std::ptr::eq(first, text.0));
        let is_named = around.attribute("id").is_some() || around.elements().nth(1).is_none();
        is_first && is_named && matches!(around.name.as_str(), "div" | "li")
    };
    Some(around.filter(|(around, _)| is_note(around)).unwrap_or(text))
}
