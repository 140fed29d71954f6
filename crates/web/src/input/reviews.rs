//! What is sent about reviews.

use domain::review::{self, Action, MAX_ACTIONS, ReviewPatch, ReviewState};
use domain::{FaultCode, Faults};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::json::{Fields, FromJson, Json, Pointer, array};
use crate::http::word::{OneOf, word};

/// The members that only the service sets.
const READ_ONLY: &[&str] = &[
    "incident",
    "edition",
    "missing",
    "created_by",
    "created_date",
    "published_date",
    "updated_date",
    "version",
];

/// A merge patch (RFC 7396) of a review: absent members stay as they are, null clears.
#[derive(ToSchema)]
#[schema(as = ReviewPatch)]
#[expect(dead_code, reason = "describes the body, which `read_patch` reads")]
pub(crate) struct ReviewPatchInput {
    /// The owner's id: a member of the organization, who sees to it that the review is written.
    owner: Option<Uuid>,
    /// What happened, as Markdown, at most 64 KiB.
    #[schema(
        min_length = 1,
        max_length = 65536,
        examples("Three people entered their passwords on a copy of our sign-in page.")
    )]
    summary: Option<String>,
    /// Why it happened, as Markdown, at most 64 KiB. "Not found, because…" is an answer.
    #[schema(min_length = 1, max_length = 65536)]
    root_cause: Option<String>,
    /// What made it more likely or worse, as Markdown, at most 64 KiB.
    #[schema(min_length = 1, max_length = 65536)]
    contributing_factors: Option<String>,
    /// Whom and what it affected, as Markdown, at most 64 KiB.
    #[schema(min_length = 1, max_length = 65536)]
    impact: Option<String>,
    /// What went well, as Markdown, at most 64 KiB.
    #[schema(min_length = 1, max_length = 65536)]
    went_well: Option<String>,
    /// What was learned, as Markdown, at most 64 KiB.
    #[schema(min_length = 1, max_length = 65536)]
    lessons: Option<String>,
    /// What is to be done: the whole list.
    #[schema(value_type = Vec<NewActionInput>, required = false, max_items = 50)]
    actions: Option<Vec<NewActionInput>>,
    /// `published` freezes the edition; another state of a published review begins the next edition.
    #[schema(value_type = ReviewStateInput, required = false)]
    state: Option<ReviewStateInput>,
}

type ReviewStateInput = OneOf<ReviewState>;

/// Something to be done.
#[derive(ToSchema)]
#[schema(as = NewReviewAction)]
#[expect(dead_code, reason = "describes the body, which `action` reads")]
pub(crate) struct NewActionInput {
    /// One line, not blank.
    #[schema(min_length = 1, max_length = 200, examples("Turn on a second factor for the mail accounts"))]
    title: String,
    /// The owner's id: a member of the organization.
    owner: Option<Uuid>,
    /// Until when.
    #[schema(value_type = Option<String>, format = DateTime)]
    due: Option<String>,
    /// The number of the task of the incident that it is.
    #[schema(minimum = 1)]
    task: Option<i64>,
}

/// Reads a merge patch of a review.
pub fn read_patch(body: Json<'_>, faults: &mut Faults) -> Option<ReviewPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let patch = ReviewPatch {
        owner: fields.patch("owner"),
        summary: fields.patch_text("summary", review::section),
        root_cause: fields.patch_text("root_cause", review::section),
        contributing_factors: fields.patch_text("contributing_factors", review::section),
        impact: fields.patch_text("impact", review::section),
        went_well: fields.patch_text("went_well", review::section),
        lessons: fields.patch_text("lessons", review::section),
        actions: fields.patch_set_with("actions", actions),
        state: fields.patch_set_with("state", word),
    };
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(patch)
}

fn actions(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Vec<Action>> {
    let items = array(value, at, faults)?;
    if items.len() > MAX_ACTIONS {
        faults.add(at, FaultCode::TooMany, format_args!("must have at most {MAX_ACTIONS} elements"));
        return None;
    }
    let count = items.len();
    let read: Vec<Action> = items
        .into_iter()
        .enumerate()
        .filter_map(|(index, item)| action(item, &at.index(index), faults))
        .collect();
    (read.len() == count).then_some(read)
}

fn action(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Action> {
    let mut fields = Fields::of(value, at, faults)?;
    let title = fields.required_text("title", review::action_title);
    let (owner, due) = (fields.optional("owner"), fields.optional("due"));
    let task = fields.optional_with("task", task_number);
    fields.read_only(&["number"]);
    fields.finish();
    Some(Action { title: title?, owner, due, task })
}

fn task_number(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<i64> {
    let number = i64::from_json(value, at, faults)?;
    if number < 1 {
        faults.add(at, FaultCode::Range, "must be at least 1");
    }
    Some(number)
}
