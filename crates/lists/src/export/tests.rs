//! What an import makes of the columns of exports.
#![allow(clippy::unwrap_used, reason = "tests")]

use domain::incident::Incident;
use domain::risk::Risk;
use jiff::tz::TimeZone;
use workbook::{Choices, Kind, Levels, Reading};

use super::{Columns, Exported as _, Separator, Spreadsheet, tag_columns};

/// What an import proposes for the columns of a file with a line below them.
fn fields(names: &[String], separator: &str, kind: Kind) -> (Vec<&'static str>, Option<String>) {
    let line = vec!["x"; names.len()].join(separator);
    let file = format!("{}\r\n{line}\r\n", names.join(separator));
    let book = workbook::read(file.as_bytes(), None, Reading::default()).unwrap();
    let levels = Levels { likelihood: Vec::new(), impact: Vec::new() };
    let proposal = workbook::propose(&book, kind, &levels, &Choices::default());
    assert!(proposal.is_ours, "{names:?}");
    (proposal.columns.iter().map(|column| column.field.name()).collect(), proposal.zone)
}

fn check<R: 'static>(columns: &Columns<R>, kind: Kind) {
    let (organization, zone_name) = ("acme".to_owned(), "Europe/Berlin".to_owned());
    let (separator, zone) = (Separator::Semicolon, TimeZone::UTC);
    let spreadsheet = Spreadsheet { is_workbook: false, separator, zone, zone_name, organization };
    let heads: Vec<String> = columns.0.iter().map(|column| spreadsheet.head(column)).collect();
    let (for_programs, none) = fields(&columns.names(), ",", kind);
    let (for_people, zone) = fields(&heads, ";", kind);
    assert_eq!((for_people, none, zone.as_deref()), (for_programs, None, Some("Europe/Berlin")));
}

#[test]
fn the_columns_for_people_are_those_for_programs() {
    check(&Risk::columns(), Kind::Risks);
    check(&Incident::columns(), Kind::Incidents);
    check(&tag_columns(), Kind::Tags);
}
