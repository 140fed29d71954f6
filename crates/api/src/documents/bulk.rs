//! `POST /v1/documents/bulk`

use domain::Scope;
use domain::document::MAX_DOCUMENTS;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use lists::document_bulk;
use lists::input::document_bulk::{DocumentBulk, read};
use store::document_bulk::Results;

use crate::bulk::{ResultsView, require, respond_to_documents, search_seq};

/// Change many documents
///
/// Changes the properties of up to 500 documents, puts a tag on each or takes one off, or asks people to acknowledge the newest
/// version of each, by the same rules as alone and with a journal entry for each. Nothing of it is part of a text that is approved.
/// Who is asked already, with the same `due_days`, is not asked again: the document is `unchanged`. Changes of properties that would
/// write more than 48 MiB of texts are 422 `too_many`. A `filter` also needs `documents:read`.
#[utoipa::path(
    post,
    path = "/v1/documents/bulk",
    operation_id = "change_documents",
    tag = "Documents",
    request_body = DocumentBulk,
    responses(
        (status = 200, description = "What became of each", body = ResultsView<'_>),
        (status = 404, description = "Tag not found"),
        (status = 409, description = "`bulk_failed`"),
    )
)]
pub(crate) async fn change(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let caller = request.actor().clone();
    let (bulk, is_dry_run) =
        request.json_of(MAX_DOCUMENTS, move |body, faults| read(body, &caller, faults)).await?;
    require(&request, Scope::DocumentsWrite, &bulk.target, &[Scope::DocumentsRead])?;
    let query = bulk.target.filter().and_then(|asked| asked.filter.q.as_ref());
    let search_seq = search_seq(request.app.db(), request.organization(), query).await?;
    let write = request.into_write();
    let public_url = write.app.auth().public_url.clone();
    let respond = move |results: Results| respond_to_documents(&public_url, &results);
    let answer = match is_dry_run {
        true => respond(document_bulk::plan(write, &bulk).await?)?,
        false => document_bulk::change(write, bulk, respond).await?,
    };
    Ok(answer.searched(search_seq))
}
