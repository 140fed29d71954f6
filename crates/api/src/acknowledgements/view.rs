//! Acknowledgements as responses show them.

use domain::acknowledgement::{
    Acknowledgement, AcknowledgementRequest, AcknowledgementStatus, AskedPeople, Coverage, PersonCoverage,
    ToAcknowledge, Totals,
};
use domain::{AcknowledgementId, AcknowledgementRequestId, GroupId, Line, Reason, UserId};
use http::timestamp::Timestamp;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::{ActorView, PersonView};
use crate::users::RoleView;

type AskedPeopleView = OneOf<AskedPeople>;

type StatusView = OneOf<AcknowledgementStatus>;

/// A request to acknowledge a document. It stays in force when a newer version is published.
#[derive(Serialize, ToSchema, View)]
#[schema(as = AcknowledgementRequest, examples(json!({"document": "access-control", "who": "all", "due_days": 14})))]
#[view(AcknowledgementRequest)]
pub(crate) struct RequestView {
    /// Its id.
    id: AcknowledgementRequestId,
    /// The document's slug.
    #[schema(max_length = 80)]
    document: String,
    /// The newest version when the request was made.
    #[schema(minimum = 1)]
    document_version: i64,
    /// Whom it means, also those of whom this becomes true later.
    who: AskedPeopleView,
    /// Members with this role.
    role: Option<RoleView>,
    /// Members of this group.
    group: Option<GroupId>,
    /// These members.
    #[schema(max_items = 500)]
    users: Vec<UserId>,
    /// Within so many days of being asked they have to acknowledge; null: there is no date.
    #[schema(minimum = 1, maximum = 366)]
    due_days: Option<i64>,
    /// Who made it.
    created_by: ActorView,
    /// When it was made.
    created_date: Timestamp,
    /// When it was ended; null while it asks people.
    ended_date: Option<Timestamp>,
}

/// An acknowledgement. It never changes.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Acknowledgement, examples(json!({"document": "access-control"})))]
#[view(Acknowledgement)]
pub(crate) struct AcknowledgementView {
    /// Its id.
    id: AcknowledgementId,
    /// The document's slug.
    #[schema(max_length = 80)]
    document: String,
    /// The version.
    #[schema(minimum = 1)]
    document_version: i64,
    /// The SHA-256 of its text.
    #[schema(
        max_length = 64,
        pattern = "^[0-9a-f]{64}$",
        examples("e7b9e35203a4b1d82384359e03969a4bec9f4abce5516e9ba7946cbb8cf84b4c")
    )]
    sha256: String,
    /// The id of the user who acknowledged it.
    #[view(it.person)]
    user: UserId,
    /// The name or the place of the signed paper; null if it was not given on paper.
    on_paper: Option<Line>,
    /// Who recorded it: the user, unless it was given on paper.
    recorded_by: ActorView,
    /// When it was recorded.
    created_date: Timestamp,
}

/// A person who is asked to acknowledge a document.
#[derive(Serialize, ToSchema)]
#[schema(as = AcknowledgementCoverage)]
pub(crate) struct CoverageView {
    /// The person.
    user: PersonView,
    /// Whether they have acknowledged it.
    status: StatusView,
    /// Since when they are asked, if they have not acknowledged it and can sign in.
    asked_date: Option<Timestamp>,
    /// Until when they have time; null: there is no date, or they are covered or not reached.
    due_date: Option<Timestamp>,
    /// The version whose acknowledgement counts; null if they are not covered.
    #[schema(minimum = 1)]
    acknowledged_version: Option<i64>,
    /// When they acknowledged it.
    acknowledged_date: Option<Timestamp>,
    /// The name or the place of the signed paper; null if it was not given on paper.
    on_paper: Option<Line>,
    /// When they are asked again, unless a material version is published before; null: not before.
    covered_until: Option<Timestamp>,
}

impl From<PersonCoverage> for CoverageView {
    fn from(it: PersonCoverage) -> Self {
        let (mut asked_date, mut due_date, mut given, mut covered_until) = (None, None, None, None);
        match it.coverage {
            Coverage::Covered { by, until } => (given, covered_until) = (Some(by), until),
            Coverage::Open { asked, due } => (asked_date, due_date) = (Some(asked), due),
            Coverage::NotAsked | Coverage::NotReached => {}
        }
        Self {
            user: it.person.into(),
            status: it.status.into(),
            asked_date: asked_date.map(Into::into),
            due_date: due_date.map(Into::into),
            acknowledged_version: given.map(|given| given.version),
            acknowledged_date: given.map(|given| given.at.into()),
            on_paper: it.on_paper,
            covered_until: covered_until.map(Into::into),
        }
    }
}

/// How many people are asked to acknowledge a document, and how many of those have each status. Each number is that of the rows
/// of the list with this status.
#[derive(Serialize, ToSchema, View)]
#[schema(as = AcknowledgementTotals, examples(json!({"asked": 120, "covered": 40, "open": 60, "overdue": 18, "not_reached": 2})))]
#[view(Totals)]
pub(crate) struct TotalsView {
    /// Everybody who is asked.
    #[schema(minimum = 0)]
    asked: i64,
    /// Those who have acknowledged it.
    #[schema(minimum = 0)]
    covered: i64,
    /// Those who still have time.
    #[schema(minimum = 0)]
    open: i64,
    /// Those whose time is over.
    #[schema(minimum = 0)]
    overdue: i64,
    /// Those who cannot sign in, because they have not accepted an invitation.
    #[schema(minimum = 0)]
    not_reached: i64,
}

/// A document that the caller has to acknowledge.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ToAcknowledge, examples(json!({"document": "access-control", "title": "Access control policy"})))]
#[view(ToAcknowledge)]
pub(crate) struct ToAcknowledgeView {
    /// The document's slug.
    #[schema(max_length = 80)]
    document: String,
    /// Its title.
    #[schema(max_length = 500)]
    title: String,
    /// The newest version.
    #[schema(minimum = 1)]
    document_version: i64,
    /// The SHA-256 of its text.
    #[schema(
        max_length = 64,
        pattern = "^[0-9a-f]{64}$",
        examples("e7b9e35203a4b1d82384359e03969a4bec9f4abce5516e9ba7946cbb8cf84b4c")
    )]
    sha256: String,
    /// The latest version that the caller has acknowledged; null if they never have.
    #[schema(minimum = 1)]
    acknowledged_version: Option<i64>,
    /// The latest reason of a material version since then; null without a reason or without such a version.
    material_reason: Option<Reason>,
    /// Where `GET` compares the newest version with the acknowledged one; null if there is none, or it is the newest.
    #[schema(max_length = 512)]
    #[view(None)]
    pub(super) difference_path: Option<String>,
    /// Since when the caller is asked.
    asked_date: Timestamp,
    /// Until when the caller has time; null: there is no date.
    due_date: Option<Timestamp>,
    /// Whether that time is over.
    #[view(it.is_overdue)]
    overdue: bool,
}
