//! `POST /v1/imports/{id}/run`

use domain::import::Import;
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use lists::imports::ImportRun;

use super::{ImportView, named};

/// Run an import
///
/// A dry run says what would become of each row and writes no record. Up to 10,000 records are written at once, all or none;
/// more of them, or very long ones, in several writes, of which each is durable with how far it is: if it is interrupted, the
/// next run goes on. If rows of a later part cannot be imported, it ends as `failed` before them, and a run with `skip_wrong` goes
/// on. Each record is made or changed by the same rules as alone, and with a journal entry of its own. A record
/// with the reference of one that is there, or without a reference and with its title, changes that one; a second run of the
/// same file changes nothing. An evaluation that is there, by its time and rating, is not recorded again. An incident without a
/// reference is known by its title and detection time, a tag by its name. Statuses and dates of the past of incidents need
/// `incidents:override`: they are set without the rules of transitions.
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
    let expected = request.expected_version();
    let respond = |import: &Import| Answer::record(import.version, &ImportView::from(import.clone()));
    lists::imports::run(request.into_write(), id, expected, asked, respond).await
}
