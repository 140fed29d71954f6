//! What is sent about entries of timelines.

use domain::Faults;
use domain::note::{self, EntryKind, EntryPatch, NewEntry};
use jiff::Timestamp;
use utoipa::ToSchema;

use crate::http::json::{Fields, Json, Pointer};
use crate::http::word::{OneOf, word};

/// The members that only the service sets; sending one is a fault.
const READ_ONLY: &[&str] = &[
    "number",
    "incident",
    "author",
    "created_date",
    "edited_date",
    "edited_by",
    "revision_count",
    "updated_date",
    "deleted_date",
    "version",
];

type EntryKindInput = OneOf<EntryKind>;

/// An entry to write into the timeline of an incident.
#[derive(ToSchema)]
#[schema(as = NewEntry)]
#[expect(dead_code, reason = "describes the body, which `read_new` reads")]
pub(crate) struct NewEntryInput {
    /// What it tells of.
    kind: EntryKindInput,
    /// Markdown, not blank, at most 64 KiB.
    #[schema(min_length = 1, max_length = 65536, examples("The sender is blocked at the mail gateway."))]
    text: String,
    /// The time that it speaks of; now by default.
    #[schema(value_type = Option<String>, format = DateTime)]
    at: Option<String>,
    /// Whether it is among the most important ones.
    pinned: Option<bool>,
}

/// A merge patch (RFC 7396) of an entry: absent members stay as they are.
#[derive(ToSchema)]
#[schema(as = EntryPatch)]
#[expect(dead_code, reason = "describes the body, which `read_patch` reads")]
pub(crate) struct EntryPatchInput {
    /// What it tells of.
    #[schema(value_type = EntryKindInput, required = false)]
    kind: Option<EntryKindInput>,
    /// Markdown, not blank, at most 64 KiB.
    #[schema(
        value_type = String,
        required = false,
        min_length = 1,
        max_length = 65536,
        examples("The sender and its domain are blocked at the mail gateway.")
    )]
    text: Option<String>,
    /// The time that it speaks of.
    #[schema(value_type = String, required = false, format = DateTime)]
    at: Option<String>,
    /// Whether it is among the most important ones. Everybody who may change the incident may set this.
    #[schema(value_type = bool, required = false)]
    pinned: Option<bool>,
}

/// Reads an entry to write.
pub fn read_new(body: Json<'_>, now: Timestamp, faults: &mut Faults) -> Option<NewEntry> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let kind = fields.required_with("kind", word);
    let text = fields.required_text("text", note::text);
    let at = fields.optional("at");
    // The write checks this again with its exact time; it is checked here so that all faults are reported together.
    note::check_at(at, now, fields.faults());
    let pinned = fields.optional("pinned");
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(NewEntry { kind: kind?, text: text?, at, pinned: pinned.unwrap_or_default() })
}

/// Reads a merge patch of an entry.
pub fn read_patch(body: Json<'_>, faults: &mut Faults) -> Option<EntryPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let patch = EntryPatch {
        kind: fields.patch_set_with("kind", word),
        text: fields.patch_set_text("text", note::text),
        at: fields.patch_set("at"),
        pinned: fields.patch_set("pinned"),
    };
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(patch)
}
