//! `POST /v1/evaluations`

use auth::PublicUrl;
use db::Tx;
use domain::evaluation::{MAX_EVALUATIONS, NewEvaluations};
use domain::{Author, OrgId, RiskNumber, words};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::problem::ItemProblem;
use http::word::OneOf;
use http::write::Transaction;
use serde::Serialize;
use store::evaluations::Recorded;
use utoipa::ToSchema;

words! {
    "EvaluationOutcome"
    /// What became of an evaluation.
    enum Outcome {
        /// It was recorded.
        Created = "created",
        /// It was refused.
        Failed = "failed",
    }
}

type OutcomeView = OneOf<Outcome>;

/// What became of each evaluation.
#[derive(Serialize, ToSchema)]
#[schema(as = EvaluationResults)]
struct ResultsView<'e> {
    /// How many were recorded, or in a dry run would be.
    #[schema(minimum = 0, maximum = 10000, examples(1))]
    created_count: usize,
    /// How many were refused.
    #[schema(minimum = 0, maximum = 10000)]
    failed_count: usize,
    /// In the order of the evaluations in the request.
    #[schema(max_items = 10000)]
    results: Vec<ResultView<'e>>,
}

/// What became of an evaluation.
#[derive(Serialize, ToSchema)]
#[schema(as = EvaluationResult)]
struct ResultView<'e> {
    /// The id of the risk.
    risk: RiskNumber,
    /// What became of it, or in a dry run would.
    outcome: OutcomeView,
    /// The number of the evaluation; null if it was refused.
    #[schema(minimum = 1)]
    number: Option<i64>,
    /// Why it was refused; absent if it was not. The pointers of faults begin at the whole body.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = ItemProblem::schema, required = false)]
    problem: Option<ItemProblem<'e>>,
}

/// Record many evaluations
///
/// Records up to 10,000 evaluations in one transaction and in their order, each by the same rules as alone and with a journal entry of
/// its own. One may supersede another that is before it in the request. If one is refused, the others are still recorded, unless
/// `atomic` is true. Evaluations are never edited, so this cannot be undone; a wrong one is superseded.
#[utoipa::path(
    post,
    path = "/v1/evaluations",
    operation_id = "create_evaluations",
    tag = "Evaluations",
    request_body = NewEvaluations,
    responses(
        (status = 200, description = "What became of each", body = ResultsView<'_>),
        (status = 409, description = "`bulk_failed`"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let now = (request.app.db().clock())();
    let new =
        request.json_of(MAX_EVALUATIONS, move |body, faults| NewEvaluations::read(body, now, faults)).await?;
    let write = request.into_write();
    write.look_at(new.evaluations.len());
    let public_url = write.app.auth().public_url.clone();
    if new.dry_run {
        let mut tx = write.app.db().read().await?;
        let planned = store::evaluations::plan_all(&mut tx, write.organization, &write.author, &new).await?;
        write.check_no_version()?;
        return respond(&public_url, &planned);
    }
    let record = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        store::evaluations::record_all(tx, organization, author, &new).await
    };
    write.run(Transaction::Own, record, move |recorded: Vec<Recorded>| respond(&public_url, &recorded)).await
}

fn respond(public_url: &PublicUrl, recorded: &[Recorded]) -> Result<Answer> {
    let results: Vec<_> = recorded.iter().map(|it| ResultView::of(public_url, it)).collect();
    let created_count = results.iter().filter(|it| it.number.is_some()).count();
    let failed_count = results.len() - created_count;
    let view = ResultsView { created_count, failed_count, results };
    Answer::bulk_outcome(i64::try_from(created_count).unwrap_or(i64::MAX), &view)
}

impl<'e> ResultView<'e> {
    fn of(public_url: &PublicUrl, (risk, made): &'e Recorded) -> Self {
        let (outcome, number, problem) = match made {
            Ok(number) => (Outcome::Created, Some(*number), None),
            Err(error) => (Outcome::Failed, None, Some(ItemProblem::at(public_url, error))),
        };
        Self { risk: *risk, outcome: outcome.into(), number, problem }
    }
}
