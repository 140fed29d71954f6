//! The parameters of a list and their values.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::fault::{FaultCode, Faults};
use crate::json::{FromJson, Json, Pointer, wrong_type};
use crate::schema::{Described, Map, OneOf, Schema};
use crate::search::QUERY_CHARACTERS;
use crate::text;

/// The most values of a parameter.
pub const FILTER_VALUES: usize = 50;

/// What is sent for a parameter.
pub const FILTER_VALUE: Schema = Schema::OneOf(&OneOf {
    name: "FilterValue",
    about: "A value, or a list of values.",
    choices: &[
        ("A value.", VALUE),
        ("A list of values.", Schema::List { of: &VALUE, least: 1, most: FILTER_VALUES }),
    ],
});

const VALUE: Schema = Schema::text(0, QUERY_CHARACTERS, text::ANY);

/// The parameters of a list and their values, as its address has them. The order of the values does not count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ViewFilter(pub BTreeMap<String, BTreeSet<String>>);

impl ViewFilter {
    /// Each parameter with each of its values.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let Self(parameters) = self;
        parameters
            .iter()
            .flat_map(|(name, values)| values.iter().map(move |value| (name.as_str(), value.as_str())))
    }

    /// The text that keeps it: a JSON object.
    pub fn to_stored(&self) -> String {
        // Texts only: serializing them cannot fail.
        serde_json::to_string(&self.0).unwrap_or_default()
    }

    /// The filter that a text keeps; none if it is no such text.
    pub fn from_stored(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().map(Self)
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for ViewFilter {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut parameters: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (name, value) in pairs {
            parameters.entry(name.into()).or_default().insert(value.into());
        }
        Self(parameters)
    }
}

/// What is wrong is missing.
impl FromJson for ViewFilter {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        let read = members(value, at, faults)?.into_iter().filter_map(|(name, value)| {
            let values = values(value, &at.key(&name), faults)?;
            Some((name.into_owned(), values))
        });
        Some(Self(read.collect()))
    }
}

impl Described for ViewFilter {
    const SCHEMA: Schema = Schema::Map(&Map {
        name: "ListFilter",
        about: "The parameters of a list, each with a value or a list of values.",
        names: None,
        of: &FILTER_VALUE,
        is_nullable: false,
        example: r#"{"status": ["new", "investigating"], "assigned_to": "me"}"#,
    });
}

/// The new values of parameters; `None` takes the parameter away.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilterPatch(pub BTreeMap<String, Option<BTreeSet<String>>>);

/// What is wrong is missing.
impl FromJson for FilterPatch {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        let read = members(value, at, faults)?.into_iter().filter_map(|(name, value)| {
            let values = match value {
                Json::Null => None,
                value => Some(values(value, &at.key(&name), faults)?),
            };
            Some((name.into_owned(), values))
        });
        Some(Self(read.collect()))
    }
}

impl Described for FilterPatch {
    const SCHEMA: Schema = Schema::Map(&Map {
        name: "ListFilterPatch",
        about: "Parameters with new values; null takes a parameter away, and the others stay.",
        names: None,
        of: &FILTER_VALUE,
        is_nullable: true,
        example: r#"{"status": "new", "assigned_to": null}"#,
    });
}

/// The members of an object.
fn members<'a>(
    value: Json<'a>,
    at: &Pointer<'_>,
    faults: &mut Faults,
) -> Option<Vec<(Cow<'a, str>, Json<'a>)>> {
    match value {
        Json::Object(members) => Some(members),
        other => {
            wrong_type(&other, "an object", at, faults);
            None
        }
    }
}

/// Reads the values of one parameter.
fn values(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<BTreeSet<String>> {
    let values = match value {
        Json::Array(items) if items.is_empty() => {
            // It would let every row through.
            faults.add(at, FaultCode::TooFew, "must have at least one value");
            return None;
        }
        Json::Array(items) => items,
        one => vec![one],
    };
    let text = |value| match value {
        Json::String(text) => Some(text.into_owned()),
        other => {
            wrong_type(&other, "a string or a list of strings", at, faults);
            None
        }
    };
    values.into_iter().map(text).collect()
}
