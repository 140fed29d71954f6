//! `fields`: which columns of a CSV file, or members of each object of NDJSON, an export has.

use http::error_codes::ParameterCode;
use std::collections::BTreeSet;
use std::marker::PhantomData;

use domain::{Error, nearest};
use http::error::Result;
use http::limits::FIELDS;
use http::query::Query;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;
use utoipa::openapi::schema::{ArrayBuilder, Schema};
use utoipa::openapi::{ObjectBuilder, RefOr, Type};
use utoipa::{PartialSchema, ToSchema};

/// Where a schema refers to another one.
const SCHEMAS: &str = "#/components/schemas/";

/// The parameter for the OpenAPI document: the columns of the CSV file of `E`, and the members of the record `V`.
pub struct Fields<E, V>(PhantomData<(E, V)>);

impl<E: HasColumns, V: ToSchema> PartialSchema for Fields<E, V> {
    fn schema() -> RefOr<Schema> {
        let names: BTreeSet<String> = E::columns().into_iter().chain(members::<V>()).collect();
        let name = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names));
        ArrayBuilder::new().items(name).min_items(Some(1)).max_items(Some(FIELDS)).into()
    }
}

impl<E: HasColumns, V: ToSchema> ToSchema for Fields<E, V> {}

/// An export with CSV.
pub(crate) trait HasColumns {
    /// The names of its columns.
    fn columns() -> Vec<String>;
}

/// The names that the caller chose, each once, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Selection(Vec<String>);

impl Selection {
    /// Reads the parameter, whose names are separated by commas or sent one by one, as generated clients send them; none:
    /// everything that there is. `names` are those of the format that is asked for, and those of the other one.
    pub(super) fn read(query: &mut Query<'_>, names: impl FnOnce() -> [Vec<String>; 2]) -> Option<Self> {
        let sent = query.texts_of("fields");
        let asked = || sent.iter().flat_map(|text| text.split(','));
        if asked().count() > FIELDS {
            query.fault("fields", ParameterCode::TooMany, format!("must have at most {FIELDS} names"));
            return None;
        }
        let [known, others] = names();
        let mut chosen: Vec<String> = Vec::new();
        for name in asked() {
            if !known.iter().any(|known| known == name) {
                query.fault("fields", ParameterCode::Enum, unknown(name, &known, &others));
            } else if !chosen.iter().any(|chosen| chosen == name) {
                chosen.push(name.to_owned());
            }
        }
        (!sent.is_empty()).then_some(Self(chosen))
    }

    /// The names.
    pub(super) fn names(&self) -> &[String] {
        &self.0
    }

    /// The chosen members of a record. One that it does not have now is left out.
    pub(super) fn of(&self, record: &impl Serialize) -> Result<Selected> {
        let value = serde_json::to_value(record).map_err(|error| Error::Internal(error.to_string()))?;
        let Value::Object(mut members) = value else {
            return Err(Error::Internal("a record is not an object".to_owned()).into());
        };
        let chosen = self.0.iter().filter_map(|name| Some((name.clone(), members.remove(name)?)));
        Ok(Selected(chosen.collect()))
    }
}

fn unknown(name: &str, known: &[String], others: &[String]) -> String {
    if others.iter().any(|other| other == name) {
        return format!("names what only the other format has: `{name}`");
    }
    let names = || known.iter().map(String::as_str);
    let hint = match nearest(name, names().chain(others.iter().map(String::as_str))) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
    };
    format!("names what the export does not have; {hint}")
}

/// Some members of a record, in the order of `fields`.
#[derive(Debug)]
pub(super) struct Selected(Vec<(String, Value)>);

impl Serialize for Selected {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            object.serialize_entry(name, value)?;
        }
        object.end()
    }
}

/// The members that the schema of a record names, its parts included.
pub(super) fn members<T: ToSchema>() -> Vec<String> {
    let mut schemas = Vec::new();
    T::schemas(&mut schemas);
    let json = |schema| serde_json::to_value(schema).unwrap_or_default();
    let schemas: Vec<(String, Value)> =
        schemas.iter().map(|(name, schema)| (name.clone(), json(schema))).collect();
    let mut names = BTreeSet::new();
    collect(&json(&T::schema()), &schemas, &mut names);
    names.into_iter().collect()
}

fn collect(schema: &Value, schemas: &[(String, Value)], names: &mut BTreeSet<String>) {
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix(SCHEMAS));
    if let Some((_, schema)) = target.and_then(|target| schemas.iter().find(|(name, _)| name == target)) {
        collect(schema, schemas, names);
    }
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    names.extend(members.map(|(name, _)| name.clone()));
    let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
    parts.for_each(|part| collect(part, schemas, names));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use http::error::Error;

    /// The record with the chosen members, or the sentences of the faults.
    fn read(query: &str) -> std::result::Result<Option<String>, Vec<String>> {
        let known = ["id", "title", "owner", "deleted_date"].map(str::to_owned).to_vec();
        let record = json!({"id": "RSK-1", "title": "Fire", "owner": {"name": "Ada", "id": 7}});
        let mut query = Query::new(Some(query));
        let fields = Selection::read(&mut query, || [known, vec!["owner_email".to_owned()]]);
        match query.finish() {
            Ok(()) => Ok(fields.map(|it| serde_json::to_string(&it.of(&record).unwrap()).unwrap())),
            Err(Error::InvalidParameter(faults)) => {
                Err(faults.iter().map(|fault| fault.detail.clone()).collect())
            }
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_the_chosen_members_are_shown_in_their_order() {
        assert_eq!(read(""), Ok(None));
        assert_eq!(read("fields=title,id,title").unwrap().unwrap(), r#"{"title":"Fire","id":"RSK-1"}"#);
        assert_eq!(read("fields=title&fields=id").unwrap().unwrap(), r#"{"title":"Fire","id":"RSK-1"}"#);
        assert_eq!(read("fields=owner").unwrap().unwrap(), r#"{"owner":{"id":7,"name":"Ada"}}"#);
        assert_eq!(read("fields=deleted_date").unwrap().unwrap(), "{}");
    }

    #[test]
    fn a_name_that_is_unknown_is_refused() {
        let wrong = "names what the export does not have; ";
        let hint = "did you mean `title`?";
        let all = "there are id, title, owner, deleted_date";
        assert_eq!(read("fields=titel,id"), Err(vec![format!("{wrong}{hint}")]));
        assert_eq!(read("fields="), Err(vec![format!("{wrong}{all}")]));
        let other = "names what only the other format has: `owner_email`";
        assert_eq!(read("fields=owner_email"), Err(vec![other.to_owned()]));
        let hint = "did you mean `owner_email`?";
        assert_eq!(read("fields=owner_emial"), Err(vec![format!("{wrong}{hint}")]));
        assert_eq!(read("fields=category,"), Err(vec![format!("{wrong}{all}"); 2]));
        let many = format!("fields=id{}", ",id".repeat(FIELDS));
        assert_eq!(read(&many), Err(vec![format!("must have at most {FIELDS} names")]));
    }
}
