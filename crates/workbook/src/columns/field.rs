//! What a column may be.

/// What a file is imported as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Risks, with their ratings and treatment.
    Risks,
    /// Evaluations of risks that are there.
    Evaluations,
    /// Incidents.
    Incidents,
    /// Tags.
    Tags,
}

/// Which rating of a risk it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Without controls.
    Inherent,
    /// As evaluated now.
    Current,
    /// What the treatment aims at.
    Target,
    /// "Residual": current or target, which is asked.
    Residual,
    /// The only rating: inherent or current, which is asked.
    Single,
}

/// One of the two factors of a rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// How likely.
    Likelihood,
    /// How bad.
    Impact,
}

impl Axis {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Likelihood => "likelihood",
            Self::Impact => "impact",
        }
    }
}

/// What a column is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The file's own id, which makes a second import an update.
    ExternalRef,
    /// One line; of a tag its name.
    Title,
    /// Markdown.
    Description,
    /// One line.
    Category,
    /// A name or a role.
    Owner,
    /// An address of an owner.
    OwnerEmail,
    /// What is at risk.
    Asset,
    /// What may happen to it.
    Threat,
    /// Why it may.
    Vulnerability,
    /// What is done already.
    ExistingControls,
    /// Numbers of controls such as `A.8.13`.
    Controls,
    /// A factor of a rating.
    Rating(Stage, Axis),
    /// A product: compared with its factors, never imported.
    Score(Stage),
    /// What is done: mitigate, accept, transfer, avoid or undecided.
    Treatment,
    /// How it is done.
    TreatmentPlan,
    /// A task of the treatment.
    Task,
    /// Until when the task is due.
    TaskDue,
    /// Open or closed.
    Status,
    /// Why it is closed.
    StatusReason,
    /// When its status changed.
    StatusDate,
    /// Several names, separated by commas or semicolons.
    Tags,
    /// When it was evaluated.
    EvaluatedAt,
    /// Days from one evaluation to the next.
    EvaluateEvery,
    /// Days from one review to the next.
    ReviewEvery,
    /// The day of the next review.
    NextReview,
    /// What the evaluator writes.
    Note,
    /// The number of the evaluation that takes its place: it does not count.
    SupersededBy,
    /// The id of a record in one of our own files, by which other rows name it.
    OwnId,
    /// How severe an incident is.
    Severity,
    /// Why it is so severe.
    SeverityReasoning,
    /// Whether its severity was computed.
    SeveritySource,
    /// What kind of event it is.
    EventKind,
    /// Where an incident was noticed.
    Source,
    /// Where it happened.
    Location,
    /// The system that an external reference is of.
    ExternalSource,
    /// When an incident began.
    OccurredAt,
    /// When it was noticed.
    DetectedAt,
    /// When work on it began.
    RespondedAt,
    /// When its harm no longer grew.
    ContainedAt,
    /// When it was resolved.
    ResolvedAt,
    /// When it was closed.
    ClosedAt,
    /// When it was contained for the first time.
    FirstContainedAt,
    /// When it was resolved for the first time.
    FirstResolvedAt,
    /// How often it was reopened.
    ReopenCount,
    /// Why it was resolved or dismissed.
    ResolutionReason,
    /// What was found and done.
    ResolutionSummary,
    /// The id of the incident that it is a duplicate of.
    DuplicateOf,
    /// Whether only those who are named see it.
    Restricted,
    /// Whether it may not be purged.
    LegalHold,
    /// Why it may not be purged.
    LegalHoldReason,
    /// A colour of a tag.
    Color,
    /// Other names of a tag.
    Aliases,
    /// What we have no field for: a block in the description, named like the column.
    Block,
    /// What our own files have and nobody sets; or what somebody does not want.
    Ignored,
}

use Field as F;

/// All of them with their names.
const NAMES: &[(Field, &str)] = &[
    (F::ExternalRef, "external_ref"),
    (F::Title, "title"),
    (F::Description, "description"),
    (F::Category, "category"),
    (F::Owner, "owner_name"),
    (F::OwnerEmail, "owner_email"),
    (F::Asset, "asset"),
    (F::Threat, "threat"),
    (F::Vulnerability, "vulnerability"),
    (F::ExistingControls, "existing_controls"),
    (F::Controls, "controls"),
    (F::Rating(Stage::Inherent, Axis::Likelihood), "inherent.likelihood"),
    (F::Rating(Stage::Inherent, Axis::Impact), "inherent.impact"),
    (F::Score(Stage::Inherent), "inherent.score"),
    (F::Rating(Stage::Current, Axis::Likelihood), "current.likelihood"),
    (F::Rating(Stage::Current, Axis::Impact), "current.impact"),
    (F::Score(Stage::Current), "current.score"),
    (F::Rating(Stage::Target, Axis::Likelihood), "target.likelihood"),
    (F::Rating(Stage::Target, Axis::Impact), "target.impact"),
    (F::Score(Stage::Target), "target.score"),
    (F::Rating(Stage::Residual, Axis::Likelihood), "residual.likelihood"),
    (F::Rating(Stage::Residual, Axis::Impact), "residual.impact"),
    (F::Score(Stage::Residual), "residual.score"),
    (F::Rating(Stage::Single, Axis::Likelihood), "likelihood"),
    (F::Rating(Stage::Single, Axis::Impact), "impact"),
    (F::Score(Stage::Single), "score"),
    (F::Treatment, "treatment"),
    (F::TreatmentPlan, "treatment_plan"),
    (F::Task, "task"),
    (F::TaskDue, "task_due"),
    (F::Status, "status"),
    (F::StatusReason, "status_reason"),
    (F::StatusDate, "status_date"),
    (F::Tags, "tags"),
    (F::EvaluatedAt, "evaluated_at"),
    (F::EvaluateEvery, "evaluate_every_days"),
    (F::ReviewEvery, "review_every_days"),
    (F::NextReview, "next_review_date"),
    (F::Note, "note"),
    (F::SupersededBy, "superseded_by"),
    (F::Severity, "severity"),
    (F::SeverityReasoning, "severity_reasoning"),
    (F::SeveritySource, "severity_source"),
    (F::EventKind, "kind"),
    (F::Source, "source"),
    (F::Location, "location"),
    (F::ExternalSource, "external_source"),
    (F::OccurredAt, "occurred_date"),
    (F::DetectedAt, "detected_date"),
    (F::RespondedAt, "responded_date"),
    (F::ContainedAt, "contained_date"),
    (F::ResolvedAt, "resolved_date"),
    (F::ClosedAt, "closed_date"),
    (F::FirstContainedAt, "first_contained_date"),
    (F::FirstResolvedAt, "first_resolved_date"),
    (F::ReopenCount, "reopen_count"),
    (F::ResolutionReason, "resolution_reason"),
    (F::ResolutionSummary, "resolution_summary"),
    (F::DuplicateOf, "duplicate_of"),
    (F::Restricted, "restricted"),
    (F::LegalHold, "legal_hold"),
    (F::LegalHoldReason, "legal_hold_reason"),
    (F::OwnId, "own_id"),
    (F::Color, "color"),
    (F::Aliases, "aliases"),
    (F::Block, "block"),
    (F::Ignored, "ignore"),
];

impl Field {
    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(field, _)| *field == self).map_or("", |(_, name)| name)
    }

    /// The field of this name.
    pub fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(field, _)| *field)
    }

    /// What a column of such a file may be, in the order of a list to choose from.
    pub fn choices(kind: Kind) -> impl Iterator<Item = Self> {
        NAMES.iter().map(|(field, _)| *field).filter(move |field| field.is_of(kind))
    }

    /// Whether a file of this kind has it.
    pub fn is_of(self, kind: Kind) -> bool {
        use Stage::{Current, Inherent, Single, Target};
        match kind {
            Kind::Risks => {
                !self.is_of_incidents_only() && !matches!(self, F::Color | F::Aliases | F::SupersededBy)
            }
            Kind::Evaluations => matches!(
                self,
                F::ExternalRef
                    | F::Title
                    | F::Rating(Inherent | Current | Target | Single, _)
                    | F::Score(Inherent | Current | Target | Single)
                    | F::EvaluatedAt
                    | F::Note
                    | F::SupersededBy
                    | F::Block
                    | F::Ignored
            ),
            Kind::Incidents => {
                let is_shared = matches!(
                    self,
                    F::ExternalRef
                        | F::Title
                        | F::Description
                        | F::Owner
                        | F::OwnerEmail
                        | F::Status
                        | F::StatusReason
                        | F::StatusDate
                        | F::Tags
                        | F::Task
                        | F::TaskDue
                        | F::Note
                        | F::Block
                        | F::Ignored
                );
                is_shared || self.is_of_incidents_only()
            }
            Kind::Tags => {
                matches!(self, F::Title | F::Description | F::Color | F::Aliases | F::Block | F::Ignored)
            }
        }
    }

    /// Whether no other record than an incident has it.
    fn is_of_incidents_only(self) -> bool {
        self.is_time_of_incidents()
            || matches!(
                self,
                F::OwnId
                    | F::Severity
                    | F::SeverityReasoning
                    | F::SeveritySource
                    | F::EventKind
                    | F::Source
                    | F::Location
                    | F::ExternalSource
                    | F::ReopenCount
                    | F::ResolutionReason
                    | F::ResolutionSummary
                    | F::DuplicateOf
                    | F::Restricted
                    | F::LegalHold
                    | F::LegalHoldReason
            )
    }

    fn is_time_of_incidents(self) -> bool {
        matches!(
            self,
            F::OccurredAt
                | F::DetectedAt
                | F::RespondedAt
                | F::ContainedAt
                | F::ResolvedAt
                | F::ClosedAt
                | F::FirstContainedAt
                | F::FirstResolvedAt
        )
    }

    /// Whether it is a date.
    pub(crate) fn is_date(self) -> bool {
        self.is_time_of_incidents()
            || matches!(self, F::StatusDate | F::TaskDue | F::EvaluatedAt | F::NextReview)
    }

    /// Whether several columns may be it, whose texts are then joined.
    pub(crate) fn is_joined(self) -> bool {
        matches!(
            self,
            F::ExistingControls
                | F::Controls
                | F::TreatmentPlan
                | F::Task
                | F::Tags
                | F::Note
                | F::Block
                | F::Ignored
                | F::Score(_)
        )
    }
}
