//! `POST /v1/severity/assess`

use domain::json::body;
use domain::severity::Answers;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::view::AssessmentView;

/// Assess a severity
///
/// Calculates the severity from answers by a rule set, and explains it. Nothing is stored, and no data of the register
/// is read. Leave out unknown answers; `range` is the range of severities that are still possible.
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
