//! Additions to every response of the document: its headers, and an example of each problem.

use http::problem::PROBLEM_JSON;
use serde_json::{Map, Value, json};

use super::headers;
use super::json::set;
use super::problems;
use crate::oauth;

/// Completes the responses of every operation, and the shared ones.
pub(super) fn complete(document: &mut Value) {
    // Identified by its name in the components, since its status appears nowhere else there.
    let shared = document.pointer_mut("/components/responses").and_then(Value::as_object_mut);
    for (name, answer) in shared.into_iter().flatten() {
        one(problems::status_of(name).as_str(), answer);
    }
    let paths = document.get_mut("paths").and_then(Value::as_object_mut).into_iter().flatten();
    for (_, item) in paths {
        for operation in item.as_object_mut().into_iter().flatten().map(|(_, operation)| operation) {
            let searches = takes_a_search(operation);
            let answers = operation.get_mut("responses").and_then(Value::as_object_mut);
            for (status, answer) in answers.into_iter().flatten() {
                if answer.get("$ref").is_none() {
                    one(status, answer);
                    if status == "200" && searches {
                        set(answer, &["headers", "Bailiwick-Search-Seq"], headers::reference("SearchSeq"));
                    }
                }
            }
        }
    }
}

fn takes_a_search(operation: &Value) -> bool {
    let parameters = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
    parameters.into_iter().any(|parameter| parameter.get("name").is_some_and(|name| name == "q"))
}

fn one(status: &str, answer: &mut Value) {
    let description = answer.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    let Some(members) = answer.as_object_mut() else { return };
    if let Some(problem) = members.get_mut("content").and_then(|content| content.get_mut(PROBLEM_JSON))
        && let Some(problem) = problem.as_object_mut()
    {
        problem.entry("example").or_insert_with(|| problems::example(status, &description));
    }
    if let Some(media) = members.get_mut("content").and_then(|content| content.get_mut("application/json"))
        && status.starts_with(['4', '5'])
        && let (Some(example), Some(media)) =
            (oauth::error_example(status, &description, problems::REQUEST_ID), media.as_object_mut())
    {
        media.entry("example").or_insert(example);
    }
    let named = members.entry("headers").or_insert_with(|| Value::Object(Map::new()));
    let Some(named) = named.as_object_mut() else { return };
    for (name, reference) in headers::shared() {
        named.insert(name.to_owned(), reference);
    }
    for (name, component) in headers::of_status(status) {
        named.insert((*name).to_owned(), headers::reference(component));
    }
    if status == "201" {
        named.insert("Location".to_owned(), headers::reference("Location"));
    }
}

/// Removes components without a reference to them.
pub(super) fn drop_unused(document: &mut Value) {
    for kind in ["responses", "headers", "parameters"] {
        let text = document.to_string();
        let pointer = format!("/components/{kind}");
        if let Some(known) = document.pointer_mut(&pointer).and_then(Value::as_object_mut) {
            known.retain(|name, _| text.contains(&json!(format!("#/components/{kind}/{name}")).to_string()));
        }
    }
}
