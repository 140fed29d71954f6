//! Tags: short names that go on incidents and risks.

use jiff::Timestamp;
use serde::Serialize;

use crate::fault::{FaultCode, Faults};
use crate::ids::TagId;
use crate::text;

/// The most characters of a tag's name.
pub const NAME_CHARACTERS: usize = 50;

/// The most tags on one record.
pub const MAX_PER_RECORD: i64 = 50;

/// The colour of a tag that was given none.
pub const DEFAULT_COLOR: &str = "#64748b";

/// A tag of an organization. Its name is unique there in its [`text::folded`] form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Its id.
    pub id: TagId,
    /// Its name, as it was written.
    pub name: String,
    /// `#rrggbb`.
    pub color: String,
    /// What it is for.
    pub description: Option<String>,
    /// When it was made.
    pub created_date: Timestamp,
    /// When it was last changed.
    pub updated_date: Timestamp,
    /// Counts its changes from 1.
    pub version: i64,
    /// The journal's number of its latest change.
    pub seq_from: i64,
}

/// A tag as it is shown on a record: today's name and colour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TagLabel {
    /// Its id.
    pub id: TagId,
    /// Its name.
    pub name: String,
    /// `#rrggbb`.
    pub color: String,
}

/// A tag that is about to be made. Each field has passed its check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTag {
    /// See [`name`].
    pub name: String,
    /// See [`color`].
    pub color: Option<String>,
    /// See [`description`].
    pub description: Option<String>,
}

impl NewTag {
    /// The record, made at `at`. The journal's number is still 0.
    pub fn create(&self, id: TagId, at: Timestamp) -> Tag {
        Tag {
            id,
            name: self.name.clone(),
            color: self.color.clone().unwrap_or_else(|| DEFAULT_COLOR.to_owned()),
            description: self.description.clone(),
            created_date: at,
            updated_date: at,
            version: 1,
            seq_from: 0,
        }
    }
}

/// Checks a tag's name.
pub fn name(text: &str, pointer: &str, faults: &mut Faults) {
    text::filled_one_line(text, pointer, faults);
    text::at_most(text, NAME_CHARACTERS, pointer, faults);
}

/// Checks the names of tags for one record.
pub fn names(sent: &[String], pointer: &str, faults: &mut Faults) {
    for (place, text) in sent.iter().enumerate() {
        name(text, &format!("{pointer}/{place}"), faults);
    }
    if i64::try_from(sent.len()).is_ok_and(|count| count > MAX_PER_RECORD) {
        faults.add(pointer, FaultCode::TooMany, format_args!("must have at most {MAX_PER_RECORD} members"));
    }
}

/// Checks a tag's description.
pub fn description(text: &str, pointer: &str, faults: &mut Faults) {
    text::prose(text, pointer, faults);
}

/// Checks a colour: `#` and six hexadecimal digits.
pub fn color(text: &str, pointer: &str, faults: &mut Faults) {
    let digits = text.strip_prefix('#').unwrap_or_default();
    if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        faults.add(pointer, FaultCode::Format, "must be a colour such as #64748b");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_color_has_six_digits() {
        let ok = |text: &str| {
            let mut faults = Faults::new();
            color(text, "#/color", &mut faults);
            faults.is_empty()
        };
        assert!(ok("#64748b") && ok("#ABCDEF"));
        assert!(!ok("64748b") && !ok("#64748") && !ok("#64748bb") && !ok("#64748g") && !ok("") && !ok("red"));
    }

    #[test]
    fn a_name_has_1_to_50_characters() {
        let codes = |text: &str| {
            let mut faults = Faults::new();
            name(text, "#/name", &mut faults);
            faults.into_vec().into_iter().map(|fault| fault.code).collect::<Vec<_>>()
        };
        assert_eq!(codes(&"é".repeat(50)), []);
        assert_eq!(codes(&"é".repeat(51)), [FaultCode::TooLong]);
        assert_eq!(codes(""), [FaultCode::Blank]);
    }

    #[test]
    fn a_tag_without_a_color_gets_the_default() {
        let new = NewTag { name: "phishing".into(), color: None, description: None };
        let tag = new.create(TagId(uuid::Uuid::nil()), Timestamp::UNIX_EPOCH);
        assert_eq!((tag.color.as_str(), tag.version), ("#64748b", 1));
    }
}
