//! The reader of a body.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, Ident};

use super::attributes::{Argument, Check, Step};
use super::{Body, Member, Presence};

/// `FromJson`; where the reader needs more than the body, a function `read` instead.
pub(super) fn expand(body: &Body, name: &Ident) -> TokenStream {
    let members = members(body);
    let with = body.attributes.with.iter().map(|Argument { name, of }| quote!(#name: #of));
    let with: Vec<_> = with.collect();
    let passed = body.attributes.with.iter().map(|argument| &argument.name);
    let whole = quote! {
        let mut fields = ::domain::json::Fields::of(value, at, faults)?;
        let read = Self::members(&mut fields #(, #passed)*);
        fields.finish();
        read
    };
    let reader = if with.is_empty() {
        expand_from_json(name, &whole)
    } else {
        quote! {
            impl #name {
                /// Reads it, and adds what is wrong with it to the faults.
                pub fn read(value: ::domain::json::Json<'_>, #(#with,)* faults: &mut ::domain::Faults) -> Option<Self> {
                    let at = ::domain::json::Pointer::ROOT;
                    #whole
                }
            }
        }
    };
    quote! {
        impl #name {
            /// Reads the members of an object that may have others.
            pub fn members(fields: &mut ::domain::json::Fields<'_, '_> #(, #with)*) -> Option<Self> {
                #members
            }
        }

        #reader
    }
}

/// `FromJson` by what reads the `value` at `at`.
pub(super) fn expand_from_json(name: &Ident, read: &TokenStream) -> TokenStream {
    quote! {
        impl ::domain::json::FromJson for #name {
            fn from_json(
                value: ::domain::json::Json<'_>,
                at: &::domain::json::Pointer<'_>,
                faults: &mut ::domain::Faults,
            ) -> Option<Self> {
                #read
            }
        }
    }
}

/// What reads the members from `fields`.
pub(super) fn members(body: &Body) -> TokenStream {
    let is_patch = body.attributes.is_patch;
    let reads = body.members.iter().filter(|member| !member.attributes.is_skipped).map(|member| {
        let (name, value) = (&member.name, &member.value);
        let read = if member.attributes.is_flat {
            let passed = &member.attributes.flat_with;
            quote!(<#value>::members(fields #(, #passed)*))
        } else {
            read(member, is_patch)
        };
        let check = member.attributes.check.as_ref().map(|check| expand_check(body, check));
        quote! { let #name = #read; #check }
    });
    let steps = body.attributes.steps.iter().map(|step| match step {
        Step::ReadOnly(members) => quote!(fields.read_only(#members);),
        Step::Elsewhere(members) => quote!(fields.set_elsewhere(#members);),
        Step::Check(check) => expand_check(body, check),
    });
    let values = body.members.iter().map(|member| {
        let name = &member.name;
        if member.attributes.is_skipped {
            return quote!(#name: Default::default());
        }
        match member.presence {
            Presence::Option => quote!(#name),
            Presence::Change => quote!(#name: #name.map_or(::domain::Change::Keep, Into::into)),
            Presence::Value if member.attributes.has_default => {
                let default =
                    member.attributes.default.as_ref().and_then(|it| it.parse::<TokenStream>().ok());
                let default = default.unwrap_or_else(|| quote!(Default::default()));
                quote!(#name: #name.unwrap_or_else(|| #default))
            }
            Presence::Value => quote!(#name: #name?),
        }
    });
    let whole = body.attributes.whole.as_ref().map(|whole| quote!(#whole(&read, fields.faults());));
    let made = &body.made;
    quote! { #(#reads)* #(#steps)* let read = #made { #(#values),* }; #whole Some(read) }
}

fn read(member: &Member, is_patch: bool) -> TokenStream {
    let (name, value) = (member.sent_name(), &member.value);
    let is_optional = member.presence == Presence::Option || member.attributes.has_default;
    let reader = match (&member.attributes.read, &member.attributes.range) {
        (Some(Check { function, arguments }), _) if arguments.is_empty() => quote!(#function),
        (Some(Check { function, arguments }), _) => {
            quote!(|value, at, faults| #function(value, at, faults #(, #arguments)*))
        }
        (None, Some(range)) => {
            quote!(|value, at, faults| ::domain::json::within(#range, value, at, faults))
        }
        (None, None) => quote!(<#value as ::domain::json::FromJson>::from_json),
    };
    match (member.presence, is_patch, is_optional) {
        (Presence::Change, true, _) => quote!(fields.patch_with(#name, #reader)),
        (Presence::Change, false, _) => quote!(fields.required_or_null_with(#name, #reader)),
        (_, true, _) => quote!(fields.patch_set_with(#name, #reader)),
        (_, false, true) => quote!(fields.optional_with(#name, #reader)),
        (_, false, false) => quote!(fields.required_with(#name, #reader)),
    }
}

/// Passes what was read of each member, if it was sent and right, or a value that was passed to the reader.
fn expand_check(body: &Body, check: &Check) -> TokenStream {
    let function = &check.function;
    let arguments = check.arguments.iter().map(|argument| {
        let is_member = body.members.iter().any(|member| is_named(argument, &member.name));
        if is_member { quote!(#argument.as_ref()) } else { quote!(#argument) }
    });
    quote! { #function(fields #(, #arguments)*); }
}

/// Whether an expression is this name.
fn is_named(expression: &Expr, name: &Ident) -> bool {
    matches!(expression, Expr::Path(path) if path.path.is_ident(name))
}
