//! How many notes incidents have and how long they are together, which is kept, counted again.

use std::collections::{BTreeMap, BTreeSet};

use db::{Param, Tx};
use domain::note::NoteTotal;
use domain::{IncidentNumber, OrgId};

use crate::ledger::error::Result;
use crate::ledger::journal::Checker;

/// Incidents that are read at a time.
const PAGE: i64 = 200;

/// The totals of the incidents after one, as they are kept.
const KEPT: &str = "SELECT incident, notes, bytes FROM incident_note_total
    WHERE organization = $1 AND incident > $2 ORDER BY incident LIMIT $3";

/// The same, counted.
const COUNTED: &str = "SELECT incident, SUM(CASE WHEN deleted_date IS NULL THEN 1 ELSE 0 END),
        CAST(SUM(CASE WHEN deleted_date IS NULL THEN octet_length(text) ELSE 0 END) AS BIGINT)
    FROM incident_note WHERE organization = $1 AND incident > $2 GROUP BY incident ORDER BY incident LIMIT $3";

/// Notes every incident whose total is not that of its notes.
pub(crate) async fn check(tx: &mut Tx, organization: OrgId, checker: &mut Checker) -> Result<()> {
    let mut after = Some(0);
    while let Some(number) = after {
        let kept = totals(tx, KEPT, organization, number).await?;
        let counted = totals(tx, COUNTED, organization, number).await?;
        // Where one of the two pages ends before the other, the next page goes on.
        let is_full = |page: &&BTreeMap<i64, NoteTotal>| i64::try_from(page.len()).is_ok_and(|it| it == PAGE);
        let ends = [&kept, &counted].into_iter().filter(is_full);
        after = ends.filter_map(|page| page.keys().last().copied()).min();
        let numbers: BTreeSet<i64> = kept.keys().chain(counted.keys()).copied().collect();
        for number in numbers.into_iter().filter(|number| after.is_none_or(|end| *number <= end)) {
            let total = |page: &BTreeMap<i64, NoteTotal>| page.get(&number).copied().unwrap_or_default();
            if total(&kept) != total(&counted) {
                let id = IncidentNumber(number);
                checker.fault(0, format!("The notes of the incident {id} are not those that are counted."));
            }
        }
    }
    Ok(())
}

async fn totals(tx: &mut Tx, sql: &str, organization: OrgId, after: i64) -> Result<BTreeMap<i64, NoteTotal>> {
    let params: [&dyn Param; 3] = [&organization.uuid(), &after, &PAGE];
    let rows: Vec<(i64, i64, i64)> = tx.query(sql, &params).await?;
    let total = |(number, notes, bytes)| (number, NoteTotal { notes, bytes });
    Ok(rows.into_iter().map(total).collect())
}
