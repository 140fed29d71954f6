//! `fields`: which members of its records a read returns.

use std::sync::Arc;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::http::error::{Error, Result};
use crate::http::limits::FIELDS;
use crate::http::query::Query;
use domain::nearest;

/// The members of the records that a route returns. The route table attaches it to every read.
#[derive(Debug, Clone)]
pub(crate) struct Members(Arc<[String]>);

impl Members {
    pub(crate) fn new(names: impl IntoIterator<Item = String>) -> Self {
        Self(names.into_iter().collect())
    }

    /// The names.
    pub(crate) fn names(&self) -> &[String] {
        &self.0
    }
}

/// The members that the caller chose, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Selection(Vec<String>);

impl Selection {
    /// Reads the parameter; none: every member.
    pub(crate) fn read(query: &mut Query<'_>, members: &Members) -> Option<Self> {
        let text = query.text("fields")?;
        if text.split(',').count() > FIELDS {
            query.fault("fields", "too_many", format!("must have at most {FIELDS} names"));
            return None;
        }
        let mut chosen: Vec<String> = Vec::new();
        for name in text.split(',') {
            if !members.names().iter().any(|member| member == name) {
                query.fault("fields", "enum", unknown(name, members));
            } else if !chosen.iter().any(|member| member == name) {
                chosen.push(name.to_owned());
            }
        }
        Some(Self(chosen))
    }

    /// The chosen members of a record, or of each row of a short list.
    pub(crate) fn of(&self, record: &impl Serialize) -> Result<Selected> {
        let value = serde_json::to_value(record).map_err(|error| Error::internal(error.to_string()))?;
        let Value::Object(mut members) = value else {
            return Err(Error::internal("a record is not an object"));
        };
        if let (1, Some(Value::Array(rows))) = (members.len(), members.get_mut("data")) {
            // A short list, without pages.
            let rows = rows.iter().map(|row| self.of(row)).collect::<Result<Vec<_>>>()?;
            let rows = serde_json::to_value(rows).map_err(|error| Error::internal(error.to_string()))?;
            return Ok(Selected(vec![("data".to_owned(), rows)]));
        }
        let chosen = self.0.iter().filter_map(|name| Some((name.clone(), members.remove(name)?)));
        Ok(Selected(chosen.collect()))
    }
}

fn unknown(name: &str, members: &Members) -> String {
    let names = || members.names().iter().map(String::as_str);
    let hint = match nearest(name, names()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
    };
    format!("names a member that the response does not have; {hint}")
}

/// Some members of a record, in the order of `fields`.
#[derive(Debug)]
pub(crate) struct Selected(Vec<(String, Value)>);

impl Serialize for Selected {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            object.serialize_entry(name, value)?;
        }
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The record with the chosen members, or the sentences of the faults.
    fn read(query: &str) -> std::result::Result<Option<String>, Vec<String>> {
        let members = Members::new(["id", "title", "owner", "deleted_date"].map(str::to_owned));
        let record = json!({"id": "RSK-1", "title": "Fire", "owner": {"name": "Ada", "id": 7}});
        let mut query = Query::new(Some(query));
        let fields = Selection::read(&mut query, &members);
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
        assert_eq!(read("fields=owner").unwrap().unwrap(), r#"{"owner":{"id":7,"name":"Ada"}}"#);
        // A member that this record does not have now.
        assert_eq!(read("fields=deleted_date").unwrap().unwrap(), "{}");
    }

    #[test]
    fn a_name_that_is_no_member_is_refused() {
        let wrong = "names a member that the response does not have; ";
        let hint = "did you mean `title`?";
        let all = "there are id, title, owner, deleted_date";
        assert_eq!(read("fields=titel,id"), Err(vec![format!("{wrong}{hint}")]));
        assert_eq!(read("fields="), Err(vec![format!("{wrong}{all}")]));
        assert_eq!(read("fields=category,"), Err(vec![format!("{wrong}{all}"); 2]));
        assert_eq!(read("fields=owner.name"), Err(vec![format!("{wrong}{all}")]));
        assert_eq!(read("fields=id&fields=title"), Err(vec!["must be given once".to_owned()]));
        assert_eq!(
            read(&format!("fields=id{}", ",id".repeat(100))),
            Err(vec!["must have at most 100 names".into()])
        );
        assert!(read(&format!("fields=id{}", ",id".repeat(99))).is_ok());
    }
}
