//! What is sent about tags, by themselves and on records.

use domain::tag::{self, NewTag};
use domain::{Faults, TagId};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::json::{Fields, Json, Pointer};

/// A tag to create.
#[derive(ToSchema)]
#[schema(as = NewTag)]
#[expect(dead_code, reason = "describes the body, which `read_new` reads")]
pub(crate) struct NewTagInput {
    /// Its name, unique in the organization without regard to case.
    #[schema(min_length = 1, max_length = 50, examples("phishing"))]
    name: String,
    /// The colour, as `#rrggbb`; `#64748b` by default.
    #[schema(pattern = "^#[0-9a-fA-F]{6}$", examples("#64748b"))]
    color: Option<String>,
    /// The purpose of the tag, at most 64 KiB.
    #[schema(max_length = 65536)]
    description: Option<String>,
}

/// The tag to add to a risk.
#[derive(ToSchema)]
#[schema(as = NewRiskTag)]
#[expect(dead_code, reason = "describes the body, which `read_id` reads")]
pub(crate) struct NewRiskTagInput {
    /// The id of a tag of the organization.
    tag_id: Uuid,
}

/// The tag to add to an incident.
#[derive(ToSchema)]
#[schema(as = NewIncidentTag)]
#[expect(dead_code, reason = "describes the body, which `read_id` reads")]
pub(crate) struct NewIncidentTagInput {
    /// The id of a tag of the organization.
    tag_id: Uuid,
}

/// Reads a tag to create.
pub fn read_new(body: Json<'_>, faults: &mut Faults) -> Option<NewTag> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let name = fields.required_text("name", tag::name);
    let color = fields.optional_text("color", tag::color);
    let description = fields.optional_text("description", tag::description);
    fields.read_only(&["id", "created_date", "updated_date", "version"]);
    fields.finish();
    Some(NewTag { name: name?, color, description })
}

/// Reads the tag to add to a record.
pub fn read_id(body: Json<'_>, faults: &mut Faults) -> Option<TagId> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let tag = fields.required("tag_id");
    fields.finish();
    tag
}
