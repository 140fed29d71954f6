//! Parameters that are declared once: what reads them is what describes them.

use std::borrow::Cow;
use std::marker::PhantomData;

use domain::document::Control;
use domain::schema::{Described as _, Schema, openapi};
use domain::search::{QUERY_CHARACTERS, SearchQuery};
use domain::text::{ANY, FILLED};
use domain::{Faults, GroupId, RiskNumber, TagId, UserId, Word};
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;
use utoipa::PartialSchema as _;
use utoipa::openapi::path::{Parameter as Described, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema as ApiSchema, Type};
use utoipa::openapi::{RefOr, Required};

use super::Query;
use super::filter::{Person, TEXT_CHARACTERS};
use crate::limits::FILTER_VALUES;
use crate::word::OneOf;

/// What a parameter can be.
pub trait Parameter {
    /// What is read of it.
    type Value;

    /// Reads it.
    fn read(query: &mut Query<'_>, name: &'static str) -> Self::Value;

    /// What it looks like.
    fn schema() -> RefOr<ApiSchema>;
}

/// Declares the parameters of a query: a struct with what is read of each, its reader, and its description (`IntoParams`).
///
/// ```
/// http::parameters! {
///     /// The filters.
///     struct RiskFilters {
///         /// Risks with one of these statuses.
///         status: http::query::Words<domain::risk::RiskStatus>,
///         /// Whether the risks are shown in full.
///         in_full: http::query::Flag = false,
///         /// Risks with one of these texts.
///         #[example = "continuity"]
///         text: http::query::Texts,
///     }
/// }
/// let read = RiskFilters::read(&mut http::query::Query::new(Some("status=open")));
/// assert_eq!((read.status.len(), read.in_full, read.text.len()), (1, None, 0));
/// ```
#[macro_export]
macro_rules! parameters {
    (
        $(#[doc = $about:literal])*
        $public:vis struct $name:ident {
            $(
                $(#[doc = $described:literal])+
                $(#[example = $example:literal])?
                $field:ident: $kind:ty $(= $default:literal)?
            ),* $(,)?
        }
    ) => {
        $(#[doc = $about])*
        $public struct $name {
            $($(#[doc = $described])+ $public $field: <$kind as $crate::query::Parameter>::Value,)*
        }

        impl $name {
            /// Reads the parameters.
            $public fn read(query: &mut $crate::query::Query<'_>) -> Self {
                Self {
                    $($field: <$kind as $crate::query::Parameter>::read(
                        query,
                        stringify!($field).trim_start_matches("r#"),
                    ),)*
                }
            }
        }

        impl $crate::utoipa::IntoParams for $name {
            fn into_params(
                _: impl Fn() -> Option<$crate::utoipa::openapi::path::ParameterIn>,
            ) -> Vec<$crate::utoipa::openapi::path::Parameter> {
                vec![$($crate::query::described::<$kind>(
                    stringify!($field).trim_start_matches("r#"),
                    concat!($($described, "\n"),+),
                    None$(.or(Some($example.into())))?,
                    None$(.or(Some($default.into())))?,
                ),)*]
            }
        }
    };
}

/// The description of a parameter.
#[doc(hidden)]
pub fn described<P: Parameter>(
    name: &str,
    about: &str,
    example: Option<Value>,
    default: Option<Value>,
) -> Described {
    let mut schema = P::schema();
    if let RefOr::T(ApiSchema::Object(object)) = &mut schema {
        object.default = default;
    }
    let is_list = matches!(schema, RefOr::T(ApiSchema::Array(_)));
    let example = example.map(|one| if is_list { Value::Array(vec![one]) } else { one });
    let lines: Vec<_> = about.lines().map(str::trim).collect();
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(lines.join("\n").trim_end()))
        .example(example)
        .schema(Some(schema))
        .build()
}

/// Declares kinds of parameters: what is read of one, by which method of the query, and what it looks like.
macro_rules! kinds {
    ($($(#[doc = $about:literal])+ [$($generics:tt)*] $kind:ty as $name:ident = $value:ty, $read:expr, $schema:expr;)*) => {$(
        $(#[doc = $about])+
        pub struct $name<$($generics)*>(PhantomData<$value>);

        impl<$($generics)*> Parameter for $kind {
            type Value = $value;

            fn read(query: &mut Query<'_>, name: &'static str) -> $value {
                $read(query, name)
            }

            fn schema() -> RefOr<ApiSchema> {
                $schema
            }
        }
    )*};
}

kinds! {
    /// A word of a closed list.
    [W: Word] OneWord<W> as OneWord = Option<W>, Query::word::<W>, OneOf::<W>::schema();
    /// Words of a closed list.
    [W: Word] Words<W> as Words = Vec<W>, Query::words::<W>, several(OneOf::<W>::schema());
    /// Texts that are compared as they are.
    [] Texts as Texts = Vec<String>, Query::texts, several(text(TEXT_CHARACTERS));
    /// A text that is no filter.
    [] Text as Text = Option<String>, |query: &mut Query<'_>, name| query.text(name).map(Cow::into_owned), text(1_024);
    /// `true` or `false`.
    [] Flag as Flag = Option<bool>, Query::flag, openapi(&bool::SCHEMA);
    /// A date-time.
    [] Time as Time = Option<Timestamp>, Query::time, openapi(&Timestamp::SCHEMA);
    /// A day.
    [] Day as Day = Option<Date>, Query::day, openapi(&domain::document::Day::SCHEMA);
    /// A whole number, at least and at most.
    [const LEAST: i64, const MOST: i64] Number<LEAST, MOST> as Number = Option<i64>,
        |query: &mut Query<'_>, name| query.integer(name, LEAST, MOST), openapi(&Schema::Integer(LEAST, MOST));
    /// People; [`Query::people`] says who they are.
    [] People as People = Vec<Person>, Query::persons, several(person());
    /// Tags by their ids.
    [] Tags as Tags = Vec<TagId>, |query: &mut Query<'_>, name| query.ids(name, "a tag", TagId::parse),
        several(openapi(&TagId::SCHEMA));
    /// A tag by its id.
    [] Tag as Tag = Option<TagId>,
        |query: &mut Query<'_>, name| query.parsed(name, "must be the UUID of a tag", TagId::parse),
        openapi(&TagId::SCHEMA);
    /// Groups by their ids.
    [] Groups as Groups = Vec<GroupId>, |query: &mut Query<'_>, name| query.ids(name, "a group", GroupId::parse),
        several(openapi(&GroupId::SCHEMA));
    /// Members by their ids.
    [] Members as Members = Vec<UserId>, |query: &mut Query<'_>, name| query.ids(name, "a user", UserId::parse),
        several(openapi(&UserId::SCHEMA));
    /// Numbers of controls.
    [] Controls as Controls = Vec<Control>, |query: &mut Query<'_>, name| {
            let parse = |text: &str| Control::new(text.to_owned(), "", &mut Faults::new());
            query.each(name, "must be the number of a control, such as A.5.15", parse)
        }, several(openapi(&Control::SCHEMA));
    /// Risks by their ids.
    [] Risks as Risks = Vec<RiskNumber>,
        |query: &mut Query<'_>, name| query.each(name, "must be the id of a risk, such as RSK-1", RiskNumber::parse),
        several(openapi(&RiskNumber::SCHEMA));
    /// The text of a search.
    [] Search as Search = Option<SearchQuery>, Query::searched,
        openapi(&Schema::text(1, QUERY_CHARACTERS, FILLED));
}

fn text(most: usize) -> RefOr<ApiSchema> {
    openapi(&Schema::text(0, most, ANY))
}

/// The values of a filter.
fn several(items: impl Into<RefOr<ApiSchema>>) -> RefOr<ApiSchema> {
    ArrayBuilder::new().items(items.into()).max_items(Some(FILTER_VALUES)).into()
}

fn person() -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some("`me`, `none` or the id of a user"))
        .max_length(Some(36))
        .pattern(Some("^(me|none|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$"))
}
