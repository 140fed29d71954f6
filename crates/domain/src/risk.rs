//! Risks: something that may happen, how bad it would be, and how bad it is meant to become.

mod cadence;
mod patch;
mod review;
#[cfg(test)]
mod tests;
mod treatment;

use jiff::Timestamp;
use macros::{Body, Record};

pub use crate::rating::{LEVELS, Rating};
pub use cadence::{CADENCE_DAYS, DUE_SOON_DAYS, EvaluationDue, ReviewDue};
pub use patch::{RatingPatch, RiskPatch};
pub use review::{NewRiskReview, RiskReview};
pub use treatment::Treatment;

use crate::acceptance::Acceptance;
use crate::document::{Control, Day, read_distinct};
use crate::fault::{FaultCode, Faults};
use crate::ids::{RiskNumber, UserId};
use crate::json::Fields;
use crate::person::{self, Person};
use crate::scale::{Grades, Scale, Scales};
use crate::tag::TagLabel;
use crate::text::{Line, Prose, ProseOrEmpty, Reason};

/// The most controls of a risk.
pub const MAX_CONTROLS: usize = 100;

/// Checks that the treatment does not aim at more than there is without it. Both ratings are whole;
/// the fault is the target's, also when only the inherent rating was sent.
pub fn target_within(inherent: Rating, target: Rating, faults: &mut Faults) {
    if target.score() > inherent.score() {
        let detail = format!(
            "The target score {} must not be above the inherent score {}.",
            target.score(),
            inherent.score()
        );
        faults.add("#/target", FaultCode::Range, detail);
    }
}

/// What is said where ratings by an earlier scale have to be made again.
pub(crate) const SCALE_OUTDATED: &str =
    "The scale has changed since: send likelihood and impact by the present one.";

crate::words! {
    "RiskStatus"
    /// Whether a risk is still looked after.
    pub enum RiskStatus {
        /// Looked after.
        Open = "open",
        /// No longer; it keeps its history and counts in figures.
        Closed = "closed",
    }
}

/// The latest evaluation of a risk that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Current {
    /// The judgement.
    pub rating: Rating,
    /// The version of the scale that it was made by.
    pub scale_version: i64,
    /// The number of the evaluation.
    pub evaluation: i64,
    /// The time that it describes.
    pub evaluated_at: Timestamp,
    /// The day of that time: days since 1970-01-01.
    pub evaluated_day: i64,
    /// The share of the planned reduction that is reached; 1 = 0.01 %. None without a target.
    pub performance_basis_points: Option<i64>,
}

/// A risk as the register knows it.
#[derive(Debug, Clone, PartialEq, Eq, Record)]
pub struct Risk {
    /// Counted per organization, never reused.
    pub number: RiskNumber,
    /// One line.
    #[record(label = "Title", holds = Line, never_redacted, exported)]
    pub title: Line,
    /// Markdown.
    #[record(label = "Description", holds = Prose, never_redacted, exported)]
    pub description: ProseOrEmpty,
    /// Free text.
    #[record(label = "Category", holds = Line, asked, never_redacted, filtered)]
    pub category: Option<Line>,
    /// The person responsible for it.
    #[record(label = "Owner", holds = Person, exported)]
    pub owner: Option<Person>,
    /// Who that is in a list from elsewhere, where nobody here is meant yet. Pages show it while there is no owner.
    #[record(label = "Owner name", holds = Line, never_redacted, searched, exported)]
    pub owner_name: Option<Line>,
    /// What would be harmed.
    #[record(label = "Asset", holds = Reason, asked, never_redacted, searched)]
    pub asset: Option<Reason>,
    /// What could happen to it.
    #[record(label = "Threat", holds = Reason, asked, never_redacted, searched)]
    pub threat: Option<Reason>,
    /// The weakness that the threat needs.
    #[record(label = "Vulnerability", holds = Reason, asked, never_redacted, searched)]
    pub vulnerability: Option<Reason>,
    /// What is done against it already, as Markdown.
    #[record(label = "Existing controls", holds = Prose, asked, never_redacted, searched)]
    pub existing_controls: Option<Prose>,
    /// The numbers of the controls that concern it, each once.
    #[record(label = "Controls", holds = Words, exported)]
    pub controls: Vec<Control>,
    /// The reference of the list that it comes from; no other risk has it, not even a deleted one.
    #[record(label = "External reference", holds = Reference, never_redacted, filtered, searched, exported)]
    pub external_ref: Option<Line>,
    /// What is done about it.
    #[record(label = "Treatment", holds = Word, exported)]
    pub treatment: Treatment,
    /// How, as Markdown.
    #[record(label = "Treatment plan", holds = Prose, asked, never_redacted, searched)]
    pub treatment_plan: Option<Prose>,
    /// Whether it is still being managed.
    #[record(label = "Status", holds = Word, exported)]
    pub status: RiskStatus,
    /// Why it was closed, or reopened while it is open again; null if it was never closed.
    #[record(label = "Status reason", holds = Prose, never_redacted, exported)]
    pub status_reason: Option<Prose>,
    /// When it was last closed or reopened.
    #[record(label = "Status changed at", holds = Date, exported)]
    pub status_date: Option<Timestamp>,
    /// Days from one evaluation to the next.
    #[record(label = "Evaluate every (days)", holds = Any, exported)]
    pub evaluate_every_days: Option<i64>,
    /// The day from which the first evaluation is counted, or the one after a reopening: days since 1970-01-01.
    #[record(label = "Evaluations counted from", holds = Internal)]
    pub evaluations_from: Option<i64>,
    /// Days from one review to the next.
    #[record(label = "Review every (days)", holds = Any, exported)]
    pub review_every_days: Option<i64>,
    /// The day on which the next review is due.
    #[record(label = "Next review", holds = Any, exported)]
    pub next_review_date: Option<Day>,
    /// The rating without controls.
    #[record(label = "Inherent rating", holds = Rating, exported)]
    pub inherent: Rating,
    /// The rating that the treatment aims at. Without one the risk has no performance.
    #[record(label = "Target rating", holds = Rating, exported)]
    pub target: Option<Rating>,
    /// The version of the scale that both ratings were made by.
    #[record(label = "Scale version", holds = Any, exported)]
    pub scale_version: i64,
    /// The latest evaluation; null before the first.
    pub current: Option<Current>,
    /// The bands of its ratings, by the scales that were known at the time that is shown.
    pub grades: Grades,
    /// The acceptance that is in force or stale, if there is one.
    pub acceptance: Option<Box<Acceptance>>,
    /// The open request to accept it, if there is one.
    pub acceptance_request: Option<Box<Acceptance>>,
    /// Its tags by name.
    pub tags: Vec<TagLabel>,
    /// When it was made.
    #[record(label = "Created at", holds = Date, exported)]
    pub created_date: Timestamp,
    /// When it was last changed; evaluations and tags do not count as a change.
    #[record(label = "Updated at", holds = Date, exported)]
    pub updated_date: Timestamp,
    /// When it was deleted, if it is.
    #[record(label = "Deleted at", holds = Date, exported)]
    pub deleted_date: Option<Timestamp>,
    /// Counts its changes from 1.
    pub version: i64,
    /// The journal's number of its latest change.
    pub seq_from: i64,
}

/// The members that only the service sets; sending one is a fault.
const READ_ONLY: &[&str] =
    &["id", "status_date", "next_evaluation_date", "created_date", "updated_date", "version"];

/// The members that neither a creation nor a change sets, with the operations that do.
const ELSEWHERE: &[(&[&str], &str)] = &[
    (&["current"], "POST /v1/risks/{risk_id}/evaluations"),
    (&["acceptance", "acceptance_request"], "POST /v1/risks/{risk_id}/acceptances"),
    (&["tags"], "PUT /v1/risks/{risk_id}/tags/{tag_id}"),
];

/// The members that a creation does not set, with the operation that does.
const LATER: &[(&[&str], &str)] = &[(&["status", "status_reason"], "PATCH /v1/risks/{risk_id}")];

/// A risk to create.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(check = Self::check_ratings(inherent, target), read_only = READ_ONLY, elsewhere = ELSEWHERE, elsewhere = LATER)]
pub struct NewRisk {
    /// One line, not blank.
    #[body(example = "Loss of the only data centre")]
    pub title: Line,
    /// Markdown, at most 64 KiB.
    #[body(default, example = "All services run in one building.")]
    pub description: ProseOrEmpty,
    /// The category, free text.
    #[body(example = "continuity")]
    pub category: Option<Line>,
    /// The owner's id: a member of the organization.
    pub owner: Option<UserId>,
    /// The name of the owner in a list from elsewhere, such as a role; the console shows it while there is no `owner`.
    #[body(example = "Head of IT")]
    pub owner_name: Option<Line>,
    /// What would be harmed.
    #[body(example = "Order database")]
    pub asset: Option<Reason>,
    /// What could happen to it.
    #[body(example = "Fire")]
    pub threat: Option<Reason>,
    /// The weakness that the threat needs.
    #[body(example = "No second site")]
    pub vulnerability: Option<Reason>,
    /// The controls that exist, as Markdown, at most 64 KiB.
    #[body(example = "Smoke detectors, nightly backups.")]
    pub existing_controls: Option<Prose>,
    /// The numbers of the controls that concern it.
    #[body(default, read = read_distinct(MAX_CONTROLS), most = MAX_CONTROLS, json = "[\"A.7.5\", \"A.8.13\"]")]
    pub controls: Vec<Control>,
    /// Its reference in the list that it comes from; unique among all risks that are not purged.
    #[body(example = "R-017")]
    pub external_ref: Option<Line>,
    /// What is done about it; `undecided` by default.
    pub treatment: Option<Treatment>,
    /// How, as Markdown, at most 64 KiB.
    #[body(example = "A second site by autumn.")]
    pub treatment_plan: Option<Prose>,
    /// The inherent rating, without controls.
    pub inherent: Rating,
    /// The target rating of the treatment, if there is one; its score is at most the inherent one.
    pub target: Option<Rating>,
    /// Days from one evaluation to the next; null for none.
    #[body(range = CADENCE_DAYS, example = 90)]
    pub evaluate_every_days: Option<i64>,
    /// Days from one review to the next; null for none.
    #[body(range = CADENCE_DAYS, example = 365)]
    pub review_every_days: Option<i64>,
    /// The day on which the first review is due; by default `review_every_days` from today.
    pub next_review_date: Option<Day>,
}

impl NewRisk {
    /// A risk of which nothing else is known.
    pub fn rated(title: Line, inherent: Rating, target: impl Into<Option<Rating>>) -> Self {
        Self {
            title,
            description: ProseOrEmpty::default(),
            category: None,
            owner: None,
            owner_name: None,
            asset: None,
            threat: None,
            vulnerability: None,
            existing_controls: None,
            controls: Vec::new(),
            external_ref: None,
            treatment: None,
            treatment_plan: None,
            inherent,
            target: target.into(),
            evaluate_every_days: None,
            review_every_days: None,
            next_review_date: None,
        }
    }

    fn check_ratings(fields: &mut Fields<'_, '_>, inherent: Option<&Rating>, target: Option<&Rating>) {
        if let (Some(inherent), Some(target)) = (inherent, target) {
            target_within(*inherent, *target, fields.faults());
        }
    }

    /// Checks what needs the register: that `owner` is the member that the field names, and that the ratings are within the
    /// present scale.
    pub fn check(&self, owner: Option<Person>, scale: &Scale) -> crate::Result<Option<Person>> {
        let mut faults = Faults::new();
        let owner = person::member(self.owner, owner, "#/owner", &mut faults);
        scale.check(self.inherent, "#/inherent", &mut faults);
        if let Some(target) = self.target {
            scale.check(target, "#/target", &mut faults);
        }
        faults.or(owner)
    }

    /// The record, registered at `at` and rated by a version of the scale, after [`NewRisk::check`]. The journal's number is
    /// still 0, and [`Risk::with_days`] follows.
    pub fn open(&self, number: RiskNumber, owner: Option<Person>, scale_version: i64, at: Timestamp) -> Risk {
        Risk {
            number,
            title: self.title.clone(),
            description: self.description.clone(),
            category: self.category.clone(),
            owner,
            owner_name: self.owner_name.clone(),
            asset: self.asset.clone(),
            threat: self.threat.clone(),
            vulnerability: self.vulnerability.clone(),
            existing_controls: self.existing_controls.clone(),
            controls: self.controls.clone(),
            external_ref: self.external_ref.clone(),
            treatment: self.treatment.unwrap_or(Treatment::Undecided),
            treatment_plan: self.treatment_plan.clone(),
            status: RiskStatus::Open,
            status_reason: None,
            status_date: None,
            evaluate_every_days: self.evaluate_every_days,
            evaluations_from: None,
            review_every_days: self.review_every_days,
            next_review_date: self.next_review_date.clone(),
            inherent: self.inherent,
            target: self.target,
            scale_version,
            current: None,
            grades: Grades::default(),
            acceptance: None,
            acceptance_request: None,
            tags: Vec::new(),
            created_date: at,
            updated_date: at,
            deleted_date: None,
            version: 1,
            seq_from: 0,
        }
    }
}

impl Risk {
    /// The same with the bands of its ratings by these scales.
    #[must_use]
    pub fn graded(self, scales: &Scales) -> Self {
        let of_risk = |rating| scales.grade(rating, self.scale_version);
        let versions = [Some(self.scale_version), self.current.map(|current| current.scale_version)];
        let grades = Grades {
            inherent: of_risk(self.inherent),
            target: self.target.and_then(of_risk),
            current: self.current.and_then(|it| scales.grade(it.rating, it.scale_version)),
            is_outdated: versions.into_iter().flatten().any(|version| !scales.is_present(version)),
        };
        Self { grades, ..self }
    }
}
