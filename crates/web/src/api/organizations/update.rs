//! `PATCH /v1/organizations/{id}`

use domain::Faults;
use domain::organization::{self, OrganizationPatch};
use utoipa::ToSchema;

use super::read::{OrganizationView, own_organization};
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::json::{Fields, Json, Pointer};

/// A merge patch (RFC 7396) of an organization: absent members stay as they are.
#[derive(ToSchema)]
#[schema(as = OrganizationPatch)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
struct OrganizationPatchInput {
    /// Its name.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 200, examples("Example Ltd"))]
    name: Option<String>,
    /// The number of days after which a deleted incident or risk is purged from the trash; it also applies to records
    /// already in the trash. 0 means never.
    #[schema(value_type = i64, required = false, minimum = 0, maximum = 3650, examples(90))]
    trash_days: Option<i64>,
}

/// Change the organization
///
/// Only the organization of the token can be changed; any other id is not found. A patch that changes nothing leaves
/// the version as it is.
#[utoipa::path(
    patch,
    path = "/v1/organizations/{id}",
    operation_id = "update_organization",
    tag = "Organizations",
    params(("id" = Uuid, Path, description = "Organization id")),
    request_body = OrganizationPatchInput,
    responses(
        (status = 200, description = "The organization", body = OrganizationView),
        (status = 404, description = "Organization not found"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let id = own_organization(&request)?;
    request.no_query()?;
    let patch = request.merge_patch(read_body).await?;
    let expected = request.expected_version();
    request
        .write_instance(
            async move |tx, _, author| store::organizations::update(tx, id, author, &expected, &patch).await,
            |organization| Answer::record(organization.version, &OrganizationView::from(organization)),
        )
        .await
}

fn read_body(body: Json<'_>, faults: &mut Faults) -> Option<OrganizationPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let name = fields.patch_set_text("name", organization::name);
    let trash_days = fields.patch_set::<i64>("trash_days");
    if let Some(days) = trash_days {
        fields.check_with("trash_days", |pointer, faults| organization::trash_days(days, pointer, faults));
    }
    fields.read_only(&["id", "created_date", "version"]);
    fields.finish();
    Some(OrganizationPatch { name, trash_days })
}
