//! The description of a body.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::{Body, Member, Presence};

/// `Described`, and the schema in the description of the API.
pub(super) fn expand(body: &Body, of: &Ident) -> TokenStream {
    expand_schema(of, &body.name, &object(body, None))
}

/// The same for any schema.
pub(super) fn expand_schema(of: &Ident, name: &str, schema: &TokenStream) -> TokenStream {
    quote! {
        impl ::domain::schema::Described for #of {
            const SCHEMA: ::domain::schema::Schema = #schema;
        }

        ::domain::in_the_api!(#of, #name);
    }
}

/// The schema of an object, with a first member that no field has.
pub(super) fn object(body: &Body, first: Option<&TokenStream>) -> TokenStream {
    let (name, about) = (&body.name, &body.about.0);
    let sent = body.members.iter().filter(|member| !member.attributes.is_skipped);
    let members = sent.map(|member| expand_member(member, body.attributes.is_patch));
    let members = first.cloned().into_iter().chain(members);
    quote! {
        ::domain::schema::Schema::Object(&::domain::schema::Object {
            name: #name,
            about: #about,
            members: &[#(#members),*],
        })
    }
}

fn expand_member(member: &Member, is_patch: bool) -> TokenStream {
    let value = &member.value;
    if member.attributes.is_flat {
        return quote! { ::domain::schema::Member::All(&<#value as ::domain::schema::Described>::SCHEMA) };
    }
    let (name, about, schema) = (member.sent_name(), about(member), schema(member));
    let presence = match (member.presence, is_patch, member.attributes.has_default) {
        (Presence::Change, false, _) => quote!(RequiredOrNull),
        (Presence::Change, true, _) | (Presence::Option, false, _) | (Presence::Value, false, true) => {
            quote!(Nullable)
        }
        (Presence::Option | Presence::Value, true, _) => quote!(Absent),
        (Presence::Value, false, false) => quote!(Required),
    };
    let example = match &member.attributes.example {
        Some(example) => quote!(Some(#example)),
        None => quote!(None),
    };
    quote! {
        ::domain::schema::Member::One {
            name: #name,
            about: #about,
            presence: ::domain::schema::Presence::#presence,
            schema: #schema,
            example: #example,
        }
    }
}

/// What is said of a member, with its default. A `default` of the schema would say the same, but generators take it for a
/// member that is always there, also in a request.
fn about(member: &Member) -> String {
    let about = &member.about.0;
    match &member.attributes.default {
        Some(default) => {
            format!("{}; `{}` by default.", about.trim_end_matches('.'), default.trim_matches('"'))
        }
        None => about.clone(),
    }
}

fn schema(member: &Member) -> TokenStream {
    let value = &member.value;
    let said = match (&member.attributes.schema, &member.attributes.range) {
        (Some(schema), _) => quote!(#schema),
        (None, Some(range)) => quote!(::domain::schema::Schema::Integer(*(#range).start(), *(#range).end())),
        (None, None) => quote!(<#value as ::domain::schema::Described>::SCHEMA),
    };
    let attributes = &member.attributes;
    if attributes.most.is_none() && attributes.least.is_none() {
        return said;
    }
    let most = attributes.most.clone().unwrap_or_else(|| quote!(usize::MAX));
    let least = attributes.least.as_ref().map_or_else(|| quote!(0), |least| quote!(#least));
    quote!(#said.with_elements(#least, #most))
}
