//! `PATCH /v1/risks/{risk_id}`

use domain::risk::{self, RiskPatch};
use domain::{Faults, ResourceKind, RiskNumber};
use utoipa::ToSchema;
use uuid::Uuid;

use super::rating::{RatingPatchInput, read_patch};
use super::view::RiskStatusView;
use super::{READ_ONLY, RiskView};
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::json::{Fields, Json, Pointer};
use crate::http::word::word;

/// A merge patch (RFC 7396) of a risk: absent members stay as they are, null clears.
#[derive(ToSchema)]
#[schema(as = RiskPatch)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
struct RiskPatchInput {
    /// One line, not blank.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 200)]
    title: Option<String>,
    /// Markdown, at most 64 KiB.
    #[schema(value_type = String, required = false, max_length = 65536)]
    description: Option<String>,
    /// The category, free text.
    #[schema(min_length = 1, max_length = 200)]
    category: Option<String>,
    /// The owner's id: a member of the organization.
    owner: Option<Uuid>,
    /// `closed` needs a reason; `open` clears it.
    #[schema(value_type = RiskStatusView, required = false)]
    status: Option<RiskStatusView>,
    /// The reason for closing the risk.
    #[schema(min_length = 1, max_length = 65536)]
    status_reason: Option<String>,
    /// The inherent rating, without controls.
    #[schema(value_type = RatingPatchInput, required = false)]
    inherent: Option<RatingPatchInput>,
    /// The target rating of the treatment.
    #[schema(value_type = RatingPatchInput, required = false)]
    target: Option<RatingPatchInput>,
}

/// Change a risk
///
/// The rules are checked on the patched record. A patch that changes nothing leaves the version as it is.
#[utoipa::path(
    patch,
    path = "/v1/risks/{risk_id}",
    operation_id = "update_risk",
    tag = "Risks",
    params(("risk_id" = String, Path, description = "`RSK-` and the number")),
    request_body(content(
        (RiskPatchInput = "application/json"),
        (RiskPatchInput = "application/merge-patch+json"),
    )),
    responses(
        (status = 200, description = "The risk", body = RiskView),
        (status = 404, description = "Risk not found"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    request.no_query()?;
    let patch = request
        .merge_patch_of_record(read_body, async move |tx, organization, patch, now| {
            store::risks::patch_faults(tx, organization, number, patch, now).await
        })
        .await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::risks::update(tx, organization, author, number, &expected, &patch).await
            },
            |risk| Answer::record(risk.version, &RiskView::from(risk)),
        )
        .await
}

fn read_body(body: Json<'_>, faults: &mut Faults) -> Option<RiskPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let patch = RiskPatch {
        title: fields.patch_set_text("title", risk::title),
        description: fields.patch_set_text("description", risk::description),
        category: fields.patch_text("category", risk::category),
        owner: fields.patch("owner"),
        status: fields.patch_set_with("status", word),
        status_reason: fields.patch_text("status_reason", risk::status_reason),
        inherent: fields.patch_set_with("inherent", read_patch),
        target: fields.patch_set_with("target", read_patch),
    };
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(patch)
}
