//! Parameters that are declared once: what reads them is what describes them.

use std::marker::PhantomData;

use domain::search::{QUERY_CHARACTERS, SearchQuery};
use domain::{TagId, Word};
use jiff::Timestamp;
use serde_json::Value;
use utoipa::PartialSchema as _;
use utoipa::openapi::path::{Parameter as Described, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{
    ArrayBuilder, KnownFormat, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{RefOr, Required};

use super::Query;
use super::filter::{Person, TEXT_CHARACTERS};
use crate::word::OneOf;

/// What a parameter can be.
pub trait Parameter {
    /// What is read of it.
    type Value;

    /// Reads it.
    fn read(query: &mut Query<'_>, name: &'static str) -> Self::Value;

    /// What it looks like.
    fn schema() -> Schema;
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
    if let Schema::Object(object) = &mut schema {
        object.default = default;
    }
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

/// A word of a closed list.
pub struct OneWord<W>(PhantomData<W>);

/// Words of a closed list.
pub struct Words<W>(PhantomData<W>);

/// Texts that are compared as they are.
pub struct Texts;

/// A text that is no filter.
pub struct Text;

/// `true` or `false`.
pub struct Flag;

/// A date-time.
pub struct Time;

/// A whole number, at least and at most.
pub struct Number<const LEAST: i64, const MOST: i64>;

/// People; [`Query::people`] says who they are.
pub struct People;

/// Tags by their ids.
pub struct Tags;

/// The text of a search.
pub struct Search;

fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::new(Type::String))
}

/// A list of these.
fn several(items: impl Into<RefOr<Schema>>) -> Schema {
    ArrayBuilder::new().items(items.into()).into()
}

/// The schema of a word, written out.
fn word<W: Word>() -> Schema {
    match OneOf::<W>::schema() {
        RefOr::T(schema) => schema,
        RefOr::Ref(_) => text().into(),
    }
}

impl<W: Word> Parameter for OneWord<W> {
    type Value = Option<W>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Option<W> {
        query.word(name)
    }

    fn schema() -> Schema {
        word::<W>()
    }
}

impl<W: Word> Parameter for Words<W> {
    type Value = Vec<W>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Vec<W> {
        query.words(name)
    }

    fn schema() -> Schema {
        several(word::<W>())
    }
}

impl Parameter for Texts {
    type Value = Vec<String>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Vec<String> {
        query.texts(name)
    }

    fn schema() -> Schema {
        several(text().max_length(Some(TEXT_CHARACTERS)).pattern(Some(domain::text::ANY)))
    }
}

impl Parameter for Text {
    type Value = Option<String>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Option<String> {
        query.text(name).map(std::borrow::Cow::into_owned)
    }

    fn schema() -> Schema {
        text().into()
    }
}

impl Parameter for Flag {
    type Value = Option<bool>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Option<bool> {
        query.parsed(name, "must be true or false", |text| text.parse().ok())
    }

    fn schema() -> Schema {
        ObjectBuilder::new().schema_type(SchemaType::new(Type::Boolean)).into()
    }
}

impl Parameter for Time {
    type Value = Option<Timestamp>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Option<Timestamp> {
        query.time(name)
    }

    fn schema() -> Schema {
        text().format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime))).into()
    }
}

impl<const LEAST: i64, const MOST: i64> Parameter for Number<LEAST, MOST> {
    type Value = Option<i64>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Option<i64> {
        query.integer(name, LEAST, MOST)
    }

    fn schema() -> Schema {
        let number = ObjectBuilder::new().schema_type(SchemaType::new(Type::Integer));
        let number = number.format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)));
        number.minimum(Some(LEAST)).maximum(Some(MOST)).into()
    }
}

impl Parameter for People {
    type Value = Vec<Person>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Vec<Person> {
        query.persons(name)
    }

    fn schema() -> Schema {
        let person = text().description(Some("`me`, `none` or the id of a user")).max_length(Some(36));
        several(person.pattern(Some("^(me|none|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$")))
    }
}

impl Parameter for Tags {
    type Value = Vec<TagId>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Vec<TagId> {
        query.tag_ids(name)
    }

    fn schema() -> Schema {
        several(text().format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid))))
    }
}

impl Parameter for Search {
    type Value = Option<SearchQuery>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Option<SearchQuery> {
        query.searched(name)
    }

    fn schema() -> Schema {
        text().min_length(Some(1)).max_length(Some(QUERY_CHARACTERS)).into()
    }
}
