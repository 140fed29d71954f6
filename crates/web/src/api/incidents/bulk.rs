//! `POST /v1/incidents/bulk`

use domain::bulk::{BulkOperation, ItemResult, MAX_IDS, not_found_text};
use domain::{IncidentNumber, Scope};
use serde::Serialize;
use store::incidents::change_many;
use utoipa::ToSchema;

use crate::api::bulk::{self, OutcomeView};
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::problem::ItemProblem;
use crate::input::incident_bulk::{self, BulkInput};

/// What became of each incident.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentBulkResults)]
struct ResultsView<'e> {
    /// In the order of the ids, each once, or with a filter in that of the numbers.
    #[schema(max_items = 10000)]
    results: Vec<ResultView<'e>>,
}

/// What became of an incident.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentBulkResult)]
struct ResultView<'e> {
    /// Its id.
    #[schema(examples("INC-0042"))]
    id: String,
    /// What became of it, or in a dry run would.
    outcome: OutcomeView,
    /// Why it failed; absent if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = ItemProblem::schema, required = false)]
    problem: Option<ItemProblem<'e>>,
}

impl<'e> From<&'e ItemResult<IncidentNumber>> for ResultView<'e> {
    fn from(it: &'e ItemResult<IncidentNumber>) -> Self {
        let (outcome, problem) = bulk::view(&it.outcome);
        Self { id: not_found_text(it.id), outcome, problem }
    }
}

/// Change many incidents
///
/// Does one operation to up to 10,000 incidents in one transaction, each by the same rules as alone and with a journal entry of
/// its own. An incident that a rule forbids to change has the outcome `failed`, and the others are changed all the same; with
/// `atomic` none is (409 `bulk_failed`). A dry run is the real one, undone: it says what would become of each. `POST /v1/undo`
/// takes the whole back. `delete` needs `incidents:delete`, every other operation `incidents:write`.
#[utoipa::path(
    post,
    path = "/v1/incidents/bulk",
    operation_id = "change_incidents",
    tag = "Incidents",
    request_body = BulkInput,
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
        request.json_of(MAX_IDS, move |body, faults| incident_bulk::read(body, &caller, faults)).await?;
    request.permissions().require(match bulk.operation {
        BulkOperation::Delete => Scope::IncidentsDelete.into(),
        _ => Scope::IncidentsWrite.into(),
    })?;
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        change_many(tx, organization, author, &bulk).await
    };
    if is_dry_run {
        return Ok(Answer { changed_rows: 1, ..respond(&request.dry_run(change).await?)? });
    }
    request.write_rows(MAX_IDS, change, |results| respond(&results)).await
}

fn respond(results: &[ItemResult<IncidentNumber>]) -> Result<Answer> {
    let changed_count = bulk::changed_count(results);
    let results = results.iter().map(ResultView::from).collect();
    Answer::bulk_outcome(changed_count, &ResultsView { results })
}
