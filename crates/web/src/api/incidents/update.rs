//! `PATCH /v1/incidents/{id}`

use domain::incident::{self, IncidentPatch};
use domain::{Faults, IncidentNumber, ResourceKind};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{IncidentView, READ_ONLY};
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::json::{Fields, Json, Pointer};

/// A merge patch (RFC 7396) of an incident: absent members stay as they are, null clears.
#[derive(ToSchema)]
#[schema(as = IncidentPatch)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
struct IncidentPatchInput {
    /// One line, not blank.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 200)]
    title: Option<String>,
    /// Markdown, at most 64 KiB.
    #[schema(value_type = String, required = false, max_length = 65536)]
    description: Option<String>,
    /// The explanation of the severity, at most 64 KiB.
    #[schema(max_length = 65536)]
    severity_reasoning: Option<String>,
    /// Where it was detected.
    #[schema(max_length = 200)]
    source: Option<String>,
    /// The assignee's id: a member of the organization.
    assigned_to: Option<Uuid>,
    /// When the incident began.
    #[schema(value_type = Option<String>, format = DateTime)]
    occurred_date: Option<String>,
    /// When it was detected.
    #[schema(value_type = String, required = false, format = DateTime)]
    detected_date: Option<String>,
    /// When the response began.
    #[schema(value_type = Option<String>, format = DateTime)]
    responded_date: Option<String>,
    /// When the incident was contained: its harm no longer grew.
    #[schema(value_type = Option<String>, format = DateTime)]
    contained_date: Option<String>,
}

/// Change an incident
///
/// The rules are checked on the patched record. A patch that changes nothing leaves the version as it is.
#[utoipa::path(
    patch,
    path = "/v1/incidents/{id}",
    operation_id = "update_incident",
    tag = "Incidents",
    params(("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`")),
    request_body(content(
        (IncidentPatchInput = "application/json"),
        (IncidentPatchInput = "application/merge-patch+json"),
    )),
    responses(
        (status = 200, description = "The incident", body = IncidentView),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    request.no_query()?;
    let patch = request
        .merge_patch_of_record(read_body, async move |tx, organization, patch, now| {
            store::incidents::patch_faults(tx, organization, number, patch, now).await
        })
        .await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::incidents::update(tx, organization, author, number, &expected, &patch).await
            },
            |incident| Answer::record(incident.version, &IncidentView::from(incident)),
        )
        .await
}

fn read_body(body: Json<'_>, faults: &mut Faults) -> Option<IncidentPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let patch = IncidentPatch {
        title: fields.patch_set_text("title", incident::title),
        description: fields.patch_set_text("description", incident::description),
        severity_reasoning: fields.patch_text("severity_reasoning", incident::severity_reasoning),
        source: fields.patch_text("source", incident::source),
        assigned_to: fields.patch("assigned_to"),
        occurred_date: fields.patch("occurred_date"),
        detected_date: fields.patch_set("detected_date"),
        responded_date: fields.patch("responded_date"),
        contained_date: fields.patch("contained_date"),
    };
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(patch)
}
