//! An incident as responses show it.

use domain::incident::{
    self, Category, Hold, Kind, MAX_MESSAGE_BYTES, MAX_MESSAGES, ReportedField, Requirement,
    ResolutionReason, Spell, Status, Warning,
};
use domain::severity::{Severity, SeveritySource};
use domain::{IncidentNumber, Line, LineOrEmpty, Prose, ProseOrEmpty, Reason};
use http::answer::Answer;
use http::as_of::AsOfShown;
use http::error::Result;
use http::timestamp::Timestamp;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use store::incidents::{IncidentDetails, Kept, LeftOut};
use utoipa::ToSchema;

use crate::severity::view::REASONING;
use crate::shared::{ActorView, PersonView};
use crate::tags::TagLabelView;

/// An incident.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Incident, examples(json!({
    "title": "Phishing mail to the finance team", "description": "Three people clicked.", "source": "mail gateway",
    "severity": "high", "severity_reasoning": REASONING, "severity_source": "computed",
    "occurred_date": "2026-02-28T22:15:00.000000Z", "detected_date": "2026-03-01T08:40:00.000000Z",
    "responded_date": "2026-03-01T08:55:00.000000Z", "contained_date": "2026-03-01T11:20:00.000000Z",
    "first_contained_date": "2026-03-01T11:20:00.000000Z", "updated_date": "2026-03-01T11:20:00.000000Z",
    "hold": null, "overridden": [], "kept": [], "warnings": [],
})))]
#[view((IncidentDetails { incident: it, readers, tags, spells }, at): (IncidentDetails, jiff::Timestamp))]
pub(crate) struct IncidentView {
    /// `INC-` and the number, padded to at least four digits.
    #[view(it.number)]
    id: IncidentNumber,
    /// The title, one line.
    title: Line,
    /// The description, as Markdown.
    description: ProseOrEmpty,
    /// The incident's status.
    status: StatusView,
    /// Whether work on it goes on.
    #[view(it.status.category())]
    category: CategoryView,
    /// When the status started.
    #[view(it.status_date())]
    status_date: Timestamp,
    /// The reason that was given with the latest transition.
    status_reason: Option<Reason>,
    /// What kind of event it is.
    kind: KindView,
    /// How severe it is.
    severity: SeverityView,
    /// The explanation of the severity, as Markdown.
    severity_reasoning: Option<Prose>,
    /// How the severity came about; null as long as it is undetermined.
    severity_source: Option<SeveritySourceView>,
    /// Where it was detected.
    source: Option<LineOrEmpty>,
    /// Where it happened.
    location: Option<LineOrEmpty>,
    /// The system that reports it by its own reference.
    external_source: Option<Line>,
    /// That system's reference.
    external_ref: Option<Line>,
    /// The assignee.
    assigned_to: Option<PersonView>,
    /// Who declared the incident.
    opened_by: ActorView,
    /// Whether only its readers, its assignee, the person who declared it and holders of `incidents:restricted` see it.
    restricted: bool,
    /// The members who see it when it is restricted.
    #[schema(max_items = 50)]
    #[view(readers)]
    readers: Vec<PersonView>,
    /// Its tags, sorted by name.
    #[schema(max_items = 50)]
    #[view(tags)]
    tags: Vec<TagLabelView>,
    /// When the incident started.
    occurred_date: Option<Timestamp>,
    /// When it was detected.
    detected_date: Timestamp,
    /// When the response started.
    responded_date: Option<Timestamp>,
    /// When the incident was contained: its harm no longer grew.
    contained_date: Option<Timestamp>,
    /// When it was resolved.
    resolved_date: Option<Timestamp>,
    /// When it was closed or dismissed.
    closed_date: Option<Timestamp>,
    /// When it was contained for the first time; it may have been reopened since.
    #[view(it.first_contained_date())]
    first_contained_date: Option<Timestamp>,
    /// When it was resolved for the first time.
    #[view(it.first_resolved_date())]
    first_resolved_date: Option<Timestamp>,
    /// How often it was reopened.
    reopen_count: i64,
    /// What stood before each step back, the first one first; at most the latest 50. Absent in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<SpellView>, required = false, max_items = 50)]
    #[view(spells)]
    spells: Option<Vec<SpellView>>,
    /// Why it was resolved or dismissed.
    resolution_reason: Option<ResolutionReasonView>,
    /// What was found and done, as Markdown.
    resolution_summary: Option<Prose>,
    /// What was missing when it was closed with an override.
    #[schema(max_items = 10)]
    overridden: Vec<RequirementView>,
    /// The original of the duplicate.
    duplicate_of: Option<IncidentNumber>,
    /// The pause of the work on it; null when there is none or it is over.
    #[view(it.hold_at(at).cloned())]
    hold: Option<HoldView>,
    /// Whether it may not be purged.
    legal_hold: bool,
    /// The reason given when the legal hold was last set or cleared.
    legal_hold_reason: Option<Reason>,
    /// When the incident was declared.
    created_date: Timestamp,
    /// When the incident was last changed; tags do not count as changes.
    updated_date: Timestamp,
    /// When the incident was deleted; absent if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Timestamp, required = false)]
    deleted_date: Option<Timestamp>,
    /// The fields that were changed after the external system sent them: its messages leave them as they are.
    #[schema(max_items = 20)]
    #[view(incident::kept(&it))]
    kept: Vec<ReportedFieldView>,
    /// The version: 1 at first, and 1 more with each change.
    #[schema(minimum = 1)]
    version: i64,
    /// Warnings about what is unlikely, but allowed.
    #[schema(max_items = 20)]
    #[view(incident::warnings(&it.dates()))]
    warnings: Vec<WarningView>,
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

pub(super) type StatusView = OneOf<Status>;
pub(super) type CategoryView = OneOf<Category>;
pub(super) type KindView = OneOf<Kind>;
pub(super) type SeverityView = OneOf<Severity>;
type SeveritySourceView = OneOf<SeveritySource>;
type ResolutionReasonView = OneOf<ResolutionReason>;
type RequirementView = OneOf<Requirement>;
type ReportedFieldView = OneOf<ReportedField>;

/// A pause of the work on an incident.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Hold)]
#[view(Hold)]
struct HoldView {
    /// When it started.
    since: Timestamp,
    /// Who set it, or changed it last.
    by: ActorView,
    /// When it ends; null: when someone ends it.
    until: Option<Timestamp>,
    /// Why.
    reason: Reason,
}

/// What stood before work went back a step.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Spell)]
#[view(Spell)]
pub(crate) struct SpellView {
    /// The status before the step.
    #[view(it.from)]
    from_status: StatusView,
    /// The status after the step.
    #[view(it.to)]
    to_status: StatusView,
    /// When the status after the step started.
    at: Timestamp,
    /// Why the step was made.
    reason: Option<Reason>,
    /// `contained_date` before the step.
    contained_date: Option<Timestamp>,
    /// `resolved_date` before the step.
    resolved_date: Option<Timestamp>,
    /// `closed_date` before the step.
    closed_date: Option<Timestamp>,
    /// `resolution_reason` before the step.
    resolution_reason: Option<ResolutionReasonView>,
    /// `resolution_summary` before the step.
    resolution_summary: Option<Prose>,
    /// `duplicate_of` before the step.
    duplicate_of: Option<IncidentNumber>,
}

/// Something unlikely that is allowed: two dates in this order, or what became of a message by reference.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentWarning)]
struct WarningView {
    /// Stable machine code.
    #[schema(pattern = "^[a-z_]{1,100}$", max_length = 100, examples("contained_before_detected"))]
    code: &'static str,
    /// The two dates, `tags` or `assigned_to`; none for a message about an incident that is not open.
    #[schema(value_type = Vec<String>, max_items = 2, max_length = 100)]
    fields: Vec<&'static str>,
    /// A sentence for a person.
    #[schema(max_length = 500, examples("It was contained before it was detected."))]
    message: String,
}

impl From<Warning> for WarningView {
    fn from(warning: Warning) -> Self {
        Self { code: warning.code, fields: warning.fields.to_vec(), message: warning.message }
    }
}

/// The incidents that the view of one names: itself, and those that it is or was a duplicate of.
pub(super) fn named(details: &IncidentDetails) -> Vec<IncidentNumber> {
    let IncidentDetails { incident, spells, .. } = details;
    let former = spells.iter().flatten().filter_map(|spell| spell.duplicate_of);
    std::iter::once(incident.number).chain(incident.duplicate_of).chain(former).collect()
}

/// The response to a change of an incident.
pub(super) fn changed(details: IncidentDetails, at: jiff::Timestamp) -> Result<Answer> {
    let (version, named) = (details.incident.version, named(&details));
    Ok(Answer::record(version, &IncidentView::from((details, at)))?.naming(named))
}

impl IncidentView {
    /// The same after a message of an external system that changed nothing, because the incident is not open.
    pub(crate) fn not_open(mut self, kept: Kept) -> Self {
        let message = match kept {
            Kept::Whole => "The incident is not open. The message stands in its timeline.".to_owned(),
            Kept::Counted => format!(
                "The incident is not open. It has too many messages (at most {MAX_MESSAGES}, and {MAX_MESSAGE_BYTES} \
                 bytes), so this one was counted but not kept."
            ),
        };
        self.warnings.push(WarningView { code: "incident_not_open", fields: Vec::new(), message });
        self
    }

    /// The same after a message of an external system that named what there is not.
    pub(crate) fn without(mut self, left_out: &LeftOut) -> Self {
        const NAMED: usize = 5;
        let LeftOut { assignee, tags } = left_out;
        if let Some(id) = assignee {
            let message = format!("No member has the id {id}: the assignee was left out.");
            self.warnings.push(WarningView { code: "unknown_user", fields: vec!["assigned_to"], message });
        }
        if tags.is_empty() {
            return self;
        }
        let shown: Vec<String> = tags.iter().take(NAMED).map(|name| format!("“{name}”")).collect();
        let others = match tags.len().saturating_sub(NAMED) {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        let message = format!(
            "These tags do not exist and were left out, because creating one needs the scope tags:write: {}{others}.",
            shown.join(", ")
        );
        self.warnings.push(WarningView { code: "unknown_tag", fields: vec!["tags"], message });
        self
    }

    /// The same with the requested point in time.
    pub(crate) fn seen(self, named: AsOfShown) -> Self {
        Self { as_of: named.as_of, as_of_seq: named.as_of_seq, ..self }
    }
}
