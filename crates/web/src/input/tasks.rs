//! What is sent about tasks.

use domain::Faults;
use domain::task::{self, NewTask, TaskPatch, TaskStatus};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::json::{Fields, FromJson, Json, Pointer};
use crate::http::word::{OneOf, word};

/// The members that only the service sets.
const READ_ONLY: &[&str] =
    &["number", "incident", "created_by", "created_date", "done_date", "updated_date", "version"];

/// A task to create.
#[derive(ToSchema)]
#[schema(as = NewTask)]
#[expect(dead_code, reason = "describes the body, which `read_new` reads")]
pub(crate) struct NewTaskInput {
    /// One line, not blank.
    #[schema(min_length = 1, max_length = 200, examples("Reset the passwords of the finance team"))]
    title: String,
    /// Markdown, at most 64 KiB.
    #[schema(max_length = 65536)]
    notes: Option<String>,
    /// The owner's id: a member of the organization.
    owner: Option<Uuid>,
    /// Until when.
    #[schema(value_type = Option<String>, format = DateTime)]
    due: Option<String>,
    /// Whether the incident cannot be closed while the task is open or in progress; false unless it is sent.
    mandatory: Option<bool>,
    /// Where it stands among the tasks of the incident; 1000 behind the last one unless it is sent.
    #[schema(minimum = 0, maximum = 1000000000)]
    position: Option<i64>,
}

/// A merge patch (RFC 7396) of a task: absent members stay as they are, null clears.
#[derive(ToSchema)]
#[schema(as = TaskPatch)]
#[expect(dead_code, reason = "describes the body, which `read_patch` reads")]
pub(crate) struct TaskPatchInput {
    /// One line, not blank.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 200)]
    title: Option<String>,
    /// Markdown, at most 64 KiB.
    #[schema(max_length = 65536)]
    notes: Option<String>,
    /// The owner's id: a member of the organization.
    owner: Option<Uuid>,
    /// Until when.
    #[schema(value_type = Option<String>, format = DateTime)]
    due: Option<String>,
    /// Whether the incident cannot be closed while the task is open or in progress.
    #[schema(value_type = bool, required = false)]
    mandatory: Option<bool>,
    /// `not_doing` needs a `reason`; another status clears it.
    #[schema(value_type = TaskStatusInput, required = false)]
    status: Option<TaskStatusInput>,
    /// Why it is not done; only with the status `not_doing`.
    #[schema(min_length = 1, max_length = 2000)]
    reason: Option<String>,
    /// Where it stands among the tasks of the incident. Between two others: a number between theirs.
    #[schema(value_type = i64, required = false, minimum = 0, maximum = 1000000000)]
    position: Option<i64>,
}

type TaskStatusInput = OneOf<TaskStatus>;

/// Reads a task to create.
pub fn read_new(body: Json<'_>, faults: &mut Faults) -> Option<NewTask> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let title = fields.required_text("title", task::title);
    let notes = fields.optional_text("notes", task::notes);
    let owner = fields.optional("owner");
    let due = fields.optional("due");
    let mandatory = fields.optional("mandatory").unwrap_or_default();
    let position = fields.optional_with("position", position);
    fields.read_only(READ_ONLY);
    fields.read_only(&["status", "reason"]);
    fields.finish();
    Some(NewTask { title: title?, notes, owner, due, mandatory, position })
}

/// Reads a merge patch of a task.
pub fn read_patch(body: Json<'_>, faults: &mut Faults) -> Option<TaskPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let patch = TaskPatch {
        title: fields.patch_set_text("title", task::title),
        notes: fields.patch_text("notes", task::notes),
        owner: fields.patch("owner"),
        due: fields.patch("due"),
        mandatory: fields.patch_set("mandatory"),
        status: fields.patch_set_with("status", word),
        reason: fields.patch_text("reason", task::reason),
        position: fields.patch_set_with("position", position),
    };
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(patch)
}

fn position(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<i64> {
    let position = i64::from_json(value, at, faults)?;
    let mut found = Faults::new();
    task::position(position, "", &mut found);
    faults.extend_at(at, found);
    Some(position)
}
