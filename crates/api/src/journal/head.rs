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
    seq: i64,
    /// When the last entry was written; null when there is none.
    at: Option<Timestamp>,
    /// The hash of the last entry; zeros when there is none.
    hash: HashView,
}

/// A SHA-256 hash, in hexadecimal.
#[derive(Serialize, ToSchema)]
#[schema(
    max_length = 64,
    pattern = "^[0-9a-f]{64}$",
    examples("5f1d7a84db00d2fce00b31a7fc73224f8ec4a6b2c1d0e9f8a7b6c5d4e3f2a1b0")
)]
pub(super) struct HashView(String);

impl From<Vec<u8>> for HashView {
    fn from(hash: Vec<u8>) -> Self {
        Self(hex::encode(hash))
    }
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
    let view = HeadView { seq: head.seq, at: head.last_at.map(Timestamp), hash: head.hash.to_vec().into() };
    Answer::record(None, &view)
}
