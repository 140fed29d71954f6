//! The expansion of `#[derive(Body)]`.

mod attributes;
mod described;
mod read;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, GenericArgument, Ident, PathArguments, Result, Type};

use attributes::{About, FieldAttributes, StructAttributes};

/// Makes the reader and the description of a struct.
pub(crate) fn expand(item: TokenStream) -> Result<TokenStream> {
    let body = Body::parse(syn::parse2(item)?)?;
    let (described, read) = (described::expand(&body), read::expand(&body));
    Ok(quote! { #described #read })
}

/// A struct that is sent.
struct Body {
    name: Ident,
    about: About,
    attributes: StructAttributes,
    members: Vec<Member>,
}

/// A field of the struct.
struct Member {
    name: Ident,
    about: About,
    attributes: FieldAttributes,
    presence: Presence,
    /// The type of its value, without what only says whether there is one.
    value: Type,
}

/// What the type of a field says about absence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    /// `T`
    Value,
    /// `Option<T>`
    Option,
    /// `Change<T>`
    Change,
}

impl Body {
    fn parse(input: DeriveInput) -> Result<Self> {
        let Data::Struct(data) = input.data else {
            return Err(Error::new_spanned(input.ident, "a body is a struct"));
        };
        let Fields::Named(fields) = data.fields else {
            return Err(Error::new_spanned(input.ident, "a body has named fields"));
        };
        let members = fields.named.into_iter().map(Member::parse).collect::<Result<_>>()?;
        let attributes = StructAttributes::parse(&input.attrs)?;
        Ok(Self { name: input.ident, about: About::parse(&input.attrs), attributes, members })
    }

    /// The name in the description.
    fn shown_name(&self) -> String {
        self.attributes.name.clone().unwrap_or_else(|| self.name.to_string())
    }
}

impl Member {
    fn parse(field: syn::Field) -> Result<Self> {
        let attributes = FieldAttributes::parse(&field.attrs)?;
        let about = About::parse(&field.attrs);
        let Some(name) = field.ident else { return Err(Error::new_spanned(field.ty, "a member has a name")) };
        let (presence, value) = presence(field.ty);
        Ok(Self { name, about, attributes, presence, value })
    }

    /// The name that is sent.
    fn sent_name(&self) -> String {
        self.attributes.name.clone().unwrap_or_else(|| self.name.to_string())
    }
}

/// Splits `Option<T>` and `Change<T>`.
fn presence(of: Type) -> (Presence, Type) {
    for (name, presence) in [("Option", Presence::Option), ("Change", Presence::Change)] {
        if let Some(value) = argument(&of, name) {
            return (presence, value);
        }
    }
    (Presence::Value, of)
}

/// The `T` of `name<T>`.
fn argument(of: &Type, name: &str) -> Option<Type> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(value)) => Some(value.clone()),
        _ => None,
    }
}
