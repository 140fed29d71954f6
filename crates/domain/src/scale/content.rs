//! What a scale consists of, and what may be in it.

use std::collections::HashSet;

use macros::Body;

use super::{SIZE_MAX, SIZE_MIN};
use crate::fault::{FaultCode, Faults};
use crate::ids::{GroupId, UserId};
use crate::json::{Fields, nested};
use crate::schema::Schema;
use crate::text::{Line, LineOrEmpty, folded};

/// The most characters of the name of a level or of a band.
const NAME_CHARACTERS: usize = 80;

/// The most people who may accept risks of a band.
const MOST_PEOPLE: usize = 100;

crate::words! {
    "ScaleColor"
    /// A colour of a level or a band. A page never shows it without the name.
    pub enum ScaleColor {
        /// Green.
        Green = "green",
        /// Yellow.
        Yellow = "yellow",
        /// Orange.
        Orange = "orange",
        /// Red.
        Red = "red",
    }
}

crate::words! {
    "AcceptanceBy"
    /// Who may accept a remaining risk of a band.
    pub enum AcceptanceBy {
        /// The risk needs no decision.
        NobodyNeeded = "nobody_needed",
        /// The owner of the risk.
        Owner = "owner",
        /// Named people, or the members of a group.
        People = "people",
        /// Nobody: such a risk cannot be accepted.
        Never = "never",
    }
}

/// Who may accept a remaining risk of a band.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "NewAcceptanceCriterion", whole = Self::check)]
pub struct Acceptance {
    /// Who may accept it.
    #[body(example = "owner")]
    pub by: AcceptanceBy,
    /// The ids of members, with `people` only.
    #[body(least = 1, most = MOST_PEOPLE)]
    pub users: Option<Vec<UserId>>,
    /// The id of a group, with `people` only.
    pub group: Option<GroupId>,
}

/// A level of likelihood or of impact.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "NewScaleLevel")]
pub struct ScaleLevel {
    /// What the level is called, unique among the levels.
    #[body(example = "Likely")]
    pub name: Line<NAME_CHARACTERS>,
    /// What the level means.
    #[body(default, example = "Once a year")]
    pub description: LineOrEmpty,
    /// Its colour.
    #[body(example = "orange")]
    pub color: Option<ScaleColor>,
}

/// A band of ratings.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "NewScaleBand")]
pub struct ScaleBand {
    /// What the band is called, unique among the bands.
    #[body(example = "High")]
    pub name: Line<NAME_CHARACTERS>,
    /// Its colour.
    #[body(example = "orange")]
    pub color: ScaleColor,
    /// Who may accept a remaining risk of it.
    #[body(read = nested)]
    pub acceptance: Acceptance,
}

const ROW: Schema = Schema::List { of: &Schema::Integer(0, 9), least: SIZE_MIN, most: SIZE_MAX };

/// What the matrix of a scale looks like.
pub const MATRIX: Schema = Schema::List { of: &ROW, least: SIZE_MIN, most: SIZE_MAX };

/// The levels, the bands, and which rating is in which band.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "NewScaleContent", check = Self::check(likelihood, impact, bands, matrix))]
pub struct ScaleContent {
    /// The levels of likelihood, from the lowest.
    #[body(least = 2, most = SIZE_MAX, json = r#"[{"name": "Unlikely"}, {"name": "Likely"}]"#)]
    pub likelihood: Vec<ScaleLevel>,
    /// The levels of impact, from the lowest.
    #[body(least = 2, most = SIZE_MAX, json = r#"[{"name": "Minor"}, {"name": "Severe"}]"#)]
    pub impact: Vec<ScaleLevel>,
    /// The bands, from the lowest.
    #[body(least = 2, most = SIZE_MAX, json = r#"[
        {"name": "Low", "color": "green", "acceptance": {"by": "nobody_needed"}},
        {"name": "High", "color": "red", "acceptance": {"by": "owner"}}
    ]"#)]
    pub bands: Vec<ScaleBand>,
    /// A row for each level of likelihood, with the band of each level of impact: 0 is the lowest band. The band does not get
    /// lower when likelihood or impact gets higher.
    #[body(schema = MATRIX, json = "[[0, 0], [0, 1]]")]
    pub matrix: Vec<Vec<i64>>,
}

impl ScaleContent {
    /// How many levels of likelihood and of impact it has.
    pub fn size(&self) -> (i64, i64) {
        let count = |levels: &[ScaleLevel]| i64::try_from(levels.len()).unwrap_or(i64::MAX);
        (count(&self.likelihood), count(&self.impact))
    }

    fn check(
        fields: &mut Fields<'_, '_>,
        likelihood: Option<&Vec<ScaleLevel>>,
        impact: Option<&Vec<ScaleLevel>>,
        bands: Option<&Vec<ScaleBand>>,
        matrix: Option<&Vec<Vec<i64>>>,
    ) {
        let names = |levels: &Vec<ScaleLevel>| levels.iter().map(|it| folded(&it.name)).collect::<Vec<_>>();
        let faults = fields.faults();
        let mut is_right = true;
        for (list, names) in [
            ("likelihood", likelihood.map(names)),
            ("impact", impact.map(names)),
            ("bands", bands.map(|bands| bands.iter().map(|it| folded(&it.name)).collect())),
        ] {
            is_right &= names.is_some_and(|names| check_names(list, &names, faults));
        }
        let (Some(likelihood), Some(impact), Some(bands), Some(matrix)) = (likelihood, impact, bands, matrix)
        else {
            return;
        };
        if is_right {
            check_matrix((likelihood.len(), impact.len(), bands.len()), matrix, faults);
        }
    }
}

/// Checks how many elements a list has, and that each has its own name; whether there are as many as a list may have.
fn check_names(list: &str, names: &[String], faults: &mut Faults) -> bool {
    let pointer = format_args!("#/{list}");
    if names.len() < SIZE_MIN {
        faults.add(pointer, FaultCode::TooFew, format!("must have at least {SIZE_MIN} elements"));
    } else if names.len() > SIZE_MAX {
        faults.add(pointer, FaultCode::TooMany, format!("must have at most {SIZE_MAX} elements"));
    } else {
        let mut seen = HashSet::new();
        for (place, _) in names.iter().enumerate().filter(|(_, name)| !seen.insert(*name)) {
            let detail = "An element before this one has the same name.";
            faults.add(format_args!("#/{list}/{place}/name"), FaultCode::Duplicate, detail);
        }
        return true;
    }
    false
}

/// Checks that a matrix has this many rows and columns, and bands that do not get lower to the right or below.
fn check_matrix((rows, columns, bands): (usize, usize, usize), matrix: &[Vec<i64>], faults: &mut Faults) {
    if matrix.len() != rows {
        let detail = format!("must have {rows} rows, one for each level of likelihood");
        faults.add("#/matrix", FaultCode::Range, detail);
        return;
    }
    for (place, _) in matrix.iter().enumerate().filter(|(_, row)| row.len() != columns) {
        let detail = format!("must have {columns} bands, one for each level of impact");
        faults.add(format_args!("#/matrix/{place}"), FaultCode::Range, detail);
    }
    let at = |row: usize, column: usize| matrix.get(row).and_then(|row| row.get(column)).copied();
    for (row, cells) in matrix.iter().enumerate() {
        for (column, band) in cells.iter().enumerate().take(columns) {
            let pointer = format_args!("#/matrix/{row}/{column}");
            let left = column.checked_sub(1).and_then(|column| at(row, column));
            let below = row.checked_sub(1).and_then(|row| at(row, column));
            if !usize::try_from(*band).is_ok_and(|band| band < bands) {
                let detail = format!("must be the place of a band, from 0 to {}", bands - 1);
                faults.add(pointer, FaultCode::Range, detail);
            } else if left.max(below).is_some_and(|lower| *band < lower) {
                let detail = "must not be a lower band than that of a lower likelihood or impact";
                faults.add(pointer, FaultCode::Range, detail);
            }
        }
    }
}

impl Acceptance {
    /// People or a group are named with `people`, and with nothing else.
    fn check(&self, faults: &mut Faults) {
        let named = [("users", self.users.is_some()), ("group", self.group.is_some())];
        if self.by == AcceptanceBy::People {
            if named.iter().all(|(_, is_named)| !is_named) {
                faults.add("#/users", FaultCode::Required, "People need members or a group.");
            }
        } else {
            for (name, _) in named.iter().filter(|(_, is_named)| *is_named) {
                let detail = "goes with `by` people only";
                faults.add(format_args!("#/{name}"), FaultCode::Conflict, detail);
            }
        }
        match self.users.as_ref().map_or(1, Vec::len) {
            0 => faults.add("#/users", FaultCode::TooFew, "must name at least one member"),
            count if count > MOST_PEOPLE => {
                let detail = format!("must name at most {MOST_PEOPLE} members");
                faults.add("#/users", FaultCode::TooMany, detail);
            }
            _ => {}
        }
    }
}
