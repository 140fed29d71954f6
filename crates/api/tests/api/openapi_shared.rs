//! What the OpenAPI document repeats is in its components.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// The most bytes of the document: it is read by people, by generators and by assistants with limited memory.
const MOST_BYTES: usize = 1_250_000;

/// The document as it is served.
fn shared() -> Value {
    serde_json::from_str(&api::openapi_text(&api::document())).unwrap()
}

#[test]
fn the_document_is_small() {
    let bytes = api::openapi_text(&api::document()).len();
    assert!(bytes <= MOST_BYTES, "{bytes} bytes: what repeats belongs into the components");
}

/// Whether a schema is a word or a plain value, or leads to one, so that it may stand where it is used.
fn is_plain(schema: &Value) -> bool {
    let has = |name: &&str| schema.get(name).is_some();
    ["type", "$ref"].iter().any(has) && !["properties", "items"].iter().any(has)
}

/// The value with what its references lead to in their place, apart from records, and without the paths of examples.
fn written_out(value: &Value, document: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let target = members.get("$ref").and_then(Value::as_str).unwrap_or_default();
            let found = document.pointer(target.trim_start_matches('#')).filter(|_| !target.is_empty());
            if let Some(found) =
                found.filter(|it| !target.starts_with("#/components/schemas/") || is_plain(it))
            {
                let mut whole = found.as_object().unwrap().clone();
                whole.extend(members.clone().into_iter().filter(|(name, _)| name != "$ref"));
                return written_out(&Value::Object(whole), document);
            }
            let mut out: Map<String, Value> =
                members.iter().map(|(name, it)| (name.clone(), written_out(it, document))).collect();
            out.remove("instance");
            if let Some(example) = out.get("examples").and_then(|examples| examples.get("usual")).cloned() {
                out.remove("examples");
                out.insert("example".to_owned(), example["value"].clone());
            }
            Value::Object(out)
        }
        Value::Array(items) => items.iter().map(|item| written_out(item, document)).collect(),
        other => other.clone(),
    }
}

#[test]
fn nothing_is_lost_in_the_components() {
    let (document, shared) = (api::document(), shared());
    assert_ne!(document["paths"], shared["paths"]);
    let members = document.as_object().unwrap().iter().filter(|(name, _)| *name != "components");
    for (name, part) in members {
        assert!(written_out(part, &document) == written_out(&shared[name], &shared), "{name}");
    }
    for (kind, components) in document["components"].as_object().unwrap() {
        for (name, component) in components.as_object().unwrap() {
            let found = &shared["components"][kind][name];
            assert_eq!(written_out(component, &document), written_out(found, &shared), "{kind} {name}");
        }
    }
}

#[test]
fn each_component_is_used() {
    let (document, text) = (shared(), api::openapi_text(&api::document()));
    for kind in ["examples", "parameters", "responses"] {
        for name in document["components"][kind].as_object().unwrap().keys() {
            assert!(text.contains(&format!("\"#/components/{kind}/{name}\"")), "{kind} {name}");
        }
    }
}

/// The operations that return each error, by the place where the error is described, and the `instance` of its example.
fn instances(document: &Value) -> BTreeMap<String, (String, BTreeSet<String>)> {
    let mut found: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            for (status, answer) in operation["responses"].as_object().unwrap() {
                let place = answer["$ref"].as_str().map(|target| target.trim_start_matches('#').to_owned());
                let answer = place.as_ref().map_or(answer, |place| document.pointer(place).unwrap());
                let example = &answer["content"]["application/problem+json"]["example"];
                if let Some(instance) = example.get("instance") {
                    let place = place.unwrap_or_else(|| format!("{method} {path} {status}"));
                    let entry = found.entry(place).or_default();
                    instance.as_str().unwrap().clone_into(&mut entry.0);
                    entry.1.insert(path.clone());
                }
            }
        }
    }
    found
}

fn is_path_of(template: &str, path: &str) -> bool {
    let (parts, segments): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
    let is_like =
        |(part, segment): (&&str, &&str)| part.starts_with('{') && !segment.contains('{') || part == segment;
    parts.len() == segments.len() && parts.iter().zip(&segments).all(is_like)
}

#[test]
fn the_instance_of_each_error_is_a_path_that_returns_it() {
    let found = instances(&shared());
    assert!(found.len() > 50, "{}", found.len());
    for (place, (instance, paths)) in found {
        assert!(paths.iter().any(|path| is_path_of(path, &instance)), "{place}: {instance}");
    }
}
