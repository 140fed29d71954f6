//! XML to a tree. Entities are not expanded, except the five of XML itself.

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use super::super::Unreadable;
use super::super::tree::{Builder, Element};

/// The most attributes of an element.
const MOST_ATTRIBUTES: usize = 50;

pub(super) fn tree(text: &str) -> Result<Element, Unreadable> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut builder = Builder::new();
    loop {
        match reader.read_event().map_err(|_| Unreadable::Broken)? {
            Event::Start(start) => {
                let name = start.local_name();
                builder.open(name.as_ref().to_owned(), attributes(&start));
            }
            Event::End(_) => builder.close(),
            Event::Text(text) => builder.text(&text.xml10_content()),
            Event::CData(text) => builder.text(&text.xml10_content()),
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(Some(letter)) => builder.text(letter.encode_utf8(&mut [0; 4])),
                _ => builder.text(match &*reference.xml10_content() {
                    "amp" => "&",
                    "lt" => "<",
                    "gt" => ">",
                    "quot" => "\"",
                    "apos" => "'",
                    _ => "\u{fffd}",
                }),
            },
            Event::Eof => return Ok(builder.finish()),
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
        if builder.is_full() {
            return Err(Unreadable::TooLarge);
        }
    }
}

/// The attributes but those that only say when something was edited (`rsid`).
fn attributes(start: &BytesStart<'_>) -> Vec<(String, String)> {
    let mut attributes = start.attributes();
    let attributes = attributes.with_checks(false).flatten().map(|attribute| {
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        (attribute.key.local_name().as_ref().to_owned(), value.unwrap_or_default().into_owned())
    });
    attributes.filter(|(name, _)| !name.starts_with("rsid")).take(MOST_ATTRIBUTES).collect()
}
