//! What was found in a file, and what becomes of its rows, for the terminal.

use domain::import::{ImportCounts, ImportRow, RowFault};
use lists::imports::{Column, Proposal, Question};
use serde::Serialize;

use crate::failure::Result;
use crate::output::{self, Table};

#[derive(Serialize)]
struct Shown<'s> {
    dry_run: bool,
    sheet: &'s str,
    header_rows: &'s [i64],
    reason: &'s str,
    columns: &'s [Column],
    questions: &'s [Question],
    counts: ImportCounts,
    /// What is wrong or remarkable.
    faults: Vec<&'s RowFault>,
}

/// Prints it.
pub(super) fn show(proposal: &Proposal, planned: &[ImportRow], dry_run: bool, json: bool) -> Result<()> {
    let mut counts = ImportCounts::default();
    planned.iter().for_each(|row| counts.add(row));
    let faults: Vec<&RowFault> = planned.iter().flat_map(|row| &row.faults).collect();
    let Proposal { sheets, header_rows, reason, columns, questions, .. } = proposal;
    let sheet = usize::try_from(proposal.sheet).ok().and_then(|sheet| sheets.get(sheet));
    let sheet = sheet.map(String::as_str).unwrap_or_default();
    if json {
        return output::json(&Shown {
            dry_run,
            sheet,
            header_rows,
            reason,
            columns,
            questions,
            counts,
            faults,
        });
    }
    let rows: Vec<String> = header_rows.iter().map(ToString::to_string).collect();
    output::line(&format!("Sheet “{sheet}”, header in row {}. {reason}", rows.join(", ")))?;
    let table = Table::begin([("COLUMN", 24), ("FIELD", 20), ("WHY", 0)])?;
    for Column { name, field, reason, .. } in columns {
        table.row([name, field, reason])?;
    }
    for question in questions {
        let answer = question.answer.as_ref().unwrap_or(&question.proposal);
        let is_open = if question.answer.is_none() { " (proposed)" } else { "" };
        output::line(&format!("{} --answer {}={answer}{is_open}", question.about, question.id))?;
    }
    for RowFault { row, read, detail, nearest, .. } in faults {
        let nearest = nearest.as_ref().map(|nearest| format!(" Nearest: {nearest}.")).unwrap_or_default();
        output::line(&format!("Row {row}: “{read}”: {detail}{nearest}"))?;
    }
    let ImportCounts { created, updated, unchanged, skipped, wrong } = counts;
    output::line(&format!(
        "{created} created, {updated} updated, {unchanged} unchanged, {skipped} skipped, {wrong} wrong"
    ))
}
