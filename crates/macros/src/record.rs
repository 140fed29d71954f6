//! The expansion of `#[derive(Record)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::{Data, DeriveInput, Error, Expr, Fields, LitStr, Result};

use crate::nested;

/// Kinds of values that people write: such a field says whether it can be redacted.
const TEXTS: &[&str] = &["Line", "Prose", "Reason", "Reference", "Url"];

/// Makes the list of the fields of a struct.
pub(crate) fn expand(item: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let record = input.ident;
    let Data::Struct(data) = input.data else {
        return Err(Error::new_spanned(record, "a record is a struct"));
    };
    let Fields::Named(fields) = data.fields else {
        return Err(Error::new_spanned(record, "a record has named fields"));
    };
    let fields = fields.named.iter().map(of_field).collect::<Result<Vec<_>>>()?;
    let fields = fields.into_iter().flatten();
    Ok(quote! {
        impl crate::record::Record for #record {
            const FIELDS: &'static [crate::record::Field<Self>] = &[#(#fields),*];
        }
    })
}

/// `#[record(…)]` of a field.
#[derive(Default)]
struct Attributes {
    label: Option<LitStr>,
    holds: Option<Expr>,
    noun: Option<LitStr>,
    /// The column that a redaction changes; none: that of the field.
    redacted: Option<Option<LitStr>>,
    is_open: bool,
    is_asked: bool,
    is_filtered: bool,
    is_searched: bool,
    is_exported: bool,
}

fn of_field(field: &syn::Field) -> Result<Option<TokenStream>> {
    let attribute = field.attrs.iter().find(|it| it.path().is_ident("record"));
    let (Some(attribute), Some(name)) = (attribute, &field.ident) else { return Ok(None) };
    let of: Attributes = nested::parse(&field.attrs, "record", Attributes::add)?;
    let (Some(label), Some(holds)) = (&of.label, &of.holds) else {
        return Err(Error::new_spanned(attribute, "a field has a label and holds something"));
    };
    let kind: TokenStream = quote!(#holds);
    let is_text = TEXTS.iter().any(|text| kind.to_string() == *text);
    if is_text && of.redacted.is_none() && !of.is_open {
        return Err(Error::new_spanned(
            attribute,
            "what people write is `redacted`, or it is `never_redacted`",
        ));
    }
    let noun = option(&of.noun);
    let shown = name.to_string();
    let about = nested::documentation(&field.attrs).join(" ");
    let redacted = match of.redacted {
        Some(column) => {
            let column = column.map_or_else(|| shown.clone(), |column| column.value());
            quote!(Some(#column))
        }
        None => quote!(None),
    };
    let (is_asked, is_filtered, is_searched) = (of.is_asked, of.is_filtered, of.is_searched);
    let is_exported = of.is_exported || is_asked;
    let value = match is_text || is_exported {
        true => quote!(|record| crate::record::Shown::value(&record.#name)),
        false => quote!(|_| crate::record::Value::Nothing),
    };
    let of_type = &field.ty;
    let words = match is_exported {
        true => quote!(<#of_type as crate::record::Shown>::WORDS),
        false => quote!(Vec::new),
    };
    Ok(Some(quote! {
        crate::record::Field {
            name: #shown,
            label: #label,
            about: #about,
            words: #words,
            noun: #noun,
            holds: crate::record::Holds::#holds,
            is_asked: #is_asked,
            redacted: #redacted,
            is_filtered: #is_filtered,
            is_searched: #is_searched,
            is_exported: #is_exported,
            value: #value,
        }
    }))
}

fn option(text: &Option<LitStr>) -> TokenStream {
    text.as_ref().map_or_else(|| quote!(None), |text| quote!(Some(#text)))
}

impl Attributes {
    fn add(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        if meta.path.is_ident("label") {
            self.label = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("holds") {
            self.holds = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("noun") {
            self.noun = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("asked") {
            self.is_asked = true;
        } else if meta.path.is_ident("redacted") {
            self.redacted =
                Some(if meta.input.peek(syn::Token![=]) { Some(meta.value()?.parse()?) } else { None });
        } else if meta.path.is_ident("never_redacted") {
            self.is_open = true;
        } else if meta.path.is_ident("filtered") {
            self.is_filtered = true;
        } else if meta.path.is_ident("searched") {
            self.is_searched = true;
        } else if meta.path.is_ident("exported") {
            self.is_exported = true;
        } else {
            return Err(meta.error(
                "unknown: label, holds, noun, asked, redacted, never_redacted, filtered, searched, exported",
            ));
        }
        Ok(())
    }
}
