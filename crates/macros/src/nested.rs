//! What stands in the parentheses of an attribute, and in the documentation.

use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Result};

/// What the attributes of this name say, one after the other; `add` takes what stands between two commas.
pub(crate) fn parse<T: Default>(
    attributes: &[Attribute],
    name: &str,
    add: impl Fn(&mut T, &ParseNestedMeta<'_>) -> Result<()>,
) -> Result<T> {
    let mut said = T::default();
    for attribute in attributes.iter().filter(|it| it.path().is_ident(name)) {
        attribute.parse_nested_meta(|meta| add(&mut said, &meta))?;
    }
    Ok(said)
}

/// The lines of the documentation; one without text separates paragraphs.
pub(crate) fn documentation(attributes: &[Attribute]) -> Vec<String> {
    let docs = attributes.iter().filter(|it| it.path().is_ident("doc"));
    let lines = docs.filter_map(|it| match &it.meta {
        Meta::NameValue(doc) => match &doc.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
            _ => None,
        },
        _ => None,
    });
    lines.collect()
}
