//! `POST /v1/imports/{id}/run`

use std::sync::Arc;

use db::Tx;
use domain::import::{Import, ImportState};
use domain::{Author, Error, FaultCode, OrgId, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use lists::imports::ImportRun;
use store::imports::{Parts, Run};

use super::{ImportView, Kept, named, require};

/// Run an import
///
/// A dry run says what would become of each row and writes no record. Up to 10,000 records are written at once, all or none;
/// more of them, or very long ones, in several writes, of which each is durable with how far it is: if it is interrupted, the
/// next run goes on. Each record is made or changed by the same rules as alone, and with a journal entry of its own. A record
/// with the reference of one that is there, or without a reference and with its title, changes that one; a second run of the
/// same file changes nothing.
#[utoipa::path(
    post,
    path = "/v1/imports/{id}/run",
    operation_id = "run_import",
    tag = "Imports",
    params(("id" = Uuid, Path, description = "Import id")),
    request_body = ImportRun,
    responses(
        (status = 200, description = "The import, as it is then", body = ImportView),
        (status = 404, description = "Import not found"),
        (status = 409, description = "It is over (`import_over`)"),
    )
)]
pub(crate) async fn run(mut request: ApiRequest) -> Result<Answer> {
    let id = named(&request)?;
    request.no_query()?;
    let asked = request.json(json::body::<ImportRun>).await?;
    let mut tx = request.app.db().read().await?;
    let import = store::imports::get(&mut tx, request.organization(), id).await?;
    require(&request, import.kind)?;
    check(&import, asked)?;
    let kept = Kept::read(&mut tx, request.organization(), &import).await?;
    drop(tx);
    let of = import.clone();
    let rows = request.app.convert(move || Ok(kept.open(&of)?.rows())).await?;
    if asked.dry_run {
        let mut tx = request.app.db().read().await?;
        let (organization, author) = (request.organization(), request.author());
        let planned = store::imports::plan(&mut tx, organization, &author, &import, &rows).await?;
        drop(tx);
        let parts = Parts::planned(planned.len());
        let total = parts.ranges.len();
        let part = async move |tx: &mut Tx, organization: OrgId, _: &Author, done: usize| {
            let range = parts.ranges.get(done).cloned().unwrap_or_default();
            Ok(vec![store::imports::keep_planned(tx, organization, id, &planned, range).await?])
        };
        return request.into_write().run_in_parts(total, part, respond).await;
    }
    let parts = Parts::of(&rows, usize::try_from(import.done).unwrap_or_default());
    let total = parts.ranges.len();
    let run = Arc::new(Run { id, rows, skip_wrong: asked.skip_wrong, parts });
    let part = async move |tx: &mut Tx, organization: OrgId, author: &Author, done: usize| {
        Ok(vec![store::imports::run_part(tx, organization, author, &run, done).await?])
    };
    request.into_write().run_in_parts(total, part, respond).await
}

/// Refuses an import that cannot be run: it is over, or has questions without an answer.
fn check(import: &Import, asked: ImportRun) -> Result<()> {
    store::imports::check_runnable(import)?;
    let is_open = import.state == ImportState::NeedsAnswers;
    if is_open && !asked.dry_run && !asked.accept_proposals {
        let detail = "must be true unless each question of the import has an answer";
        return Err(Error::invalid("#/accept_proposals", FaultCode::Required, detail).into());
    }
    Ok(())
}

fn respond(imports: &[Import]) -> Result<Answer> {
    let import = imports.last().cloned().ok_or_else(|| http::error::Error::internal("no part was run"))?;
    Answer::record(import.version, &ImportView::from(import))
}
