//! The limits that follow from the type of a value alone. All others are said by the type of a field, or at the field.

use domain::text::ANY;
use serde_json::{Map, Value, json};

/// Completes the limits of a schema and of everything in it: a text without a form can be any, and a number without a minimum
/// is a count in a response, and unlimited in a request.
pub(super) fn complete(schema: &mut Value, is_request: bool) {
    match schema {
        Value::Object(members) => {
            if has_type(members, "string") {
                text(members);
            }
            if has_type(members, "integer") {
                integer(members, is_request);
            }
            for (key, member) in members.iter_mut() {
                match key.as_str() {
                    "properties" => {
                        let properties = member.as_object_mut().into_iter().flatten();
                        properties.for_each(|(_, property)| complete(property, is_request));
                    }
                    "items" | "allOf" | "anyOf" | "oneOf" | "additionalProperties" => {
                        complete(member, is_request);
                    }
                    _ => {}
                }
            }
        }
        Value::Array(parts) => parts.iter_mut().for_each(|part| complete(part, is_request)),
        _ => {}
    }
}

/// The same for the operations.
pub(super) fn complete_operations(document: &mut Value) {
    for (kind, is_request) in [("parameters", true), ("headers", false)] {
        let shared = document.pointer_mut(&format!("/components/{kind}")).and_then(Value::as_object_mut);
        shared.into_iter().flatten().for_each(|(_, it)| complete_in(it, is_request));
    }
    let paths = document.get_mut("paths").and_then(Value::as_object_mut).into_iter().flatten();
    let operations = paths.flat_map(|(_, item)| item.as_object_mut().into_iter().flatten());
    for (_, operation) in operations {
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
        parameters.into_iter().flatten().for_each(|it| complete_in(it, true));
        let media = operation.pointer_mut("/requestBody/content").and_then(Value::as_object_mut);
        media.into_iter().flatten().for_each(|(_, it)| complete_in(it, true));
        let answers = operation.get_mut("responses").and_then(Value::as_object_mut);
        for (_, answer) in answers.into_iter().flatten() {
            for part in ["content", "headers"] {
                let described = answer.get_mut(part).and_then(Value::as_object_mut);
                described.into_iter().flatten().for_each(|(_, it)| complete_in(it, false));
            }
        }
    }
}

/// Completes the schema of a parameter, a header or a media type.
fn complete_in(described: &mut Value, is_request: bool) {
    described.get_mut("schema").into_iter().for_each(|schema| complete(schema, is_request));
}

fn has_type(members: &Map<String, Value>, name: &str) -> bool {
    match members.get("type") {
        Some(Value::String(text)) => text == name,
        Some(Value::Array(types)) => types.iter().any(|it| it == name),
        _ => false,
    }
}

fn text(members: &mut Map<String, Value>) {
    if members.contains_key("enum") || members.contains_key("const") {
        return;
    }
    let format = members.get("format").and_then(Value::as_str).unwrap_or("password").to_owned();
    match format.as_str() {
        "uuid" => _ = members.entry("maxLength").or_insert(json!(36)),
        // The longest date-time, with nine fractional digits and an offset, has 35 characters.
        "date-time" => _ = members.entry("maxLength").or_insert(json!(64)),
        // This format does not limit the characters.
        "password" => _ = members.entry("pattern").or_insert(json!(ANY)),
        _ => {}
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

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(mut schema: Value, is_request: bool) -> Value {
        complete(&mut schema, is_request);
        schema
    }

    #[test]
    fn a_text_keeps_its_own_limits() {
        let own = json!({"type": "string", "maxLength": 50, "pattern": "^a"});
        assert_eq!(completed(own.clone(), true), own);
        let uuid = json!({"type": "string", "format": "uuid"});
        assert_eq!(completed(uuid, true), json!({"type": "string", "format": "uuid", "maxLength": 36}));
        let password = json!({"type": ["string", "null"], "format": "password"});
        assert_eq!(completed(password, true)["pattern"], ANY);
        let fixed = json!({"type": "string", "enum": ["a"]});
        assert_eq!(completed(fixed.clone(), true), fixed);
    }

    #[test]
    fn a_number_is_a_count_in_responses_only() {
        let list = json!({"properties": {"a": {"items": {"type": "integer"}}}});
        let least =
            |is_request| completed(list.clone(), is_request)["properties"]["a"]["items"]["minimum"].clone();
        assert_eq!((least(true), least(false)), (json!(i64::MIN), json!(0)));
    }
}
