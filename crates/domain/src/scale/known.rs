//! All scales that an organization has had, as far as its ratings need them.

use super::{DEFAULT_VERSION, Scale, ScaleColor};
use crate::rating::Rating;

/// The latest version of each generation of an organization's scale, the first one first: ratings are read by these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scales(Vec<Scale>);

/// The band of a rating.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grade {
    /// The place of the band, from 0, the lowest.
    pub place: i64,
    /// What the band is called.
    pub name: String,
    /// Its colour.
    pub color: ScaleColor,
    /// Orders ratings, also those by different scales: by the band, then by the share of the highest score.
    pub order: i64,
}

/// What the scale says of a risk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grades {
    /// The band of the inherent rating; none if nobody has asked for it.
    pub inherent: Option<Grade>,
    /// That of the target.
    pub target: Option<Grade>,
    /// That of the latest evaluation.
    pub current: Option<Grade>,
    /// Whether the inherent rating or the latest evaluation is by a scale that cannot be compared with the present one.
    pub is_outdated: bool,
}

impl Grade {
    /// One more band counts more than any share of the highest score, which is in hundredths of a per cent.
    pub const ORDER_OF_A_BAND: i64 = 100_000;

    /// What the highest score counts in the order.
    pub const ORDER_OF_A_SCORE: i64 = 10_000;

    /// The share of the highest score, in hundredths of a per cent.
    pub fn share(&self) -> i64 {
        self.order % Self::ORDER_OF_A_BAND
    }
}

/// The default scale alone.
impl Default for Scales {
    fn default() -> Self {
        Self(vec![Scale::default()])
    }
}

impl Scales {
    /// Of the latest stored version of each generation, the first one first. The default scale is not stored.
    pub fn of(stored: Vec<Scale>) -> Self {
        let is_changed = stored.first().is_some_and(|first| first.generation == Scale::default().generation);
        let default = (!is_changed).then(Scale::default);
        Self(default.into_iter().chain(stored).collect())
    }

    /// The scale of today, or of the time that is shown.
    pub fn present(&self) -> &Scale {
        // There always is one.
        static DEFAULT: std::sync::LazyLock<Scale> = std::sync::LazyLock::new(Scale::default);
        self.0.last().unwrap_or_else(|| &DEFAULT)
    }

    /// The scale with these added to it as the next version.
    #[must_use]
    pub fn with(&self, next: Scale) -> Self {
        let mut scales = self.0.clone();
        scales.retain(|it| it.generation != next.generation);
        scales.push(next);
        Self(scales)
    }

    /// Each generation, the latest one first: the number of its first version, and its latest version.
    pub fn generations(&self) -> impl Iterator<Item = (i64, &Scale)> {
        let last_before = self.0.iter().rev().skip(1).map(|it| it.number + 1).chain([1]);
        last_before.zip(self.0.iter().rev())
    }

    /// The scale by which a rating is read that was made in a version.
    pub fn read_by(&self, version: i64) -> &Scale {
        let found = self.generations().find(|(first, _)| version >= *first);
        found.map_or_else(|| self.present(), |(_, scale)| scale)
    }

    /// The first version by which ratings can be compared with those by the present scale.
    pub fn first_comparable(&self) -> i64 {
        self.generations().next().map_or(DEFAULT_VERSION, |(first, _)| first)
    }

    /// Whether a rating that was made in a version can be compared with one by the present scale.
    pub fn is_present(&self, version: i64) -> bool {
        self.read_by(version).generation == self.present().generation
    }

    /// The band of a rating that was made in a version.
    pub fn grade(&self, rating: Rating, version: i64) -> Option<Grade> {
        let scale = self.read_by(version);
        let place = scale.band_of(rating);
        let band = scale.band(place)?;
        let share = rating.score() * Grade::ORDER_OF_A_SCORE / scale.highest_score();
        let order = place * Grade::ORDER_OF_A_BAND + share;
        Some(Grade { place, name: band.name.to_string(), color: band.color, order })
    }
}
