//! Finding and setting parts of the document's JSON.

use serde_json::{Map, Value, json};

/// The start of a reference to a schema.
pub(super) const SCHEMAS: &str = "#/components/schemas/";

/// The path, method and object of each operation.
pub(super) fn operations(document: &mut Value) -> impl Iterator<Item = (String, String, &mut Value)> {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut).into_iter().flatten();
    paths.flat_map(|(path, item)| {
        let item = item.as_object_mut().into_iter().flatten();
        item.map(move |(method, operation)| (path.clone(), method.clone(), operation))
    })
}

/// Whether the operation needs no token: its response is never stored.
pub(super) fn is_open(operation: &Value) -> bool {
    let ways = operation["security"].as_array();
    ways.is_none_or(|ways| ways.iter().any(|way| way.as_object().is_some_and(Map::is_empty)))
}

/// The responses with a status of success.
pub(super) fn successes(operation: &mut Value) -> impl Iterator<Item = (&String, &mut Value)> {
    let answers = operation.get_mut("responses").and_then(Value::as_object_mut).into_iter().flatten();
    answers.filter(|(status, _)| status.starts_with('2'))
}

/// Sets a member, creating the objects on its path.
pub(super) fn set(value: &mut Value, path: &[&str], new: Value) {
    let Some((first, rest)) = path.split_first() else {
        *value = new;
        return;
    };
    if !value.is_object() {
        *value = json!({});
    }
    if let Some(members) = value.as_object_mut() {
        set(members.entry(*first).or_insert(Value::Null), rest, new);
    }
}
