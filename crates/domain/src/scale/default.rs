//! The scale that every organization begins with.

use super::{
    Acceptance, AcceptanceBy, DEFAULT_VERSION, Scale, ScaleBand, ScaleColor, ScaleContent, ScaleLevel,
};
use crate::text::{Line, LineOrEmpty};

const LIKELIHOOD: [(&str, &str); 5] = [
    ("Rare", "Less than once in 10 years"),
    ("Unlikely", "Once in 3 to 10 years"),
    ("Possible", "Once in 1 to 3 years"),
    ("Likely", "Once a year"),
    ("Almost certain", "Several times a year"),
];

const IMPACT: [(&str, &str); 5] = [
    ("Negligible", "Under 10 k; hours of work"),
    ("Minor", "Under 100 k; a day of work"),
    ("Moderate", "Under 1 M; customers notice"),
    ("Major", "Under 10 M; customers leave"),
    ("Severe", "10 M or more; threatens the organization"),
];

const BANDS: [(&str, ScaleColor, AcceptanceBy); 4] = [
    ("Low", ScaleColor::Green, AcceptanceBy::NobodyNeeded),
    ("Medium", ScaleColor::Yellow, AcceptanceBy::Owner),
    ("High", ScaleColor::Orange, AcceptanceBy::Owner),
    ("Critical", ScaleColor::Red, AcceptanceBy::Owner),
];

/// By the score: low below 5, medium below 10, high below 15.
const MATRIX: [[i64; 5]; 5] =
    [[0, 0, 0, 0, 1], [0, 0, 1, 1, 2], [0, 1, 1, 2, 3], [0, 1, 2, 3, 3], [1, 2, 3, 3, 3]];

impl Default for Scale {
    fn default() -> Self {
        Self {
            number: DEFAULT_VERSION,
            generation: 1,
            reason: None,
            content: ScaleContent::default(),
            created_by: None,
            created_date: None,
            seq_from: 0,
        }
    }
}

impl Default for ScaleContent {
    fn default() -> Self {
        let level = |(name, description): &(&str, &str)| ScaleLevel {
            name: Line::stored(*name),
            description: LineOrEmpty::stored(*description),
            color: None,
        };
        let band = |(name, color, by): &(&str, ScaleColor, AcceptanceBy)| ScaleBand {
            name: Line::stored(*name),
            color: *color,
            acceptance: Acceptance { by: *by, users: None, group: None },
        };
        Self {
            likelihood: LIKELIHOOD.iter().map(level).collect(),
            impact: IMPACT.iter().map(level).collect(),
            bands: BANDS.iter().map(band).collect(),
            matrix: MATRIX.iter().map(|row| row.to_vec()).collect(),
        }
    }
}
