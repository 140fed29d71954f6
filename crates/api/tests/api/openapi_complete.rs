//! The OpenAPI document is complete: valid examples, a limit for every value, a description of every group.

use serde_json::{Value, json};

/// Every media type of a request or a response, with its position.
fn media(document: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let mut note = |at: String, content: &Value| {
        for (name, media) in content.as_object().into_iter().flatten() {
            found.push((format!("{at} {name}"), media.clone()));
        }
    };
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            note(format!("{method} {path}"), &operation["requestBody"]["content"]);
            for (status, answer) in operation["responses"].as_object().unwrap() {
                note(format!("{method} {path} {status}"), &answer["content"]);
            }
        }
    }
    for (name, answer) in document["components"]["responses"].as_object().unwrap() {
        note(name.clone(), &answer["content"]);
    }
    found
}

#[test]
fn every_example_holds_against_its_schema() {
    let document = api::document();
    let all = media(&document);
    assert!(all.len() > 60, "the document has lost its bodies");
    for (at, media) in all {
        let schema = media.get("schema").unwrap_or_else(|| panic!("{at} has no schema"));
        let example = media.get("example").unwrap_or_else(|| panic!("{at} has no example"));
        let whole = json!({"allOf": [schema], "components": document["components"]});
        let validator =
            jsonschema::draft202012::options().should_validate_formats(true).build(&whole).unwrap();
        let faults: Vec<String> =
            validator.iter_errors(example).map(|it| format!("{it} at {}", it.instance_path())).collect();
        assert!(faults.is_empty(), "{at}: {faults:?}\n{example:#}\nSay it at the member or in its type");
    }
}

#[test]
fn every_value_has_a_limit() {
    fn walk(value: &Value, at: &str, found: &mut Vec<String>) {
        match value {
            // A file is as long as it is.
            Value::Object(_) if at.ends_with("/text/csv") || at.ends_with("/text/markdown") => {}
            Value::Object(members) => {
                lacking(value, at, found);
                for (name, member) in members.iter().filter(|(name, _)| !name.starts_with("example")) {
                    walk(member, &format!("{at}/{name}"), found);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| walk(item, at, found)),
            _ => {}
        }
    }
    fn lacking(schema: &Value, at: &str, found: &mut Vec<String>) {
        let is = |name: &str| match &schema["type"] {
            Value::String(text) => text == name,
            Value::Array(names) => names.iter().any(|it| it == name),
            _ => false,
        };
        let has = |names: &[&str]| names.iter().any(|name| schema.get(*name).is_some());
        if is("string") && !(has(&["enum", "const"]) || has(&["maxLength"]) && has(&["format", "pattern"])) {
            found.push(format!("{at}: maxLength, and format or pattern"));
        }
        if is("integer") && !(has(&["minimum"]) && has(&["maximum"]) && has(&["format"])) {
            found.push(format!("{at}: minimum, maximum and format"));
        }
        if is("array") && !has(&["maxItems"]) {
            found.push(format!("{at}: maxItems"));
        }
    }
    let document = api::document();
    let mut found = Vec::new();
    walk(&document["components"], "components", &mut found);
    walk(&document["paths"], "paths", &mut found);
    assert!(found.is_empty(), "say it in the type of the value or at the member: {found:#?}");
}

#[test]
fn every_group_is_described() {
    let document = api::document();
    let known: Vec<&Value> = document["tags"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let tags = operation["tags"].as_array().unwrap();
            assert_eq!(tags.len(), 1, "{method} {path}");
            assert!(
                known.contains(&&tags[0]),
                "{method} {path}: describe {} in api/src/openapi/tags.rs",
                tags[0]
            );
        }
    }
}
