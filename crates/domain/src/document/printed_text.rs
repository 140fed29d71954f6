//! The text of a document that is approved and hashed: Markdown behind a front matter in one normal form
//! (docs/documents.md, "The hash").

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::day::Day;
use super::template::{Printed, Template, escaped};
use super::{DocumentWithItems, Item, ItemKind};
use crate::error::{Error, Result};

/// What is printed of a document.
#[derive(Debug, Clone)]
pub struct PrintedText<'t> {
    /// Its title.
    pub title: &'t str,
    /// Its number in the organization's own system.
    pub reference: Option<&'t str>,
    /// Who may have it: a word.
    pub classification: &'t str,
    /// For whom it holds; may be empty.
    pub audience: &'t str,
    /// The language of the text (BCP 47).
    pub language: &'t str,
    /// The day from which it holds, such as `2026-03-01`; without one, the day of the last approval.
    pub effective_date: Option<&'t str>,
    /// Whether everybody acknowledges it again; none of a text that nobody proposes.
    pub is_material: Option<bool>,
    /// The text with places for the items; without one they are printed as a list of label and value.
    pub template: Option<&'t str>,
    /// The items, in the order of the text.
    pub items: Vec<&'t Item>,
    /// The value of each item that has one.
    pub values: HashMap<&'t str, &'t str>,
}

impl<'t> PrintedText<'t> {
    /// What is printed of a document with these values of its items.
    pub fn of(
        document: &'t DocumentWithItems,
        effective_date: Option<&'t Day>,
        is_material: Option<bool>,
        values: HashMap<&'t str, &'t str>,
    ) -> Self {
        let it = &document.document;
        Self {
            title: &it.title,
            reference: it.reference.as_deref(),
            classification: it.classification.as_str(),
            audience: &it.audience,
            language: &it.language,
            effective_date: effective_date.map(|day| &**day),
            is_material,
            template: document.template.as_deref(),
            items: document.items.iter().map(|placed| &placed.item).collect(),
            values,
        }
    }
}

impl PrintedText<'_> {
    /// The text. Its UTF-8 bytes are what is hashed, and what `…/text?format=markdown` returns.
    pub fn markdown(&self) -> Result<String> {
        Ok(format!("{}\n{}", self.front_matter(), self.body()?))
    }

    /// The properties that are approved with the text: YAML whose values are JSON, in a fixed order.
    fn front_matter(&self) -> String {
        let members = [
            ("title", json!(self.title)),
            ("reference", json!(self.reference)),
            ("classification", json!(self.classification)),
            ("audience", json!(self.audience)),
            ("language", json!(self.language)),
            ("effective_date", json!(self.effective_date)),
            ("material", json!(self.is_material)),
        ];
        let mut out = String::from("---\n");
        for (name, value) in members {
            // Writing to a string does not fail.
            let _ = writeln!(out, "{name}: {value}");
        }
        out.push_str("---\n");
        out
    }

    /// The text behind the front matter; it ends with one line break, unless it is empty.
    pub fn body(&self) -> Result<String> {
        let listed;
        let template = match self.template {
            Some(template) => template,
            None => {
                listed = self.listed();
                &listed
            }
        };
        let template = Template::parse(template)
            .map_err(|faults| Error::Internal(format!("a stored template is not valid: {faults:?}")))?;
        let items: HashMap<&str, &Item> = self.items.iter().map(|item| (item.id.as_str(), *item)).collect();
        let text = template.render(|id| self.printed(items.get(id).copied()));
        let text = text.trim_matches('\n');
        Ok(if text.is_empty() { String::new() } else { format!("{text}\n") })
    }

    /// A template that prints the items with a value as a list.
    fn listed(&self) -> String {
        let filled = self.items.iter().filter(|item| self.value(item).is_some());
        filled.fold(String::new(), |mut out, item| {
            let _ = write!(out, "- **{}**\n\n  {{{{{}}}}}\n\n", escaped(&item.label), item.id);
            out
        })
    }

    fn value(&self, item: &Item) -> Option<&str> {
        self.values.get(item.id.as_str()).copied().filter(|value| !value.is_empty())
    }

    fn printed<'v>(&'v self, item: Option<&'v Item>) -> Printed<'v> {
        let none = Printed { option: None, text: "", is_markdown: false };
        let Some((item, value)) = item.and_then(|item| Some((item, self.value(item)?))) else { return none };
        match &item.kind {
            ItemKind::Text { markdown, .. } => Printed { text: value, is_markdown: *markdown, ..none },
            ItemKind::Select { options, .. } => {
                let option = options.iter().find(|option| option.id == value);
                let text = option.map_or("", |option| option.text.as_str());
                Printed { option: Some(value), text, is_markdown: true }
            }
        }
    }
}

/// A printed text with what a template without places prints in the place of its own text.
pub fn rebuilt(markdown: &str, template: &str) -> Result<String> {
    let printed = PrintedText {
        title: "",
        reference: None,
        classification: "",
        audience: "",
        language: "",
        effective_date: None,
        is_material: None,
        template: Some(template),
        items: Vec::new(),
        values: HashMap::new(),
    };
    let front_matter = markdown.strip_suffix(body_of(markdown)).unwrap_or_default();
    Ok(format!("{front_matter}{}", printed.body()?))
}

/// The text behind its front matter, without which there is none.
pub fn body_of(markdown: &str) -> &str {
    markdown.split_once("\n---\n").map_or("", |(_, body)| body.trim_start_matches('\n'))
}

/// A text of the front matter of a printed text, such as `title`; none if it has none.
pub fn property_of(markdown: &str, name: &str) -> Option<String> {
    let lines = markdown.lines().skip(1).take_while(|line| *line != "---");
    let value = lines.filter_map(|line| line.split_once(": ")).find(|(known, _)| *known == name)?.1;
    serde_json::from_str(value).ok()
}

/// The number of the first line that two texts do not share, from 1; none if they are the same.
pub fn first_difference(one: &str, other: &str) -> Option<usize> {
    let same = one.split('\n').zip(other.split('\n')).take_while(|(one, other)| one == other).count();
    (one != other).then_some(same + 1)
}

/// The SHA-256 of a text's UTF-8 bytes, in hexadecimal digits.
pub fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
