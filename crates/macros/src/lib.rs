//! The attributes and derives of this workspace.

mod body;
mod boxed;
mod nested;
mod record;
mod view;

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

/// Makes a struct or an enum a body that is sent: its reader (`domain::json::FromJson`), which finds every fault, and its
/// description in `openapi.json`, from the same fields.
///
/// The type of a field says what it may be, and whether it may be absent: `T` is required, `Option<T>` may be absent or null,
/// and in a merge patch `Option<T>` cannot be cleared and `Change<T>` can; elsewhere `Change<T>` must be sent and can be null. Its
/// documentation is the description.
///
/// An enum is one of several objects, which a member with the name of the variant tells apart: `#[body(tag = "type")]`. A
/// variant has fields, and attributes of a struct, or one struct that derives this too.
///
/// | attribute of the struct | meaning |
/// | --- | --- |
/// | `name = "Task"` | the name of the schema, if it is not that of the struct |
/// | `tag = "type"` | the member that tells the variants of an enum apart; of a variant, what it says if that is not its name |
/// | `default = "own"` | the variant without a tag |
/// | `patch` | a merge patch (RFC 7396) |
/// | `with(now: Timestamp)` | the reader needs this too; it is then a function `read` |
/// | `read_only = NAMES` | members that only the service sets |
/// | `elsewhere = OPERATIONS` | members that other operations set |
/// | `whole = Self::check` | a rule of the whole: it gets what was read, and the faults |
/// | `check = rule(a, b)` | a rule between members: it gets the fields and what was read of each, none if it was wrong |
///
/// | attribute of a field | meaning |
/// | --- | --- |
/// | `name = "override"` | the name of the member, if it is not that of the field |
/// | `example = "Ada"`, `json = "[1]"` | an example, as a literal or as JSON |
/// | `default`, `default = 5` | absent or null means the default of the type, or this one |
/// | `skip` | it is not sent |
/// | `flat`, `flat(now)` | its members stand among those of the body; its reader needs this too |
/// | `least = 1`, `most = 50` | how many elements a list has |
/// | `range = 1..=5` | the least and the most that a number can be |
/// | `read = function`, `schema = schema` | instead of what its type says; the reader may need more: `read = function(now)` |
/// | `check = rule(a, b)` | a rule that is checked right after this member |
#[proc_macro_derive(Body, attributes(body))]
pub fn body(item: TokenStream) -> TokenStream {
    body::expand(item.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Implements `domain::record::Record`: the list of what a record says of each field. Timeline, redaction, filters, exports, the
/// search and the console's forms go by it. A field without the attribute is in none of them.
///
/// | attribute of a field | meaning |
/// | --- | --- |
/// | `label = "Assignee"` | what people call it |
/// | `holds = Line` | what kind of value it has: a variant of `domain::record::Holds` |
/// | `noun = "source"` | what a sentence calls it after "the", if it is not the label |
/// | `asked` | it is a line that forms ask for, and that pages, lists of columns and exports show without more |
/// | `redacted`, `redacted = "hold_reason"` | a text can be taken out of it, or of this column of it |
/// | `never_redacted` | people write it, and no text is taken out of it |
/// | `filtered` | lists can be filtered by its exact text |
/// | `searched` | searches find its words, behind those of the title and the description |
/// | `exported` | it is a column of the export; of a person the e-mail address is one too, and of a rating its numbers are |
#[proc_macro_derive(Record, attributes(record))]
pub fn record(item: TokenStream) -> TokenStream {
    record::expand(item.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Makes a view of a record, a struct that responses show: `From` what the attribute names, which is called `it`. A field is
/// that of the same name, or what its own attribute computes, converted into its type, within `Option` and `Vec` too.
///
/// ```ignore
/// #[derive(View)]
/// #[view(ReviewDetails { review: it, incident_title })]
/// struct ReviewView {
///     edition: i64,
///     #[view(IncidentNameView::new(it.incident, incident_title))]
///     incident: IncidentNameView,
///     owner: Option<PersonView>,
/// }
/// ```
#[proc_macro_derive(View, attributes(view))]
pub fn view(item: TokenStream) -> TokenStream {
    view::expand(item.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}
