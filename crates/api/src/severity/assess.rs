//! `POST /v1/severity/assess`

use domain::json::body;
use domain::severity::Answers;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::view::AssessmentView;

/// Assess a severity
///
/// Computes the severity that a rule set gives to answers, and explains it. Nothing is stored, and nothing of the
/// register is read. What is not known is left out of the answers; `range` says what it can change.
#[utoipa::path(
    post,
    path = "/v1/severity/assess",
    operation_id = "assess_severity",
    tag = "Severity",
    request_body = Answers,
    responses((status = 200, description = "The severity, and why", body = AssessmentView))
)]
pub(crate) async fn assess(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let answers = request.json(body::<Answers>).await?;
    request.expected_version().check_without_version()?;
    Answer::outcome(&AssessmentView::from(answers.assess()))
}
