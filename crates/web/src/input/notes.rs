//! What is sent about notes.

use domain::note::{self, NewNote, NoteKind, NotePatch, Sent};
use domain::{Faults, Prose, UserId};
use jiff::Timestamp;
use utoipa::ToSchema;
use uuid::Uuid;

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
    "warnings",
];

type NoteKindInput = OneOf<NoteKind>;

/// A note to write. A comment has no `at` and no `pinned`, and the other kinds have no `mentions`.
#[derive(ToSchema)]
#[schema(as = NewNote)]
#[expect(dead_code, reason = "describes the body, which `read_new` reads")]
pub(crate) struct NewNoteInput {
    /// What it tells of.
    kind: NoteKindInput,
    /// Markdown, not blank, at most 64 KiB.
    #[schema(min_length = 1, max_length = 65536, examples("The sender is blocked at the mail gateway."))]
    text: String,
    /// The time that it speaks of; now by default.
    #[schema(value_type = Option<String>, format = DateTime)]
    at: Option<String>,
    /// Whether it is among the most important ones.
    pinned: Option<bool>,
    /// Of a comment: the ids of the members whom it mentions. A mention gives no access.
    #[schema(max_items = 50)]
    mentions: Option<Vec<Uuid>>,
}

/// A merge patch (RFC 7396) of a note: absent members stay as they are.
#[derive(ToSchema)]
#[schema(as = NotePatch)]
#[expect(dead_code, reason = "describes the body, which `read_patch` reads")]
pub(crate) struct NotePatchInput {
    /// What it tells of. A comment stays one, and nothing else becomes one.
    #[schema(value_type = NoteKindInput, required = false)]
    kind: Option<NoteKindInput>,
    /// Markdown, not blank, at most 64 KiB.
    #[schema(
        value_type = String,
        required = false,
        min_length = 1,
        max_length = 65536,
        examples("The sender and its domain are blocked at the mail gateway.")
    )]
    text: Option<String>,
    /// The time that it speaks of; a comment has none.
    #[schema(value_type = String, required = false, format = DateTime)]
    at: Option<String>,
    /// Whether it is among the most important ones; a comment never is. Everybody who may change the incident may set this.
    #[schema(value_type = bool, required = false)]
    pinned: Option<bool>,
    /// Of a comment: the ids of all members whom it mentions.
    #[schema(value_type = Vec<Uuid>, required = false, max_items = 50)]
    mentions: Option<Vec<Uuid>>,
}

/// Reads a note to write.
pub fn read_new(body: Json<'_>, now: Timestamp, faults: &mut Faults) -> Option<NewNote> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let kind = fields.required_with("kind", word::<NoteKind>);
    let text = fields.required::<Prose>("text");
    let sent = Sent { at: fields.has("at"), pinned: fields.has("pinned"), mentions: fields.has("mentions") };
    let (at, pinned, mentions) =
        (fields.optional("at"), fields.optional("pinned"), fields.optional::<Vec<UserId>>("mentions"));
    // The write checks both again with its exact time; here, so that all faults are reported together.
    note::check_at(at, now, fields.faults());
    if let Some(kind) = kind {
        kind.check_members(sent, fields.faults());
    }
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(NewNote { kind: kind?, text: text?, at, pinned, mentions })
}

/// Reads a merge patch of a note.
pub fn read_patch(body: Json<'_>, faults: &mut Faults) -> Option<NotePatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let patch = NotePatch {
        kind: fields.patch_set_with("kind", word),
        text: fields.patch_set("text"),
        at: fields.patch_set("at"),
        pinned: fields.patch_set("pinned"),
        mentions: fields.patch_set("mentions"),
    };
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(patch)
}
