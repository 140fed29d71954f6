//! Examples of every request and response, generated from the schemas: a handler's own example if it has one, else the
//! table's value for the name. `tests/api/openapi_complete.rs` validates each against its schema.

use serde_json::{Map, Value, json};

use super::example_values;

/// The maximum depth of the schemas.
const DEEPEST: usize = 16;

/// Adds an example to every request and response body and to every id in a path.
pub(super) fn add(document: &mut Value) {
    let schemas =
        document.pointer("/components/schemas").and_then(Value::as_object).cloned().unwrap_or_default();
    let (requests, answers) = (Examples::of_requests(&schemas), Examples::of_answers(&schemas));
    let paths = document.get_mut("paths").and_then(Value::as_object_mut).into_iter().flatten();
    for (path, item) in paths {
        for (_, operation) in item.as_object_mut().into_iter().flatten() {
            give(operation.pointer_mut("/requestBody/content"), &requests);
            let described = operation.get_mut("responses").and_then(Value::as_object_mut);
            described.into_iter().flatten().for_each(|(_, answer)| give(answer.get_mut("content"), &answers));
            let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
            parameters.into_iter().flatten().for_each(|parameter| give_id(path, parameter));
        }
    }
}

fn give(content: Option<&mut Value>, examples: &Examples<'_>) {
    for (_, media) in content.and_then(Value::as_object_mut).into_iter().flatten() {
        let Some(media) = media.as_object_mut() else { continue };
        if let (Some(schema), None) = (media.get("schema"), media.get("example").or(media.get("examples"))) {
            let example = examples.of(schema);
            media.insert("example".to_owned(), example);
        }
    }
}

fn give_id(path: &str, parameter: &mut Value) {
    if parameter["in"] == "path" && parameter.get("example").is_none() {
        let name = parameter["name"].as_str().unwrap_or_default();
        if let (Some(id), Some(members)) = (example_values::path_id(path, name), parameter.as_object_mut()) {
            members.insert("example".to_owned(), id);
        }
    }
}

/// Generates examples from the schemas of a document.
pub(super) struct Examples<'d> {
    schemas: &'d Map<String, Value>,
    /// A request example contains the required members and those with an example; a response example contains every
    /// member that is always present.
    is_request: bool,
}

impl<'d> Examples<'d> {
    pub(super) fn of_requests(schemas: &'d Map<String, Value>) -> Self {
        Self { schemas, is_request: true }
    }

    pub(super) fn of_answers(schemas: &'d Map<String, Value>) -> Self {
        Self { schemas, is_request: false }
    }

    /// An example of a schema.
    pub(super) fn of(&self, schema: &Value) -> Value {
        self.value(schema, "", "", 0)
    }

    /// `owner` is the schema of which this is the property `name`.
    fn value(&self, schema: &Value, owner: &str, name: &str, depth: usize) -> Value {
        if depth > DEEPEST {
            return Value::Null;
        }
        if let Some(known) = example_values::of(owner, name, self.is_request) {
            return known;
        }
        if let Some(own) = own_example(schema) {
            return own;
        }
        if let Some((target, found)) = self.resolved(schema) {
            return self.value(found, target, name, depth + 1);
        }
        if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
            return self.merged(parts, owner, name, depth);
        }
        let choices = schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array);
        if let Some(choice) = choices.and_then(|choices| choices.iter().find(|it| it["type"] != "null")) {
            return self.value(choice, owner, name, depth + 1);
        }
        self.plain(schema, owner, name, depth)
    }

    fn resolved<'s>(&self, schema: &'s Value) -> Option<(&'s str, &'d Value)> {
        let target = schema.get("$ref")?.as_str()?.strip_prefix("#/components/schemas/")?;
        Some((target, self.schemas.get(target)?))
    }

    fn merged(&self, parts: &[Value], owner: &str, name: &str, depth: usize) -> Value {
        let mut whole = Map::new();
        for part in parts {
            match self.value(part, owner, name, depth + 1) {
                Value::Object(members) => whole.extend(members),
                other if parts.len() == 1 => return other,
                _ => {}
            }
        }
        Value::Object(whole)
    }

    fn plain(&self, schema: &Value, owner: &str, name: &str, depth: usize) -> Value {
        match main_type(schema) {
            "object" => self.object(schema, owner, depth),
            "array" if schema["maxItems"] == 0 => json!([]),
            "array" => json!([self.value(&schema["items"], owner, name, depth + 1)]),
            "boolean" => json!(false),
            "integer" | "number" => {
                schema.get("minimum").cloned().filter(|least| *least != json!(i64::MIN)).unwrap_or(json!(1))
            }
            "string" => text(schema),
            _ => Value::Null,
        }
    }

    fn object(&self, schema: &Value, owner: &str, depth: usize) -> Value {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|it| it == name));
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let shown = properties.filter(|(name, property)| {
            is_required(name) || (self.is_request && self.is_worth_showing(property, owner, name))
        });
        shown
            .map(|(name, property)| (name.clone(), self.value(property, owner, name, depth + 1)))
            .collect::<Map<_, _>>()
            .into()
    }

    /// Whether an optional member of a request has an example: ids of records that may not exist have none.
    fn is_worth_showing(&self, property: &Value, owner: &str, name: &str) -> bool {
        match example_values::of(owner, name, self.is_request) {
            Some(known) => !known.is_null(),
            None => own_example(property).is_some() || self.resolved(property).is_some(),
        }
    }
}

fn own_example(schema: &Value) -> Option<Value> {
    let first = |member: &str| schema.get(member)?.as_array()?.first().cloned();
    let own = schema.get("example").cloned().or_else(|| first("examples"));
    own.or_else(|| schema.get("const").cloned()).or_else(|| first("enum"))
}

fn main_type(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(name)) => name,
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).find(|name| *name != "null").unwrap_or("null")
        }
        // A schema with properties is an object, even without a `type`.
        _ if schema.get("properties").is_some() => "object",
        _ => "",
    }
}

fn text(schema: &Value) -> Value {
    match schema.get("format").and_then(Value::as_str) {
        Some("uuid") => json!("0190163d-8694-739b-aea5-966c26f8ad91"),
        Some("date-time") => json!("2026-03-01T09:00:00.000000Z"),
        Some("uri") => json!("https://register.example.org/docs"),
        Some("uri-reference") => json!("/docs/errors#validation_failed"),
        _ if schema.get("minLength").is_none() => json!(""),
        _ => json!("text"),
    }
}
