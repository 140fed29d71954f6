//! The steps of an import, for the API and the console: a file is sent, opened again, changed, and run.

use std::sync::Arc;

use db::Tx;
use domain::import::{Import, ImportKind, ImportState};
use domain::incident::Viewer;
use domain::{Author, ExpectedVersion, FaultCode, ImportId, OrgId};
use http::error::{Error, Result};
use http::write::Write;
use http::{Answer, App};
use store::imports::{Mapping, NewImport, Parts, Run};

use super::{Around, ImportPatch, ImportRun, Opened};

/// Reads a file that was sent, with what is remembered for its header.
pub async fn sent(
    app: &App,
    organization: OrgId,
    kind: ImportKind,
    file_name: Option<String>,
    file: Vec<u8>,
) -> Result<NewImport> {
    let around = Around::read(&mut app.db().read().await?, organization).await?;
    let name = file_name.clone();
    let read = move || Ok((Opened::read(kind, name.as_deref(), &file, None, around)?, file));
    let (mut opened, file) = app.convert(read).await?;
    let mut tx = app.db().read().await?;
    let mapping = store::imports::mapping(&mut tx, organization, kind, opened.fingerprint()).await?;
    drop(tx);
    if let Some(mapping) = mapping {
        opened = app.convert(move || Ok::<_, Error>(opened.with(&mapping))).await?;
    }
    Ok(NewImport { kind, file_name, proposed: opened.proposed(), file })
}

/// Opens the file of an import, as it was left.
async fn open(app: &App, organization: OrgId, import: &Import) -> Result<Opened> {
    let mut tx = app.db().read().await?;
    let file = store::imports::file(&mut tx, organization, import.id).await?;
    let around = Around::read(&mut tx, organization).await?;
    drop(tx);
    let mapping = Mapping { choices: import.choices.clone(), answers: import.answers.clone() };
    let (kind, name) = (import.kind, import.file_name.clone());
    let read = move || Ok(Opened::read(kind, name.as_deref(), &file, Some(&mapping), around)?);
    app.convert(read).await
}

/// Changes what is chosen and answered, if the import has an `expected` version.
pub async fn update(
    write: Write,
    id: ImportId,
    expected: ExpectedVersion,
    patch: ImportPatch,
    respond: impl Fn(Import) -> Result<Answer> + Send + Sync + 'static,
) -> Result<Answer> {
    if let Some(answer) = write.stored().await? {
        return Ok(answer);
    }
    let import = get(&write, id).await?;
    store::imports::check_open(&import, &expected)?;
    let opened = open(&write.app, write.organization, &import).await?;
    let proposed = write.app.convert(move || Ok(opened.patched(patch)?.proposed())).await?;
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        store::imports::update(tx, organization, author, id, (&expected, import.version), &proposed).await
    };
    write.run(http::write::Transaction::Shared, change, respond).await
}

/// Says what would become of the rows, or writes them, if the import has an `expected` version.
pub async fn run(
    write: Write,
    id: ImportId,
    expected: ExpectedVersion,
    asked: ImportRun,
    respond: impl Fn(&Import) -> Result<Answer> + Send + Sync + 'static,
) -> Result<Answer> {
    if let Some(answer) = write.stored().await? {
        return Ok(answer);
    }
    let import = get(&write, id).await?;
    check(&import, &expected, asked)?;
    let opened = open(&write.app, write.organization, &import).await?;
    let rows = write.app.convert(move || Ok(opened.rows()?)).await?;
    let respond = move |imports: &[Option<Import>]| match imports.last() {
        Some(Some(import)) => respond(import),
        _ => Err(Error::internal("no part was run")),
    };
    if asked.dry_run {
        let mut tx = write.app.db().read().await?;
        let planned =
            store::imports::plan(&mut tx, write.organization, &write.author, &import, &rows).await?;
        drop((tx, rows));
        let parts = Parts::planned(planned.len());
        let total = parts.ranges.len();
        let part = async move |tx: &mut Tx, organization: OrgId, author: &Author, done: usize| {
            let range = parts.ranges.get(done).cloned().unwrap_or_default();
            let read = (id, import.version);
            let import =
                store::imports::keep_planned(tx, organization, author, read, &planned, range).await?;
            Ok(vec![(done + 1 == total).then_some(import)])
        };
        return write.run_in_parts(total, part, respond).await;
    }
    let parts = Parts::of(&rows, usize::try_from(import.done).unwrap_or_default());
    let total = parts.ranges.len();
    let run = Arc::new(Run { id, expected, read: import.version, rows, skip_wrong: asked.skip_wrong, parts });
    let part = async move |tx: &mut Tx, organization: OrgId, author: &Author, done: usize| {
        let import = store::imports::run_part(tx, organization, author, &run, done).await?;
        // The others have the whole proposal too.
        Ok(vec![(done + 1 == total).then_some(import)])
    };
    write.run_in_parts(total, part, respond).await
}

/// The import, if the author may make such a one.
async fn get(write: &Write, id: ImportId) -> Result<Import> {
    let mut tx = write.app.db().read().await?;
    let import = store::imports::get(&mut tx, write.organization, &Viewer::of(&write.author), id).await?;
    write.author.permissions.require(import.kind.scope().into())?;
    Ok(import)
}

/// Refuses an import that cannot be run: it is another version, it is over, or it has questions without an answer.
fn check(import: &Import, expected: &ExpectedVersion, asked: ImportRun) -> Result<()> {
    expected.check(import.version)?;
    store::imports::check_runnable(import)?;
    let is_open = import.state == ImportState::NeedsAnswers;
    if is_open && !asked.dry_run && !asked.accept_proposals {
        let detail = "must be true unless each question of the import has an answer";
        return Err(domain::Error::invalid("#/accept_proposals", FaultCode::Required, detail).into());
    }
    Ok(())
}
