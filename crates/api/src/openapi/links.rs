//! Links from an operation that creates a record to the operations on it (OpenAPI 3.1, Link Object): readers see where
//! the id is used, and test tools can use the records they created.

use serde_json::{Map, Value, json};

const SCHEMAS: &str = "#/components/schemas/";

/// The members of a record that can be its id in a path, the most likely first.
const IDS: [&str; 3] = ["slug", "number", "id"];

/// Adds the links to every operation that creates a record.
pub(super) fn add(document: &mut Value) {
    let targets = targets(document);
    let schemas = document.pointer("/components/schemas").cloned().unwrap_or_default();
    let paths = document.get_mut("paths").and_then(Value::as_object_mut).into_iter().flatten();
    for (path, item) in paths {
        let Some(answer) = item.pointer_mut("/post/responses/201") else { continue };
        let Some(id) = id_of(answer, &schemas) else { continue };
        let links: Map<String, Value> = targets
            .iter()
            .filter_map(|target| Some((target.operation.clone(), target.link(path, id)?)))
            .collect();
        if let (false, Some(answer)) = (links.is_empty(), answer.as_object_mut()) {
            answer.insert("links".to_owned(), Value::Object(links));
        }
    }
}

/// An operation on one record.
struct Target {
    path: String,
    operation: String,
}

impl Target {
    /// The link from a creation at `collection`, if this operation acts on the created record.
    fn link(&self, collection: &str, id: &str) -> Option<Value> {
        let rest = self.path.strip_prefix(collection)?.strip_prefix("/{")?;
        let (parameter, rest) = rest.split_once('}')?;
        // Another id in the path is not known from the creation.
        if rest.contains('{') {
            return None;
        }
        let mut parameters = Map::new();
        parameters.insert(format!("path.{parameter}"), json!(format!("$response.body#/{id}")));
        for outer in collection.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
            parameters.insert(format!("path.{outer}"), json!(format!("$request.path.{outer}")));
        }
        Some(json!({"operationId": self.operation, "parameters": parameters}))
    }
}

fn targets(document: &Value) -> Vec<Target> {
    let paths = document.get("paths").and_then(Value::as_object).into_iter().flatten();
    let operations = paths.flat_map(|(path, item)| {
        let item = item.as_object().into_iter().flatten();
        item.filter_map(move |(_, it)| {
            let operation = it.get("operationId")?.as_str()?.to_owned();
            Some(Target { path: path.clone(), operation })
        })
    });
    operations.collect()
}

/// The member of a created record that is its id.
fn id_of(answer: &Value, schemas: &Value) -> Option<&'static str> {
    let name = answer.pointer("/content/application~1json/schema/$ref")?.as_str()?.strip_prefix(SCHEMAS)?;
    let properties = schemas.get(name)?.get("properties")?;
    IDS.into_iter().find(|id| properties.get(id).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_creation_leads_to_the_operations_on_what_it_made() {
        let made = |schema: &str| {
            json!({"responses": {"201": {"content": {"application/json":
                {"schema": {"$ref": format!("{SCHEMAS}{schema}")}}}}}})
        };
        let on = |id: &str| json!({"operationId": id});
        let mut document = json!({
            "paths": {
                "/things": {"post": made("Thing")},
                "/things/{id}": {"get": on("read_thing")},
                "/things/{id}/parts": {"post": made("Part"), "get": on("list_parts")},
                "/things/{id}/parts/{number}": {"get": on("read_part")},
                "/other/{id}": {"get": on("read_other")},
            },
            "components": {"schemas": {
                "Thing": {"properties": {"id": {}}}, "Part": {"properties": {"number": {}}},
            }},
        });
        add(&mut document);
        let links = |path: &str| document["paths"][path]["post"]["responses"]["201"]["links"].clone();
        assert_eq!(
            links("/things"),
            json!({
                "list_parts": {"operationId": "list_parts", "parameters": {"path.id": "$response.body#/id"}},
                "read_thing": {"operationId": "read_thing", "parameters": {"path.id": "$response.body#/id"}},
            })
        );
        assert_eq!(
            links("/things/{id}/parts")["read_part"]["parameters"],
            json!({"path.id": "$request.path.id", "path.number": "$response.body#/number"})
        );
    }
}
