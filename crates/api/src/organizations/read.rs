//! `GET /v1/organizations/{id}`

use domain::organization::{Organization, OrganizationSlug};
use domain::{OrgId, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::{Error, Result};
use http::timestamp::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// An organization.
#[derive(Serialize, ToSchema)]
#[schema(as = Organization)]
pub struct OrganizationView {
    /// Its id.
    id: OrgId,
    /// Its name.
    #[schema(max_length = 200, examples("Example Ltd"))]
    name: String,
    /// What names it in the addresses of the console.
    #[schema(value_type = OrganizationSlug)]
    slug: String,
    /// The number of days after which a deleted incident or risk is purged from the trash; 0 means never.
    #[schema(minimum = 0, maximum = 3650, examples(90))]
    trash_days: i64,
    /// The IANA name of the time zone that decides days, weeks and months.
    #[schema(max_length = 64, examples("Europe/Berlin"))]
    time_zone: String,
    /// Whether somebody else than its authors approves a proposal.
    four_eyes: bool,
    /// The number of days after which the name of somebody who has left becomes a pseudonym in acknowledgements; null means
    /// never.
    #[schema(minimum = 1, maximum = 3650, examples(730))]
    pseudonym_days: Option<i64>,
    /// When the organization was created.
    created_date: Timestamp,
    /// The version: 1 at first, and 1 more with each change.
    version: i64,
}

impl From<Organization> for OrganizationView {
    fn from(it: Organization) -> Self {
        let time_zone = it.time_zone_name().to_owned();
        Self {
            id: it.id,
            name: it.name,
            slug: it.slug,
            trash_days: it.trash_days,
            time_zone,
            four_eyes: it.four_eyes,
            pseudonym_days: it.pseudonym_days,
            created_date: it.created_date.into(),
            version: it.version,
        }
    }
}

/// Read the organization
///
/// Only the organization of the token can be read; any other id is not found.
#[utoipa::path(
    get,
    path = "/v1/organizations/{id}",
    operation_id = "read_organization",
    tag = "Organizations",
    params(("id" = inline(OrgId), Path, description = "Organization id")),
    responses(
        (status = 200, description = "The organization", body = OrganizationView),
        (status = 404, description = "Organization not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = own_organization(&request)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let organization = store::organizations::get(&mut tx, id).await?;
    let organization = organization.ok_or(Error::not_found(ResourceKind::Organization))?;
    Answer::record(organization.version, &OrganizationView::from(organization))
}

/// The id of the organization in the path, which must be that of the token.
pub(crate) fn own_organization(request: &ApiRequest) -> Result<OrgId> {
    request.path(0, ResourceKind::Organization, |text| {
        OrgId::parse(text).filter(|id| *id == request.organization())
    })
}
