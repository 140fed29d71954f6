//! Imports of spreadsheets: their files, what is proposed for them, and what becomes of their rows. They are no records: they are
//! removed some days later. Their entries say who sent which file, what was run and what became of it.

mod evaluations;
mod incidents;
mod known;
mod mapping;
mod parts;
mod plan;
mod prepared;
mod risks;
mod rows;
mod run;
mod step;
mod tags;

use db::Tx;
use domain::import::{Import, ImportCounts, ImportKind, ImportRow, ImportState};
use domain::incident::{Sees, Viewer};
use domain::{Author, Error, ErrorCode, ExpectedVersion, ImportId, OrgId, ResourceKind};
use jiff::{SignedDuration, Timestamp};
use macros::boxed;

pub use mapping::{Mapping, mapping};
pub use prepared::Prepared;
pub use rows::{count_rows, list_rows};
pub use run::{Parts, Run, keep_planned, plan, run_part};

use crate::ledger::error::Result;
use crate::ledger::housekeeping::Expiry;
use crate::ledger::journal::{self, Payload, Subject};
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{self, Stored};
use crate::ledger::view::View;

record::columns! {
    ImportCounts {
        created: Plain => Counted,
        updated: Plain => Counted,
        unchanged: Plain => Counted,
        skipped: Plain => Counted,
        wrong: Plain => Counted,
    }
}

record::record! {
    Import in "import" with counts: ImportCounts {
        id: Plain => Key,
        kind: AWord => Fixed,
        state: AWord => Counted,
        file_name: Plain => Fixed,
        fingerprint: Plain => Counted,
        proposal: Plain => Counted,
        choices: Plain => Counted,
        answers: Plain => Counted,
        entries: Plain => Counted,
        done: Plain => Counted,
        created_by: AnActor => Fixed,
        created_date: Plain => Fixed,
        updated_date: Plain => Counted,
        version: Plain => Counted,
    }
}

record::record! {
    ImportRow in "import_row" {
        import: Plain => Key,
        place: Plain => Key,
        first_row: Plain => Counted,
        last_row: Plain => Counted,
        title: Plain => Counted,
        outcome: AWord => Counted,
        record: Plain => Counted,
        faults: AFaultList => Counted,
        created_date: Plain => Fixed,
    }
}

/// How long an import is kept with its file and its rows, counted from when the file was sent.
const KEPT: SignedDuration = SignedDuration::from_hours(7 * 24);

const fn expiry(table: &'static str, key: &'static str) -> Expiry {
    Expiry { table, key, date: "created_date", kept: KEPT }
}

/// When rows, files and imports are removed.
pub(crate) const EXPIRIES: [Expiry; 3] = [
    expiry("import_row", "organization, import, place"),
    expiry("import_file", "organization, import, part"),
    expiry("import", "organization, id"),
];

/// The bytes of a part of a file.
const PART_BYTES: usize = 1024 * 1024;

/// A file that was sent, with what is proposed for it.
#[derive(Debug, Clone)]
pub struct NewImport {
    /// What it is imported as.
    pub kind: ImportKind,
    /// The name of the file.
    pub file_name: Option<String>,
    /// What is proposed.
    pub proposed: Proposed,
    /// The file.
    pub file: Vec<u8>,
}

/// What is proposed for a file, and what was chosen and answered.
#[derive(Debug, Clone)]
pub struct Proposed {
    /// Whether it can be run.
    pub state: ImportState,
    /// The same for files with the same header.
    pub fingerprint: String,
    /// The proposal, as JSON.
    pub proposal: String,
    /// What was chosen, as JSON.
    pub choices: String,
    /// What was answered, as JSON.
    pub answers: String,
}

/// The import of a file, before it is kept.
pub fn draft(tx: &mut Tx, author: &Author, new: &NewImport) -> Import {
    let Proposed { state, fingerprint, proposal, choices, answers } = new.proposed.clone();
    Import {
        id: ImportId(tx.uuid()),
        kind: new.kind,
        state,
        file_name: new.file_name.clone(),
        fingerprint,
        proposal,
        choices,
        answers,
        entries: 0,
        done: 0,
        counts: ImportCounts::default(),
        created_by: author.actor.clone(),
        created_date: tx.at(),
        updated_date: tx.at(),
        version: 1,
    }
}

/// Keeps a file that is to be imported.
#[boxed]
pub async fn create(tx: &mut Tx, organization: OrgId, author: &Author, new: &NewImport) -> Result<Import> {
    let import = draft(tx, author, new);
    record::insert(tx, organization, &import).await?;
    let payload =
        Payload::new().set("kind", import.kind.as_str()).set("file_name", import.file_name.as_deref());
    journal::append(tx, organization, author, "import.created", subject(import.id), payload).await?;
    let sql = "INSERT INTO import_file (organization, import, part, bytes, created_date)
               VALUES ($1, $2, $3, $4, $5)";
    for (part, bytes) in (0_i64..).zip(new.file.chunks(PART_BYTES)) {
        tx.send(sql, &[&organization.uuid(), &import.id.uuid(), &part, &bytes, &import.created_date]).await?;
    }
    Ok(import)
}

/// One import that the caller sees.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, viewer: &Viewer, id: ImportId) -> Result<Import> {
    let found: Option<Import> = record::find(tx, organization, &[id.uuid().into()]).await?;
    Ok(found.filter(|import| import.is_seen_by(viewer)).ok_or(Error::NotFound(ResourceKind::Import))?)
}

/// The bytes of its file.
#[boxed]
pub async fn file(tx: &mut Tx, organization: OrgId, id: ImportId) -> Result<Vec<u8>> {
    let sql = "SELECT bytes FROM import_file WHERE organization = $1 AND import = $2 ORDER BY part";
    let parts: Vec<(Vec<u8>,)> = tx.query(sql, &[&organization.uuid(), &id.uuid()]).await?;
    if parts.is_empty() {
        return Err(Error::NotFound(ResourceKind::Import).into());
    }
    Ok(parts.into_iter().map(|(bytes,)| bytes).collect::<Vec<_>>().concat())
}

/// Up to `limit` imports of these kinds that the caller sees, the latest first: those after the one of this time and id.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    kinds: &[ImportKind],
    after: Option<(Timestamp, ImportId)>,
    limit: i64,
) -> Result<Page<Import>> {
    let after = after.into_iter().flat_map(|(at, id)| [db::Value::Time(at), id.uuid().into()]);
    let select =
        of_kinds(organization, viewer, kinds).order(&["created_date", "id"], Direction::Descending, after);
    Ok(select.page(tx, limit).await?.map(|Stored(import)| import))
}

/// How many they are.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, viewer: &Viewer, kinds: &[ImportKind]) -> Result<i64> {
    of_kinds(organization, viewer, kinds).count(tx).await
}

/// Those of incidents are seen by who sent them, and by who sees all incidents.
fn of_kinds<'q>(organization: OrgId, viewer: &'q Viewer, kinds: &[ImportKind]) -> Select<'q, Import> {
    let is_seen = |kind: &&ImportKind| **kind != ImportKind::Incidents || viewer.sees() == Sees::All;
    let (seen, own): (Vec<&ImportKind>, Vec<&ImportKind>) = kinds.iter().partition(is_seen);
    let of = |kinds: Vec<&ImportKind>| {
        Filter::OneOf("kind", kinds.into_iter().map(|kind| kind.as_str().into()).collect())
    };
    let mut groups = vec![vec![of(seen)]];
    if let Some(actor) = viewer.actor() {
        let by = [("created_by_kind", actor.kind.as_str()), ("created_by_id", actor.id.as_str())];
        let by = by.map(|(column, value)| Filter::is(column, value.into()));
        groups.push(std::iter::once(of(own)).chain(by).collect());
    }
    Select::of(organization, View::with_deleted()).filter(Filter::AnyOf("kind", groups))
}

/// Changes what is chosen and answered, if the import still has the `version` of which the proposal was made. What a dry run found
/// no longer counts. What changes nothing is not journaled.
#[boxed]
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: ImportId,
    (expected, version): (&ExpectedVersion, i64),
    proposed: &Proposed,
) -> Result<Import> {
    let before = get(tx, organization, &Viewer::of(author), id).await?;
    expected.check(before.version)?;
    require_open(&before)?;
    let Proposed { state, fingerprint, proposal, choices, answers } = proposed.clone();
    let mut after = Import { state, fingerprint, proposal, choices, answers, ..before.clone() };
    if after == before {
        return Ok(before);
    }
    require_version(&before, version)?;
    rows::delete_from(tx, organization, id, 0).await?;
    after.counts = ImportCounts::default();
    replace(tx, organization, author, "import.updated", after).await
}

/// Ends an import that is not over, if it has an `expected` version, and removes its file.
#[boxed]
pub async fn cancel(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: ImportId,
    expected: &ExpectedVersion,
) -> Result<()> {
    let before = get(tx, organization, &Viewer::of(author), id).await?;
    author.scopes().require_all(before.kind.scope().into())?;
    expected.check(before.version)?;
    if before.state.is_over() {
        return Err(Error::Conflict(ErrorCode::ImportOver).into());
    }
    let sql = "DELETE FROM import_file WHERE organization = $1 AND import = $2";
    tx.send(sql, &[&organization.uuid(), &id.uuid()]).await?;
    let after = Import { state: ImportState::Cancelled, ..before };
    replace(tx, organization, author, "import.cancelled", after).await?;
    Ok(())
}

/// Refuses to change an import that has another version than the `expected` one, or of which rows are written already.
pub fn check_open(import: &Import, expected: &ExpectedVersion) -> Result<()> {
    expected.check(import.version)?;
    require_open(import)
}

/// Refuses to run an import that is over.
pub fn check_runnable(import: &Import) -> Result<()> {
    match import.state.is_over() {
        true => Err(Error::Conflict(ErrorCode::ImportOver).into()),
        false => Ok(()),
    }
}

/// Refuses an import of which rows are written already.
fn require_open(import: &Import) -> Result<()> {
    match import.state {
        ImportState::NeedsAnswers | ImportState::Ready => Ok(()),
        _ => Err(Error::Conflict(ErrorCode::ImportOver).into()),
    }
}

/// Refuses an import that was changed since its file was read.
fn require_version(import: &Import, read: i64) -> Result<()> {
    match import.version == read {
        true => Ok(()),
        false => Err(Error::Outdated { current: Some(import.version) }.into()),
    }
}

/// Replaces an import, with an entry of this kind.
async fn replace(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    kind: &'static str,
    import: Import,
) -> Result<Import> {
    let import = Import { version: import.version + 1, updated_date: tx.at(), ..import };
    let ImportCounts { created, updated, unchanged, skipped, wrong } = import.counts;
    let payload = Payload::new()
        .set("state", import.state.as_str())
        .set("created", created)
        .set("updated", updated)
        .set("unchanged", unchanged)
        .set("skipped", skipped)
        .set("wrong", wrong);
    journal::append(tx, organization, author, kind, subject(import.id), payload).await?;
    record::replace(tx, organization, &import).await?;
    Ok(import)
}

fn subject(id: ImportId) -> Subject {
    Subject::new("import", id.to_string())
}
