//! The filters of a list as an object in a body: each parameter of the list with a value, or with a list of values.

use http::error_codes::ParameterCode;
use std::borrow::Cow;

use domain::json::FromJson as _;
use domain::saved_view::ViewFilter;
use domain::search::QUERY_CHARACTERS;
use domain::text::ANY;
use domain::{FaultCode, Faults};
use http::error::Error;
use http::json::{Json, Pointer};
use http::limits::FILTER_VALUES;
use http::query::{Query, SearchParam};
use serde_json::json;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type};
use utoipa::{IntoParams, PartialSchema, ToSchema};

/// The parameters of a list, each with all its values, as responses show them.
pub struct FilterShown;

impl PartialSchema for FilterShown {
    fn schema() -> RefOr<Schema> {
        let described = "The parameters of a list, each with its values.";
        let text = ObjectBuilder::new().schema_type(Type::String).max_length(Some(QUERY_CHARACTERS));
        let text = text.pattern(Some(ANY));
        let several = ArrayBuilder::new().items(text).min_items(Some(1)).max_items(Some(FILTER_VALUES));
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some(described))
            .additional_properties(Some(several))
            .examples([json!({"status": ["new"], "assigned_to": ["me"]})])
            .into()
    }
}

impl ToSchema for FilterShown {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("SavedFilter")
    }
}

/// The names of the filters of a list, which has these parameters and can be searched.
pub(crate) fn names<P: IntoParams>() -> Vec<String> {
    let parameters = P::into_params(|| None).into_iter().chain(SearchParam::into_params(|| None));
    parameters.map(|parameter| parameter.name).collect()
}

/// Reads the filters of a list by the reader of its query.
pub(crate) fn read<T>(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
    read: impl FnOnce(&mut Query<'_>) -> T,
) -> Option<T> {
    let filter = ViewFilter::from_json(value, at, faults)?;
    query(&filter.pairs().collect::<Vec<_>>(), at, faults, read)
}

/// Reads the pairs as a query by the reader of the list; the faults of a parameter become those of its member.
pub(crate) fn query<T>(
    pairs: &[(&str, &str)],
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
fn fault_code(code: ParameterCode) -> FaultCode {
    match code {
        ParameterCode::Unknown => FaultCode::UnknownField,
        ParameterCode::Repeated => FaultCode::Duplicate,
        ParameterCode::Enum => FaultCode::Enum,
        ParameterCode::Range => FaultCode::Range,
        ParameterCode::Blank => FaultCode::Blank,
        ParameterCode::TooLong => FaultCode::TooLong,
        ParameterCode::TooMany => FaultCode::TooMany,
        ParameterCode::Conflict => FaultCode::Conflict,
        ParameterCode::NotAPerson => FaultCode::NotAPerson,
        ParameterCode::Cursor | ParameterCode::Format => FaultCode::Format,
    }
}
