//! An enum whose variants a tag tells apart.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, DataEnum, Error, Fields, Ident, Result, Variant};

use super::attributes::{About, StructAttributes};
use super::{Body, described, read};

/// The reader and the description.
pub(super) fn expand(name: &Ident, attributes: &[Attribute], data: DataEnum) -> Result<TokenStream> {
    let (about, StructAttributes { name: shown, tag, default, .. }) =
        (About::parse(attributes).0, StructAttributes::parse(attributes)?);
    let Some(tag) = tag else { return Err(Error::new_spanned(name, "an enum has a tag")) };
    let shown = shown.unwrap_or_else(|| name.to_string());
    let optional = default.as_deref().map(|default| (tag.as_str(), default));
    let variants = data.variants.into_iter().map(|variant| Tagged::parse(variant, optional));
    let variants = variants.collect::<Result<Vec<_>>>()?;
    let words: Vec<&String> = variants.iter().map(|variant| &variant.word).collect();
    let schemas = variants.iter().map(|variant| &variant.schema);
    let readers = variants.iter().map(|variant| &variant.reader);
    let default = default.map_or_else(|| quote!(None), |default| quote!(Some(#default)));
    let tagged = quote! {
        ::domain::schema::Tagged {
            name: #shown,
            about: #about,
            tag: #tag,
            default: #default,
            variants: &[#((#words, #schemas)),*],
        }
    };
    let schema = quote!(::domain::schema::Schema::Tagged(&Self::TAGGED));
    let described = described::expand_schema(name, &shown, &schema);
    let reader = read::expand_from_json(
        name,
        &quote! {
            let mut fields = ::domain::json::Fields::of(value, at, faults)?;
            let read = fields.tagged(&Self::TAGGED, Self::variant);
            fields.finish();
            read
        },
    );
    Ok(quote! {
        #described
        #reader

        impl #name {
            const TAGGED: ::domain::schema::Tagged = #tagged;

            /// Reads the members of the variant with this tag.
            fn variant(tag: &str, fields: &mut ::domain::json::Fields<'_, '_>) -> Option<Self> {
                match tag {
                    #(#words => { #readers })*
                    _ => None,
                }
            }
        }
    })
}

/// A variant.
struct Tagged {
    /// What the tag says.
    word: String,
    schema: TokenStream,
    reader: TokenStream,
}

impl Tagged {
    /// `optional`: the tag with its default.
    fn parse(variant: Variant, optional: Option<(&str, &str)>) -> Result<Self> {
        let Variant { attrs, ident, fields, .. } = variant;
        let word = StructAttributes::parse(&attrs)?.tag.unwrap_or_else(|| snake_case(&ident));
        let tag = optional.map(|(tag, default)| optional_tag(tag, &word, word == default));
        let (schema, reader) = match fields {
            Fields::Named(fields) => {
                let body = Body::parse(&ident, &attrs, fields, quote!(Self::#ident))?;
                (described::object(&body, tag.as_ref()), read::members(&body))
            }
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                let part = fields.unnamed.into_iter().map(|field| field.ty);
                let part = quote!(#(#part)*);
                (
                    quote!(<#part as ::domain::schema::Described>::SCHEMA),
                    quote!(<#part>::members(fields).map(Self::#ident)),
                )
            }
            _ => return Err(Error::new_spanned(ident, "a variant has named fields, or one struct")),
        };
        Ok(Self { word, schema, reader })
    }
}

/// The tag as a member of its object, which tells it apart without a discriminator: that is always sent.
fn optional_tag(tag: &str, word: &str, is_default: bool) -> TokenStream {
    let (about, presence) = match is_default {
        true => ("The kind; by default this one.", quote!(Nullable)),
        false => ("The kind.", quote!(Required)),
    };
    let (pattern, example, most) = (format!("^{word}$"), format!("{word:?}"), word.len());
    quote! {
        ::domain::schema::Member::One {
            name: #tag,
            about: #about,
            presence: ::domain::schema::Presence::#presence,
            schema: ::domain::schema::Schema::text(0, #most, #pattern),
            example: Some(#example),
        }
    }
}

/// The name of a variant as JSON has it.
fn snake_case(name: &Ident) -> String {
    let mut word = String::new();
    for letter in name.to_string().chars() {
        if letter.is_ascii_uppercase() && !word.is_empty() {
            word.push('_');
        }
        word.push(letter.to_ascii_lowercase());
    }
    word
}
