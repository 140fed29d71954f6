//! What is sent about risks.

use domain::Faults;
use domain::risk::{self, NewRisk, RiskPatch, RiskStatus};
use utoipa::ToSchema;
use uuid::Uuid;

use super::ratings::{self, NewRating, RatingPatchInput};
use crate::http::json::{Fields, Json, Pointer};
use crate::http::word::{OneOf, word};

/// The members that only the service sets; sending one is a fault.
const READ_ONLY: &[&str] = &["id", "created_date", "updated_date", "version"];

/// The members that neither a creation nor a change sets, with the operations that do.
const ELSEWHERE: &[(&[&str], &str)] = &[
    (&["current"], "POST /v1/risks/{risk_id}/evaluations"),
    (&["tags"], "PUT /v1/risks/{risk_id}/tags/{tag_id}"),
];

/// A risk to create.
#[derive(ToSchema)]
#[schema(as = NewRisk)]
#[expect(dead_code, reason = "describes the body, which `read_new` reads")]
pub(crate) struct NewRiskInput {
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

/// A merge patch (RFC 7396) of a risk: absent members stay as they are, null clears.
#[derive(ToSchema)]
#[schema(as = RiskPatch)]
#[expect(dead_code, reason = "describes the body, which `read_patch` reads")]
pub(crate) struct RiskPatchInput {
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
    #[schema(value_type = RiskStatusInput, required = false)]
    status: Option<RiskStatusInput>,
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

type RiskStatusInput = OneOf<RiskStatus>;

/// Reads a risk to create.
pub fn read_new(body: Json<'_>, faults: &mut Faults) -> Option<NewRisk> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let title = fields.required_text("title", risk::title);
    let description = fields.optional_text("description", risk::description);
    let category = fields.optional_text("category", risk::category);
    let owner = fields.optional("owner");
    let inherent = fields.required_with("inherent", ratings::read_rating);
    let target = fields.required_with("target", ratings::read_rating);
    if let (Some(inherent), Some(target)) = (inherent, target) {
        risk::target_within(inherent, target, fields.faults());
    }
    fields.read_only(READ_ONLY);
    fields.set_elsewhere(ELSEWHERE);
    fields.set_elsewhere(&[(&["status", "status_reason"], "PATCH /v1/risks/{risk_id}")]);
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

/// Reads a merge patch of a risk.
pub fn read_patch(body: Json<'_>, faults: &mut Faults) -> Option<RiskPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let patch = RiskPatch {
        title: fields.patch_set_text("title", risk::title),
        description: fields.patch_set_text("description", risk::description),
        category: fields.patch_text("category", risk::category),
        owner: fields.patch("owner"),
        status: fields.patch_set_with("status", word),
        status_reason: fields.patch_text("status_reason", risk::status_reason),
        inherent: fields.patch_set_with("inherent", ratings::read_patch),
        target: fields.patch_set_with("target", ratings::read_patch),
    };
    fields.read_only(READ_ONLY);
    fields.set_elsewhere(ELSEWHERE);
    fields.finish();
    Some(patch)
}
