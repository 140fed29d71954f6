//! The text that keeps a scale: JSON in one column, because it is always read and written as a whole.

use serde::{Deserialize, Serialize};

use super::{Acceptance, AcceptanceBy, ScaleBand, ScaleColor, ScaleContent, ScaleLevel};
use crate::ids::{GroupId, UserId};
use crate::text::{Line, LineOrEmpty};

#[derive(Serialize, Deserialize)]
struct Stored {
    likelihood: Vec<StoredLevel>,
    impact: Vec<StoredLevel>,
    bands: Vec<StoredBand>,
    matrix: Vec<Vec<i64>>,
}

#[derive(Serialize, Deserialize)]
struct StoredLevel {
    name: String,
    description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct StoredBand {
    name: String,
    color: String,
    by: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    users: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    group: Option<String>,
}

impl ScaleContent {
    /// The text that keeps it.
    pub fn to_stored(&self) -> String {
        let level = |it: &ScaleLevel| StoredLevel {
            name: it.name.to_string(),
            description: it.description.to_string(),
            color: it.color.map(|color| color.as_str().to_owned()),
        };
        let band = |it: &ScaleBand| StoredBand {
            name: it.name.to_string(),
            color: it.color.as_str().to_owned(),
            by: it.acceptance.by.as_str().to_owned(),
            users: it.acceptance.users.as_ref().map(|users| users.iter().map(ToString::to_string).collect()),
            group: it.acceptance.group.map(|group| group.to_string()),
        };
        let stored = Stored {
            likelihood: self.likelihood.iter().map(level).collect(),
            impact: self.impact.iter().map(level).collect(),
            bands: self.bands.iter().map(band).collect(),
            matrix: self.matrix.clone(),
        };
        // Texts and numbers only: serializing them cannot fail.
        serde_json::to_string(&stored).unwrap_or_default()
    }

    /// What a text keeps; none if it is no such text.
    pub fn from_stored(text: &str) -> Option<Self> {
        let Stored { likelihood, impact, bands, matrix } = serde_json::from_str(text).ok()?;
        Some(Self {
            likelihood: likelihood.into_iter().map(level).collect::<Option<_>>()?,
            impact: impact.into_iter().map(level).collect::<Option<_>>()?,
            bands: bands.into_iter().map(band).collect::<Option<_>>()?,
            matrix,
        })
    }
}

fn level(it: StoredLevel) -> Option<ScaleLevel> {
    let color = match it.color {
        Some(color) => Some(ScaleColor::parse(&color)?),
        None => None,
    };
    Some(ScaleLevel { name: Line::stored(it.name), description: LineOrEmpty::stored(it.description), color })
}

fn band(it: StoredBand) -> Option<ScaleBand> {
    let users = match it.users {
        Some(users) => Some(users.iter().map(|id| UserId::parse(id)).collect::<Option<_>>()?),
        None => None,
    };
    let group = match it.group {
        Some(group) => Some(GroupId::parse(&group)?),
        None => None,
    };
    Some(ScaleBand {
        name: Line::stored(it.name),
        color: ScaleColor::parse(&it.color)?,
        acceptance: Acceptance { by: AcceptanceBy::parse(&it.by)?, users, group },
    })
}
