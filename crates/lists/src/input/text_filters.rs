//! The filters of a list that its record says of its fields: each finds records with one of some texts.

use domain::record::Record;
use http::query::{self, Query, Texts};
use utoipa::openapi::path::Parameter;

/// The parameters, for the OpenAPI document; `several` is what the records are called.
pub(crate) fn described<R: Record>(several: &str) -> impl Iterator<Item = Parameter> {
    R::filtered().map(move |field| {
        let described = format!("{several} with one of these values of `{}`, compared exactly.", field.name);
        query::described::<Texts>(field.name, &described, None, None)
    })
}

/// The texts that are asked for, by field.
pub(crate) fn read<R: Record>(query: &mut Query<'_>) -> Vec<(&'static str, Vec<String>)> {
    let texts = R::filtered().map(|field| (field.name, query.texts(field.name)));
    texts.filter(|(_, texts)| !texts.is_empty()).collect()
}
