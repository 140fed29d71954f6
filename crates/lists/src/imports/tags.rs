//! Records of a file as tags, by the rules of a body that has the same members.

use domain::Faults;
use domain::import::{ImportedTag, RowFault};
use domain::json::{FromJson as _, Json, Pointer};
use domain::tag::{NewTag, TagName};
use domain::text::folded;
use serde_json::{Map, json};
use workbook::{Field, Record};

use super::reader::{Reader, read_all};

impl Reader<'_> {
    /// The tag of a record; none if something is wrong with it, which is added.
    pub(super) fn tag(&mut self, record: &Record, wrong: &mut Vec<RowFault>) -> Option<ImportedTag> {
        let mut faults = Faults::new();
        let mut body = Map::new();
        body.extend(record.text(Field::Title).map(|name| ("name".to_owned(), json!(name))));
        body.extend(record.text(Field::Description).map(|text| ("description".to_owned(), json!(text))));
        body.extend(record.text(Field::Color).map(|text| ("color".to_owned(), json!(color(text)))));
        let new = NewTag::from_json(Json::from(&json!(body)), Pointer::ROOT, &mut faults);
        let aliases = read_all::<TagName>(record.list(Field::Aliases), "aliases", &mut faults);
        let mut all: Vec<RowFault> = faults.iter().map(|fault| self.fault(record, fault)).collect();
        let name = new.as_ref().map(|new| folded(&new.name));
        let mut known: Vec<String> = name.into_iter().collect();
        let mut aliases = aliases.unwrap_or_default();
        // Each once, and none that is the name.
        aliases.retain(|alias| {
            let alias = folded(alias);
            let is_new = !known.contains(&alias);
            known.extend(is_new.then_some(alias));
            is_new
        });
        for (nth, name) in known.into_iter().enumerate() {
            if let Some(before) = self.named_once(record, name) {
                let field = if nth == 0 { Field::Title } else { Field::Aliases };
                all.push(self.at(record, field, format!("Row {before} has the same name.")));
            }
        }
        if !all.is_empty() {
            wrong.extend(all);
            return None;
        }
        Some(ImportedTag { new: new?, aliases })
    }
}

/// A colour with the sign before it that people leave out.
fn color(text: &str) -> String {
    let is_bare = text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_bare { format!("#{text}") } else { text.to_owned() }
}
