//! The scale by which risks are rated: levels of likelihood and impact, and bands. It is changed by adding a version.

mod content;
mod default;
mod known;
mod stored;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use macros::Body;

pub use content::{Acceptance, AcceptanceBy, MATRIX, ScaleBand, ScaleColor, ScaleContent, ScaleLevel};
pub use known::{Grade, Grades, Scales};

use crate::actor::Actor;
use crate::fault::{FaultCode, Faults};
use crate::rating::Rating;
use crate::text::Reason;

/// The fewest levels of likelihood, of impact, and bands.
pub const SIZE_MIN: usize = 2;

/// The most levels of likelihood, of impact, and bands.
pub const SIZE_MAX: usize = 10;

/// The number of the scale that every organization begins with.
pub const DEFAULT_VERSION: i64 = 1;

/// A version of an organization's scale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scale {
    /// Counts the versions from 1, which is the default scale.
    pub number: i64,
    /// Counts the incompatible changes from 1: ratings by versions of one generation can be compared.
    pub generation: i64,
    /// Why it was changed; none of the default scale.
    pub reason: Option<Reason>,
    /// The levels, the bands, and which rating is in which band.
    pub content: ScaleContent,
    /// Who made it; none of the default scale.
    pub created_by: Option<Actor>,
    /// When it was made; none of the default scale.
    pub created_date: Option<Timestamp>,
    /// The journal's number of the entry that made it; 0 of the default scale.
    pub seq_from: i64,
}

/// The members that only the service sets.
const READ_ONLY: &[&str] = &["version", "generation", "created_by", "created_date"];

/// The scale that an organization is to have.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(read_only = READ_ONLY)]
pub struct NewScale {
    /// The reason for the change.
    #[body(example = "The board accepts less.")]
    pub reason: Reason,
    /// Whether a level means something else than before, so that earlier ratings cannot be compared with new ones. Another
    /// number of levels means that by itself.
    #[body(default = false)]
    pub meaning_changed: bool,
    /// The levels and the bands.
    #[body(flat)]
    pub content: ScaleContent,
}

impl NewScale {
    /// The next version after `before`, made at `at`; none if it is the same scale. The journal's number is still 0.
    pub fn apply(&self, before: &Scale, author: Actor, at: Timestamp) -> Option<Scale> {
        let is_incompatible = self.meaning_changed || self.content.size() != before.content.size();
        (is_incompatible || self.content != before.content).then(|| Scale {
            number: before.number + 1,
            generation: before.generation + i64::from(is_incompatible),
            reason: Some(self.reason.clone()),
            content: self.content.clone(),
            created_by: Some(author),
            created_date: Some(at),
            seq_from: 0,
        })
    }
}

impl Scale {
    /// The highest score.
    pub fn highest_score(&self) -> i64 {
        let (likelihood, impact) = self.content.size();
        likelihood * impact
    }

    /// The place of the band that a rating is in, from 0, the lowest. A rating beyond the scale is in the highest.
    pub fn band_of(&self, rating: Rating) -> i64 {
        let row = usize::try_from(rating.likelihood - 1).ok().and_then(|row| self.content.matrix.get(row));
        let cell = row.and_then(|row| row.get(usize::try_from(rating.impact - 1).ok()?));
        let highest = i64::try_from(self.content.bands.len()).unwrap_or(1) - 1;
        cell.copied().unwrap_or(highest)
    }

    /// The band at a place, from 0.
    pub fn band(&self, place: i64) -> Option<&ScaleBand> {
        self.content.bands.get(usize::try_from(place).ok()?)
    }

    /// Whether a band here and one of another version of the same scale are the same: the same place among as many bands, or
    /// else the same name.
    pub fn is_same_band(&self, place: i64, other: &Self, other_place: i64) -> bool {
        match self.content.bands.len() == other.content.bands.len() {
            true => place == other_place,
            false => self.band(place).map(|it| &it.name) == other.band(other_place).map(|it| &it.name),
        }
    }

    /// Checks that a rating at `pointer` was chosen from the levels of this generation.
    pub fn check_generation(&self, generation: i64, pointer: &str, faults: &mut Faults) {
        if generation != self.generation {
            let detail = "The scale has changed since: choose likelihood and impact by its present levels.";
            faults.add(pointer, FaultCode::ScaleOutdated, detail);
        }
    }

    /// Checks that a rating at `pointer`, such as `#/inherent`, has levels of this scale.
    pub fn check(&self, rating: Rating, pointer: &str, faults: &mut Faults) {
        let (likelihood, impact) = self.content.size();
        for (name, level, most) in
            [("likelihood", rating.likelihood, likelihood), ("impact", rating.impact, impact)]
        {
            if !(1..=most).contains(&level) {
                let detail = format!("must be from 1 to {most} in version {} of the scale", self.number);
                faults.add(format_args!("{pointer}/{name}"), FaultCode::Range, detail);
            }
        }
    }
}
