//! Running an import: what would become of each row, and the writes that do it.

use std::ops::Range;

use db::Tx;
use domain::import::{
    Import, ImportCounts, ImportRow, ImportState, MAX_ROWS_AT_ONCE, PreparedRow, RowContent, RowOutcome,
};
use domain::incident::Viewer;
use domain::{Author, Error, ErrorCode, ExpectedVersion, FaultCode, ImportId, OrgId};
use macros::boxed;

use super::plan::Plan;
use super::prepared::Prepared;
use super::{get, incidents, mapping, replace, require_open, require_version, rows};
use crate::ledger::access;
use crate::ledger::bulk::cost;
use crate::ledger::error::Result;
use crate::ledger::record;

/// How many rows of a dry run are kept by one write.
const PLANNED_AT_ONCE: usize = 5_000;

/// How many rows are planned and written at a time.
const BATCH: usize = 200;

/// The writes of a run, each of these entries of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// The entries of each write. Behind those of the file are the duplicates that get their originals.
    pub ranges: Vec<Range<usize>>,
    /// Whether it is one write for all of the file.
    pub is_whole: bool,
}

/// How an import is run.
#[derive(Debug, Clone)]
pub struct Run {
    /// The import.
    pub id: ImportId,
    /// Its version before the first part.
    pub expected: ExpectedVersion,
    /// The version of which the file was read.
    pub read: i64,
    /// What the file has.
    pub rows: Prepared,
    /// Whether rows that cannot be imported are left out.
    pub skip_wrong: bool,
    /// What a write does.
    pub parts: Parts,
}

impl Parts {
    /// The writes for what follows after the first `done` entries: one for all if they are few and short enough, or else several
    /// that are so short that others need not wait.
    pub fn of(prepared: &[PreparedRow], done: usize) -> Self {
        let links = incidents::duplicates(prepared).filter_map(|(place, _)| prepared.get(place));
        let costs: Vec<i64> = prepared.iter().chain(links).map(cost_of).collect();
        let records = prepared.iter().filter(|row| cost_of(row) > 0).count();
        let is_short = records <= MAX_ROWS_AT_ONCE && costs.iter().sum::<i64>() <= cost::MOST_OF_ONE;
        if done == 0 && is_short {
            return Self { ranges: std::iter::once(0..prepared.len()).collect(), is_whole: true };
        }
        let (mut ranges, mut from) = (Vec::new(), done);
        for end in [prepared.len(), costs.len()] {
            while from < end {
                let rest = costs.get(from..end).unwrap_or_default();
                let fitting =
                    cost::fitting(rest.iter().map(|cost| Some(*cost)), cost::MOST_OF_A_PART).min(512);
                ranges.push(from..from + fitting);
                from += fitting;
            }
        }
        Self { ranges, is_whole: false }
    }

    /// The writes that keep what a dry run of so many entries has found.
    pub fn planned(count: usize) -> Self {
        let starts = (0..count.max(1)).step_by(PLANNED_AT_ONCE);
        let ranges = starts.map(|from| from..(from + PLANNED_AT_ONCE).min(count)).collect();
        Self { ranges, is_whole: false }
    }
}

/// A record with its texts, its evaluation and its tags, which are entries of their own.
fn cost_of(row: &PreparedRow) -> i64 {
    match row.content {
        RowContent::Skipped | RowContent::Wrong => 0,
        _ => cost::OF_A_RECORD + i64::try_from(row.bytes()).unwrap_or(i64::MAX),
    }
}

/// What would become of each row now. Only reads.
#[boxed]
pub async fn plan(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    import: &Import,
    prepared: &Prepared,
) -> Result<Vec<ImportRow>> {
    require_open(import)?;
    let mut planned = Vec::with_capacity(prepared.len());
    for batch in prepared.chunks(BATCH) {
        let batch = prepared.read(batch);
        let plan = Plan::make(tx, organization, author, import.kind, &batch).await?;
        planned.extend(plan.outcomes(import, planned.len()));
    }
    Ok(planned)
}

/// Keeps a part of what a dry run of the version `read` has found; with the last part the counts.
#[boxed]
pub async fn keep_planned(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (id, read): (ImportId, i64),
    planned: &[ImportRow],
    range: Range<usize>,
) -> Result<Import> {
    let mut import = get(tx, organization, &Viewer::of(author), id).await?;
    require_open(&import)?;
    require_version(&import, read)?;
    if range.start == 0 {
        rows::delete_from(tx, organization, id, 0).await?;
    }
    let is_last = range.end >= planned.len();
    record::insert_or_replace_all(tx, organization, planned.get(range).unwrap_or_default()).await?;
    if !is_last {
        return Ok(import);
    }
    import.entries = count(planned.len());
    import.counts = ImportCounts::default();
    planned.iter().for_each(|row| import.counts.add(row));
    replace(tx, organization, author, "import.planned", import).await
}

/// Writes a part of an import: its rows, what became of them and how far it is, in one transaction. A part that is written
/// already, by another request, changes nothing. A long file stops before the first rows that cannot be imported, unless they are
/// left out.
#[boxed]
pub async fn run_part(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    run: &Run,
    part: usize,
) -> Result<Import> {
    if !run.parts.is_whole {
        tx.plan_for_values();
    }
    let mut import = get(tx, organization, &Viewer::of(author), run.id).await?;
    if part == 0 {
        run.expected.check(import.version)?;
    }
    let range = run.parts.ranges.get(part).cloned().unwrap_or_default();
    access::require(tx, organization, author, author.permissions.required()).await?;
    if count(range.start) != import.done {
        return Ok(import);
    }
    begin(tx, organization, &mut import, run).await?;
    let mut place = range.start;
    for batch in run.rows.get(range.clone()).unwrap_or_default().chunks(BATCH) {
        let batch = run.rows.read(batch);
        let plan = Plan::make(tx, organization, author, import.kind, &batch).await?;
        let mut planned = plan.outcomes(&import, place);
        planned.retain(ImportRow::is_wrong);
        let is_stopped = !run.parts.is_whole && !run.skip_wrong && !planned.is_empty();
        if !is_stopped {
            planned = plan.write(tx, organization, author, &import, place).await?;
        }
        planned.iter().for_each(|row| import.counts.add(row));
        record::insert_all(tx, organization, &planned).await?;
        if is_stopped {
            (import.state, import.done) = (ImportState::Failed, count(place));
            return replace(tx, organization, author, "import.run", import).await;
        }
        place += batch.len();
    }
    if run.parts.is_whole && !run.skip_wrong && import.counts.wrong > 0 {
        return Err(wrong(import.counts.wrong).into());
    }
    import.done = count(range.end);
    let rows = run.rows.len();
    let links = match run.parts.is_whole {
        true => 0..rows,
        false => range.start.saturating_sub(rows)..range.end.saturating_sub(rows),
    };
    if !links.is_empty() {
        let linked = incidents::duplicates(&run.rows).skip(links.start).take(links.len()).collect();
        incidents::link_duplicates(tx, organization, author, import.id, linked).await?;
    }
    if part + 1 >= run.parts.ranges.len() {
        import.state = ImportState::Done;
        mapping::remember(tx, organization, &import).await?;
    }
    replace(tx, organization, author, "import.run", import).await
}

/// Begins an import that has not begun, and refuses one that cannot go on.
async fn begin(tx: &mut Tx, organization: OrgId, import: &mut Import, run: &Run) -> Result<()> {
    match import.state {
        ImportState::NeedsAnswers | ImportState::Ready => {
            require_version(import, run.read)?;
            let is_wrong = |row: &&PreparedRow| row.content == RowContent::Wrong;
            let found = run.rows.iter().filter(is_wrong).count();
            if found > 0 && !run.skip_wrong {
                return Err(wrong(count(found)).into());
            }
            rows::delete_from(tx, organization, import.id, 0).await?;
            import.state = ImportState::Running;
            import.counts = ImportCounts::default();
            import.entries = count(run.rows.len());
            Ok(())
        }
        ImportState::Running if import.entries == count(run.rows.len()) => Ok(()),
        ImportState::Failed if import.entries == count(run.rows.len()) => {
            import.counts.wrong -= rows::delete_from(tx, organization, import.id, import.done).await?;
            import.state = ImportState::Running;
            Ok(())
        }
        _ => Err(Error::Conflict(ErrorCode::ImportOver).into()),
    }
}

fn wrong(rows: i64) -> Error {
    let detail = format!(
        "must be true to leave out what cannot be imported, here {rows}: `GET /v1/imports/{{id}}/rows?outcome={}` after a dry run \
         lists it",
        RowOutcome::Wrong.as_str()
    );
    Error::invalid("#/skip_wrong", FaultCode::Required, detail)
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
