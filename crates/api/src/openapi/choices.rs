//! Tagged unions, such as an item's `kind`: utoipa writes each branch as a schema with the tag beside it. Here the tag
//! becomes a member of the schema, and the union names it as its discriminator, so that generated clients have one
//! class for each branch.

use serde_json::{Map, Value, json};

const SCHEMAS: &str = "#/components/schemas/";

/// One branch of a union: the schema it refers to, and the tag that selects it.
struct Branch {
    part: String,
    tag: String,
    value: Value,
}

/// Rewrites every tagged union.
pub(super) fn name_the_discriminator(schemas: &mut Map<String, Value>) {
    let names: Vec<String> = schemas.keys().cloned().collect();
    for name in names {
        let Some(branches) = schemas.get(&name).and_then(branches) else { continue };
        branches.iter().for_each(|branch| put_tag(schemas, branch));
        let parts: Vec<Value> =
            branches.iter().map(|it| json!({"$ref": format!("{SCHEMAS}{}", it.part)})).collect();
        let mapping: Map<String, Value> = branches
            .iter()
            .filter_map(|it| Some((it.value.as_str()?.to_owned(), json!(format!("{SCHEMAS}{}", it.part)))))
            .collect();
        let tag = branches.first().map(|it| it.tag.clone());
        if let Some(choice) = schemas.get_mut(&name).and_then(Value::as_object_mut) {
            choice.insert("oneOf".to_owned(), Value::Array(parts));
            choice.insert("discriminator".to_owned(), json!({"propertyName": tag, "mapping": mapping}));
        }
    }
}

/// The branches, if every one is a schema with a tag.
fn branches(choice: &Value) -> Option<Vec<Branch>> {
    choice.get("oneOf")?.as_array()?.iter().map(branch).collect()
}

fn branch(branch: &Value) -> Option<Branch> {
    let [part, tag] = branch.get("allOf")?.as_array()?.as_slice() else { return None };
    let (name, described) = tag.get("properties")?.as_object()?.iter().next()?;
    Some(Branch {
        part: part.get("$ref")?.as_str()?.strip_prefix(SCHEMAS)?.to_owned(),
        tag: name.clone(),
        value: described.get("enum")?.as_array()?.first()?.clone(),
    })
}

/// Gives a schema that only wraps another one the members of that one, so that the tag can stand beside them.
fn unwrap(schemas: &mut Map<String, Value>, name: &str) {
    let wrapped =
        schemas.get(name).and_then(|part| part.get("allOf")?.as_array()?.first()?.get("$ref")?.as_str());
    let wrapped =
        wrapped.and_then(|target| target.strip_prefix(SCHEMAS)).and_then(|target| schemas.get(target));
    let Some(Value::Object(members)) = wrapped.cloned() else { return };
    if let Some(part) = schemas.get_mut(name).and_then(Value::as_object_mut) {
        part.remove("allOf");
        for (member, value) in members {
            part.entry(member).or_insert(value);
        }
    }
}

fn put_tag(schemas: &mut Map<String, Value>, branch: &Branch) {
    unwrap(schemas, &branch.part);
    let Some(part) = schemas.get_mut(&branch.part).and_then(Value::as_object_mut) else { return };
    let properties = part.entry("properties").or_insert_with(|| json!({}));
    if let Some(properties) = properties.as_object_mut() {
        let described = json!({"type": "string", "enum": [branch.value], "description": "The kind."});
        properties.insert(branch.tag.clone(), described);
    }
    let required = part.entry("required").or_insert_with(|| json!([]));
    if let Some(required) = required.as_array_mut() {
        // Two choices may share an object.
        if !required.contains(&json!(branch.tag)) {
            required.push(json!(branch.tag));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_moves_into_the_part() {
        let branch = |part: &str, value: &str| {
            json!({"allOf": [{"$ref": format!("{SCHEMAS}{part}")},
                {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string", "enum": [value]}}}]})
        };
        let mut document = json!({
            "Item": {"oneOf": [branch("Select", "select"), branch("Text", "text")]},
            "Select": {"type": "object", "properties": {}},
            "Text": {"type": "object", "required": ["id"], "properties": {"id": {}}},
            "Other": {"oneOf": [{"type": "null"}]},
        });
        name_the_discriminator(document.as_object_mut().unwrap());
        assert_eq!(document["Item"]["oneOf"][1], json!({"$ref": "#/components/schemas/Text"}));
        assert_eq!(document["Item"]["discriminator"]["mapping"]["text"], "#/components/schemas/Text");
        assert_eq!(document["Text"]["required"], json!(["id", "kind"]));
        assert_eq!(document["Select"]["properties"]["kind"]["enum"], json!(["select"]));
        assert_eq!(document["Other"], json!({"oneOf": [{"type": "null"}]}));
    }
}
