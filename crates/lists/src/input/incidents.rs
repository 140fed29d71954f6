//! The ids of incidents in a body.

use domain::{Faults, IncidentNumber};
use http::json::{Fields, Json, Pointer};
use utoipa::ToSchema;

use super::bulk;

/// The ids of incidents.
#[derive(ToSchema)]
#[schema(as = IncidentIds)]
#[expect(dead_code, reason = "describes the body, which `read_ids` reads")]
pub struct IncidentIdsInput {
    /// Numbers, or ids such as `INC-0042`. Duplicates count once.
    #[schema(max_items = 10000)]
    ids: Vec<IdInput>,
}

/// An id of an incident.
#[derive(ToSchema)]
#[schema(as = IncidentId)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) enum IdInput {
    /// The number.
    Number(i64),
    /// `INC-` and the number.
    Text(String),
}

/// Reads `{"ids": […]}`, with texts by `parse`.
pub fn read_ids(
    body: Json<'_>,
    faults: &mut Faults,
    parse: fn(&str) -> Option<IncidentNumber>,
) -> Option<Vec<IncidentNumber>> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let ids = fields.required_with("ids", |value, at, faults| bulk::ids(value, at, faults, parse));
    fields.finish();
    ids
}
