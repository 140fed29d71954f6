//! What is sent about comments.

use domain::Faults;
use domain::note::{self, CommentPatch, NewComment};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::json::{Fields, Json, Pointer};

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

/// A comment to write.
#[derive(ToSchema)]
#[schema(as = NewComment)]
#[expect(dead_code, reason = "describes the body, which `read_new` reads")]
pub(crate) struct NewCommentInput {
    /// Markdown, not blank, at most 64 KiB.
    #[schema(min_length = 1, max_length = 65536, examples("Two more people have opened the attachment."))]
    text: String,
    /// The ids of the members whom it mentions. A mention gives no access.
    #[schema(max_items = 50)]
    mentions: Option<Vec<Uuid>>,
}

/// A merge patch (RFC 7396) of a comment: absent members stay as they are.
#[derive(ToSchema)]
#[schema(as = CommentPatch)]
#[expect(dead_code, reason = "describes the body, which `read_patch` reads")]
pub(crate) struct CommentPatchInput {
    /// Markdown, not blank, at most 64 KiB.
    #[schema(
        value_type = String,
        required = false,
        min_length = 1,
        max_length = 65536,
        examples("Three more people have opened the attachment.")
    )]
    text: Option<String>,
    /// The ids of all members whom it mentions.
    #[schema(value_type = Vec<Uuid>, required = false, max_items = 50)]
    mentions: Option<Vec<Uuid>>,
}

/// Reads a comment to write.
pub fn read_new(body: Json<'_>, faults: &mut Faults) -> Option<NewComment> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let text = fields.required_text("text", note::text);
    let mentions = fields.optional("mentions");
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(NewComment { text: text?, mentions: mentions.unwrap_or_default() })
}

/// Reads a merge patch of a comment.
pub fn read_patch(body: Json<'_>, faults: &mut Faults) -> Option<CommentPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let patch = CommentPatch {
        text: fields.patch_set_text("text", note::text),
        mentions: fields.patch_set("mentions"),
    };
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(patch)
}
