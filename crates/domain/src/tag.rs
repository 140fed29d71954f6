//! Tags: short names that go on incidents and risks.

use jiff::Timestamp;
use macros::Body;
use serde::Serialize;

use crate::change::{Change, merge};
use crate::fault::{FaultCode, Faults};
use crate::ids::TagId;
use crate::json::{self, FromJson as _, Json, Pointer};
use crate::schema::TextSchema;
use crate::text::{self, Line, ProseOrEmpty};

/// The most characters of a tag's name.
pub const NAME_CHARACTERS: usize = 50;

/// The most tags on one record.
pub const MAX_PER_RECORD: usize = 50;

/// The colour of a tag that was given none.
pub const DEFAULT_COLOR: &str = "#64748b";

/// A tag of an organization. Its name is unique there in its [`text::folded`] form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Its id.
    pub id: TagId,
    /// Its name, as it was written.
    pub name: TagName,
    /// `#rrggbb`.
    pub color: Color,
    /// What it is for, as Markdown.
    pub description: Option<ProseOrEmpty>,
    /// The tag that it was merged into. Its name leads there.
    pub merged_into: Option<TagId>,
    /// When it was deleted or merged. The past still shows it.
    pub deleted_date: Option<Timestamp>,
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
    pub name: TagName,
    /// `#rrggbb`.
    pub color: Color,
}

/// The name of a tag: one line, not blank.
pub type TagName = Line<NAME_CHARACTERS>;

/// A colour as `#rrggbb`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Color(String);

text::texts! {
    () Color = color, TextSchema::of(0, 7, "^#[0-9a-fA-F]{6}$").such_as(DEFAULT_COLOR);
}

/// The members that only the service sets.
const READ_ONLY: &[&str] = &["id", "created_date", "updated_date", "version"];

/// A tag to create.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(read_only = READ_ONLY)]
pub struct NewTag {
    /// Its name, unique in the organization without regard to case, forms of letters and characters that nobody sees.
    #[body(example = "phishing")]
    pub name: TagName,
    /// The colour, as `#rrggbb`; `#64748b` by default.
    #[body(example = "#64748b")]
    pub color: Option<Color>,
    /// The purpose of the tag, as Markdown, at most 64 KiB.
    #[body(example = "Mail that asks for credentials.")]
    pub description: Option<ProseOrEmpty>,
}

/// A merge patch (RFC 7396) of a tag: absent members stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Body)]
#[body(patch, read_only = READ_ONLY)]
pub struct TagPatch {
    /// Its name, unique in the organization without regard to case, forms of letters and characters that nobody sees.
    #[body(example = "phishing")]
    pub name: Option<TagName>,
    /// The colour, as `#rrggbb`.
    #[body(example = "#64748b")]
    pub color: Option<Color>,
    /// The purpose of the tag, as Markdown, at most 64 KiB.
    #[body(example = "Mail that asks for credentials.")]
    pub description: Change<ProseOrEmpty>,
}

impl TagPatch {
    /// The tag with the patch, changed at `at`; none if it changes nothing.
    pub fn apply(&self, before: &Tag, at: Timestamp) -> Option<Tag> {
        let mut after = before.clone();
        merge!(self into after: name, color, description);
        (after != *before).then(|| after.changed(at))
    }
}

/// The tag that another one is merged into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Body)]
pub struct TagMerge {
    /// The id of the tag that stays.
    pub into: TagId,
}

impl Tag {
    /// The same, changed at `at`.
    fn changed(self, at: Timestamp) -> Self {
        Self { updated_date: at, version: self.version + 1, ..self }
    }

    /// The tag after it was deleted at `at`, or merged into another one.
    #[must_use]
    pub fn removed(self, into: Option<TagId>, at: Timestamp) -> Self {
        Self { merged_into: into, deleted_date: Some(at), ..self.changed(at) }
    }
}

/// A tag to add or remove.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Body)]
pub struct TagReference {
    /// The id of a tag of the organization.
    pub tag_id: TagId,
}

impl NewTag {
    /// The record, made at `at`. The journal's number is still 0.
    pub fn create(&self, id: TagId, at: Timestamp) -> Tag {
        Tag {
            id,
            name: self.name.clone(),
            color: self.color.clone().unwrap_or_else(|| DEFAULT_COLOR.into()),
            description: self.description.clone(),
            merged_into: None,
            deleted_date: None,
            created_date: at,
            updated_date: at,
            version: 1,
            seq_from: 0,
        }
    }
}

/// Reads the names of tags for one record.
pub fn read_names(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Vec<TagName>> {
    let names = json::array(value, at, faults)?;
    if names.len() > MAX_PER_RECORD {
        faults.add(at, FaultCode::TooMany, format_args!("must have at most {MAX_PER_RECORD} members"));
    }
    json::items_of(names, at, faults, TagName::from_json)
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
            TagName::new(text.to_owned(), "#/name", &mut faults);
            faults.into_vec().into_iter().map(|fault| fault.code).collect::<Vec<_>>()
        };
        assert_eq!(codes(&"é".repeat(50)), []);
        assert_eq!(codes(&"é".repeat(51)), [FaultCode::TooLong]);
        assert_eq!(codes(""), [FaultCode::Blank]);
    }

    #[test]
    fn a_tag_without_a_color_gets_the_default() {
        let new = NewTag { name: TagName::stored("phishing"), color: None, description: None };
        let tag = new.create(TagId(uuid::Uuid::nil()), Timestamp::UNIX_EPOCH);
        assert_eq!((tag.color.as_str(), tag.version), ("#64748b", 1));
    }
}
