//! Bodies that are accepted as JSON and as a form. Code generators create a class for each schema and choose the media
//! type by the class of the argument, so each media type has a schema of its own.

use serde_json::{Value, json};

use super::json::{SCHEMAS, operations, set};

const FORM: &str = "application/x-www-form-urlencoded";

/// Adds a separate schema for each form, equal to that of the JSON.
pub(super) fn separate(document: &mut Value) {
    let mut copies = Vec::new();
    for (_, _, operation) in operations(document) {
        let Some(media) = operation.pointer_mut("/requestBody/content").and_then(|it| it.get_mut(FORM))
        else {
            continue;
        };
        let reference = media.pointer("/schema/$ref").and_then(Value::as_str);
        let name = reference.and_then(|it| it.strip_prefix(SCHEMAS)).map(str::to_owned);
        if let Some(name) = name {
            set(media, &["schema"], json!({"$ref": format!("{SCHEMAS}{name}Form")}));
            copies.push(name);
        }
        name_request_id(operation);
    }
    let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) else {
        return;
    };
    for name in copies {
        if let Some(schema) = schemas.get(&name).cloned() {
            schemas.insert(format!("{name}Form"), schema);
        }
    }
}

/// Every operation accepts a request id. It is described only where openapi-python-client needs an optional parameter:
/// for an operation with two media types and no such parameter it generates a module that cannot be imported.
fn name_request_id(operation: &mut Value) {
    let parameter = json!({
        "name": "X-Request-Id",
        "in": "header",
        "required": false,
        "description": "The request's id in the response, the log and the journal; one is generated if it is not sent.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[A-Za-z0-9._-]{1,128}$"},
    });
    match operation.get_mut("parameters").and_then(Value::as_array_mut) {
        Some(parameters) => parameters.push(parameter),
        None => set(operation, &["parameters"], json!([parameter])),
    }
}
