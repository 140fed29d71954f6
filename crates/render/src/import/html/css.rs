//! What attributes of elements say, of which some is the only trace of a list or of emphasis in pasted HTML.

use super::{Element, Style};

/// The value of a property in an attribute `style`.
pub(super) fn declared<'s>(style: &'s str, property: &str) -> Option<&'s str> {
    let declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
    let mut values = declarations.filter(|(name, _)| name.trim().eq_ignore_ascii_case(property));
    values.next_back().map(|(_, value)| value.trim())
}

fn property<'e>(element: &'e Element, name: &str) -> Option<&'e str> {
    declared(element.attribute("style")?, name)
}

pub(super) fn has_class(element: &Element, class: &str) -> bool {
    element.attribute("class").is_some_and(|classes| classes.split_whitespace().any(|known| known == class))
}

pub(super) fn class_begins(element: &Element, begin: &str) -> bool {
    element
        .attribute("class")
        .is_some_and(|classes| classes.split_whitespace().any(|known| known.starts_with(begin)))
}

/// The level of a heading: an element of HTML, a paragraph that Word has in its outline, or one of Word for the web, which says so
/// to screen readers.
pub(super) fn heading_level(element: &Element) -> Option<u8> {
    let level = match element.name.as_str() {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => element.name.get(1..),
        "p" | "div" if element.attribute("role") == Some("heading") => element.attribute("aria-level"),
        "p" => property(element, "mso-outline-level"),
        _ => None,
    };
    level?.parse().ok().filter(|level| *level >= 1).map(|level: u8| level.min(6))
}

/// The list and the level, from 0, of an item that is a paragraph of Word: `mso-list:l0 level1 lfo1`. Of the built-in styles of
/// lists the class says it: `MsoListBullet2`.
pub(super) fn list_of_word(element: &Element) -> Option<(&str, usize)> {
    let Some(list) = property(element, "mso-list") else { return list_of_class(element) };
    let mut words = list.split_whitespace();
    let list = words.next().filter(|list| list.starts_with('l'))?;
    let level =
        words.find_map(|word| word.strip_prefix("level")).and_then(|level| level.parse::<usize>().ok());
    Some((list, level.unwrap_or(1).clamp(1, 9) - 1))
}

fn list_of_class(element: &Element) -> Option<(&str, usize)> {
    let lists = ["MsoListBullet", "MsoListNumber"];
    let class = element.attribute("class")?.split_whitespace().next()?;
    let (list, rest) = lists.iter().find_map(|list| Some((*list, class.strip_prefix(list)?)))?;
    let mut is_marked = false;
    element.walk(&mut |part| {
        is_marked |= is_mark_of_word(part);
        true
    });
    let level = rest.bytes().next().filter(u8::is_ascii_digit).map_or(1, |digit| digit - b'0');
    is_marked.then_some((list, usize::from(level.max(1)) - 1))
}

/// Whether it is the bullet or the number of such an item.
pub(super) fn is_mark_of_word(element: &Element) -> bool {
    property(element, "mso-list").is_some_and(|value| value.eq_ignore_ascii_case("ignore"))
}

/// Whether a browser does not show it.
pub(super) fn is_hidden(element: &Element) -> bool {
    element.attribute("hidden").is_some()
        || property(element, "display").is_some_and(|value| value.eq_ignore_ascii_case("none"))
        || property(element, "mso-hide").is_some_and(|value| value.eq_ignore_ascii_case("all"))
}

/// Changes a style by an attribute `style`, and says whether that has a colour that people see.
pub(super) fn restyle(element: &Element, style: &mut Style) -> bool {
    let Some(css) = element.attribute("style") else { return false };
    if let Some(weight) = declared(css, "font-weight") {
        style.bold = match weight {
            "bold" | "bolder" => true,
            weight => weight.parse::<u16>().is_ok_and(|weight| weight >= 600),
        };
    }
    if let Some(slope) = declared(css, "font-style") {
        style.italic = matches!(slope, "italic" | "oblique");
    }
    let lines = declared(css, "text-decoration").or_else(|| declared(css, "text-decoration-line"));
    style.strike |= lines.is_some_and(|lines| lines.contains("line-through"));
    let is_plain = |colour: &str| {
        let colour = colour.to_ascii_lowercase().replace(' ', "");
        [
            "black",
            "#000",
            "windowtext",
            "rgb(0,0,0)",
            "inherit",
            "initial",
            "auto",
            "transparent",
            "white",
            "currentcolor",
        ]
        .iter()
        .any(|plain| colour.starts_with(plain))
    };
    let colours =
        ["color", "background", "background-color"].into_iter().filter_map(|name| declared(css, name));
    colours.into_iter().any(|colour| !is_plain(colour))
}
