//! Fields: what is computed by the word processor, whose last result is in the text (ECMA-376, part 1, 17.16).

use std::rc::Rc;

use super::super::lost::Lost;
use super::super::tree::Element;
use super::Reader;

/// The most fields in each other.
const MOST_FIELDS: usize = 64;

/// A field that has begun.
#[derive(Debug, Default)]
pub(super) struct Field {
    instruction: String,
    link: Option<Rc<str>>,
}

impl Reader<'_> {
    /// The link of the innermost field that is one.
    pub(super) fn field_link(&self) -> Option<Rc<str>> {
        self.fields.iter().rev().find_map(|field| field.link.clone())
    }

    pub(super) fn instruction(&mut self, element: &Element) {
        if let Some(field) = self.fields.last_mut() {
            element.push_text(&mut field.instruction);
        }
    }

    pub(super) fn field(&mut self, element: &Element) {
        match element.attribute("fldCharType") {
            Some("begin") if self.fields.len() < MOST_FIELDS => self.fields.push(Field::default()),
            Some("separate") => {
                let Some(mut field) = self.fields.pop() else { return };
                field.link = self.field_of(&field.instruction);
                field.instruction.clear();
                self.fields.push(field);
            }
            Some("end") => {
                self.fields.pop();
            }
            _ => {}
        }
    }

    /// The link that a field is, if it is one.
    pub(super) fn field_of(&mut self, instruction: &str) -> Option<Rc<str>> {
        let mut words = instruction.split_whitespace();
        match words.next()? {
            "HYPERLINK" => {
                let address = words.next().unwrap_or_default().trim_matches('"');
                self.address(address).map(Rc::from)
            }
            // What a table of contents consists of.
            "TOC" | "PAGEREF" => None,
            _ => {
                self.report.add(Lost::Field);
                None
            }
        }
    }

    /// The address of a link as browsers read it; none if people must not be led there.
    pub(super) fn address(&mut self, address: &str) -> Option<String> {
        let url = crate::link::allowed(address);
        if url.is_none() {
            self.report.add(Lost::Link);
        }
        url.map(String::from)
    }
}
