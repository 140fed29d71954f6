//! `POST /v1/evaluations`

use auth::PublicUrl;
use db::Tx;
use domain::evaluation::{MAX_EVALUATIONS, NewEvaluations};
use domain::{Author, OrgId, words};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::write::Transaction;
use store::evaluations::Recorded;

use crate::results::results;

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

results! {
    /// What became of each evaluation.
    EvaluationResults: 10000;
    /// How many were recorded, or in a dry run would be.
    created_count: Created;
    /// What became of an evaluation.
    EvaluationResult;
    /// The number of the evaluation; null if it was refused.
    number;
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
    let view = ResultsView::of(public_url, recorded);
    Answer::bulk_outcome(i64::try_from(view.created_count).unwrap_or(i64::MAX), &view)
}
