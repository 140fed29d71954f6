//! The steps of an approval as responses show them.

use domain::document::{
    ApprovalStep, ApprovingPeople, Day, GivenApproval, NamedReplacement, StepState, StepWhen,
    StepWithApprovals,
};
use domain::{GroupId, Line, Prose, Reason, UserId};
use http::timestamp::Timestamp;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::{ActorView, PersonView};
use crate::users::RoleView;

type ApprovingPeopleView = OneOf<ApprovingPeople>;
type StepWhenView = OneOf<StepWhen>;
type StepStateView = OneOf<StepState>;

/// A step of the approval of a document.
#[derive(Serialize, ToSchema, View)]
#[schema(as = DocumentApprovalStep)]
#[view(ApprovalStep)]
pub(super) struct ApprovalStepView {
    /// What the step is called.
    #[schema(max_length = 80, examples("Management"))]
    name: Line<80>,
    /// Who approves in it.
    who: ApprovingPeopleView,
    /// Members with this role.
    role: Option<RoleView>,
    /// Members of this group.
    group: Option<GroupId>,
    /// These members.
    #[schema(max_items = 100)]
    users: Option<Vec<UserId>>,
    /// How many of them approve.
    #[schema(minimum = 1, maximum = 100)]
    needed: i64,
    /// When the step is needed.
    when: StepWhenView,
}

/// A step of the approval of a proposal.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ProposalApprovalStep)]
#[view(StepWithApprovals)]
pub(super) struct StepView {
    /// What the step is called.
    #[schema(max_length = 80, examples("Management"))]
    #[view(it.step.name)]
    name: Line<80>,
    /// Who approves in it.
    #[view(it.step.who)]
    who: ApprovingPeopleView,
    /// Members with this role.
    #[view(it.step.role)]
    role: Option<RoleView>,
    /// Members of this group.
    #[view(it.step.group)]
    group: Option<GroupId>,
    /// These members.
    #[schema(max_items = 100)]
    #[view(it.step.users)]
    users: Option<Vec<UserId>>,
    /// How many of them approve.
    #[schema(minimum = 1, maximum = 100)]
    #[view(it.step.needed)]
    needed: i64,
    /// When the step is needed.
    #[view(it.step.when)]
    when: StepWhenView,
    /// What became of it.
    state: StepStateView,
    /// Who approves in somebody's place in this proposal.
    #[schema(max_items = 100)]
    replacements: Vec<ReplacementView>,
    /// What was approved in it, in that order, also what is void.
    #[schema(max_items = 1000)]
    approvals: Vec<ApprovalView>,
}

/// A person who approves in the place of another one.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ApprovalReplacement)]
#[view(NamedReplacement)]
struct ReplacementView {
    /// Whom the step named.
    person: PersonView,
    /// Who approves instead.
    replacement: PersonView,
    /// Why.
    reason: Reason,
}

/// An approval of a proposal.
#[derive(Serialize, ToSchema, View)]
#[schema(as = GivenApproval)]
#[view(GivenApproval)]
pub(super) struct ApprovalView {
    /// Who approved, or recorded the decision.
    by: ActorView,
    /// The job title that they had then; null if they had none.
    job_title: Option<Line>,
    /// The person for whom a deputy approved.
    on_behalf_of: Option<PersonView>,
    /// When.
    at: Timestamp,
    /// The SHA-256 of the text that was approved.
    #[schema(
        max_length = 64,
        pattern = "^[0-9a-f]{64}$",
        examples("e7b9e35203a4b1d82384359e03969a4bec9f4abce5516e9ba7946cbb8cf84b4c")
    )]
    sha256: String,
    /// A note to the record, as Markdown.
    note: Option<Prose>,
    /// Whether the text was changed since, or the proposal returned: it counts no more.
    #[view(it.is_void)]
    void: bool,
    /// The decision of others that was recorded; null if somebody approved.
    #[view(recorded(it.decided_by, it.decided_date, it.minutes))]
    recorded: Option<RecordedView>,
}

/// A decision of people who do not sign in.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordedApproval)]
struct RecordedView {
    /// Who decided.
    #[schema(examples("The board"))]
    decided_by: Line,
    /// On which day.
    decided_date: Day,
    /// The reference of the minutes.
    #[schema(examples("Minutes 2026-03, item 4"))]
    minutes: Line,
}

fn recorded(
    decided_by: Option<Line>,
    decided_date: Option<Day>,
    minutes: Option<Line>,
) -> Option<RecordedView> {
    Some(RecordedView { decided_by: decided_by?, decided_date: decided_date?, minutes: minutes? })
}
