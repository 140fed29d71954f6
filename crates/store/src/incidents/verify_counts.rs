//! The counts of incidents follow from the incidents and their tags, which are counted again here.

use std::collections::HashMap;

use db::{FromRow, Param, Row, Tx};
use domain::OrgId;
use uuid::Uuid;

use crate::ledger::error::Result;
use crate::ledger::journal::Checker;

/// Rows that are read at a time.
const PAGE: i64 = 1_000;

/// What is counted: status, severity, kind, assignee, whether they are restricted, and the tag; nil is nobody, or with any
/// tag or none.
type Cell = (String, String, String, Uuid, bool, Uuid);

/// Notes every count that is wrong, missing or too much. There are far fewer counts than incidents.
pub(crate) async fn check(tx: &mut Tx, organization: OrgId, checker: &mut Checker) -> Result<()> {
    let mut expected = recount(tx, organization).await?;
    let mut last: Option<Cell> = None;
    loop {
        let page = stored(tx, organization, last.as_ref()).await?;
        for StoredCount(cell, counted) in &page {
            let there_are = expected.remove(cell).unwrap_or(0);
            compare(checker, cell, *counted, there_are);
        }
        match page.into_iter().next_back() {
            Some(StoredCount(cell, _)) => last = Some(cell),
            None => break,
        }
    }
    let mut missing: Vec<_> = expected.into_iter().collect();
    missing.sort_unstable();
    missing.iter().for_each(|(cell, there_are)| compare(checker, cell, 0, *there_are));
    Ok(())
}

fn compare(checker: &mut Checker, cell: &Cell, counted: i64, there_are: i64) {
    if counted != there_are {
        let (status, severity, kind, ..) = cell;
        let words: Vec<_> =
            [status, severity, kind].into_iter().filter(|it| !it.is_empty()).cloned().collect();
        let words = words.join(" ");
        checker.fault(0, format!("The count of {words} incidents is {counted}, and there are {there_are}."));
    }
}

/// The next counts in the order of their key.
async fn stored(tx: &mut Tx, organization: OrgId, after: Option<&Cell>) -> Result<Vec<StoredCount>> {
    let none = Cell::default();
    let (status, severity, kind, assigned_to, restricted, tag) = after.unwrap_or(&none);
    // No status is empty, so the first page begins with the first count.
    let sql = "SELECT status, severity, kind, assigned_to, restricted, tag, counted FROM incident_count
        WHERE organization = $1
            AND (tag, status, severity, kind, assigned_to, restricted) > ($2, $3, $4, $5, $6, $7)
        ORDER BY tag, status, severity, kind, assigned_to, restricted LIMIT $8";
    let params: [&dyn Param; 8] =
        [&organization.uuid(), tag, status, severity, kind, assigned_to, restricted, &PAGE];
    Ok(tx.query(sql, &params).await?)
}

/// Counts the incidents, and those with each tag.
async fn recount(tx: &mut Tx, organization: OrgId) -> Result<HashMap<Cell, i64>> {
    let organization = organization.uuid();
    let mut counts = HashMap::new();
    let mut number = 0;
    loop {
        let params: [&dyn Param; 3] = [&organization, &number, &PAGE];
        let page: Vec<Counted> = tx.query(INCIDENTS, &params).await?;
        let Some(last) = page.last() else { break };
        number = last.number;
        page.iter().for_each(|it| it.count(Uuid::nil(), &mut counts));
    }
    let (mut number, mut tag) = (0, Uuid::nil());
    loop {
        let params: [&dyn Param; 4] = [&organization, &number, &tag, &PAGE];
        let page: Vec<Counted> = tx.query(TAGGED, &params).await?;
        let Some(last) = page.last() else { return Ok(counts) };
        (number, tag) = (last.number, last.id);
        page.iter().for_each(|it| it.count(it.id, &mut counts));
    }
}

/// The incidents after a number.
const INCIDENTS: &str = "SELECT r.number, r.status, r.severity, r.kind, r.assigned_to, r.restricted,
        r.deleted_date IS NOT NULL, r.organization
    FROM incident AS r WHERE r.organization = $1 AND r.number > $2 ORDER BY r.number LIMIT $3";

/// The tags on incidents after a number and a tag, each with its incident.
const TAGGED: &str = "SELECT r.number, r.status, r.severity, r.kind, r.assigned_to, r.restricted,
        r.deleted_date IS NOT NULL, link.tag
    FROM (SELECT organization, incident, tag FROM incident_tag
          WHERE organization = $1 AND (incident, tag) > ($2, $3) AND seq_to IS NULL
          ORDER BY incident, tag LIMIT $4) AS link
    JOIN incident AS r ON r.organization = link.organization AND r.number = link.incident
    ORDER BY link.incident, link.tag";

struct StoredCount(Cell, i64);

impl FromRow for StoredCount {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let cell = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?);
        Ok(Self(cell, row.get(6)?))
    }
}

/// An incident, or a tag on one.
struct Counted {
    number: i64,
    /// Without a tag.
    cell: Cell,
    is_deleted: bool,
    /// The tag, where it is one.
    id: Uuid,
}

impl Counted {
    fn count(&self, tag: Uuid, counts: &mut HashMap<Cell, i64>) {
        let (status, severity, kind, assigned_to, restricted, _) = self.cell.clone();
        if !self.is_deleted {
            *counts.entry((status, severity, kind, assigned_to, restricted, tag)).or_default() += 1;
        }
    }
}

impl FromRow for Counted {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let word = |index| Ok::<_, db::Error>(row.get::<Option<String>>(index)?.unwrap_or_default());
        let assigned_to = row.get::<Option<Uuid>>(4)?.unwrap_or_default();
        let restricted = row.get::<Option<bool>>(5)?.unwrap_or_default();
        let cell = (row.get(1)?, word(2)?, word(3)?, assigned_to, restricted, Uuid::nil());
        Ok(Self { number: row.get(0)?, cell, is_deleted: row.get(6)?, id: row.get(7)? })
    }
}
