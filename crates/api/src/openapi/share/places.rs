//! The places of the document that can be shared.

use serde_json::{Map, Value, json};

use crate::openapi::json::operations;

/// A place that can be shared.
pub(super) struct Place<'d> {
    /// What stands there.
    pub(super) value: &'d mut Value,
    /// A name for it.
    pub(super) name: String,
    /// A name for it if others have that one.
    pub(super) full_name: String,
}

/// The parameters of every operation. One in the path is named by what stands before it: `IncidentId`.
pub(super) fn parameters(document: &mut Value, visit: &mut dyn FnMut(Place<'_>)) {
    for (path, _, operation) in operations(document) {
        let tag = operation.pointer("/tags/0").and_then(Value::as_str).map(singular).unwrap_or_default();
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
        for value in parameters.into_iter().flatten() {
            let Some(name) = value.get("name").and_then(Value::as_str).map(str::to_owned) else { continue };
            let before = path.split_once(&format!("/{{{name}}}")).map(|(before, _)| before);
            let noun = before.and_then(|before| before.rsplit('/').next()).map(singular).unwrap_or_default();
            let own = name.strip_prefix(&format!("{noun}_")).unwrap_or(&name);
            let (name, full_name) = (camel(&format!("{noun}_{own}")), camel(&format!("{tag}_{own}")));
            visit(Place { value, name, full_name });
        }
    }
}

/// The responses of every operation. An error is named by its code, or by its title where that says what is not found;
/// what else is returned by its schema.
pub(super) fn responses(document: &mut Value, visit: &mut dyn FnMut(Place<'_>)) {
    for (_, _, operation) in operations(document) {
        let answers = operation.get_mut("responses").and_then(Value::as_object_mut);
        for (_, value) in answers.into_iter().flatten() {
            let content = value.get("content").and_then(Value::as_object);
            let Some((media_type, media)) = content.and_then(|content| content.iter().next()) else {
                continue;
            };
            let text = |name: &str| media.pointer(&format!("/example/{name}")).and_then(Value::as_str);
            let name = match (schema_of(media), text("code")) {
                ("Problem", Some("not_found" | "tag_already_associated")) => {
                    camel(text("title").unwrap_or_default())
                }
                ("Problem", Some(code)) => camel(code),
                ("TokenErrorBody", Some(code)) => format!("OAuth{}", camel(code)),
                (schema, _) if media_type == "application/json" => schema.to_owned(),
                _ => continue,
            };
            let is_repeatable = value.pointer("/headers/Idempotent-Replayed").is_some();
            let full_name = if is_repeatable { format!("{name}AfterWrite") } else { name.clone() };
            visit(Place { value, name, full_name });
        }
    }
}

/// The examples of bodies, named by their schema.
pub(super) fn examples(document: &mut Value, visit: &mut dyn FnMut(Place<'_>)) {
    for media in media(document) {
        let name = schema_of(media).to_owned();
        if let Some(value) = media.pointer_mut("/examples/usual") {
            visit(Place { value, full_name: name.clone(), name });
        }
    }
}

/// Writes each example in the form that can be a reference.
pub(super) fn name_examples(document: &mut Value) {
    for media in media(document).into_iter().filter_map(Value::as_object_mut) {
        if let Some(example) = media.remove("example") {
            media.insert("examples".to_owned(), json!({"usual": {"value": example}}));
        }
    }
}

/// Writes each example that is no reference in the usual form.
pub(super) fn unname_examples(document: &mut Value) {
    for media in media(document) {
        if let Some(example) = media.pointer_mut("/examples/usual/value").map(Value::take)
            && let Some(media) = media.as_object_mut()
        {
            media.remove("examples");
            media.insert("example".to_owned(), example);
        }
    }
}

/// The media types of the bodies that are sent, and of all responses.
fn media(document: &mut Value) -> Vec<&mut Value> {
    let Some(parts) = document.as_object_mut() else { return Vec::new() };
    let bodies = parts.iter_mut().flat_map(|(name, part)| match name.as_str() {
        "components" => part.get_mut("responses").into_iter().flat_map(members).collect(),
        "paths" => members(part).flat_map(members).flat_map(bodies).collect(),
        _ => Vec::new(),
    });
    bodies.filter_map(|body| body.get_mut("content")).flat_map(members).collect()
}

/// The request's body and the responses of an operation.
fn bodies(operation: &mut Value) -> Vec<&mut Value> {
    let parts = operation.as_object_mut().into_iter().flatten();
    let bodies = parts.flat_map(|(name, part)| match name.as_str() {
        "requestBody" => vec![part],
        "responses" => members(part).collect(),
        _ => Vec::new(),
    });
    bodies.collect()
}

fn members(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    value.as_object_mut().into_iter().flat_map(Map::values_mut)
}

/// The name of the schema of a body.
fn schema_of(media: &Value) -> &str {
    let name = media.pointer("/schema/$ref").and_then(|target| target.as_str()?.rsplit('/').next());
    name.unwrap_or("Body")
}

/// `incident` for `Incidents`.
fn singular(text: &str) -> String {
    text.strip_suffix('s').unwrap_or(text).to_lowercase()
}

/// `IncidentNotFound` for `incident not found`.
pub(super) fn camel(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| format!("{}{}", first.to_ascii_uppercase(), letters.as_str()))
            .unwrap_or_default()
    };
    words.map(capital).collect()
}
