//! What became of each of many records.

use auth::PublicUrl;
use db::Db;
use domain::bulk::{ItemOutcome, ItemResult, not_found_text};
use domain::search::SearchQuery;
use domain::{IncidentNumber, OrgId, RecordNumber, Scope, words};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::problem::ItemProblem;
use http::word::OneOf;
use serde::Serialize;
use store::bulk::Target;
use store::document_bulk::Results;
use utoipa::ToSchema;

use crate::search::searched_up_to;

words! {
    "BulkItemOutcome"
    /// The outcome for one of many records.
    enum Outcome {
        /// It was changed.
        Changed = "changed",
        /// It had these values already.
        Unchanged = "unchanged",
        /// The change was refused.
        Failed = "failed",
        /// It does not exist, is deleted, or the caller may not see it.
        NotFound = "not_found",
    }
}

type OutcomeView = OneOf<Outcome>;

/// What became of each record.
#[derive(Serialize, ToSchema)]
#[schema(as = BulkResults)]
pub(super) struct ResultsView<'e> {
    /// How many were changed, or in a dry run would be.
    #[schema(minimum = 0, maximum = 10000, examples(1))]
    changed_count: usize,
    /// How many had these values already.
    #[schema(minimum = 0, maximum = 10000)]
    unchanged_count: usize,
    /// How many could not be changed.
    #[schema(minimum = 0, maximum = 10000)]
    failed_count: usize,
    /// How many ids were not found.
    #[schema(minimum = 0, maximum = 10000)]
    not_found_count: usize,
    /// In the order of the ids, each once, or with a filter in that of the numbers or slugs.
    #[schema(max_items = 10000)]
    results: Vec<ResultView<'e>>,
}

/// What became of a record.
#[derive(Serialize, ToSchema)]
#[schema(as = BulkResult)]
struct ResultView<'e> {
    /// Its id.
    #[schema(max_length = 200, examples("INC-0042", "RSK-42", "access-control"))]
    id: String,
    /// What became of it, or in a dry run would.
    outcome: OutcomeView,
    /// Why it failed; absent if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = ItemProblem::schema, required = false)]
    problem: Option<ItemProblem<'e>>,
}

impl<'e> ResultsView<'e> {
    fn of(public_url: &PublicUrl, results: impl Iterator<Item = (String, &'e ItemOutcome)>) -> Self {
        let results: Vec<_> = results.map(|(id, it)| ResultView::of(public_url, id, it)).collect();
        let count = |outcome: Outcome| results.iter().filter(|it| it.outcome.0 == outcome).count();
        Self {
            changed_count: count(Outcome::Changed),
            unchanged_count: count(Outcome::Unchanged),
            failed_count: count(Outcome::Failed),
            not_found_count: count(Outcome::NotFound),
            results,
        }
    }
}

impl<'e> ResultView<'e> {
    fn of(public_url: &PublicUrl, id: String, outcome: &'e ItemOutcome) -> Self {
        let (outcome, problem) = match outcome {
            ItemOutcome::Changed => (Outcome::Changed, None),
            ItemOutcome::Unchanged => (Outcome::Unchanged, None),
            ItemOutcome::Failed(error) => (Outcome::Failed, Some(ItemProblem::at(public_url, error))),
            ItemOutcome::NotFound => (Outcome::NotFound, None),
        };
        Self { id, outcome: outcome.into(), problem }
    }
}

/// Refuses a caller who may not do this, or who names records by a filter and may not read the list: the answer says which records
/// match, and so what they have.
pub(super) fn require<N, F>(
    request: &ApiRequest,
    changes: Scope,
    target: &Target<N, F>,
    reads: &[Scope],
) -> Result<()> {
    let own = request.permissions().scopes();
    let read = match target {
        Target::Ids(_) => None,
        Target::Filter(_) => reads.iter().find(|scope| own.has(**scope)).or(reads.first()),
    };
    Ok(request.permissions().require(std::iter::once(changes).chain(read.copied()).collect())?)
}

/// Up to which journal entry the search of a filter knows the register, if there is one.
pub(super) async fn search_seq(
    db: &Db,
    organization: OrgId,
    query: Option<&SearchQuery>,
) -> Result<Option<i64>> {
    if query.is_none() {
        return Ok(None);
    }
    Ok(searched_up_to(&mut db.read().await?, organization, query).await?)
}

/// The response that says what became of each record.
pub(super) fn respond<N: RecordNumber>(public_url: &PublicUrl, results: &[ItemResult<N>]) -> Result<Answer> {
    let found = results.iter().filter(|it| it.outcome != ItemOutcome::NotFound);
    // The ids of risks are none of incidents.
    let named = found.filter_map(|it| IncidentNumber::parse_listed(&it.id.to_string()));
    let results = results.iter().map(|it| (not_found_text(it.id), &it.outcome));
    Ok(answer(&ResultsView::of(public_url, results))?.naming(named))
}

/// The same of documents.
pub(super) fn respond_to_documents(public_url: &PublicUrl, results: &Results) -> Result<Answer> {
    answer(&ResultsView::of(public_url, results.iter().map(|it| (it.id.clone(), &it.outcome))))
}

fn answer(view: &ResultsView<'_>) -> Result<Answer> {
    Answer::bulk_outcome(i64::try_from(view.changed_count).unwrap_or(i64::MAX), view)
}
