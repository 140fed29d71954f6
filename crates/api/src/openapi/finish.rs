//! The steps that need the whole document: done on its JSON, after every route has been described.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::json::{SCHEMAS, is_open, operations, set, successes};
use super::{
    COMPUTATIONS, answers, bounds, choices, conditional, examples, forms, headers, instances, links, tags,
    texts,
};

/// The operations that ignore unknown members (RFC 6749, section 3.2) and have an error format of their own.
const OAUTH: &str = "/v1/oauth/";

/// Writes that take no Idempotency-Key: they carry a password, and nothing of it is stored, not even a hash of the
/// request.
const KEYLESS: &[&str] = &["/v1/me/password"];

/// Finishes the document.
pub(super) fn finish(mut document: Value) -> Value {
    texts::write_out(&mut document);
    refer_to_components(&mut document);
    forms::separate(&mut document);
    if let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) {
        choices::name_the_discriminator(schemas);
    }
    conditional::describe(&mut document);
    let mut asked = BTreeSet::new();
    let mut answered = BTreeSet::new();
    for (path, method, operation) in operations(&mut document) {
        if !path.starts_with(OAUTH) {
            references(&operation["requestBody"], &mut asked);
            let is_write = matches!(method.as_str(), "post" | "put" | "patch" | "delete");
            let takes_key = !KEYLESS.contains(&path.as_str()) && !COMPUTATIONS.contains(&path.as_str());
            if is_write && !is_open(operation) && takes_key {
                name_idempotency_key(operation);
            }
        }
        if path.starts_with(OAUTH) {
            name_refusals(operation);
        }
        references(&operation["responses"], &mut answered);
    }
    let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) else {
        return document;
    };
    refer_to_rows(schemas);
    follow(schemas, &mut asked);
    follow(schemas, &mut answered);
    let parts = parts_of_others(schemas);
    hoist_examples(schemas);
    texts::share_out_examples(schemas);
    for (name, schema) in schemas.iter_mut() {
        if answered.contains(name) && !asked.contains(name) {
            require_what_is_nullable(schema);
        }
        if asked.contains(name) && !parts.contains(name) && schema.get("properties").is_some() {
            set(schema, &["additionalProperties"], Value::Bool(false));
        }
        bounds::complete(schema, asked.contains(name));
    }
    bounds::complete_operations(&mut document);
    answers::complete(&mut document);
    examples::add(&mut document);
    instances::set(&mut document);
    links::add(&mut document);
    tags::add(&mut document);
    answers::drop_unused(&mut document);
    document
}

/// Replaces copies of the schema of shared errors with references to the components.
fn refer_to_components(document: &mut Value) {
    let schemas = document.pointer("/components/schemas").and_then(Value::as_object).cloned();
    let schemas = schemas.unwrap_or_default();
    for (_, _, operation) in operations(document) {
        let answers = operation.get_mut("responses").and_then(Value::as_object_mut).into_iter().flatten();
        let contents = answers.filter_map(|(_, answer)| answer.get_mut("content")?.as_object_mut());
        for media in contents.flat_map(|content| content.values_mut()) {
            let inline = media.get("schema").and_then(|schema| schema.get("properties"));
            let same =
                schemas.iter().find(|(_, schema)| inline.is_some() && schema.get("properties") == inline);
            if let Some((name, _)) = same {
                set(media, &["schema"], json!({"$ref": format!("{SCHEMAS}{name}")}));
            }
        }
    }
}

/// Moves the example of a list, which utoipa attaches to the schema of its elements, to the list.
fn hoist_examples(schemas: &mut Map<String, Value>) {
    let properties = schemas.values_mut().filter_map(|schema| schema.get_mut("properties")?.as_object_mut());
    for property in properties.flat_map(|properties| properties.values_mut()) {
        let misplaced = property.pointer("/items/examples/0").is_some_and(Value::is_array);
        let items = property.get_mut("items").and_then(Value::as_object_mut);
        if let (true, Some(examples)) = (misplaced, items.and_then(|items| items.remove("examples"))) {
            set(property, &["examples"], examples);
        }
    }
}

/// Adds the Idempotency-Key to every write with a token, and the header of a replay to its responses.
fn name_idempotency_key(operation: &mut Value) {
    let reference = json!({"$ref": "#/components/parameters/IdempotencyKey"});
    match operation.get_mut("parameters").and_then(Value::as_array_mut) {
        Some(parameters) => parameters.push(reference),
        None => set(operation, &["parameters"], json!([reference])),
    }
    for (_, answer) in successes(operation) {
        set(answer, &["headers", "Idempotent-Replayed"], headers::reference("IdempotentReplayed"));
    }
}

/// Describes the refusals before an OAuth endpoint is reached, which have the format of the endpoint.
fn name_refusals(operation: &mut Value) {
    let body = json!({"schema": {"$ref": format!("{SCHEMAS}TokenErrorBody")}});
    for (status, description) in [
        ("403", "The request came over plain HTTP."),
        ("406", "`Accept` refuses `application/json` explicitly."),
        ("414", "The path and query are over 8 KiB."),
        ("431", "The header is over 32 KiB."),
    ] {
        let answer = json!({"description": description, "content": {"application/json": body}});
        set(operation, &["responses", status], answer);
    }
}

/// Makes the rows of a list refer to the record's schema instead of containing a copy of it. Lists of records without
/// a history have no point in time.
fn refer_to_rows(schemas: &mut Map<String, Value>) {
    for (name, list) in schemas.iter_mut() {
        let Some(row) = name.strip_prefix("List_") else { continue };
        let has_history = list.pointer("/properties/data/items/properties/as_of").is_some();
        let row = json!({"$ref": format!("{SCHEMAS}{row}")});
        set(list, &["properties", "data", "items"], row);
        let properties = list.get_mut("properties").and_then(Value::as_object_mut);
        if let (false, Some(properties)) = (has_history, properties) {
            properties.remove("as_of");
            properties.remove("as_of_seq");
        }
    }
}

/// Makes the nullable members of responses required: they are always present, null when there is no value.
fn require_what_is_nullable(schema: &mut Value) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    let nullable: Vec<Value> = properties
        .iter()
        .filter(|(_, property)| is_nullable(property))
        .map(|(name, _)| Value::from(name.as_str()))
        .collect();
    let mut required = schema["required"].as_array().cloned().unwrap_or_default();
    required.extend(
        nullable
            .into_iter()
            .filter(|name| !schema["required"].as_array().is_some_and(|it| it.contains(name))),
    );
    if !required.is_empty() {
        set(schema, &["required"], Value::Array(required));
    }
}

fn is_nullable(property: &Value) -> bool {
    let null = Value::from("null");
    let in_type = property["type"].as_array().is_some_and(|types| types.contains(&null));
    let in_choice =
        property["oneOf"].as_array().is_some_and(|choices| choices.iter().any(|it| it["type"] == null));
    in_type || in_choice
}

/// The names of the schemas that another one extends by `allOf`: closing them would also close the other one.
fn parts_of_others(schemas: &Map<String, Value>) -> BTreeSet<String> {
    fn collect(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(members) => {
                members.get("allOf").into_iter().for_each(|parts| references(parts, found));
                members.values().for_each(|member| collect(member, found));
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    schemas.values().for_each(|schema| collect(schema, &mut found));
    found
}

/// Collects the names of the schemas that `value` refers to.
fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            let target = members.get("$ref").and_then(Value::as_str);
            found.extend(target.and_then(|text| text.strip_prefix(SCHEMAS)).map(str::to_owned));
            members.values().for_each(|member| references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

/// Adds the schemas that the named ones refer to, transitively.
fn follow(schemas: &Map<String, Value>, names: &mut BTreeSet<String>) {
    let mut waiting: Vec<String> = names.iter().cloned().collect();
    while let Some(name) = waiting.pop() {
        let mut found = BTreeSet::new();
        schemas.get(&name).into_iter().for_each(|schema| references(schema, &mut found));
        waiting.extend(found.iter().filter(|name| !names.contains(*name)).cloned());
        names.extend(found);
    }
}
