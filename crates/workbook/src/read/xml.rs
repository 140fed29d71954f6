//! XML piece by piece. A document type is refused, so no entity is expanded but the five of XML itself.

use std::borrow::Cow;
use std::io::{BufReader, ErrorKind};

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Error, Reader, XmlVersion};

use super::limited::Limited;
use crate::refused::{MOST_BYTES, Refused};

pub(super) struct Xml<'a> {
    reader: Reader<BufReader<Limited<'a>>>,
    buffer: Vec<u8>,
}

/// A piece of XML.
pub(super) enum Node<'b> {
    /// An element begins.
    Start(BytesStart<'b>),
    /// The element with this name within its namespace ends.
    Close(String),
    /// A part of a text.
    Text(Cow<'b, str>),
    /// A comment and its like.
    Other,
    /// The part ends.
    End,
}

impl<'a> Xml<'a> {
    pub(super) fn new(source: BufReader<Limited<'a>>) -> Self {
        let mut reader = Reader::from_reader(source);
        reader.config_mut().expand_empty_elements = true;
        Self { reader, buffer: Vec::new() }
    }

    pub(super) fn next(&mut self) -> Result<Node<'_>, Refused> {
        self.buffer.clear();
        self.reader.get_mut().get_mut().next_piece();
        let event = self.reader.read_event_into(&mut self.buffer).map_err(|error| match error {
            Error::Io(error) if error.kind() == ErrorKind::FileTooLarge => {
                Refused::TooLarge { what: "bytes when it is unpacked", most: MOST_BYTES }
            }
            _ => Refused::Broken,
        })?;
        Ok(match event {
            Event::Start(start) => Node::Start(start),
            Event::End(end) => Node::Close(end.local_name().as_ref().to_owned()),
            Event::Text(text) => Node::Text(text.xml10_content()),
            Event::CData(text) => Node::Text(text.xml10_content()),
            Event::GeneralRef(reference) => Node::Text(match reference.resolve_char_ref() {
                Ok(Some(letter)) => Cow::Owned(letter.to_string()),
                _ => Cow::Borrowed(match &*reference.xml10_content() {
                    "amp" => "&",
                    "lt" => "<",
                    "gt" => ">",
                    "quot" => "\"",
                    "apos" => "'",
                    _ => "\u{fffd}",
                }),
            }),
            Event::DocType(_) => return Err(Refused::Broken),
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => Node::Other,
            Event::Eof => Node::End,
        })
    }
}

/// An attribute by its name, with its namespace's prefix or without.
pub(super) fn attribute<'s>(start: &'s BytesStart<'_>, name: &str) -> Option<Cow<'s, str>> {
    let mut attributes = start.attributes();
    attributes.with_checks(false);
    let found = attributes
        .flatten()
        .find(|attribute| attribute.key.as_ref() == name || attribute.key.local_name().as_ref() == name)?;
    found.normalized_value(XmlVersion::Implicit1_0).ok()
}

/// The same, as a number.
pub(super) fn number(start: &BytesStart<'_>, name: &str) -> Option<u32> {
    attribute(start, name)?.parse().ok()
}
