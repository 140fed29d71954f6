//! Our own exports, which are read to the letter: those for programs, and those of the console, whose columns have the names that
//! people read.

use crate::header::names::Head;
use crate::sheet::{Row, Sheet};
use crate::words::folded;

/// The header of the sheet that says what the columns of a workbook are.
const LEGEND: [&str; 4] = ["Column", "Name", "Meaning", "Values"];

/// The signs at which spreadsheets begin a formula, also the full-width ones, which some read as the others, and the one that
/// our own CSV exports put before them.
pub const GUARDED: [char; 12] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\'', '\t', '\r', '\n'];

/// Columns that programs call otherwise than people, beyond what [`program_name`] does.
const NAMES: &[(&str, &str)] = &[
    ("Owner (e-mail address)", "owner_email"),
    ("Assignee", "assigned_to"),
    ("Assignee (e-mail address)", "assigned_to_email"),
    ("External reference", "external_ref"),
    ("External system", "external_source"),
    ("Severity rationale", "severity_reasoning"),
    ("Resolution", "resolution_reason"),
    ("Times reopened", "reopen_count"),
    ("Declared by", "opened_by"),
    ("Evaluate every (days)", "evaluate_every_days"),
    ("Review every (days)", "review_every_days"),
    ("Progress to target (basis points)", "performance_basis_points"),
    ("Next review", "next_review_date"),
    ("Next evaluation", "next_evaluation_date"),
    ("Status changed at", "status_date"),
    ("Status since", "status_date"),
    ("Started at", "occurred_date"),
    ("Evaluated at", "evaluated_at"),
];

/// Whether these are the names of the columns of one of our own exports: they begin with the id and end with the version, and
/// say when a record was made. Those of evaluations begin with the risk and end with that time.
pub(crate) fn is_header(names: &[&str]) -> bool {
    match (names.first(), names.last()) {
        (Some(&"id"), Some(&"version")) => names.contains(&"created_date"),
        (Some(&"risk"), Some(&"created_date")) => names.contains(&"evaluated_at"),
        _ => zone(names).is_some(),
    }
}

/// The time zone that the columns of one of the console's exports name; none of other files. Lists of others may have an id, a
/// version and the time that a record was made, but hardly also the time of its last change in the same form.
pub(crate) fn zone<'n>(names: &[&'n str]) -> Option<&'n str> {
    let is_one = names.first() == Some(&"ID") && names.last() == Some(&"Version");
    let of = |event: &str| names.iter().find_map(|name| name.strip_prefix(event)?.strip_suffix(')'));
    let zone = of("Created at (");
    zone.filter(|_| is_one && of("Updated at (") == zone)
}

/// The columns of one of the console's exports as programs call them.
pub(crate) fn for_programs(heads: &[Head]) -> Vec<Head> {
    let head = |head: &Head| {
        let name = program_name(&head.name);
        Head { column: head.column, folded: folded(&name), name }
    };
    heads.iter().map(head).collect()
}

/// What programs call a column: `Inherent rating: score` is `inherent_score`, `Created at (UTC)` is `created_date`.
fn program_name(name: &str) -> String {
    let known =
        |name: &str| NAMES.iter().find(|(label, _)| *label == name).map(|(_, name)| (*name).to_owned());
    let bare = name.split_once(" (").map_or(name, |(bare, _)| bare);
    let derived = || {
        let name = bare.to_lowercase().replace(" rating: ", "_").replace(' ', "_");
        name.strip_suffix("_at").map(|event| format!("{event}_date")).unwrap_or(name)
    };
    known(name).or_else(|| known(bare)).unwrap_or_else(derived)
}

/// Whether a sheet says what the columns of one of our own workbooks are.
pub(crate) fn is_legend(sheet: Sheet<'_>) -> bool {
    let is_header = |row: Row<'_>| row.cells().map(|(_, cell)| cell.shown()).eq(LEGEND);
    sheet.name() == "Legend" && sheet.row(0).is_some_and(is_header)
}
