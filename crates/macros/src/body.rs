//! The expansion of `#[derive(Body)]`.

mod attributes;
mod described;
mod read;
mod tagged;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Attribute, Data, DeriveInput, Error, Fields, FieldsNamed, GenericArgument, Ident, PathArguments, Result,
    Type,
};

use attributes::{About, FieldAttributes, StructAttributes};

/// Makes the reader and the description of a struct, or of an enum whose variants a tag tells apart.
pub(crate) fn expand(item: TokenStream) -> Result<TokenStream> {
    let DeriveInput { attrs, ident, data, .. } = syn::parse2(item)?;
    match data {
        Data::Enum(data) => tagged::expand(&ident, &attrs, data),
        Data::Struct(syn::DataStruct { fields: Fields::Named(fields), .. }) => {
            let body = Body::parse(&ident, &attrs, fields, quote!(Self))?;
            let (described, read) = (described::expand(&body, &ident), read::expand(&body, &ident));
            Ok(quote! { #described #read })
        }
        _ => Err(Error::new_spanned(ident, "a body is a struct with named fields, or an enum")),
    }
}

/// The members of an object that is sent.
struct Body {
    /// The name in the description.
    name: String,
    about: About,
    attributes: StructAttributes,
    members: Vec<Member>,
    /// What is made of them: the struct, or a variant of an enum.
    made: TokenStream,
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
    fn parse(name: &Ident, attributes: &[Attribute], fields: FieldsNamed, made: TokenStream) -> Result<Self> {
        let members = fields.named.into_iter().map(Member::parse).collect::<Result<_>>()?;
        let (about, attributes) = (About::parse(attributes), StructAttributes::parse(attributes)?);
        let name = attributes.name.clone().unwrap_or_else(|| name.to_string());
        Ok(Self { name, about, attributes, members, made })
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
