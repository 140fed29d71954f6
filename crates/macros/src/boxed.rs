//! The expansion of `#[boxed]`.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Error, ItemFn, Lifetime, ParenthesizedGenericArguments, Receiver, Result, ReturnType, TypeBareFn,
    TypeReference,
};

/// Makes the function from an `async` one.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let mut function: ItemFn = syn::parse2(item)?;
    if !arguments.is_empty() {
        return Err(Error::new_spanned(arguments, "#[boxed] takes no arguments"));
    }
    if function.sig.asyncness.take().is_none() {
        return Err(Error::new_spanned(&function.sig, "#[boxed] goes on an `async fn`"));
    }
    let mut named = Named(Lifetime::new("'boxed", Span::call_site()));
    function.sig.inputs.iter_mut().for_each(|input| named.visit_fn_arg_mut(input));
    named.visit_return_type_mut(&mut function.sig.output);
    let lifetime = named.0;
    function.sig.generics.params.insert(0, syn::parse_quote!(#lifetime));
    let output = match &function.sig.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, output) => quote!(#output),
    };
    function.sig.output = syn::parse_quote! {
        -> ::std::pin::Pin<::std::boxed::Box<
            dyn ::std::future::Future<Output = #output> + ::std::marker::Send + #lifetime
        >>
    };
    let body = &function.block;
    function.block = syn::parse_quote!({ ::std::boxed::Box::pin(async move #body) });
    Ok(quote!(#function))
}

/// Gives everything that is borrowed without a name this lifetime.
struct Named(Lifetime);

impl VisitMut for Named {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.0.clone();
        }
    }

    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        reference.lifetime.get_or_insert_with(|| self.0.clone());
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_receiver_mut(&mut self, receiver: &mut Receiver) {
        if let Some((_, lifetime)) = &mut receiver.reference {
            lifetime.get_or_insert_with(|| self.0.clone());
        }
        visit_mut::visit_receiver_mut(self, receiver);
    }

    // The lifetimes of functions as arguments are their own.
    fn visit_type_bare_fn_mut(&mut self, _: &mut TypeBareFn) {}

    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut ParenthesizedGenericArguments) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(function: TokenStream) -> String {
        expand(TokenStream::new(), function).map_or_else(|error| error.to_string(), |made| plain(&made))
    }

    /// The text of a function without its spaces, which depend on where a token comes from.
    fn plain(made: &TokenStream) -> String {
        made.to_string().replace(' ', "")
    }

    #[test]
    fn all_that_is_borrowed_has_one_lifetime() {
        let made = expanded(quote! {
            /// Documented.
            pub async fn of(&mut self, mut a: Option<&[&str]>, b: Cow<'_, str>, c: &dyn Fn(&u8)) -> Result<&u8> { a }
        });
        let expected = quote! {
            /// Documented.
            pub fn of<'boxed>(
                &'boxed mut self, mut a: Option<&'boxed [&'boxed str]>, b: Cow<'boxed, str>,
                c: &'boxed dyn Fn(&u8)
            ) -> ::std::pin::Pin<::std::boxed::Box<
                dyn ::std::future::Future<Output = Result<&'boxed u8> > + ::std::marker::Send + 'boxed
            >> {
                ::std::boxed::Box::pin(async move { a })
            }
        };
        assert_eq!(made, plain(&expected));
    }

    #[test]
    fn a_function_that_is_not_asynchronous_is_refused() {
        assert_eq!(
            expanded(quote!(
                pub fn of() {}
            )),
            "#[boxed] goes on an `async fn`"
        );
    }
}
