//! `POST /v1/risks/bulk`

use domain::bulk::{BulkOperation, ItemResult, MAX_IDS, not_found_text};
use domain::{RiskNumber, Scope};
use serde::Serialize;
use store::risks::change_many;
use utoipa::ToSchema;

use crate::api::bulk::{self, OutcomeView};
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::problem::ItemProblem;
use crate::input::risk_bulk::{self, BulkInput};

/// What became of each risk.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskBulkResults)]
struct ResultsView<'e> {
    /// In the order of the ids, each once, or with a filter in that of the numbers.
    #[schema(max_items = 10000)]
    results: Vec<ResultView<'e>>,
}

/// What became of a risk.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskBulkResult)]
struct ResultView<'e> {
    /// Its id.
    #[schema(examples("RSK-42"))]
    id: String,
    /// What became of it, or in a dry run would.
    outcome: OutcomeView,
    /// Why it failed; absent if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = ItemProblem::schema, required = false)]
    problem: Option<ItemProblem<'e>>,
}

impl<'e> From<&'e ItemResult<RiskNumber>> for ResultView<'e> {
    fn from(it: &'e ItemResult<RiskNumber>) -> Self {
        let (outcome, problem) = bulk::view(&it.outcome);
        Self { id: not_found_text(it.id), outcome, problem }
    }
}

/// Change many risks
///
/// Does one operation to up to 10,000 risks in one transaction, each by the same rules as alone and with a journal entry of its
/// own: like the change of many incidents. `delete` needs `risks:delete`, every other operation `risks:write`.
#[utoipa::path(
    post,
    path = "/v1/risks/bulk",
    operation_id = "change_risks",
    tag = "Risks",
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
        request.json_of(MAX_IDS, move |body, faults| risk_bulk::read(body, &caller, faults)).await?;
    request.permissions().require(match bulk.operation {
        BulkOperation::Delete => Scope::RisksDelete.into(),
        _ => Scope::RisksWrite.into(),
    })?;
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        change_many(tx, organization, author, &bulk).await
    };
    if is_dry_run {
        return Ok(Answer { changed_rows: 1, ..respond(&request.dry_run(change).await?)? });
    }
    request.write_rows(MAX_IDS, change, |results| respond(&results)).await
}

fn respond(results: &[ItemResult<RiskNumber>]) -> Result<Answer> {
    let changed_count = bulk::changed_count(results);
    let results = results.iter().map(ResultView::from).collect();
    Answer::bulk_outcome(changed_count, &ResultsView { results })
}
