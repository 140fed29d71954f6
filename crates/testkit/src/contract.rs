//! Validates responses against the OpenAPI document.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// The OpenAPI document, prepared for the validation of responses.
///
/// Stricter than the document's text: a member that the document does not name is a fault too, because no other
/// test finds an undocumented member.
pub struct Contract {
    document: Value,
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Contract {
    /// The document of the repository, which a test of `api` compares with the one that is served. All tests of a
    /// process share it with its validators: to read it for every test would take longer than most tests.
    pub fn committed() -> &'static Self {
        static COMMITTED: OnceLock<Contract> = OnceLock::new();
        COMMITTED.get_or_init(|| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi.json");
            let text = std::fs::read(path).expect("openapi.json");
            Self::new(&serde_json::from_slice(&text).expect("openapi.json is JSON"))
        })
    }

    /// Takes a document.
    pub fn new(document: &Value) -> Self {
        Self { document: closed(document), validators: Mutex::new(HashMap::new()) }
    }

    /// Validates one response and returns its faults as sentences.
    ///
    /// `path` is the request's path, with or without a query. A path that the document does not know may only be
    /// answered with 404 or 405, apart from the operational paths outside `/v1`, which are not validated.
    pub fn check(&self, method: &str, path: &str, status: u16, media_type: &str, body: &[u8]) -> Vec<String> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let Some((template, item)) = self.path_item(path) else {
            let fine = !path.starts_with("/v1") || [404, 405].contains(&status);
            return if fine { vec![] } else { vec![format!("{path} is not in the document")] };
        };
        let is_head = method == "HEAD";
        let method = if is_head { "get".to_owned() } else { method.to_ascii_lowercase() };
        let Some(operation) = item.get(&method) else {
            // OPTIONS is never described: the methods it answers with are.
            let fine = status == 405 || (method == "options" && status == 204);
            return if fine { vec![] } else { vec![format!("{method} {template} is not in the document")] };
        };
        let at = format!("{method} {template} {status}");
        let Some(answer) = operation["responses"].get(status.to_string()).map(|answer| self.resolved(answer))
        else {
            return vec![format!("{at} is not in the document")];
        };
        let Some(content) = answer.get("content").and_then(Value::as_object).filter(|map| !map.is_empty())
        else {
            return if body.is_empty() {
                vec![]
            } else {
                vec![format!("{at} has a body the document does not show")]
            };
        };
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        let Some(media) = content.get(essence) else {
            return vec![format!("{at} is {essence:?}, which the document does not show")];
        };
        if is_head {
            return if body.is_empty() { vec![] } else { vec![format!("{at} is HEAD with a body")] };
        }
        let (Some(schema), true) = (media.get("schema"), essence.ends_with("json")) else { return vec![] };
        if essence == "application/x-ndjson" {
            // An export has the members that `fields` chooses.
            let is_partial = query.split('&').any(|pair| pair.starts_with("fields="));
            let partial = is_partial.then(|| self.without_required(schema));
            let schema = partial.as_ref().unwrap_or(schema);
            return body
                .split(|byte| *byte == b'\n')
                .filter(|line| !line.is_empty())
                .flat_map(|line| {
                    let key = format!("{at} {essence} {is_partial}");
                    match serde_json::from_slice::<Value>(line) {
                        Err(error) => vec![format!("{at}: a line is not JSON: {error}")],
                        Ok(value) => self.validate(&at, &key, schema, &value),
                    }
                })
                .collect();
        }
        match serde_json::from_slice::<Value>(body) {
            Err(error) => vec![format!("{at} is not JSON: {error}")],
            Ok(value) => self.validate(&at, &format!("{at} {essence}"), schema, &value),
        }
    }

    fn without_required(&self, schema: &Value) -> Value {
        let mut schema = self.resolved(schema).clone();
        if let Some(members) = schema.as_object_mut() {
            members.remove("required");
        }
        for part in schema.get_mut("allOf").and_then(Value::as_array_mut).into_iter().flatten() {
            *part = self.without_required(part);
        }
        schema
    }

    fn validate(&self, at: &str, key: &str, schema: &Value, value: &Value) -> Vec<String> {
        let mut validators = self.validators.lock().unwrap_or_else(PoisonError::into_inner);
        let validator =
            validators.entry(key.to_owned()).or_insert_with(|| Arc::new(self.validator(schema))).clone();
        drop(validators);
        validator
            .iter_errors(value)
            .map(|error| format!("{at}: {error} at {:?}", error.instance_path().to_string()))
            .collect()
    }

    /// Puts the schemas that it refers to beside the schema: all of them would take a hundred times as long.
    fn validator(&self, schema: &Value) -> Validator {
        let mut schemas = Map::new();
        self.add_referred(schema, &mut schemas);
        let whole = json!({"allOf": [schema], "components": {"schemas": schemas}});
        jsonschema::draft202012::options()
            .should_validate_formats(true)
            .build(&whole)
            .expect("a schema of the document")
    }

    fn add_referred(&self, value: &Value, schemas: &mut Map<String, Value>) {
        match value {
            Value::Object(members) => {
                let target = members.get("$ref").and_then(Value::as_str);
                let name = target.and_then(|text| text.strip_prefix("#/components/schemas/"));
                if let Some(name) = name.filter(|name| !schemas.contains_key(*name)) {
                    let schema = self.resolved(value);
                    schemas.insert(name.to_owned(), schema.clone());
                    self.add_referred(schema, schemas);
                }
                members.values().for_each(|member| self.add_referred(member, schemas));
            }
            Value::Array(items) => items.iter().for_each(|item| self.add_referred(item, schemas)),
            _ => {}
        }
    }

    /// The path's entry: literal segments win over parameters.
    fn path_item(&self, path: &str) -> Option<(&str, &Value)> {
        let segments: Vec<_> = path.split('/').collect();
        let matches = |template: &str| {
            let parts: Vec<_> = template.split('/').collect();
            parts.len() == segments.len()
                // A path that ends in a slash does not exist.
                && segments.last() != Some(&"")
                && parts.iter().zip(&segments).all(|(part, segment)| part.starts_with('{') || part == segment)
        };
        let paths = self.document["paths"].as_object()?;
        paths
            .iter()
            .filter(|(template, _)| matches(template))
            .min_by_key(|(template, _)| template.matches('{').count())
            .map(|(template, item)| (template.as_str(), item))
    }

    fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#')) {
            Some(pointer) => self.document.pointer(pointer).unwrap_or(value),
            None => value,
        }
    }
}

/// The document with every object schema closed: members that are not named are refused.
fn closed(document: &Value) -> Value {
    let mut composed = Vec::new();
    collect_composed(document, &mut composed);
    let mut document = document.clone();
    if let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) {
        for (name, schema) in schemas.iter_mut() {
            // What another schema builds on must stay open; the whole is closed there.
            close(schema, composed.contains(&format!("#/components/schemas/{name}")));
        }
    }
    if let Some(paths) = document.get_mut("paths") {
        close(paths, false);
    }
    document
}

/// The references that stand in an `allOf` of more than one part.
fn collect_composed(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            let parts = members.get("allOf").and_then(Value::as_array).filter(|parts| parts.len() > 1);
            for part in parts.into_iter().flatten() {
                found.extend(part.get("$ref").and_then(Value::as_str).map(str::to_owned));
            }
            members.values().for_each(|member| collect_composed(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_composed(item, found)),
        _ => {}
    }
}

fn close(value: &mut Value, part_of_another: bool) {
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                if name == "allOf" {
                    member.as_array_mut().into_iter().flatten().for_each(|part| close(part, true));
                } else if !["example", "examples", "default", "enum", "const"].contains(&name.as_str()) {
                    close(member, false);
                }
            }
            if !part_of_another {
                refuse_others(members);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| close(item, false)),
        _ => {}
    }
}

fn refuse_others(schema: &mut Map<String, Value>) {
    let composed = schema.get("allOf").and_then(Value::as_array).is_some_and(|parts| parts.len() > 1);
    let named = schema.get("properties").is_some_and(Value::is_object) && schema.contains_key("type");
    if composed || (named && !schema.contains_key("additionalProperties")) {
        schema.insert("unevaluatedProperties".to_owned(), Value::Bool(false));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contract() -> Contract {
        let answer =
            |schema: Value| json!({"description": "", "content": {"application/json": {"schema": schema}}});
        Contract::new(&json!({
            "paths": {
                "/v1/things/{id}": {
                    "get": {"responses": {"200": answer(json!({"$ref": "#/components/schemas/Thing"}))}},
                    "delete": {"responses": {"204": {"description": ""}}},
                },
                "/v1/things/head": {"get": {"responses": {"200": answer(json!({"type": "integer"}))}}},
                "/v1/both": {"get": {"responses": {"200": answer(json!({"$ref": "#/components/schemas/Both"}))}}},
            },
            "components": {"schemas": {
                "Thing": {"type": "object", "required": ["id"], "properties": {
                    "id": {"type": "string", "format": "uuid"}, "made": {"type": "string", "format": "date-time"},
                    "note": {"type": ["string", "null"]}}},
                "Part": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}},
                "Both": {"allOf": [{"$ref": "#/components/schemas/Part"},
                    {"type": "object", "properties": {"b": {"type": "integer"}}}]},
            }},
        }))
    }

    fn get(path: &str, status: u16, body: &Value) -> Vec<String> {
        contract().check("GET", path, status, "application/json; charset=utf-8", body.to_string().as_bytes())
    }

    const ID: &str = "0190163d-8694-739b-aea5-966c26f8ad91";

    #[test]
    fn an_answer_as_documented_has_no_fault() {
        assert_eq!(get("/v1/things/7?x=1", 200, &json!({"id": ID, "note": null})), Vec::<String>::new());
        assert_eq!(get("/v1/things/head", 200, &json!(3)), Vec::<String>::new());
        assert_eq!(get("/v1/both", 200, &json!({"a": 1, "b": 2})), Vec::<String>::new());
        assert_eq!(contract().check("DELETE", "/v1/things/7", 204, "", b""), Vec::<String>::new());
        assert_eq!(
            contract().check("GET", "/v1/nothing", 404, "application/problem+json", b"{}"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn an_answer_that_differs_is_a_fault() {
        for (path, status, body) in [
            ("/v1/things/7", 200, json!({"note": null})),
            ("/v1/things/7", 200, json!({"id": "seven"})),
            ("/v1/things/7", 200, json!({"id": ID, "made": "yesterday"})),
            ("/v1/things/7", 200, json!({"id": ID, "undocumented": 1})),
            ("/v1/both", 200, json!({"a": 1, "c": 2})),
            ("/v1/both", 200, json!({"b": 2})),
            ("/v1/things/7", 404, json!({})),
            ("/v1/things/head", 200, json!("three")),
            ("/v1/nothing", 200, json!({})),
        ] {
            assert_eq!(get(path, status, &body).len(), 1, "{path} {status} {body}");
        }
        assert_eq!(contract().check("DELETE", "/v1/things/7", 204, "text/plain", b"gone").len(), 1);
        assert_eq!(contract().check("PUT", "/v1/things/7", 200, "", b"").len(), 1);
        assert_eq!(contract().check("GET", "/v1/things/7", 200, "text/html", b"").len(), 1);
    }
}
