//! Risks: something that may happen, how bad it would be, and how bad it is meant to become.

mod patch;
#[cfg(test)]
mod tests;

use jiff::Timestamp;

pub use patch::{RatingPatch, RiskPatch};

use crate::fault::{FaultCode, Faults};
use crate::ids::{RiskNumber, UserId};
use crate::person::{self, Person};
use crate::tag::TagLabel;
use crate::text;

/// The lowest level of likelihood and of impact.
pub const LEVEL_MIN: i64 = 1;

/// The highest level of likelihood and of impact.
pub const LEVEL_MAX: i64 = 5;

/// A judgement: each part is a level from [`LEVEL_MIN`] to [`LEVEL_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rating {
    /// How likely it is.
    pub likelihood: i64,
    /// How bad it would be.
    pub impact: i64,
}

impl Rating {
    /// Likelihood times impact.
    pub fn score(self) -> i64 {
        self.likelihood * self.impact
    }
}

/// Checks one level of a rating.
pub fn level(level: i64, pointer: &str, faults: &mut Faults) {
    if !(LEVEL_MIN..=LEVEL_MAX).contains(&level) {
        faults.add(pointer, FaultCode::Range, format_args!("must be from {LEVEL_MIN} to {LEVEL_MAX}"));
    }
}

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
    /// The number of the evaluation.
    pub evaluation: i64,
    /// The time that it describes.
    pub evaluated_at: Timestamp,
    /// The share of the planned reduction that is reached; 1 = 0.01 %.
    pub performance_basis_points: i64,
}

/// A risk as the register knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Risk {
    /// Counted per organization, never reused.
    pub number: RiskNumber,
    /// One line.
    pub title: String,
    /// Markdown.
    pub description: String,
    /// Free text.
    pub category: Option<String>,
    /// The person responsible for it.
    pub owner: Option<Person>,
    /// Whether it is still being managed.
    pub status: RiskStatus,
    /// Why it was closed; null while it is open.
    pub status_reason: Option<String>,
    /// The rating without controls.
    pub inherent: Rating,
    /// The rating that the treatment aims at.
    pub target: Rating,
    /// The latest evaluation; null before the first.
    pub current: Option<Current>,
    /// Its tags by name.
    pub tags: Vec<TagLabel>,
    /// When it was made.
    pub created_date: Timestamp,
    /// When it was last changed; evaluations and tags do not count as a change.
    pub updated_date: Timestamp,
    /// When it was deleted, if it is.
    pub deleted_date: Option<Timestamp>,
    /// Counts its changes from 1.
    pub version: i64,
    /// The journal's number of its latest change.
    pub seq_from: i64,
}

/// A risk that is about to be registered. Each text and level has passed its check, and both ratings
/// together [`target_within`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRisk {
    /// See [`title`].
    pub title: String,
    /// See [`description`].
    pub description: String,
    /// See [`category`].
    pub category: Option<String>,
    /// A member of the organization.
    pub owner: Option<UserId>,
    /// The rating without controls.
    pub inherent: Rating,
    /// The rating that the treatment aims at.
    pub target: Rating,
}

impl NewRisk {
    /// Checks what needs the register: that `owner` is the member that the field names.
    pub fn check(&self, owner: Option<Person>) -> crate::Result<Option<Person>> {
        let mut faults = Faults::new();
        let owner = person::member(self.owner, owner, "#/owner", &mut faults);
        faults.or(owner)
    }

    /// The record, registered at `at`, after [`NewRisk::check`]. The journal's number is still 0.
    pub fn open(&self, number: RiskNumber, owner: Option<Person>, at: Timestamp) -> Risk {
        Risk {
            number,
            title: self.title.clone(),
            description: self.description.clone(),
            category: self.category.clone(),
            owner,
            status: RiskStatus::Open,
            status_reason: None,
            inherent: self.inherent,
            target: self.target,
            current: None,
            tags: Vec::new(),
            created_date: at,
            updated_date: at,
            deleted_date: None,
            version: 1,
            seq_from: 0,
        }
    }
}

/// Checks a risk's title.
pub fn title(text: &str, pointer: &str, faults: &mut Faults) {
    text::filled_line(text, pointer, faults);
}

/// Checks a risk's description, which may be empty.
pub fn description(text: &str, pointer: &str, faults: &mut Faults) {
    text::prose(text, pointer, faults);
}

/// Checks a risk's category.
pub fn category(text: &str, pointer: &str, faults: &mut Faults) {
    text::filled_line(text, pointer, faults);
}

/// Checks why a risk is closed.
pub fn status_reason(text: &str, pointer: &str, faults: &mut Faults) {
    text::filled_prose(text, pointer, faults);
}
