//! The payload of an entry: each field that changed, before and after.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

/// The fields that an entry changed, in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Payload(Vec<Change>);

/// A field that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its name, such as `title`; of a part of the record with a prefix, such as `tasks/3/title`.
    pub field: String,
    /// Its value before; null: it had none.
    pub before: Value,
    /// Its value after; null: it has none.
    pub after: Value,
}

impl Payload {
    /// Reads the text of a payload. None if it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The changes.
    pub fn changes(&self) -> &[Change] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

/// Keeps the order of the members, which a map would not.
struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Payload;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of fields with their values before and after")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<Payload, M::Error> {
        let mut changes = Vec::new();
        while let Some((field, (before, after))) = members.next_entry::<String, (Value, Value)>()? {
            changes.push(Change { field, before, after });
        }
        Ok(Payload(changes))
    }
}
