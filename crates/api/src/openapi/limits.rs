//! Limits of every string, number and list: where a handler sets none, the default for the name of the member.
//!
//! Names mean the same everywhere, so one table sets the length of a `title`. Limits that a handler sets stay.

use domain::text::{ANY as TEXT, FILLED, FILLED_LINE, LINE};
use http::limits::{BODY_BYTES, FILTER_VALUES};
use serde_json::{Map, Value, json};

/// The names of texts of one line in requests.
const LINES: &[&str] = &["name", "title", "source", "category", "label", "external_ref", "external_source"];

/// The maximum length in characters of a text, by its name.
const CHARACTERS: &[(&str, usize)] = &[
    ("access_token", 4_096),
    ("authorization_servers", 2_048),
    ("bearer_methods_supported", 100),
    ("code", 100),
    ("color", 7),
    ("cursor", 1_024),
    ("detail", 2_048),
    ("default", 65_536),
    ("description", 65_536),
    ("document", 80),
    ("duplicate_of", 23),
    ("email", 254),
    ("external_ref", 200),
    ("external_source", 200),
    ("fields", 100),
    ("grant_types_supported", 100),
    ("guidance", 65_536),
    ("hash", 64),
    ("id", 200),
    ("IncidentId", 23),
    ("incident", 23),
    ("instance", 256),
    ("introspection_endpoint_auth_methods_supported", 100),
    ("kind", 100),
    ("legal_hold_reason", 2_000),
    ("message", 500),
    ("missing", 80),
    ("name", 200),
    ("needs", 100),
    ("next_cursor", 1_024),
    ("node_id", 80),
    ("not_found", 25),
    ("note", 65_536),
    ("parameter", 256),
    // The old and new values of every field of a record, escaped.
    ("payload", BODY_BYTES * 8),
    ("payload_hash", 64),
    ("pointer", 256),
    ("prev_hash", 64),
    ("previous", 65_536),
    ("protected_resources", 2_048),
    ("reason", 2_000),
    ("refresh_token", 4_096),
    ("request_id", 128),
    ("resolution_summary", 65_536),
    ("response_types_supported", 100),
    ("revocation_endpoint_auth_methods_supported", 100),
    ("risk", 24),
    ("risk_id", 24),
    ("RiskId", 23),
    ("salt", 64),
    ("scope", 1_024),
    ("scopes", 100),
    ("scopes_supported", 100),
    ("severity_reasoning", 65_536),
    ("SeverityFactorValue", 80),
    ("slug", 80),
    ("source", 200),
    ("status_reason", 65_536),
    ("taken", 23),
    ("failed", 23),
    ("text", 65_536),
    ("title", 200),
    ("category", 200),
    ("label", 200),
    ("token_endpoint_auth_methods_supported", 100),
    ("type", 200),
    ("url", 2_048),
    ("value", 65_536),
];

/// The pattern of a text, by its name or by the name of its schema.
const PATTERNS: &[(&str, &str)] = &[
    ("code", "^[a-z_]{1,100}$"),
    ("color", "^#[0-9a-fA-F]{6}$"),
    // The grammar of HTML's e-mail field.
    (
        "email",
        r"^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$",
    ),
    ("Idempotency-Key", r#"^([!#-~][!-~]{0,254}|"[!-~]{1,253}")$"#),
    ("IncidentId", "^INC-[0-9]{1,19}$"),
    ("not_found", "^(INC-[0-9]{4,19}|-?[0-9]{1,19})$"),
    // The name as it was sent, with any characters.
    ("parameter", r"^[\s\S]*$"),
    ("pointer", "^#"),
    ("request_id", "^[A-Za-z0-9._-]{1,128}$"),
    ("risk", "^RSK-[0-9]{1,19}$"),
    ("RiskId", "^RSK-[1-9][0-9]{0,18}$"),
    ("salt", "^([0-9a-f]{2})+$"),
    ("TagName", FILLED_LINE),
    ("token_type", "^Bearer$"),
    ("type", "^/docs/errors#[a-z_]{1,100}$"),
];

/// The maximum number of elements of a list, by its name.
const ELEMENTS: &[(&str, u64)] = &[
    // The edits of a document, the one body that is a list.
    ("body", 1_000),
    ("change_sets", 1_000_000),
    ("data", 200),
    ("edits", 500),
    ("errors", 100),
    ("items", 500),
    ("missing", 500),
    ("not_found", 10_000),
    ("options", 100),
    ("tags", 1_000_000),
    ("warnings", 20),
];

/// Completes the limits of a schema and of everything in it. `name` is the property or parameter that it describes; a
/// number without a minimum is a count in a response, and unlimited in a request.
pub(super) fn complete(schema: &mut Value, name: &str, is_request: bool) {
    match schema {
        Value::Object(members) => complete_object(members, name, is_request),
        Value::Array(parts) => parts.iter_mut().for_each(|part| complete(part, name, is_request)),
        _ => {}
    }
}

fn complete_object(members: &mut Map<String, Value>, name: &str, is_request: bool) {
    if has_type(members, "string") {
        text(members, name, is_request);
    }
    if has_type(members, "integer") {
        integer(members, is_request);
    }
    if has_type(members, "array") && !members.contains_key("maxItems") {
        set_known(
            members,
            "maxItems",
            ELEMENTS.iter().find(|(known, _)| *known == name).map(|it| it.1.into()),
        );
    }
    for (key, member) in members.iter_mut() {
        match key.as_str() {
            "properties" => {
                let properties = member.as_object_mut().into_iter().flatten();
                properties.for_each(|(name, property)| complete(property, name, is_request));
            }
            // Subschemas of the same value and the elements of a list use its name.
            "items" | "allOf" | "anyOf" | "oneOf" | "additionalProperties" => {
                complete(member, name, is_request);
            }
            _ => {}
        }
    }
}

/// The same for the operations: parameters, and bodies that are lists.
pub(super) fn complete_parameters(document: &mut Value) {
    let shared = document.pointer_mut("/components/parameters").and_then(Value::as_object_mut);
    shared.into_iter().flatten().for_each(|(_, parameter)| complete_parameter(parameter));
    let headers = document.pointer_mut("/components/headers").and_then(Value::as_object_mut);
    for (name, header) in headers.into_iter().flatten() {
        header.get_mut("schema").into_iter().for_each(|schema| complete(schema, name, false));
    }
    let paths = document.get_mut("paths").and_then(Value::as_object_mut).into_iter().flatten();
    let operations = paths.flat_map(|(_, item)| item.as_object_mut().into_iter().flatten());
    for (_, operation) in operations {
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
        parameters.into_iter().flatten().for_each(complete_parameter);
        let media = operation.pointer_mut("/requestBody/content").and_then(Value::as_object_mut);
        for (_, media) in media.into_iter().flatten() {
            media.get_mut("schema").into_iter().for_each(complete_body);
        }
        let answers = operation.get_mut("responses").and_then(Value::as_object_mut);
        for (_, answer) in answers.into_iter().flatten() {
            for (part, name) in [("content", ""), ("headers", "title")] {
                let described = answer.get_mut(part).and_then(Value::as_object_mut);
                let schemas = described.into_iter().flatten().filter_map(|(_, it)| it.get_mut("schema"));
                schemas.for_each(|schema| complete(schema, name, false));
            }
        }
    }
}

/// A list in a body has at least one element.
fn complete_body(schema: &mut Value) {
    complete(schema, "body", true);
    if let Some(members) = schema.as_object_mut().filter(|members| has_type(members, "array")) {
        members.entry("minItems").or_insert_with(|| json!(1));
    }
}

/// A list in a query is a filter with several values.
fn complete_parameter(parameter: &mut Value) {
    let name = parameter.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    if let Some(schema) = parameter.get_mut("schema") {
        if let Some(members) = schema.as_object_mut().filter(|members| has_type(members, "array")) {
            members.entry("maxItems").or_insert_with(|| json!(FILTER_VALUES));
        }
        complete(schema, &name, true);
    }
}

fn has_type(members: &Map<String, Value>, name: &str) -> bool {
    match members.get("type") {
        Some(Value::String(text)) => text == name,
        Some(Value::Array(types)) => types.iter().any(|it| it == name),
        _ => false,
    }
}

fn text(members: &mut Map<String, Value>, name: &str, is_request: bool) {
    if members.contains_key("enum") || members.contains_key("const") {
        return;
    }
    let format = members.get("format").and_then(Value::as_str);
    let most = match format {
        Some("uuid") => Some(36),
        // The longest date-time, with nine fractional digits and an offset, has 35 characters.
        Some("date-time") => Some(64),
        _ => CHARACTERS.iter().find(|(known, _)| *known == name).map(|it| it.1),
    };
    if !members.contains_key("maxLength") {
        set_known(members, "maxLength", most.map(Value::from));
    }
    // The format of a password does not limit its characters.
    let is_formatted = members.get("format").is_some_and(|format| format != "password");
    if !is_formatted && !members.contains_key("pattern") {
        let is_filled = is_request && members.get("minLength").is_some_and(|least| least != 0);
        let known = PATTERNS.iter().find(|(known, _)| *known == name).map(|it| it.1);
        let any = match (is_request && LINES.contains(&name), is_filled) {
            (true, true) => FILLED_LINE,
            (true, false) => LINE,
            (false, true) => FILLED,
            (false, false) => TEXT,
        };
        members.insert("pattern".to_owned(), json!(known.unwrap_or(any)));
    }
}

fn integer(members: &mut Map<String, Value>, is_request: bool) {
    let is_short = members.get("format").is_some_and(|format| format == "int32");
    let (least, most) =
        if is_short { (i64::from(i32::MIN), i64::from(i32::MAX)) } else { (i64::MIN, i64::MAX) };
    members.entry("format").or_insert_with(|| json!("int64"));
    members.entry("minimum").or_insert_with(|| json!(if is_request { least } else { 0 }));
    members.entry("maximum").or_insert_with(|| json!(most));
}

/// A value without a known limit gets none, and the check of the document reports it.
fn set_known(members: &mut Map<String, Value>, member: &str, limit: Option<Value>) {
    if let Some(limit) = limit {
        members.insert(member.to_owned(), limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(mut schema: Value, is_request: bool) -> Value {
        complete(&mut schema, "title", is_request);
        schema
    }

    #[test]
    fn a_text_gets_the_limit_of_its_name_and_keeps_its_own() {
        let schema = completed(json!({"type": ["string", "null"]}), false);
        assert_eq!(schema, json!({"type": ["string", "null"], "maxLength": 200, "pattern": TEXT}));
        let own = json!({"type": "string", "maxLength": 50, "minLength": 1});
        assert_eq!(completed(own, true)["pattern"], FILLED_LINE);
        let uuid = json!({"type": "string", "format": "uuid"});
        assert_eq!(completed(uuid, true), json!({"type": "string", "format": "uuid", "maxLength": 36}));
        let password = json!({"type": "string", "format": "password"});
        assert_eq!(completed(password, true)["pattern"], LINE);
        let fixed = json!({"type": "string", "enum": ["a"]});
        assert_eq!(completed(fixed.clone(), true), fixed);
    }

    #[test]
    fn the_limits_go_down_to_the_elements() {
        let list = json!({"type": "object", "properties": {"not_found": {"type": "array", "items": {"type": "string"}}}});
        let list = completed(list, false);
        assert_eq!(list["properties"]["not_found"]["maxItems"], 10_000);
        assert_eq!(list["properties"]["not_found"]["items"]["maxLength"], 25);
        let number = completed(json!({"type": "integer"}), true);
        assert_eq!((&number["minimum"], &number["maximum"]), (&json!(i64::MIN), &json!(i64::MAX)));
    }
}
