//! The ids of a bulk operation: integers, or strings in the form that creation returns.

use domain::bulk;
use domain::{FaultCode, Faults, IncidentNumber};
use utoipa::ToSchema;

use crate::http::json::{Fields, FromJson, Json, Pointer};

/// The ids of incidents.
#[derive(ToSchema)]
#[schema(as = IncidentIds)]
#[expect(dead_code, reason = "describes the body, which `read_ids` reads")]
pub(crate) struct IncidentIdsInput {
    /// Numbers, or ids such as `INC-0042`. Duplicates count once.
    #[schema(max_items = 10000)]
    ids: Vec<IdInput>,
}

/// An id of an incident.
#[derive(ToSchema)]
#[schema(as = IncidentId)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the body")]
enum IdInput {
    /// The number.
    Number(i64),
    /// `INC-` and the number.
    Text(String),
}

/// One item of `ids`.
struct Id(IncidentNumber);

impl FromJson for Id {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        match value {
            Json::String(text) => bulk::incident_id(&text, at, faults).map(Self),
            Json::Integer(_) | Json::Number(_) => {
                i64::from_json(value, at, faults).map(IncidentNumber).map(Self)
            }
            other => {
                let sent = other.type_name();
                faults.add(at, FaultCode::Type, format_args!("must be an integer or a string, not {sent}"));
                None
            }
        }
    }
}

/// Reads `{"ids": […]}`.
pub(super) fn read_ids(body: Json<'_>, faults: &mut Faults) -> Option<Vec<IncidentNumber>> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let ids = fields.required_with("ids", |value, at, faults| {
        if let Json::Array(items) = &value
            && items.len() > bulk::MAX_IDS
        {
            // The faults of so many ids are not listed.
            bulk::ids_count(items.len(), at, faults);
            return None;
        }
        Vec::<Id>::from_json(value, at, faults)
    });
    fields.finish();
    Some(ids?.into_iter().map(|Id(number)| number).collect())
}
