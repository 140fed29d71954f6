//! The expansion of `#[derive(View)]`.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, Field, Fields, GenericArgument, Ident, Pat, PathArguments,
    Result, Token, Type,
};

/// Makes a view of what the attribute names.
pub(crate) fn expand(item: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let view = input.ident;
    let Some(attribute) = attribute(&input.attrs) else {
        return Err(Error::new_spanned(view, "a view says what it is of: #[view(…)]"));
    };
    let Of { pattern, of } = attribute.parse_args()?;
    let Data::Struct(syn::DataStruct { fields: Fields::Named(fields), .. }) = input.data else {
        return Err(Error::new_spanned(view, "a view is a struct with named fields"));
    };
    let (mut computed, mut members) = (Vec::new(), Vec::new());
    for field in fields.named {
        let (Some(name), ty) = (&field.ident, &field.ty) else { continue };
        match said(&field)? {
            // What is computed may borrow what is moved afterwards.
            Some(value) => {
                let kept = format_ident!("view_{name}");
                let value = match &value {
                    Expr::Path(none) if none.path.is_ident("None") => quote!(None),
                    value => converted(&quote!((#value)), ty),
                };
                computed.push(quote!(let #kept: #ty = #value;));
                members.push(quote!(#name: #kept));
            }
            None => {
                let value = converted(&quote!(it.#name), ty);
                members.push(quote!(#name: #value));
            }
        }
    }
    Ok(quote! {
        impl From<#of> for #view {
            fn from(#pattern: #of) -> Self {
                #(#computed)*
                Self { #(#members),* }
            }
        }
    })
}

/// What a view is of: a type, whose value is called `it`, or a pattern of one that says what is called so.
struct Of {
    pattern: TokenStream,
    of: TokenStream,
}

impl Parse for Of {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let pattern = Pat::parse_single(input)?;
        Ok(match &pattern {
            Pat::Struct(parts) => {
                let of = &parts.path;
                Self { of: quote!(#of), pattern: quote!(#pattern) }
            }
            _ if input.parse::<Option<Token![:]>>()?.is_some() => {
                let of: Type = input.parse()?;
                Self { of: quote!(#of), pattern: quote!(#pattern) }
            }
            of => {
                let it = Ident::new("it", Span::call_site());
                Self { of: quote!(#of), pattern: quote!(#it) }
            }
        })
    }
}

/// What the attribute of a field computes.
fn said(field: &Field) -> Result<Option<Expr>> {
    attribute(&field.attrs).map(Attribute::parse_args).transpose()
}

fn attribute(attributes: &[Attribute]) -> Option<&Attribute> {
    attributes.iter().find(|it| it.path().is_ident("view"))
}

/// A value as this type, within options and lists too.
fn converted(value: &TokenStream, ty: &Type) -> TokenStream {
    let Some((outer, inner)) = generic(ty) else { return quote!(#value.into()) };
    let one = converted(&quote!(one), inner);
    match outer.to_string().as_str() {
        "Option" => quote!(#value.map(|one| #one)),
        "Vec" => quote!(#value.into_iter().map(|one| #one).collect()),
        _ => quote!(#value.into()),
    }
}

/// `T` of `Outer<T>`.
fn generic(ty: &Type) -> Option<(&Ident, &Type)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some((&last.ident, inner)),
        _ => None,
    }
}
