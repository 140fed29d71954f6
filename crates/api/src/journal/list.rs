//! `GET /v1/journal`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::error_codes::ParameterCode;
use http::page::{List, PageParams};
use http::query::SortParam;
use http::timestamp::Timestamp;
use lists::input::journal_filter::{self, EntryFilterParams};
use macros::View;
use serde::Serialize;
use store::journal::{self, Entry, EntrySort};
use store::list::Direction;
use utoipa::ToSchema;

use super::head::HashView;
use crate::shared::ActorView;

/// A change, chained to the previous entry by its hash; docs/journal.md describes how to verify it.
#[derive(Serialize, ToSchema, View)]
#[schema(as = JournalEntry, examples(json!({
    "payload_hash": "9b74c9897bac770ffc029102a200c5de2f4a1e6b8c3d7f905a4b3c2d1e0f9a8b",
    "prev_hash": "0000000000000000000000000000000000000000000000000000000000000000",
})))]
#[view(Entry)]
struct EntryView {
    /// The entry's number, from 1 without gaps.
    #[schema(minimum = 1)]
    seq: i64,
    /// When the change was made.
    #[schema(examples("2026-03-01T09:30:00.000000Z"))]
    at: Timestamp,
    /// Who made the change, with the actor's current name.
    actor: ActorView,
    /// The id of the request that made the change.
    #[schema(
        max_length = 128,
        pattern = "^[A-Za-z0-9._-]{1,128}$",
        examples("01901645-2b7c-7d90-b3a1-5e2f9c8d7a60")
    )]
    request_id: String,
    /// The kind of record and a past participle.
    #[schema(max_length = 100, examples("incident.created"))]
    kind: String,
    /// The record that was changed.
    #[view(SubjectView { kind: it.subject_kind, id: it.subject_id })]
    subject: SubjectView,
    /// The exact text that was hashed: each field with [before, after]. Null once it was erased,
    /// and for a restricted incident that the caller does not see.
    #[schema(max_length = 8_388_608, examples("{\"title\":[null,\"Phishing mail to the finance team\"]}"))]
    payload: Option<String>,
    /// The bytes hashed before the payload, in hexadecimal. Null where `payload` is.
    #[schema(max_length = 64, pattern = "^([0-9a-f]{2})+$", examples("3f9a1c5e7b2d4f608192a3b4c5d6e7f8"))]
    #[view(it.salt.map(hex::encode))]
    salt: Option<String>,
    /// SHA-256 of salt and payload.
    payload_hash: HashView,
    /// The hash of the previous entry; zeros for the first.
    prev_hash: HashView,
    /// The hash of this entry.
    hash: HashView,
}

/// The record that an entry describes.
#[derive(Serialize, ToSchema)]
#[schema(as = JournalSubject)]
struct SubjectView {
    /// The kind of record.
    #[schema(max_length = 100, examples("incident"))]
    kind: String,
    /// The record's id.
    #[schema(max_length = 200, examples("INC-0001"))]
    id: String,
}

/// List journal entries
///
/// The audit trail and the change feed, in the order of the changes; with `sort=-seq` the latest first. A client that
/// polls sends the number of the last entry it has read as `after`.
#[utoipa::path(
    get,
    path = "/v1/journal",
    operation_id = "list_journal",
    tag = "Journal",
    params(
        EntryFilterParams,
        ("after" = Option<i64>, Query, minimum = 0,
            description = "Entries after this number; not with `cursor` or `sort=-seq`"),
        SortParam<EntrySort>,
        PageParams,
    ),
    responses((status = 200, description = "Journal entries", body = List<EntryView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let after = query.integer("after", 0, i64::MAX);
    let page = request.page::<i64>(&mut query);
    if after.is_some() && page.after.is_some() {
        query.fault("after", ParameterCode::Conflict, "cannot be sent together with `cursor`");
    }
    let (filter, direction) =
        (journal_filter::read(&mut query, request.actor()), query.sort::<EntrySort>().direction);
    if after.is_some() && direction == Direction::Descending {
        query.fault("after", ParameterCode::Conflict, "cannot be sent together with `sort=-seq`");
    }
    query.finish()?;
    let (organization, start) = (request.organization(), page.after.or(after));
    let mut tx = request.app.db().read().await?;
    let mut rows = journal::page(&mut tx, organization, &filter, direction, start, page.limit).await?;
    store::incidents::hide_entries(&mut tx, organization, &request.viewer(), &mut rows.rows).await?;
    let total = page.total(journal::count(&mut tx, organization, &filter)).await?;
    Answer::list(&request.list(rows, total, |entry| entry.seq, EntryView::from))
}
