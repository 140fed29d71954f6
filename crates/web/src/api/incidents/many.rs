//! Changing many incidents at once: the shared part of deleting and restoring.

use db::Tx;
use domain::bulk::{self, BulkOutcome};
use domain::{Author, IncidentNumber, OrgId};
use futures_util::future::BoxFuture;
use serde::Serialize;

use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::input::incidents::read_ids;

/// A function of the store that changes the incidents with these numbers.
pub(super) type ChangeMany = for<'a> fn(
    &'a mut Tx,
    OrgId,
    &'a Author,
    &'a [IncidentNumber],
) -> BoxFuture<'a, store::Result<BulkOutcome>>;

/// Changes the incidents whose ids are in the body, with texts by `parse`.
pub(super) async fn change_many<V: Serialize + 'static>(
    mut request: ApiRequest,
    parse: fn(&str) -> Option<IncidentNumber>,
    change: ChangeMany,
    view: fn(BulkOutcome) -> V,
) -> Result<Answer> {
    request.no_query()?;
    let ids = request.json_of(bulk::MAX_IDS, move |body, faults| read_ids(body, faults, parse)).await?;
    let rows = ids.len();
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        change(tx, organization, author, &ids).await
    };
    let respond = move |outcome: BulkOutcome| Answer::bulk_outcome(outcome.changed_count, &view(outcome));
    request.write_rows(rows, change, respond).await
}
