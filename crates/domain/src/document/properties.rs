//! The properties of a document: what is known of it beside its text.

use std::ops::RangeInclusive;

use jiff::Timestamp;
use macros::Body;

use super::{Document, DocumentStatus};
use crate::change::{Change, merge};
use crate::error::Error;
use crate::error_code::ErrorCode;
use crate::fault::{FaultCode, Faults};
use crate::ids::UserId;
use crate::person::{self, Person};
use crate::schema::TextSchema;
use crate::tag::{self, TagName};
use crate::text::{Line, ProseOrEmpty, at_most, texts};

/// The days from one review or acknowledgement to the next: up to ten years.
pub(super) const DAYS: RangeInclusive<i64> = 1..=3_660;

/// The most characters of a tag of a language: what RFC 5646 (4.4.1) asks implementations to keep room for.
const LANGUAGE_CHARACTERS: usize = 35;

crate::words! {
    "Classification"
    /// Who may have a document. It is printed and restricts nothing.
    pub enum Classification {
        /// Anyone.
        Public = "public",
        /// The organization.
        Internal = "internal",
        /// Those who need it.
        Confidential = "confidential",
        /// Those who are named.
        Secret = "secret",
    }
}

#[expect(clippy::derivable_impls, reason = "`words!` derives no default")]
impl Default for Classification {
    fn default() -> Self {
        Self::Internal
    }
}

/// The tag of a language (BCP 47), such as `en` or `de-CH`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Language(String);

impl Default for Language {
    fn default() -> Self {
        Self::from("en")
    }
}

texts! {
    () Language = language,
        TextSchema::of(2, LANGUAGE_CHARACTERS, "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$").such_as("en");
}

/// Checks the form of a tag: parts of 1 to 8 letters and digits, the first of 2 to 8 letters.
fn language(text: &str, pointer: &str, faults: &mut Faults) {
    at_most(text, LANGUAGE_CHARACTERS, pointer, faults);
    let mut parts = text.split('-');
    let is_language = |part: &str| part.len() >= 2 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_part =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !parts.next().is_some_and(|first| is_language(first) && is_part(first)) || !parts.all(is_part) {
        faults.add(pointer, FaultCode::Format, "must be the tag of a language, such as en or de-CH");
    }
}

/// A merge patch (RFC 7396) of the properties that are not part of what is approved: absent members stay as they are, null
/// clears.
#[derive(Debug, Clone, PartialEq, Eq, Default, Body)]
#[body(patch, name = "DocumentPropertiesPatch")]
pub struct PropertiesPatch {
    /// Markdown, at most 64 KiB.
    #[body(example = "Who may sign in to what, and how.")]
    pub description: Option<ProseOrEmpty>,
    /// The owner's id: a member of the organization.
    pub owner: Change<UserId>,
    /// The names of all its tags, without regard to case. Those that it has and that are left out are taken off.
    #[body(read = tag::read_names, most = tag::MAX_PER_RECORD)]
    pub tags: Option<Vec<TagName>>,
    /// What was in force before, one line.
    pub earlier: Change<Line>,
    /// Days from one review to the next.
    #[body(range = DAYS)]
    pub review_every_days: Change<i64>,
    /// Days after which everybody acknowledges the same version again.
    #[body(range = DAYS)]
    pub acknowledge_every_days: Change<i64>,
}

impl PropertiesPatch {
    /// The merged record, changed at `at`, or `None` when nothing changes. `owner` is the member that the field names, and
    /// `faults` are those of its tags, which are no part of the record.
    pub fn apply(
        &self,
        before: &Document,
        owner: Option<Person>,
        at: Timestamp,
        mut faults: Faults,
    ) -> crate::Result<Option<Document>> {
        let owner = person::changed(&self.owner, &before.owner, owner, "#/owner", &mut faults);
        let mut merged = Document { owner, ..before.clone() };
        merge!(self into merged: description, earlier, review_every_days, acknowledge_every_days);
        let merged = merged.with_next_review();
        if faults.is_empty() && merged == *before {
            return Ok(None);
        }
        if faults.is_empty() && before.status == DocumentStatus::Archived {
            return Err(Error::Conflict(ErrorCode::DocumentArchived));
        }
        faults.or(Some(Document { updated_date: at, version: before.version + 1, ..merged }))
    }
}
