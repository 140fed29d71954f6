//! An exception to a document as responses show it.

use domain::decision::DecisionState;
use domain::document::Day;
use domain::{Line, Prose, Reason, RiskNumber};
use http::as_of::AsOfShown;
use http::timestamp::Timestamp;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use store::exceptions::ExceptionDetails;
use utoipa::ToSchema;

use crate::shared::{ActorView, RecordedView, recorded};

type StateView = OneOf<DecisionState>;

/// An exception to a document. What it says of the document is what was asked about, from the decision on what was decided about.
#[derive(Serialize, ToSchema, View)]
#[schema(as = PolicyException)]
#[view(ExceptionDetails)]
pub(super) struct ExceptionView {
    /// The number: counted from 1 for each organization.
    #[schema(minimum = 1)]
    #[view(it.exception.number)]
    number: i64,
    /// The slug of the document.
    #[schema(max_length = 80, examples("access-control"))]
    #[view(it.exception.document.clone())]
    document: String,
    /// The title of the document.
    document_title: Line,
    /// The published version that it is about.
    #[schema(minimum = 1)]
    #[view(it.exception.document_version)]
    document_version: i64,
    /// The id of the item that it is about; null if it is about the whole document.
    #[schema(max_length = 80, examples("mfa"))]
    #[view(it.exception.node_id.clone())]
    node_id: Option<String>,
    /// What became of it, as of today (UTC), or of the day of `as_of`.
    state: StateView,
    /// What differs, in one line.
    #[view(it.exception.title.clone())]
    title: Line,
    /// Why, as Markdown.
    #[view(it.exception.decision.reason.clone())]
    reason: Prose,
    /// How the document is complied with again, as Markdown.
    #[view(it.exception.plan.clone())]
    plan: Prose,
    /// The last day on which it holds (UTC).
    #[view(it.exception.decision.until.clone())]
    until: Day,
    /// The id of the risk that it leads to.
    #[view(it.exception.risk)]
    risk: Option<RiskNumber>,
    /// The number of the exception whose place it takes when it is accepted.
    #[schema(minimum = 1)]
    #[view(it.exception.replaces)]
    replaces: Option<i64>,
    /// Who asked for it.
    #[view(it.exception.decision.requested_by.clone())]
    requested_by: ActorView,
    /// When.
    #[view(it.exception.decision.requested_date)]
    requested_date: Timestamp,
    /// Why those may decide who have asked; null unless that was allowed.
    #[view(it.exception.decision.four_eyes_waived.clone())]
    four_eyes_waived: Option<Reason>,
    /// Who decided, or recorded the decision; null while nobody has.
    #[view(it.exception.decision.decided_by.clone())]
    decided_by: Option<ActorView>,
    /// When.
    #[view(it.exception.decision.decided_date)]
    decided_date: Option<Timestamp>,
    /// The decision of others that was recorded; null if somebody decided themselves.
    #[view(recorded(&it.exception.decision))]
    recorded: Option<RecordedView>,
    /// What was said with the decision, as Markdown.
    #[view(it.exception.decision.note.clone())]
    note: Option<Prose>,
    /// The version that prints something else for the item, or has it no longer; null unless it is stale because of that.
    #[schema(minimum = 1)]
    #[view(it.exception.stale_by)]
    stale_by: Option<i64>,
    /// Why it was revoked.
    #[view(it.exception.decision.end_reason.clone())]
    end_reason: Option<Prose>,
    /// Who withdrew, replaced or revoked it.
    #[view(it.exception.decision.ended_by.clone())]
    ended_by: Option<ActorView>,
    /// When.
    #[view(it.exception.decision.ended_date)]
    ended_date: Option<Timestamp>,
    /// The point in time that the response shows, if `as_of` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Timestamp, required = false)]
    #[view(None)]
    as_of: Option<Timestamp>,
    /// The journal entry whose state the response shows, if `as_of_seq` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    #[view(None)]
    as_of_seq: Option<i64>,
}

impl ExceptionView {
    /// The same with the requested point in time.
    pub(super) fn seen(self, named: AsOfShown) -> Self {
        Self { as_of: named.as_of, as_of_seq: named.as_of_seq, ..self }
    }
}
