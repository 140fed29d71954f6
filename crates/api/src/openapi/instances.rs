//! The `instance` in the example of each problem: the path of an operation that returns it.

use std::collections::HashMap;

use http::problem::PROBLEM_JSON;
use serde_json::{Map, Value};

use super::json::operations;

/// Where readers expect an example to be.
const USUAL: &str = "/v1/incidents";

/// Sets every `instance`.
pub(super) fn set(document: &mut Value) {
    let mut returned_by: HashMap<String, String> = HashMap::new();
    for (path, _, operation) in operations(document) {
        let path = with_ids(&path, operation);
        let answers = operation.get_mut("responses").and_then(Value::as_object_mut);
        for (_, answer) in answers.into_iter().flatten() {
            match answer.get("$ref").and_then(|reference| reference.as_str()?.rsplit('/').next()) {
                Some(name) => {
                    let known = returned_by.entry(name.to_owned()).or_insert_with(|| path.clone());
                    if path.starts_with(USUAL) && !known.starts_with(USUAL) {
                        known.clone_from(&path);
                    }
                }
                None => set_instance(answer, &path),
            }
        }
    }
    let shared = document.pointer_mut("/components/responses").and_then(Value::as_object_mut);
    for (name, answer) in shared.into_iter().flatten() {
        returned_by.get(name).into_iter().for_each(|path| set_instance(answer, path));
    }
}

fn set_instance(answer: &mut Value, path: &str) {
    let media = answer.get_mut("content").and_then(|content| content.get_mut(PROBLEM_JSON));
    let example = media.and_then(|media| media.get_mut("example")).and_then(Value::as_object_mut);
    example.map(|example: &mut Map<String, Value>| example.insert("instance".to_owned(), path.into()));
}

/// The path with the example of each of its parameters.
fn with_ids(path: &str, operation: &Value) -> String {
    let parameters = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
    parameters.fold(path.to_owned(), |path, parameter| {
        let name = parameter.get("name").and_then(Value::as_str).unwrap_or_default();
        let id = match parameter.get("example") {
            Some(Value::String(id)) => id.clone(),
            Some(id) => id.to_string(),
            None => return path,
        };
        path.replace(&format!("{{{name}}}"), &id)
    })
}
