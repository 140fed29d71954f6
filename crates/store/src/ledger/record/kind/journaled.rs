//! A field as the journal writes it.

use db::Value;
use domain::time;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use super::Shape;

/// A field as the journal writes it: one column by its value, several as an object.
pub(in crate::ledger::record) fn journal<'v>(shape: Shape, values: &'v [Value<'v>]) -> impl Serialize + 'v {
    Journaled(shape, values)
}

pub(in crate::ledger::record) fn to_json(shape: Shape, values: &[Value<'_>]) -> Json {
    // Keys are texts and numbers whole, so there always is a JSON form.
    serde_json::to_value(Journaled(shape, values)).unwrap_or_default()
}

struct Journaled<'v>(Shape, &'v [Value<'v>]);

impl Serialize for Journaled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(shape, values) = self;
        match values.get(..values.len().saturating_sub(shape.derived)).unwrap_or_default() {
            [value] => Single(value).serialize(serializer),
            values if values.iter().all(|value| matches!(value, Value::Null)) => serializer.serialize_unit(),
            values => {
                let mut object = serializer.serialize_map(Some(values.len()))?;
                for (suffix, value) in shape.suffixes.iter().zip(values) {
                    object.serialize_entry(suffix.trim_start_matches('_'), &Single(value))?;
                }
                object.end()
            }
        }
    }
}

struct Single<'v>(&'v Value<'v>);

impl Serialize for Single<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Integer(number) => serializer.serialize_i64(*number),
            Value::Bool(truth) => serializer.serialize_bool(*truth),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Uuid(id) => id.serialize(serializer),
            Value::Time(at) => serializer.serialize_str(&time::format(*at)),
            Value::Bytes(bytes) => serializer.serialize_str(&hex::encode(bytes)),
        }
    }
}
