//! Examples of every request and response, generated from the schemas: of each value the example that its member or its type
//! has. `tests/api/openapi_complete.rs` validates each against its schema.

use serde_json::{Map, Value, json};

use super::json::SCHEMAS;

/// The maximum depth of the schemas.
const DEEPEST: usize = 16;

/// Adds an example to every request and response body and to every id in a path.
pub(super) fn add(document: &mut Value) {
    let schemas =
        document.pointer("/components/schemas").and_then(Value::as_object).cloned().unwrap_or_default();
    let (requests, answers) = (Examples::of_requests(&schemas), Examples::of_answers(&schemas));
    let paths = document.get_mut("paths").and_then(Value::as_object_mut).into_iter().flatten();
    for (_, item) in paths {
        for (_, operation) in item.as_object_mut().into_iter().flatten() {
            give(operation.pointer_mut("/requestBody/content"), &requests);
            let described = operation.get_mut("responses").and_then(Value::as_object_mut);
            described.into_iter().flatten().for_each(|(_, answer)| give(answer.get_mut("content"), &answers));
            let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
            parameters.into_iter().flatten().for_each(|parameter| give_id(parameter, &requests));
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

fn give_id(parameter: &mut Value, examples: &Examples<'_>) {
    if parameter["in"] == "path"
        && let Some(members) = parameter.as_object_mut()
    {
        let id = members.get("schema").map(|schema| examples.of(schema)).unwrap_or_default();
        members.entry("example").or_insert(id);
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
        self.value(schema, 0)
    }

    fn value(&self, schema: &Value, depth: usize) -> Value {
        if depth > DEEPEST {
            return Value::Null;
        }
        if let Some(own) = own_example(schema) {
            return own;
        }
        if let Some(found) = self.resolved(schema) {
            return self.value(found, depth + 1);
        }
        if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
            return self.merged(parts, depth);
        }
        let choices = schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array);
        match choices.map(Vec::as_slice) {
            Some([word, null]) if null["type"] == "null" && self.is_word(word) => Value::Null,
            Some([choice, ..]) => self.value(choice, depth + 1),
            _ => self.plain(schema, depth),
        }
    }

    fn resolved(&self, schema: &Value) -> Option<&'d Value> {
        self.schemas.get(schema.get("$ref")?.as_str()?.strip_prefix(SCHEMAS)?)
    }

    fn is_word(&self, schema: &Value) -> bool {
        self.resolved(schema).is_some_and(|schema| schema.get("enum").is_some())
    }

    fn merged(&self, parts: &[Value], depth: usize) -> Value {
        let mut whole = Map::new();
        for part in parts {
            match self.value(part, depth + 1) {
                Value::Object(members) => whole.extend(members),
                other if parts.len() == 1 => return other,
                _ => {}
            }
        }
        Value::Object(whole)
    }

    /// What can be null is null, unless it has an example.
    fn plain(&self, schema: &Value, depth: usize) -> Value {
        match main_type(schema) {
            "object" => self.object(schema, depth),
            "array" if schema["maxItems"] == 0 => json!([]),
            "array" => json!([self.value(&schema["items"], depth + 1)]),
            "boolean" => json!(false),
            "integer" | "number" => {
                schema.get("minimum").cloned().filter(|least| *least != json!(i64::MIN)).unwrap_or(json!(1))
            }
            "string" => text(schema),
            _ => Value::Null,
        }
    }

    fn object(&self, schema: &Value, depth: usize) -> Value {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|it| it == name));
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let shown = properties.filter(|(name, property)| {
            is_required(name) || (self.is_request && own_example(property).is_some())
        });
        shown
            .map(|(name, property)| (name.clone(), self.value(property, depth + 1)))
            .collect::<Map<_, _>>()
            .into()
    }
}

fn own_example(schema: &Value) -> Option<Value> {
    let first = |member: &str| schema.get(member)?.as_array()?.first().cloned();
    let own = schema.get("example").cloned().or_else(|| first("examples"));
    own.or_else(|| schema.get("const").cloned()).or_else(|| first("enum"))
}

fn main_type(schema: &Value) -> &str {
    // A schema with properties is an object, even without a `type`.
    schema["type"].as_str().unwrap_or(if schema.get("properties").is_some() { "object" } else { "" })
}

fn text(schema: &Value) -> Value {
    match schema.get("format").and_then(Value::as_str) {
        Some("uuid") => json!("01901645-8c1d-7a34-9b26-7f0e5d4c3b2a"),
        Some("date-time") => json!("2026-03-01T09:00:00.000000Z"),
        Some("uri") => json!("https://register.example.org/docs"),
        Some("uri-reference") => json!("/docs/errors#validation_failed"),
        _ if schema.get("minLength").is_none() => json!(""),
        _ => json!("text"),
    }
}
