//! The `#[both_engines]` attribute of `testkit`.

use proc_macro::TokenStream;
use quote::quote;
use syn::{ItemFn, parse_macro_input};

/// Runs an `async fn` once per engine, as the tests `name::sqlite` and `name::postgres`.
///
/// Its one argument is what the test owns: a `TestDb`, a `TestApp` or an `EmptyDatabase`. `#[ignore]` and
/// `#[should_panic]` go to both tests.
#[proc_macro_attribute]
pub fn both_engines(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut function = parse_macro_input!(item as ItemFn);
    if !arguments.is_empty() {
        return compile_error(&function, "#[both_engines] takes no arguments");
    }
    if function.sig.asyncness.is_none() || function.sig.inputs.len() != 1 {
        return compile_error(
            &function,
            "#[both_engines] goes on an `async fn` with one argument, such as `db: TestDb`",
        );
    }
    let of_tests = |attribute: &syn::Attribute| {
        attribute.path().is_ident("ignore") || attribute.path().is_ident("should_panic")
    };
    let (test_attributes, kept) = function.attrs.drain(..).partition::<Vec<_>, _>(of_tests);
    function.attrs = kept;
    let name = &function.sig.ident;
    let output = &function.sig.output;
    // A module and a function may share a name: the body stays where it is, with its own `use` lines.
    quote! {
        #function

        mod #name {
            #[allow(unused_imports, reason = "only the return type needs them, if anything")]
            use super::*;

            #[test]
            #(#test_attributes)*
            fn sqlite() #output {
                ::testkit::run(::testkit::Engine::Sqlite, super::#name)
            }

            #[test]
            #(#test_attributes)*
            fn postgres() #output {
                ::testkit::run(::testkit::Engine::Postgres, super::#name)
            }
        }
    }
    .into()
}

fn compile_error(function: &ItemFn, message: &str) -> TokenStream {
    syn::Error::new_spanned(&function.sig, message).to_compile_error().into()
}
