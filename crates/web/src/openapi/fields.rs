//! `fields`: the parameter of every read, and the members that it can select.

use std::collections::BTreeSet;

use serde_json::Value;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn, ParameterStyle, Paths};
use utoipa::openapi::schema::{ArrayBuilder, Schema};
use utoipa::openapi::{ObjectBuilder, RefOr, Required, Type};

use super::json::SCHEMAS;
use crate::http::api_request::Needs;
use crate::http::limits::FIELDS;
use crate::http::selection::Members;

/// Where the schema of a read's response is.
const RESPONSE: &str = "/200/content/application~1json/schema";

/// Adds the parameter to the read among these operations, and returns the members of the record that it returns, or of
/// the rows of its list. An operation that needs no token, or writes, has neither.
pub(crate) fn describe(
    paths: &mut Paths,
    schemas: &[(String, RefOr<Schema>)],
    needs: Needs,
) -> Option<Members> {
    if needs == Needs::Nothing {
        return None;
    }
    let schemas: Vec<(&str, Value)> = schemas
        .iter()
        .map(|(name, schema)| (name.as_str(), serde_json::to_value(schema).unwrap_or_default()))
        .collect();
    let read = paths.paths.values_mut().find_map(|item| item.get.as_mut())?;
    let responses = serde_json::to_value(&read.responses).unwrap_or_default();
    let names = row_or_record(responses.pointer(RESPONSE)?, &schemas);
    let members = Members::new(names);
    read.parameters.get_or_insert_default().push(parameter(&members).into());
    Some(members)
}

fn parameter(members: &Members) -> Parameter {
    let names = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(members.names().iter().map(String::as_str)));
    let list = ArrayBuilder::new().items(names).min_items(Some(1)).max_items(Some(FIELDS));
    ParameterBuilder::new()
        .name("fields")
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(
            "The members of each record that the response has, with commas between; without it, all of them. The others \
             are then absent, including those that the schema requires.",
        ))
        .schema(Some(list))
        .style(Some(ParameterStyle::Form))
        .explode(Some(false))
        .build()
}

/// The names of the members of the record, or of the rows if the response is a list.
fn row_or_record(response: &Value, schemas: &[(&str, Value)]) -> BTreeSet<String> {
    let whole = resolved(response, schemas);
    let row = whole.pointer("/properties/data/items");
    let mut names = BTreeSet::new();
    collect(row.unwrap_or(whole), schemas, &mut names);
    names
}

fn collect(schema: &Value, schemas: &[(&str, Value)], names: &mut BTreeSet<String>) {
    let schema = resolved(schema, schemas);
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    names.extend(members.map(|(name, _)| name.clone()));
    let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
    parts.for_each(|part| collect(part, schemas, names));
}

fn resolved<'s>(schema: &'s Value, schemas: &'s [(&str, Value)]) -> &'s Value {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix(SCHEMAS));
    let found = name.and_then(|name| schemas.iter().find(|(known, _)| *known == name));
    found.map_or(schema, |(_, schema)| schema)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_members_of_a_list_are_those_of_its_rows() {
        let part = json!({"type": "object", "properties": {"id": {}}});
        let whole = json!({"allOf": [{"$ref": "#/components/schemas/Part"}, {"properties": {"title": {}}}]});
        let list = json!({"properties": {"data": {"items": {"$ref": "#/components/schemas/Whole"}}, "has_more": {}}});
        let schemas = [("Part", part), ("Whole", whole), ("List_Whole", list)];
        for name in ["Whole", "List_Whole"] {
            let response = json!({"$ref": format!("#/components/schemas/{name}")});
            let names: Vec<String> = row_or_record(&response, &schemas).into_iter().collect();
            assert_eq!(names, ["id", "title"], "{name}");
        }
    }
}
