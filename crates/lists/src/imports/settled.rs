//! What was chosen and answered for a file, as it is stored and remembered.

use std::collections::BTreeMap;

use domain::{FaultCode, Faults};
use serde::{Deserialize, Serialize};
use store::imports::Mapping;
use workbook::{Choices, Field, Kind, Workbook};

use super::body::ColumnChoice;

/// What was chosen and answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Settled {
    chosen: Chosen,
    pub(super) answers: BTreeMap<String, String>,
}

/// What was chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Chosen {
    sheet: Option<usize>,
    header_rows: Vec<u32>,
    columns: BTreeMap<usize, String>,
}

/// Sheet, header rows and columns of a patch.
type Sent = (Option<i64>, Option<Vec<i64>>, Option<Vec<ColumnChoice>>);

impl Settled {
    /// As it was stored.
    pub(super) fn of(mapping: &Mapping) -> Self {
        let chosen = serde_json::from_str(&mapping.choices).unwrap_or_default();
        Self { chosen, answers: serde_json::from_str(&mapping.answers).unwrap_or_default() }
    }

    /// As it is stored.
    pub(super) fn stored(&self) -> Mapping {
        Mapping {
            choices: serde_json::json!(self.chosen).to_string(),
            answers: serde_json::json!(self.answers).to_string(),
        }
    }

    pub(super) fn choices(&self) -> Choices {
        let Chosen { sheet, header_rows, columns } = &self.chosen;
        let field = |(index, name): (&usize, &String)| Some((*index, Field::named(name)?));
        Choices {
            sheet: *sheet,
            header_rows: header_rows.clone(),
            columns: columns.iter().filter_map(field).collect(),
        }
    }

    /// Changes what was chosen.
    pub(super) fn choose(
        &mut self,
        workbook: &Workbook,
        kind: Kind,
        (sheet, header_rows, columns): Sent,
        faults: &mut Faults,
    ) {
        if let Some(sheet) = sheet.and_then(|sheet| usize::try_from(sheet).ok()) {
            if workbook.sheet(sheet).is_none_or(workbook::Sheet::is_empty) {
                faults.add("#/sheet", FaultCode::Range, "must be a sheet of the file that is not empty");
            }
            self.chosen = Chosen { sheet: Some(sheet), ..Chosen::default() };
        }
        if let Some(rows) = header_rows {
            let rows = rows.into_iter().map(|row| u32::try_from(row).unwrap_or_default()).collect();
            self.chosen = Chosen { sheet: self.chosen.sheet, header_rows: rows, columns: BTreeMap::new() };
        }
        for (at, ColumnChoice { index, field }) in columns.into_iter().flatten().enumerate() {
            let known = Field::named(&field).filter(|field| field.is_of(kind));
            if known.is_none() {
                let names: Vec<&str> = Field::choices(kind).map(Field::name).collect();
                let detail = format!("must be one of {}", names.join(", "));
                faults.add(format_args!("#/columns/{at}/field"), FaultCode::Enum, detail);
            }
            self.chosen.columns.extend(usize::try_from(index).ok().map(|index| (index, field)));
        }
    }
}
