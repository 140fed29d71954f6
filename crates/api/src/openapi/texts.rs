//! Types of one value, such as a line or the id of a tag, stand in the document where they are used, together with what is said
//! there. utoipa refers to each by name, as it does to objects.

use serde_json::{Map, Value, json};

use super::json::{SCHEMAS, set};

/// Replaces every reference to a type of one value with what the type says.
pub(super) fn write_out(document: &mut Value) {
    let schemas = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    let Some(schemas) = schemas else { return };
    let all = std::mem::take(schemas);
    let (values, named): (Map<_, _>, Map<_, _>) = all.into_iter().partition(|(_, schema)| is_value(schema));
    *schemas = named;
    write_out_in(document, &values);
}

/// A text or a number; a word of a closed list has a name of its own.
fn is_value(schema: &Value) -> bool {
    (schema["type"] == "string" || schema["type"] == "integer") && schema.get("enum").is_none()
}

fn write_out_in(value: &mut Value, values: &Map<String, Value>) {
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(|member| write_out_in(member, values));
            let target = members.get("$ref").and_then(Value::as_str);
            let known = target.and_then(|target| values.get(target.strip_prefix(SCHEMAS)?)).cloned();
            if let Some(Value::Object(mut of_type)) = known {
                members.remove("$ref");
                of_type.append(members);
                *members = of_type;
            }
            if let Some(Value::Object(mut value)) = members.get_mut("oneOf").and_then(nullable) {
                // What can be null has an example only if one is given where it is used.
                value.remove("examples");
                let single = value.remove("type");
                value.insert("type".to_owned(), json!([single, "null"]));
                members.remove("oneOf");
                members.append(&mut value);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| write_out_in(item, values)),
        _ => {}
    }
}

/// The first of two choices, if it is a text or a number and the second one is null.
fn nullable(choices: &mut Value) -> Option<Value> {
    match choices.as_array_mut()?.as_mut_slice() {
        [first, second] if is_value(first) && second["type"] == "null" => Some(first.take()),
        _ => None,
    }
}

/// Moves the example of each object, which need not have all members, to its members.
pub(super) fn share_out_examples(schemas: &mut Map<String, Value>) {
    for schema in schemas.values_mut() {
        let example = schema.pointer("/examples/0").and_then(Value::as_object).cloned();
        let own = schema.get_mut("properties").and_then(Value::as_object_mut);
        let (Some(example), Some(own)) = (example, own) else { continue };
        for (name, value) in example {
            own.get_mut(&name)
                .into_iter()
                .for_each(|member| set(member, &["examples"], json!([value.clone()])));
        }
        schema.as_object_mut().map(|members| members.remove("examples"));
    }
}
