//! The filters of a list as an object in a body: each parameter of the list with a value, or with a list of values.

use std::borrow::Cow;

use domain::search::QUERY_CHARACTERS;
use domain::{FaultCode, Faults};
use http::error::Error;
use http::json::{Json, Pointer, wrong_type};
use http::limits::FILTER_VALUES;
use http::query::{Query, SearchParam};
use serde_json::json;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, Type};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{IntoParams, PartialSchema, ToSchema};

/// A value of a filter, or a list of values.
pub struct FilterValueInput;

impl PartialSchema for FilterValueInput {
    fn schema() -> RefOr<Schema> {
        one_or_several().description(Some("A value, or a list of values.")).into()
    }
}

impl ToSchema for FilterValueInput {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("FilterValue")
    }
}

fn one_or_several() -> OneOfBuilder {
    OneOfBuilder::new().item(text()).item(several())
}

fn text() -> ObjectBuilder {
    let text = ObjectBuilder::new().schema_type(Type::String).max_length(Some(QUERY_CHARACTERS));
    text.pattern(Some(r"^[^\x00]*$"))
}

fn several() -> ArrayBuilder {
    ArrayBuilder::new().items(text()).min_items(Some(1)).max_items(Some(FILTER_VALUES))
}

/// The parameters of a list with their values.
pub struct FilterInput;

impl PartialSchema for FilterInput {
    fn schema() -> RefOr<Schema> {
        let described = "The parameters of a list, each with a value or a list of values.";
        object(
            one_or_several().into(),
            described,
            json!({"status": ["new", "investigating"], "assigned_to": "me"}),
        )
    }
}

impl ToSchema for FilterInput {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("ListFilter")
    }
}

/// The parameters of a list with their new values, in a merge patch.
pub struct FilterPatchInput;

impl PartialSchema for FilterPatchInput {
    fn schema() -> RefOr<Schema> {
        let described = "Parameters with new values; null takes a parameter away, and the others stay.";
        let values = one_or_several().item(ObjectBuilder::new().schema_type(Type::Null));
        object(values.into(), described, json!({"status": "new", "assigned_to": null}))
    }
}

impl ToSchema for FilterPatchInput {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("ListFilterPatch")
    }
}

/// The parameters of a list, each with all its values, as responses show them.
pub struct FilterShown;

impl PartialSchema for FilterShown {
    fn schema() -> RefOr<Schema> {
        let described = "The parameters of a list, each with its values.";
        object(several().into(), described, json!({"status": ["new"], "assigned_to": ["me"]}))
    }
}

impl ToSchema for FilterShown {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("SavedFilter")
    }
}

/// The parameters of a list as the members of an object.
pub(crate) fn of_parameters<P: IntoParams>(described: &str, example: serde_json::Value) -> RefOr<Schema> {
    let parameters = P::into_params(|| None).into_iter().chain(SearchParam::into_params(|| None));
    let object = ObjectBuilder::new().schema_type(Type::Object).description(Some(described));
    let object = parameters.fold(object, |object, parameter| {
        object.property(parameter.name, Ref::from_schema_name(FilterValueInput::name()))
    });
    object.examples([example]).into()
}

fn object(values: Schema, described: &str, example: serde_json::Value) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some(described))
        .additional_properties(Some(values))
        .examples([example])
        .into()
}

/// Parameters with their values, in the order in which they were sent.
pub(crate) type Pairs = Vec<(String, String)>;

/// Reads each parameter with each of its values. What is wrong is missing from the pairs.
pub(crate) fn pairs(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Pairs> {
    let mut pairs = Vec::new();
    for (name, value) in members(value, at, faults)? {
        let values = values(value, &at.key(&name), faults).unwrap_or_default();
        pairs.extend(values.into_iter().map(|value| (name.clone().into_owned(), value)));
    }
    Some(pairs)
}

/// The members of the object.
pub(crate) fn members<'a>(
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
pub(crate) fn values(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Vec<String>> {
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

/// Reads the pairs as a query by the reader of the list; the faults of a parameter become those of its member.
pub(crate) fn query<T>(
    pairs: &[(impl AsRef<str>, impl AsRef<str>)],
    at: &Pointer<'_>,
    faults: &mut Faults,
    read: impl FnOnce(&mut Query<'_>) -> T,
) -> Option<T> {
    let mut text = form_urlencoded::Serializer::new(String::new());
    text.extend_pairs(pairs);
    let text = text.finish();
    let mut query = Query::new(Some(&text));
    let value = read(&mut query);
    match query.finish() {
        Ok(()) => Some(value),
        Err(Error::InvalidParameter(found)) => {
            for fault in found.iter() {
                faults.add(at.key(&fault.parameter), fault_code(fault.code), &fault.detail);
            }
            None
        }
        Err(_) => None,
    }
}

/// The code of a fault in a body for that of a fault in a parameter.
fn fault_code(code: &str) -> FaultCode {
    match code {
        "unknown" => FaultCode::UnknownField,
        "repeated" => FaultCode::Duplicate,
        "enum" => FaultCode::Enum,
        "range" => FaultCode::Range,
        "blank" => FaultCode::Blank,
        "too_long" => FaultCode::TooLong,
        "too_many" => FaultCode::TooMany,
        "conflict" => FaultCode::Conflict,
        "not_a_person" => FaultCode::NotAPerson,
        _ => FaultCode::Format,
    }
}
