//! `POST /v1/undo`

use db::{Db, Tx};
use domain::json::body;
use domain::undo::{UndoOutcome, UndoRequest, UndoResult};
use domain::{Author, Error, FaultCode, IncidentNumber, OrgId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::word::OneOf;
use serde::Serialize;
use store::undo::{Search, UndoneRecord};
use utoipa::ToSchema;

/// What undoing the request did.
#[derive(Serialize, ToSchema)]
#[schema(as = RequestUndone)]
struct UndoneView {
    /// Number of records that were undone.
    #[schema(minimum = 0, maximum = 10000, examples(1))]
    undone_count: usize,
    /// Every record that the request created or changed, in the order in which it did.
    #[schema(max_items = 10000)]
    results: Vec<ResultView>,
}

/// What became of one record.
#[derive(Serialize, ToSchema)]
#[schema(as = UndoResult)]
struct ResultView {
    /// The kind of record, as in the journal.
    #[serde(rename = "type")]
    #[schema(pattern = "^[a-z_]{1,100}$", max_length = 100, examples("incident"))]
    record_type: String,
    /// The id of the record.
    #[schema(max_length = 200, examples("INC-0042"))]
    id: String,
    /// What became of it.
    outcome: OutcomeView,
    /// Why it was not undone; absent if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 500)]
    reason: Option<String>,
}

type OutcomeView = OneOf<UndoOutcome>;

impl ResultView {
    fn of((record, result): (&UndoneRecord, &UndoResult)) -> Self {
        let UndoResult { outcome, reason } = result.clone();
        let (record_type, id) = (record.record_type.clone(), record.id.clone());
        Self { record_type, id, outcome: OneOf(outcome), reason }
    }
}

/// Undo a request
///
/// Undoes a request of the same caller, up to 15 minutes after it: each incident and each risk that it changed,
/// deleted, restored, tagged or untagged, a tag that it changed, merged or deleted, and a document whose properties it
/// changed or that it archived, tagged or untagged, gets its earlier state back, as a new version. What is approved of a
/// document, its proposals, publications and acknowledgements, stays. A record that was changed again
/// since stays as it is, and so does one that the request created. If the caller has used the id more than once, the
/// latest request is undone. Undoing the undo restores what the request did. It needs the scopes that the request
/// needed. What changed many records is undone in several transactions, each of which is durable; sent again, the
/// request does the rest.
#[utoipa::path(
    post,
    path = "/v1/undo",
    operation_id = "undo_request",
    tag = "Undo",
    request_body = UndoRequest,
    responses(
        (status = 200, description = "What became of each record", body = UndoneView),
        (status = 404, description = "Request not found"),
    )
)]
pub(crate) async fn undo(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let UndoRequest { request_id: id } = request.json(body).await?;
    if id == request.source().request_id() {
        let detail = "must be the id of an earlier request, not of this one";
        return Err(Error::invalid("#/request_id", FaultCode::Format, detail).into());
    }
    let search = Search::new(request.organization(), request.actor(), &id);
    let search = finished(search, request.app.db()).await?;
    let records = search.records();
    let undo = async move |tx: &mut Tx, organization: OrgId, author: &Author, done: usize| {
        store::undo::undo(tx, organization, author, &search, done).await
    };
    request.into_write().run_in_parts(records, undo, respond).await
}

fn respond(records: &[UndoneRecord]) -> Result<Answer> {
    let told = store::undo::told(records)?;
    let named: Vec<IncidentNumber> =
        told.iter().filter_map(|(record, _)| IncidentNumber::parse_listed(&record.id)).collect();
    let results = told.into_iter().map(ResultView::of).collect();
    let undone_count = store::undo::undone_count(records);
    let rows = i64::try_from(undone_count).unwrap_or(i64::MAX);
    Ok(Answer::bulk_outcome(rows, &UndoneView { undone_count, results })?.naming(named))
}

/// Looks for the request, without keeping other requests waiting. If it is not found the write says so, because a stored
/// response to an Idempotency-Key comes first.
async fn finished(mut search: Search, db: &Db) -> Result<Search> {
    let mut tx = db.read().await?;
    while search.advance(&mut tx).await? {
        tokio::task::yield_now().await;
    }
    Ok(search)
}
