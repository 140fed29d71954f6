//! The body of an undo.

use domain::{FaultCode, Faults};
use http::json::{Fields, Json, Pointer};
use http::request_id;
use utoipa::ToSchema;

/// The request to undo.
#[derive(ToSchema)]
#[schema(as = UndoRequest)]
#[expect(dead_code, reason = "describes the body, which `read_request` reads")]
pub struct UndoInput {
    /// The `X-Request-Id` of the request, from its response.
    #[schema(min_length = 1)]
    request_id: String,
}

/// Reads the id of the request to undo.
pub fn read_request(body: Json<'_>, faults: &mut Faults) -> Option<String> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let id = fields.required_text("request_id", check_id);
    fields.finish();
    id
}

fn check_id(id: &str, pointer: &str, faults: &mut Faults) {
    if !request_id::is_acceptable(id.as_bytes()) {
        let detail = "must be 1 to 128 characters: letters A to Z, digits, dots, underscores and hyphens";
        faults.add(pointer, FaultCode::Format, detail);
    }
}
