//! What stands in several places of the document is moved to its components and referred to: words, plain types,
//! parameters, errors and examples. `tests/api/openapi_shared.rs` puts all of it back.

mod places;
mod schemas;

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::json::set;
use places::Place;

/// The document with references.
pub(super) fn shared(mut document: Value) -> Value {
    schemas::refer(&mut document);
    share(&mut document, "parameters", places::parameters, Value::to_string);
    share(&mut document, "responses", places::responses, what_is_returned);
    places::name_examples(&mut document);
    share(&mut document, "examples", places::examples, Value::to_string);
    places::unname_examples(&mut document);
    document
}

/// Calls a function with each place.
type Places = fn(&mut Value, &mut dyn FnMut(Place<'_>));

/// Moves what has the same `key` in several places to the components of this kind.
fn share(document: &mut Value, kind: &str, places: Places, key: fn(&Value) -> String) {
    let mut counts: HashMap<String, (usize, String)> = HashMap::new();
    places(document, &mut |place| {
        counts.entry(key(place.value)).or_insert((0, place.name)).0 += 1;
    });
    counts.retain(|_, (count, _)| *count > 1);
    let known = document["components"].get(kind).and_then(Value::as_object);
    let mut components = known.cloned().unwrap_or_default();
    let mut names: HashMap<String, String> = HashMap::new();
    places(document, &mut |place| {
        let key = key(place.value);
        if !counts.contains_key(&key) {
            return;
        }
        let name = names.entry(key).or_insert_with(|| {
            let is_alone = counts.values().filter(|(_, name)| *name == place.name).count() == 1;
            let name = free_name(&components, if is_alone { &place.name } else { &place.full_name });
            components.insert(name.clone(), place.value.clone());
            name
        });
        let mut reference = json!({"$ref": format!("#/components/{kind}/{name}")});
        let own = place.value.get("description").filter(|own| Some(*own) != described(&components, name));
        if let Some(own) = own {
            set(&mut reference, &["description"], own.clone());
        }
        *place.value = reference;
    });
    set(document, &["components", kind], Value::Object(components));
}

fn described<'c>(components: &'c Map<String, Value>, name: &str) -> Option<&'c Value> {
    components.get(name)?.get("description")
}

/// The name, with a number if another component has it.
fn free_name(components: &Map<String, Value>, name: &str) -> String {
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !components.contains_key(name)).unwrap_or_default()
}

/// A response but for its description and the path in its example, which each operation has for itself.
fn what_is_returned(response: &Value) -> String {
    let mut response = response.clone();
    if let Some(members) = response.as_object_mut() {
        members.remove("description");
    }
    for (_, media) in response.get_mut("content").and_then(Value::as_object_mut).into_iter().flatten() {
        if let Some(example) = media.get_mut("example").and_then(Value::as_object_mut) {
            example.remove("instance");
        }
    }
    response.to_string()
}
