//! `GET /v1/journal/head`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::timestamp::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// The journal's last entry.
#[derive(Serialize, ToSchema)]
#[schema(as = JournalHead)]
struct HeadView {
    /// The number of the last entry; 0 when there is none.
    #[schema(minimum = 0)]
    seq: i64,
    /// When the last entry was written; null when there is none.
    at: Option<Timestamp>,
    /// The hash of the last entry; zeros when there is none.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    hash: String,
}

/// Read the journal's head
///
/// Store this head outside the service: `bailiwick journal verify --expect SEQ:HASH` then proves later that no entry
/// up to it was changed.
#[utoipa::path(
    get,
    path = "/v1/journal/head",
    operation_id = "read_journal_head",
    tag = "Journal",
    responses((status = 200, description = "The journal's head", body = HeadView))
)]
pub(crate) async fn head(request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let head = store::journal::head(&mut tx, request.organization()).await?;
    let view = HeadView { seq: head.seq, at: head.last_at.map(Timestamp), hash: hex::encode(head.hash) };
    Answer::record(None, &view)
}
