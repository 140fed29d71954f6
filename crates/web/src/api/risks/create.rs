//! `POST /v1/risks`

use domain::Faults;
use domain::risk::{self, NewRisk};
use utoipa::ToSchema;
use uuid::Uuid;

use super::rating::{NewRating, read_rating};
use super::{READ_ONLY, RiskView};
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::json::{Fields, Json, Pointer};

/// A risk to create.
#[derive(ToSchema)]
#[schema(as = NewRisk)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
struct NewRiskInput {
    /// One line, not blank.
    #[schema(min_length = 1, max_length = 200, examples("Loss of the only data centre"))]
    title: String,
    /// Markdown, at most 64 KiB.
    #[schema(max_length = 65536)]
    description: Option<String>,
    /// The category, free text.
    #[schema(min_length = 1, max_length = 200, examples("continuity"))]
    category: Option<String>,
    /// The owner's id: a member of the organization.
    owner: Option<Uuid>,
    /// The inherent rating, without controls.
    inherent: NewRating,
    /// The target rating of the treatment; its score is at most the inherent one.
    target: NewRating,
}

/// Create a risk
///
/// Its current rating comes from its evaluations.
#[utoipa::path(
    post,
    path = "/v1/risks",
    operation_id = "create_risk",
    tag = "Risks",
    request_body = NewRiskInput,
    responses((status = 201, description = "Risk created", body = RiskView))
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let new = request.json(read_body).await?;
    request
        .write(
            async move |tx, organization, author| store::risks::create(tx, organization, author, &new).await,
            |risk| Answer::created(format!("/v1/risks/{}", risk.number), risk.version, &RiskView::from(risk)),
        )
        .await
}

fn read_body(body: Json<'_>, faults: &mut Faults) -> Option<NewRisk> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let title = fields.required_text("title", risk::title);
    let description = fields.optional_text("description", risk::description);
    let category = fields.optional_text("category", risk::category);
    let owner = fields.optional("owner");
    let inherent = fields.required_with("inherent", read_rating);
    let target = fields.required_with("target", read_rating);
    if let (Some(inherent), Some(target)) = (inherent, target) {
        risk::target_within(inherent, target, fields.faults());
    }
    fields.read_only(READ_ONLY);
    fields.read_only(&["status", "status_reason"]);
    fields.finish();
    Some(NewRisk {
        title: title?,
        description: description.unwrap_or_default(),
        category,
        owner,
        inherent: inherent?,
        target: target?,
    })
}
