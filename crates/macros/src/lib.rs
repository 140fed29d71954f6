//! The attributes of this workspace.

mod boxed;

use proc_macro::TokenStream;

/// Makes an `async fn` return a boxed future that is `Send`, with one lifetime for everything it borrows.
///
/// The body of an `async fn` is compiled in every crate that awaits it, and again in each codegen unit there. That of a
/// boxed one is compiled once, where it is written, for the price of an allocation. So the public asynchronous
/// functions of `store` and `auth` are boxed.
///
/// ```
/// #[macros::boxed]
/// pub async fn first(words: &[&str]) -> Option<&str> { words.first().copied() }
/// ```
///
/// becomes
///
/// ```
/// pub fn first<'boxed>(words: &'boxed [&'boxed str])
///     -> std::pin::Pin<Box<dyn Future<Output = Option<&'boxed str>> + Send + 'boxed>>
/// {
///     Box::pin(async move { words.first().copied() })
/// }
/// ```
#[proc_macro_attribute]
pub fn boxed(arguments: TokenStream, item: TokenStream) -> TokenStream {
    boxed::expand(arguments.into(), item.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}
