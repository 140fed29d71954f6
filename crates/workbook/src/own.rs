//! Our own exports, which are read to the letter.

use crate::sheet::Sheet;

/// The head of the first column of the sheet that says what the columns of a workbook are.
const LEGEND: &str = "Column";

/// Whether these are the names of the columns of one of our own exports: they begin with the id and end with the version, and
/// say when a record was made. Those of evaluations begin with the risk and end with that time.
pub(crate) fn is_header(names: &[&str]) -> bool {
    match (names.first(), names.last()) {
        (Some(&"id"), Some(&"version")) => names.contains(&"created_date"),
        (Some(&"risk"), Some(&"created_date")) => names.contains(&"evaluated_at"),
        _ => false,
    }
}

/// Whether a sheet says what the columns of one of our own workbooks are.
pub(crate) fn is_legend(sheet: Sheet<'_>) -> bool {
    let head = sheet.row(0).map(|row| row.cell(0).shown());
    sheet.name() == "Legend" && head.is_some_and(|head| head == LEGEND)
}
