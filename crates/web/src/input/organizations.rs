//! What is sent about the organization.

use domain::Faults;
use domain::organization::{self, OrganizationPatch};
use utoipa::ToSchema;

use crate::http::json::{Fields, Json, Pointer};

/// A merge patch (RFC 7396) of an organization: absent members stay as they are.
#[derive(ToSchema)]
#[schema(as = OrganizationPatch)]
#[expect(dead_code, reason = "describes the body, which `read_patch` reads")]
pub(crate) struct OrganizationPatchInput {
    /// Its name.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 200, examples("Example Ltd"))]
    name: Option<String>,
    /// What names it in the addresses of the console; former ones still lead there.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 40, pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", examples("example-ltd"))]
    slug: Option<String>,
    /// The number of days after which a deleted incident or risk is purged from the trash; it also applies to records
    /// already in the trash. 0 means never.
    #[schema(value_type = i64, required = false, minimum = 0, maximum = 3650, examples(90))]
    trash_days: Option<i64>,
    /// The IANA name of the time zone that decides days, weeks and months.
    #[schema(value_type = String, required = false, max_length = 64, examples("Europe/Berlin"))]
    time_zone: Option<String>,
}

/// Reads a merge patch of the organization.
pub fn read_patch(body: Json<'_>, faults: &mut Faults) -> Option<OrganizationPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let name = fields.patch_set_text("name", organization::name);
    let slug = fields.patch_set_text("slug", organization::slug);
    let trash_days = fields.patch_set::<i64>("trash_days");
    if let Some(days) = trash_days {
        fields.check_with("trash_days", |pointer, faults| organization::trash_days(days, pointer, faults));
    }
    let time_zone = fields.patch_set::<String>("time_zone").and_then(|name| {
        let mut zone = None;
        fields.check_with("time_zone", |pointer, faults| {
            zone = organization::time_zone(&name, pointer, faults);
        });
        zone
    });
    fields.read_only(&["id", "created_date", "version"]);
    fields.finish();
    Some(OrganizationPatch { name, slug, trash_days, time_zone })
}
