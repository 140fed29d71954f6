//! Schemas that repeat a named one refer to it: the words of a closed list in a parameter, and plain types.

use std::collections::{BTreeMap, HashMap};

use domain::person::EmailAddress;
use domain::schema::{Described as _, Schema, openapi};
use domain::{FamilyId, Line, LineOrEmpty, Prose, ProseOrEmpty, Reason};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::places::camel;
use crate::openapi::json::{SCHEMAS, set};

/// What is said of one place only: it stands beside the reference.
const OWN: [&str; 2] = ["description", "examples"];

/// Members that contain values, not schemas.
const VALUES: [&str; 6] = ["const", "default", "enum", "example", "examples", "required"];

/// The types that most records have.
fn plain() -> BTreeMap<String, Value> {
    let mut plain = BTreeMap::new();
    for (name, schema) in [
        ("Count", Schema::Integer(0, i64::MAX)),
        ("DateTime", Timestamp::SCHEMA),
        ("EmailAddress", EmailAddress::SCHEMA),
        ("FilledProse", Prose::SCHEMA),
        ("Line", <Line>::SCHEMA),
        ("LineOrEmpty", <LineOrEmpty>::SCHEMA),
        ("Number", Schema::Integer(1, i64::MAX)),
        ("Prose", ProseOrEmpty::SCHEMA),
        ("Reason", Reason::SCHEMA),
        ("Uuid", FamilyId::SCHEMA),
    ] {
        let mut one = serde_json::to_value(openapi(&schema)).unwrap_or_default();
        one.as_object_mut().map(|members| members.remove("examples"));
        let mut or_null = one.clone();
        set(&mut or_null, &["type"], json!([one.get("type"), "null"]));
        plain.extend([(name.to_owned(), one), (format!("{name}OrNull"), or_null)]);
    }
    plain
}

/// Refers to the named schemas from everywhere in the document, and adds the plain types that are used to them.
pub(super) fn refer(document: &mut Value) {
    let schemas = document.pointer("/components/schemas").and_then(Value::as_object).cloned();
    let mut schemas = schemas.unwrap_or_default();
    schemas.extend(plain());
    name_properties(&mut schemas);
    let words = schemas.iter().filter(|(_, schema)| schema.get("enum").is_some());
    let mut named: HashMap<String, String> = words.map(|(name, it)| (it.to_string(), name.clone())).collect();
    named.extend(plain().into_iter().map(|(name, schema)| (schema.to_string(), name)));
    schemas.values_mut().for_each(|schema| below(schema, &named));
    if let Some(paths) = document.get_mut("paths") {
        below(paths, &named);
    }
    let text = format!("{}{}", document["paths"], Value::from(schemas.clone()));
    let is_used = |name: &str| text.contains(&json!(format!("{SCHEMAS}{name}")).to_string());
    plain().keys().filter(|name| !is_used(name)).for_each(|name| _ = schemas.remove(name));
    set(document, &["components", "schemas"], Value::Object(schemas));
}

/// The least number of records that have a member in common, before it is described once for all.
const COMMON: usize = 6;

/// The least length in characters of what is then described once.
const LONG: usize = 90;

/// Describes once the members that many records have, such as `version`.
fn name_properties(schemas: &mut Map<String, Value>) {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (name, property) in schemas.values_mut().flat_map(properties) {
        *counts.entry((camel(name), property.to_string())).or_default() += 1;
    }
    let mut chosen: BTreeMap<String, String> = BTreeMap::new();
    for ((name, property), count) in counts {
        if count >= COMMON && property.len() >= LONG && !schemas.contains_key(&name) {
            chosen.entry(name).or_insert(property);
        }
    }
    let mut common = Map::new();
    for (name, property) in schemas.values_mut().flat_map(properties) {
        let (name, text) = (camel(name), property.to_string());
        if chosen.get(&name).is_some_and(|chosen| *chosen == text) {
            let reference = json!({"$ref": format!("{SCHEMAS}{name}")});
            common.insert(name, std::mem::replace(property, reference));
        }
    }
    schemas.extend(common);
}

fn properties(schema: &mut Value) -> impl Iterator<Item = (&String, &mut Value)> {
    schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten()
}

fn below(value: &mut Value, named: &HashMap<String, String>) {
    match value {
        Value::Object(members) => {
            for (_, member) in members.iter_mut().filter(|(name, _)| !VALUES.contains(&name.as_str())) {
                at(member, named);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| at(item, named)),
        _ => {}
    }
}

fn at(value: &mut Value, named: &HashMap<String, String>) {
    let Some(members) = value.as_object().filter(|members| members.contains_key("type")) else {
        return below(value, named);
    };
    let (own, general): (Map<_, _>, Map<_, _>) =
        members.clone().into_iter().partition(|(name, _)| OWN.contains(&name.as_str()));
    let plain = named.get(&Value::Object(general).to_string()).map(|name| (name, own));
    match named.get(&value.to_string()).map(|name| (name, Map::new())).or(plain) {
        Some((name, mut reference)) => {
            reference.insert("$ref".to_owned(), json!(format!("{SCHEMAS}{name}")));
            *value = Value::Object(reference);
        }
        None => below(value, named),
    }
}
