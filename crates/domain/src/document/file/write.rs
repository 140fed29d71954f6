//! The normal form of a file.

use std::fmt::Write as _;

use super::super::{Item, ItemKind, NewDocument, SelectOption};
use super::FENCE;
use super::yaml::plain;
use crate::json::Json;

/// The words that other readers of YAML do not take for texts.
const NOT_TEXTS: [&str; 6] = ["yes", "no", "on", "off", "y", "n"];

/// Writes a document as a file. It names neither the owner nor who approves, who are others elsewhere.
pub fn write(it: &NewDocument) -> String {
    let mut out = Yaml(format!("{FENCE}\n"));
    out.text(0, "slug", &it.slug);
    out.text(0, "title", &it.title);
    out.some(0, "reference", it.reference.as_deref());
    out.some(0, "description", filled(&it.description));
    out.text(0, "classification", it.classification.as_str());
    out.some(0, "audience", filled(&it.audience));
    out.text(0, "language", &it.language);
    out.some(0, "earlier", it.earlier.as_deref());
    out.number(0, "review_every_days", it.review_every_days);
    out.number(0, "acknowledge_every_days", it.acknowledge_every_days);
    if !it.items.is_empty() {
        out.0.push_str("items:\n");
    }
    it.items.iter().for_each(|item| out.item(item));
    out.0.push_str(FENCE);
    out.0.push('\n');
    out.0.push_str(it.template.as_deref().unwrap_or_default());
    out.0
}

/// Writes items as a file has them, without what stands around them.
pub fn write_items(items: &[Item]) -> String {
    let mut out = Yaml(String::new());
    items.iter().for_each(|item| out.item(item));
    let lines = out.0.split_inclusive('\n').map(|line| line.strip_prefix("  ").unwrap_or(line));
    lines.collect()
}

fn filled(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

struct Yaml(String);

impl Yaml {
    fn item(&mut self, item: &Item) {
        self.first(2, "id", &item.id);
        self.text(4, "kind", item.kind.node_type().as_str());
        self.text(4, "label", &item.label);
        self.some(4, "guidance", item.guidance.as_deref());
        self.flag(4, "required", item.required);
        self.flag(4, "material", item.material);
        self.list(4, "risks", item.risks.iter().map(ToString::to_string));
        self.list(4, "controls", item.controls.iter().map(ToString::to_string));
        match &item.kind {
            ItemKind::Select { options, default } => {
                self.some(4, "default", default.as_deref());
                self.0.push_str("    options:\n");
                options.iter().for_each(|option| self.option(option));
            }
            ItemKind::Text { default, max_length, multiline, markdown } => {
                self.some(4, "default", filled(default));
                self.number(4, "max_length", Some(*max_length));
                self.flag(4, "multiline", *multiline);
                self.flag(4, "markdown", *markdown);
            }
        }
    }

    fn option(&mut self, option: &SelectOption) {
        self.first(6, "id", &option.id);
        self.text(8, "label", &option.label);
        self.text(8, "text", &option.text);
        self.some(8, "guidance", option.guidance.as_deref());
        self.flag(8, "weakens", option.weakens);
    }

    /// The first member of an element of a list.
    fn first(&mut self, indent: usize, name: &str, value: &str) {
        self.line(indent, &format!("- {name}"), &scalar(value, indent + 4));
    }

    fn text(&mut self, indent: usize, name: &str, value: &str) {
        self.line(indent, name, &scalar(value, indent + 2));
    }

    fn some(&mut self, indent: usize, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(indent, name, value);
        }
    }

    fn number(&mut self, indent: usize, name: &str, value: Option<i64>) {
        if let Some(value) = value {
            self.line(indent, name, &value.to_string());
        }
    }

    fn flag(&mut self, indent: usize, name: &str, value: bool) {
        if value {
            self.line(indent, name, "true");
        }
    }

    /// A list of words in one line.
    fn list(&mut self, indent: usize, name: &str, values: impl Iterator<Item = String>) {
        let is_plain_here = |value: &str| is_plain(value) && !value.contains([',', ':', '[', ']', '{', '}']);
        let written = |value: String| if is_plain_here(&value) { value } else { quoted(&value) };
        let values: Vec<_> = values.map(written).collect();
        if !values.is_empty() {
            self.line(indent, name, &format!("[{}]", values.join(", ")));
        }
    }

    fn line(&mut self, indent: usize, name: &str, value: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "{:indent$}{name}: {value}", "");
    }
}

/// A text in the simplest form that reads as the same text; the further lines of a block begin after `indent` spaces.
fn scalar(value: &str, indent: usize) -> String {
    if is_plain(value) {
        value.to_owned()
    } else if is_block(value) {
        let lines = value.lines().map(|line| match line {
            "" => String::from("\n"),
            line => format!("\n{:indent$}{line}", ""),
        });
        format!("{}{}", if value.ends_with('\n') { "|" } else { "|-" }, lines.collect::<String>())
    } else {
        quoted(value)
    }
}

/// Whether a text reads as itself without quotes, here and by other readers of YAML.
fn is_plain(value: &str) -> bool {
    let is_allowed =
        |letter: char| letter.is_alphanumeric() || " .,:;!?()/'\"%&+*=@_-–—’“”€§".contains(letter);
    value.starts_with(char::is_alphabetic)
        && value.chars().all(is_allowed)
        && !value.contains(": ")
        && !value.ends_with([' ', ':'])
        && !NOT_TEXTS.contains(&value.to_ascii_lowercase().as_str())
        && matches!(plain(value.to_ascii_lowercase().into()), Json::String(_))
}

/// Whether a text of several lines reads as itself in a block.
fn is_block(value: &str) -> bool {
    let is_line = |line: &str| line.is_empty() || !line.trim().is_empty();
    value.contains('\n')
        && !value.starts_with([' ', '\n'])
        && !value.ends_with("\n\n")
        && value.chars().all(|letter| letter == '\n' || !is_escaped(letter))
        && value.lines().all(is_line)
}

/// Whether a character is written as its number.
fn is_escaped(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// A text in double quotes.
fn quoted(value: &str) -> String {
    let mut out = String::from("\"");
    for letter in value.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            // Writing to a String cannot fail.
            letter if is_escaped(letter) => drop(write!(out, "\\u{:04x}", u32::from(letter))),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}
