//! A document as a file: Markdown, which is its template, behind YAML with the other members of [`NewDocument`]. A file that is
//! written can be read again without loss, and is then written as the same bytes.

#[cfg(test)]
mod tests;
mod write;
mod yaml;

use std::borrow::Cow;

use super::{DocumentKind, DocumentWithItems, Item, NewDocument, new_item};
use crate::fault::{FaultCode, Faults};
use crate::json::{FromJson as _, Json, Pointer};
use crate::text;

pub use write::{write, write_items};

/// The line before and after the YAML.
const FENCE: &str = "---";

/// Reads a file, at `at`. The pointers of its faults are those of the same document as JSON; with a fault, what is returned is not
/// the whole.
pub fn read(file: &str, at: &Pointer<'_>, faults: &mut Faults) -> Option<NewDocument> {
    read_with(file, Vec::new(), at, faults)
}

/// The same with these members instead of those that the file has.
pub fn read_with(
    file: &str,
    instead: Vec<(Cow<'_, str>, Json<'_>)>,
    at: &Pointer<'_>,
    faults: &mut Faults,
) -> Option<NewDocument> {
    if file.contains('\0') {
        faults.add(at, FaultCode::Nul, "must not contain U+0000");
        return None;
    }
    let Some((matter, template)) = split(file.strip_prefix('\u{feff}').unwrap_or(file)) else {
        faults.add(at, FaultCode::Format, "must begin with a line ---, then YAML, then another line ---");
        return None;
    };
    match yaml::read(matter) {
        Ok(Json::Object(mut members)) => {
            if members.iter().any(|(name, _)| name == "template") {
                let detail = "must stand behind the YAML, not in it";
                faults.add(at.key("template"), FaultCode::UnknownField, detail);
                return None;
            }
            members.retain(|(name, _)| instead.iter().all(|(other, _)| other != name));
            members.extend(instead);
            if !text::is_blank(template) {
                members.push(("template".into(), Json::String(Cow::Borrowed(template))));
            }
            NewDocument::from_json(Json::Object(members), at, faults)
        }
        Ok(_) => {
            faults.add(at, FaultCode::Format, "must have members such as `slug: access-control` in its YAML");
            None
        }
        Err(yaml::Fault { line, column, detail }) => {
            // The first line of the file is the fence.
            let line = line + 1;
            faults.add(at, FaultCode::Format, format_args!("line {line}, column {column}: {detail}"));
            None
        }
    }
}

/// Reads the items of a document as a file has them, without what stands around them.
pub fn read_items(text: &str, at: &Pointer<'_>, faults: &mut Faults) -> Option<Vec<Item>> {
    match yaml::read(text) {
        Ok(Json::Null) => Some(Vec::new()),
        Ok(items) => new_item::read_items(items, at, faults),
        Err(yaml::Fault { line, column, detail }) => {
            faults.add(at, FaultCode::Format, format_args!("line {line}, column {column}: {detail}"));
            None
        }
    }
}

/// Whether a text begins as a file does.
pub fn is_file(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.trim_end() == FENCE)
}

/// The YAML and the Markdown behind it.
fn split(file: &str) -> Option<(&str, &str)> {
    let is_fence = |line: &str| line.trim_end() == FENCE;
    let mut lines = file.split_inclusive('\n');
    let first = lines.next().filter(|line| is_fence(line))?;
    let mut end = first.len();
    for line in lines {
        if is_fence(line) {
            return Some((file.get(first.len()..end)?, file.get(end + line.len()..)?));
        }
        end += line.len();
    }
    None
}

impl DocumentWithItems {
    /// A new document like it, with the same template and items. Its owner and its steps name people and groups of one
    /// organization.
    pub fn as_new(&self) -> NewDocument {
        let it = &self.document;
        NewDocument {
            slug: it.slug.clone(),
            title: it.title.clone(),
            description: it.description.clone(),
            owner: None,
            tags: Vec::new(),
            reference: it.reference.clone(),
            classification: it.classification,
            audience: it.audience.clone(),
            language: it.language.clone(),
            earlier: it.earlier.clone(),
            review_every_days: it.review_every_days,
            acknowledge_every_days: it.acknowledge_every_days,
            template: self.template.clone(),
            approval_steps: Vec::new(),
            items: self.items.iter().map(|placed| placed.item.clone()).collect(),
            library: None,
            kind: DocumentKind::Policy,
        }
    }
}
