//! `PATCH /v1/organizations/{id}`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::read::{OrganizationView, own_organization};
use domain::OrgId;
use domain::json;
use domain::organization::OrganizationPatch;

/// Change the organization
///
/// Only the organization of the token can be changed; any other id is not found. A patch that changes nothing does not
/// change the version.
#[utoipa::path(
    patch,
    path = "/v1/organizations/{id}",
    operation_id = "update_organization",
    tag = "Organizations",
    params(("id" = inline(OrgId), Path, description = "Organization id")),
    request_body = OrganizationPatch,
    responses(
        (status = 200, description = "The organization", body = OrganizationView),
        (status = 404, description = "Organization not found"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let id = own_organization(&request)?;
    request.no_query()?;
    let patch = request.merge_patch(json::body::<OrganizationPatch>).await?;
    let expected = request.expected_version();
    request
        .write_instance(
            async move |tx, _, author| store::organizations::update(tx, id, author, &expected, &patch).await,
            |organization| Answer::record(organization.version, &OrganizationView::from(organization)),
        )
        .await
}
