//! The filters of a list that its record says of its fields: each finds records with one of some texts.

use domain::record::Record;
use http::query::{Query, TextParam};
use utoipa::openapi::path::{Parameter, ParameterIn};

/// The parameters, for the OpenAPI document; `several` is what the records are called.
pub(crate) fn described<R: Record>(several: &str) -> impl Iterator<Item = Parameter> {
    R::filtered().map(move |field| {
        let described = format!("{several} with one of these values of `{}`, compared exactly.", field.name);
        Parameter::builder()
            .name(field.name)
            .parameter_in(ParameterIn::Query)
            .description(Some(described))
            .schema(Some(utoipa::schema!(#[inline] Vec<TextParam>)))
            .build()
    })
}

/// The texts that are asked for, by field.
pub(crate) fn read<R: Record>(query: &mut Query<'_>) -> Vec<(&'static str, Vec<String>)> {
    let texts = R::filtered().map(|field| (field.name, query.texts(field.name)));
    texts.filter(|(_, texts)| !texts.is_empty()).collect()
}
