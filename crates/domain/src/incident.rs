//! Incidents: something that happened, with its dates. The record and what declares it stand in one file, so that a field is
//! added in one place.

mod by_reference;
mod change;
mod closed;
mod dates;
mod diagram;
mod duplicate;
mod facts;
mod hold;
mod imported;
mod in_status;
mod life;
#[cfg(test)]
mod life_tests;
mod options;
mod patch;
mod requirement;
mod spell;
mod status;
mod staying;
#[cfg(test)]
mod staying_tests;
#[cfg(test)]
mod tests;
mod transition;
mod viewer;

use jiff::{SignedDuration, Timestamp};
use macros::{Body, Record};

pub use by_reference::{
    MAX_MESSAGE_BYTES, MAX_MESSAGES, Message, Reference, ReportedField, clock_skew, is_only_counted, kept,
};
pub use closed::check_task;
pub use dates::{DateField, Dates, Warning, check_dates, check_dates_within, warnings};
pub use diagram::diagram;
pub use duplicate::DuplicateTarget;
pub use facts::Facts;
pub use hold::{Hold, NewHold};
pub use imported::{Past, check as check_imported};
pub use life::{Direction, Need, STEPS, Step};
pub use options::{Obstacle, TransitionOption, not_allowed, options};
pub use patch::{IncidentPatch, Transition};
pub use requirement::{Requirement, Surroundings, missing};
pub use spell::Spell;
pub use status::{Category, Kind, ResolutionReason, Status};
pub use viewer::{Sees, Viewer};

use crate::actor::{Actor, Author};
use crate::fault::Faults;
use crate::ids::{IncidentNumber, UserId};
use crate::json::{Fields, Json};
use crate::person::{self, Person};
use crate::scope::Scope;
use crate::severity::{self, Severity, SeveritySource, StatedSeverity};
use crate::tag::{self, TagName};
use crate::text::{Line, LineOrEmpty, Prose, ProseOrEmpty, Reason};

/// The title of an incident that was declared without a body.
pub const UNTITLED: &str = "Untitled incident";

/// The most readers of an incident.
pub const MAX_READERS: usize = 50;

/// The members that only the service sets; sending one is a fault.
const READ_ONLY: &[&str] = &[
    "id",
    "category",
    "status_date",
    "status_reason",
    "severity_source",
    "opened_by",
    "first_contained_date",
    "first_resolved_date",
    "reopen_count",
    "kept",
    "spells",
    "overridden",
    "legal_hold_reason",
    "created_date",
    "updated_date",
    "version",
    "warnings",
];

/// The members that a change does not set, with the operations that do.
const ELSEWHERE: &[(&[&str], &str)] = &[
    (&["severity", "severity_reasoning"], "PUT /v1/incidents/{id}/severity"),
    (&["tags"], "PUT /v1/incidents/{id}/tags/{tag_id}"),
    (&["external_source"], "PUT /v1/sources/{external_source}/incidents/{external_ref}"),
];

/// The members that a creation does not set, with the operations that do.
const LATER: &[(&[&str], &str)] = &[
    (
        &[
            "status",
            "resolved_date",
            "closed_date",
            "resolution_reason",
            "resolution_summary",
            "duplicate_of",
        ],
        "POST /v1/incidents/{id}/transitions",
    ),
    (&["external_source", "external_ref"], "PUT /v1/sources/{external_source}/incidents/{external_ref}"),
    (&["restricted", "readers", "hold", "legal_hold"], "PATCH /v1/incidents/{id}"),
];

/// An incident as the register knows it.
#[derive(Debug, Clone, PartialEq, Eq, Record)]
pub struct Incident {
    /// Counted per organization, never reused.
    pub number: IncidentNumber,
    /// One line.
    #[record(label = "Title", holds = Line, redacted, exported)]
    pub title: Line,
    /// Markdown.
    #[record(label = "Description", holds = Prose, redacted, exported)]
    pub description: ProseOrEmpty,
    /// Its status in its life.
    #[record(label = "Status", holds = Word, exported)]
    pub status: Status,
    /// What kind of event it is.
    #[record(label = "Kind", holds = WordOr("real"), exported)]
    pub kind: Kind,
    /// How severe it is.
    #[record(label = "Severity", holds = WordOr("undetermined"), exported)]
    pub severity: Severity,
    /// What explains the severity, as Markdown.
    #[record(label = "Severity rationale", holds = Prose, redacted, exported)]
    pub severity_reasoning: Option<Prose>,
    /// How the severity came about.
    #[record(label = "Severity source", holds = Word, exported)]
    pub severity_source: Option<SeveritySource>,
    /// The answers that a severity was computed from, as JSON.
    #[record(label = "Severity answers", holds = Internal)]
    pub severity_answers: Option<String>,
    /// Where it was noticed.
    #[record(label = "Source", holds = Line, asked, redacted, filtered, searched)]
    pub source: Option<LineOrEmpty>,
    /// Where it happened.
    #[record(label = "Location", holds = Line, asked, redacted, filtered, searched)]
    pub location: Option<LineOrEmpty>,
    /// The system that reports it by its own reference.
    #[record(label = "External system", holds = Line, never_redacted, filtered, searched, exported)]
    pub external_source: Option<Line>,
    /// That system's reference. With `external_source` it is unique among incidents that are not deleted.
    #[record(label = "External reference", holds = Reference, redacted, filtered, searched, exported)]
    pub external_ref: Option<Line>,
    /// Fingerprints of what that system sent last, as JSON: see [`Message`].
    #[record(label = "Sent by the external system", holds = Internal)]
    pub external_sent: Option<String>,
    /// The person assigned to it.
    #[record(label = "Assignee", holds = Person, exported)]
    pub assigned_to: Option<Person>,
    /// The actor that declared it.
    pub opened_by: Actor,
    /// Whether only those who are named see it: see [`Viewer`].
    #[record(label = "Restricted", holds = Flag, exported)]
    pub restricted: bool,
    /// Members who see it when it is restricted, each once, in the order of their ids.
    #[record(label = "Readers", holds = People)]
    pub readers: Vec<UserId>,
    /// When it started.
    #[record(label = "Started at", noun = "start time", holds = Date, exported)]
    pub occurred_date: Option<Timestamp>,
    /// When it was noticed.
    #[record(label = "Detected at", noun = "detection time", holds = Date, exported)]
    pub detected_date: Timestamp,
    /// When work on it began.
    #[record(label = "Responded at", noun = "response time", holds = Date, exported)]
    pub responded_date: Option<Timestamp>,
    /// When the harm stopped growing.
    #[record(label = "Contained at", noun = "containment time", holds = Date, exported)]
    pub contained_date: Option<Timestamp>,
    /// When it was eradicated and recovered from.
    #[record(label = "Resolved at", noun = "resolution time", holds = Date, exported)]
    pub resolved_date: Option<Timestamp>,
    /// When it was closed or dismissed.
    #[record(label = "Closed at", noun = "closing time", holds = Date, exported)]
    pub closed_date: Option<Timestamp>,
    /// The first `contained_date`, once another status has cleared it: see [`Incident::first_contained_date`].
    #[record(label = "First contained at", noun = "first containment time", holds = Date)]
    pub first_contained_date: Option<Timestamp>,
    /// The first `resolved_date`, once a reopening has cleared it: see [`Incident::first_resolved_date`].
    #[record(label = "First resolved at", noun = "first resolution time", holds = Date)]
    pub first_resolved_date: Option<Timestamp>,
    /// When its status began; none: when it was declared.
    #[record(label = "Status since", noun = "start of the status", holds = Date)]
    pub status_date: Option<Timestamp>,
    /// Why it has its status, as it was said at the latest transition.
    #[record(label = "Status reason", holds = Reason, redacted, exported)]
    pub status_reason: Option<Reason>,
    /// The version that began with the latest step back: see [`Spell`]. The state before it names the one before.
    #[record(label = "Latest step back", holds = Internal)]
    pub last_step_back: Option<i64>,
    /// How often it was reopened.
    #[record(label = "Times reopened", noun = "number of reopenings", holds = Any, exported)]
    pub reopen_count: i64,
    /// Why it was resolved or dismissed.
    #[record(label = "Resolution", holds = Word, exported)]
    pub resolution_reason: Option<ResolutionReason>,
    /// What was found and done, in Markdown.
    #[record(label = "Resolution summary", holds = Prose, redacted, searched, exported)]
    pub resolution_summary: Option<Prose>,
    /// What was missing when it was closed all the same.
    #[record(label = "Overridden requirements", holds = Words)]
    pub overridden: Vec<Requirement>,
    /// The original of the duplicate.
    #[record(label = "Duplicate of", holds = Incident, exported)]
    pub duplicate_of: Option<IncidentNumber>,
    /// The pause of the work on it.
    #[record(label = "Hold", holds = Hold, redacted = "hold_reason")]
    pub hold: Option<Hold>,
    /// Whether it may not be purged.
    #[record(label = "Legal hold", holds = Flag, exported)]
    pub legal_hold: bool,
    /// Why it may not be purged, or may be again.
    #[record(label = "Legal hold reason", holds = Reason, redacted, exported)]
    pub legal_hold_reason: Option<Reason>,
    /// When it was declared.
    pub created_date: Timestamp,
    /// When it was last changed.
    pub updated_date: Timestamp,
    /// When it was deleted, if it is.
    #[record(label = "Deleted at", noun = "deletion time", holds = Date, exported)]
    pub deleted_date: Option<Timestamp>,
    /// Counts its changes from 1.
    pub version: i64,
    /// The journal's number of its latest change.
    pub seq_from: i64,
}

impl Incident {
    /// The dates that are checked against each other.
    pub fn dates(&self) -> Dates {
        Dates {
            occurred: self.occurred_date,
            detected: Some(self.detected_date),
            responded: self.responded_date,
            contained: self.contained_date,
            resolved: self.resolved_date,
            closed: self.closed_date,
        }
    }

    /// Its severity with its origin.
    pub fn stated_severity(&self) -> StatedSeverity {
        StatedSeverity {
            severity: self.severity,
            reasoning: self.severity_reasoning.clone(),
            source: self.severity_source,
            answers: self.severity_answers.clone(),
        }
    }

    /// When the harm stopped growing for the first time.
    pub fn first_contained_date(&self) -> Option<Timestamp> {
        self.first_contained_date.or(self.contained_date)
    }

    /// When it was resolved for the first time.
    pub fn first_resolved_date(&self) -> Option<Timestamp> {
        self.first_resolved_date.or(self.resolved_date)
    }

    /// When its status began.
    pub fn status_date(&self) -> Timestamp {
        self.status_date.unwrap_or(self.created_date)
    }

    /// The pause of the work, unless it is over `at` this moment.
    pub fn hold_at(&self, at: Timestamp) -> Option<&Hold> {
        self.hold.as_ref().filter(|hold| !hold.is_over(at))
    }
}

/// An incident to declare. Absent and null mean the same.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(
    with(now: Timestamp),
    with(skew: SignedDuration),
    read_only = READ_ONLY,
    elsewhere = LATER,
    check = check_dates_sent(occurred_date, detected_date, responded_date, contained_date, now, skew)
)]
pub struct NewIncident {
    /// One line, not blank.
    #[body(example = "Phishing mail to the finance team")]
    pub title: Line,
    /// Markdown, at most 64 KiB; may be empty.
    #[body(example = "Three people clicked.")]
    pub description: ProseOrEmpty,
    /// What kind of event it is; `real` by default.
    pub kind: Option<Kind>,
    /// Where it was detected.
    #[body(example = "mail gateway")]
    pub source: Option<LineOrEmpty>,
    /// Where it happened.
    #[body(example = "Depot Leeds")]
    pub location: Option<LineOrEmpty>,
    /// The assignee's id: a member of the organization.
    pub assigned_to: Option<UserId>,
    /// When the incident started.
    #[body(example = "2026-02-28T22:15:00.000000Z")]
    pub occurred_date: Option<Timestamp>,
    /// When it was detected; by default the time of creation or of the first message, or `occurred_date` if that is later.
    #[body(example = "2026-03-01T08:40:00.000000Z")]
    pub detected_date: Option<Timestamp>,
    /// When the response started.
    pub responded_date: Option<Timestamp>,
    /// When the incident was contained: its harm no longer grew.
    pub contained_date: Option<Timestamp>,
    /// The severity; it comes with its `severity_reasoning`.
    #[body(example = "high")]
    pub severity: Option<Severity>,
    /// Why, as Markdown, at most 64 KiB.
    #[body(check = severity::check_explained(severity), example = "Forty mailboxes were opened.")]
    pub severity_reasoning: Option<Prose>,
    /// Names of tags, without regard to case.
    #[body(default, read = tag::read_names, most = tag::MAX_PER_RECORD)]
    pub tags: Vec<TagName>,
}

/// The write checks this again with its exact time; it is checked here so that all faults are reported together.
fn check_dates_sent(
    fields: &mut Fields<'_, '_>,
    occurred: Option<&Timestamp>,
    detected: Option<&Timestamp>,
    responded: Option<&Timestamp>,
    contained: Option<&Timestamp>,
    now: Timestamp,
    skew: SignedDuration,
) {
    let [occurred, detected, responded, contained] =
        [occurred, detected, responded, contained].map(Option::<&_>::copied);
    let dates = Dates { occurred, detected, responded, contained, ..Dates::default() };
    let pointer = |field| dates.get(field).map(|_| DateField::pointer(field));
    check_dates_within(&dates, pointer, now, skew, fields.faults());
}

impl NewIncident {
    /// Reads an incident to declare; `null` is one to be described later.
    pub fn read_or_untitled(body: Json<'_>, now: Timestamp, faults: &mut Faults) -> Option<Self> {
        match body {
            Json::Null => Some(Self::untitled()),
            body => Self::read(body, now, SignedDuration::ZERO, faults),
        }
    }

    /// "Declare now, describe later": what a creation without a body declares.
    pub fn untitled() -> Self {
        Self {
            title: UNTITLED.into(),
            description: ProseOrEmpty::default(),
            kind: None,
            source: None,
            location: None,
            assigned_to: None,
            occurred_date: None,
            detected_date: None,
            responded_date: None,
            contained_date: None,
            severity: None,
            severity_reasoning: None,
            tags: Vec::new(),
        }
    }

    /// Its severity with its origin, if somebody has judged it already.
    pub fn stated_severity(&self) -> Option<StatedSeverity> {
        Some(StatedSeverity::manual(self.severity?, self.severity_reasoning.clone()?))
    }

    /// Refuses what only those who change incidents say of one: its severity and its tags.
    pub fn check_author(&self, author: &Author) -> crate::Result<()> {
        if self.severity.is_none() && self.tags.is_empty() {
            return Ok(());
        }
        let needed = Scope::IncidentsWrite.into();
        author.permissions.note_required(needed);
        author.scopes().require_all(needed)
    }

    /// Checks what needs the register: the dates against the write's time `at`, and that `assignee`
    /// is the member that `assigned_to` names. Pointers are relative to the body. `faults` are those of its tags.
    pub fn check(
        &self,
        assignee: Option<Person>,
        at: Timestamp,
        faults: Faults,
    ) -> crate::Result<Option<Person>> {
        self.check_within(assignee, at, SignedDuration::ZERO, faults)
    }

    /// The same where `detected_date` may lie before `occurred_date` by up to `skew`.
    fn check_within(
        &self,
        assignee: Option<Person>,
        at: Timestamp,
        skew: SignedDuration,
        mut faults: Faults,
    ) -> crate::Result<Option<Person>> {
        let sent = Dates {
            occurred: self.occurred_date,
            detected: self.detected_date,
            responded: self.responded_date,
            contained: self.contained_date,
            ..Dates::default()
        };
        let assignee = person::member(self.assigned_to, assignee, "#/assigned_to", &mut faults);
        let pointer = |field| sent.get(field).map(|_| DateField::pointer(field));
        check_dates_within(&sent, pointer, at, skew, &mut faults);
        faults.or(assignee)
    }

    /// The record, declared at `at`, after [`NewIncident::check`]. The journal's number is still 0.
    pub fn open(
        &self,
        number: IncidentNumber,
        assigned_to: Option<Person>,
        opened_by: Actor,
        at: Timestamp,
    ) -> Incident {
        let severity = self.stated_severity().unwrap_or_else(StatedSeverity::undetermined);
        Incident {
            number,
            title: self.title.clone(),
            description: self.description.clone(),
            status: Status::New,
            kind: self.kind.unwrap_or_default(),
            severity: severity.severity,
            severity_reasoning: severity.reasoning,
            severity_source: severity.source,
            severity_answers: severity.answers,
            source: self.source.clone(),
            location: self.location.clone(),
            external_source: None,
            external_ref: None,
            external_sent: None,
            assigned_to,
            opened_by,
            restricted: false,
            readers: Vec::new(),
            occurred_date: self.occurred_date,
            detected_date: self
                .detected_date
                .unwrap_or_else(|| self.occurred_date.map_or(at, |it| it.max(at))),
            responded_date: self.responded_date,
            contained_date: self.contained_date,
            resolved_date: None,
            closed_date: None,
            first_contained_date: None,
            first_resolved_date: None,
            status_date: None,
            status_reason: None,
            last_step_back: None,
            reopen_count: 0,
            resolution_reason: None,
            resolution_summary: None,
            overridden: Vec::new(),
            duplicate_of: None,
            hold: None,
            legal_hold: false,
            legal_hold_reason: None,
            created_date: at,
            updated_date: at,
            deleted_date: None,
            version: 1,
            seq_from: 0,
        }
    }
}
