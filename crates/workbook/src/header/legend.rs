//! Sheets that say what the levels of a scale mean.

use crate::columns::field::Axis;
use crate::sheet::{Row, Sheet};
use crate::values::level;
use crate::words::{folded, has_phrase, listed};

/// Words in the names of such sheets.
const NAMES: &str = "legend, scale, scales, key, criteria, definitions, legende, skala, skalen, kriterien, echelle, echelles, \
        criteres, leyenda, escala, escalas, criterios, schaal, schalen, legenda, scala, criteri";

/// The most rows of such a sheet.
const MOST_ROWS: usize = 200;

/// What the levels of a scale are called, from a sheet of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Legend {
    /// The name of the sheet.
    pub sheet: String,
    /// Which factor it is of, if it says so.
    pub axis: Option<Axis>,
    /// The levels: number, name, meaning.
    pub levels: Vec<(u8, String, String)>,
}

/// The scales of a sheet; none if it is not such a sheet.
pub(crate) fn of(sheet: Sheet<'_>) -> Vec<Legend> {
    let name = folded(sheet.name());
    if sheet.len() > MOST_ROWS || !listed(NAMES).any(|word| has_phrase(&name, word)) {
        return Vec::new();
    }
    let mut legends: Vec<Legend> = Vec::new();
    let mut axis = axis_of(&name);
    for row in sheet.rows() {
        if let Some((number, name, meaning)) = level_of(row) {
            // A number that is there already begins another scale.
            let is_same = legends.last().is_some_and(|legend| {
                legend.axis == axis && legend.levels.iter().all(|(other, ..)| *other != number)
            });
            if !is_same {
                legends.push(Legend { sheet: sheet.name().to_owned(), axis, levels: Vec::new() });
            }
            if let Some(legend) = legends.last_mut() {
                legend.levels.push((number, name, meaning));
            }
        } else if let Some(found) = row.cells().find_map(|(_, cell)| axis_of(&folded(&cell.shown()))) {
            axis = Some(found);
        }
    }
    legends.retain(|legend| legend.levels.len() >= 2);
    legends
}

fn axis_of(folded: &str) -> Option<Axis> {
    crate::columns::guess::axis(folded)
}

/// A number from 1 to 10 with a name after it, or before it, and what follows.
fn level_of(row: Row<'_>) -> Option<(u8, String, String)> {
    let cells: Vec<_> = row.cells().map(|(_, cell)| cell).collect();
    let at = cells.iter().position(|cell| level::number(*cell).is_some())?;
    let number = level::number(*cells.get(at)?)?;
    let number = crate::cell::whole(number).and_then(|number| u8::try_from(number).ok())?;
    let mut texts = cells.iter().enumerate().filter(|(nth, _)| *nth != at).map(|(_, cell)| cell.shown());
    let name = texts.next()?;
    let meaning = texts.collect::<Vec<_>>().join(", ");
    ((1..=10).contains(&number) && name.chars().count() <= 60).then_some((number, name, meaning))
}
