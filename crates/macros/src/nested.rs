//! What stands in the parentheses of an attribute.

use syn::meta::ParseNestedMeta;
use syn::{Attribute, Result};

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
