//! The filters of the journal, for the OpenAPI document.

use http::query::TextParam;
use http::timestamp::Timestamp;
use store::journal;
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};

/// The filters.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters, which the list reads")]
pub(crate) struct EntryFilterParams {
    /// Entries about records of one of these kinds.
    #[param(inline)]
    subject_kind: Option<Vec<SubjectKindParam>>,
    /// Entries about a record with one of these ids, as the entries show them.
    #[param(inline)]
    subject_id: Option<Vec<TextParam>>,
    /// Entries of one of these actors, by id; `me` is the caller.
    #[param(inline)]
    actor: Option<Vec<TextParam>>,
    /// Entries of one of these kinds.
    #[param(inline)]
    kind: Option<Vec<KindParam>>,
    /// Entries from this time on.
    #[param(inline)]
    from: Option<Timestamp>,
    /// Entries before this time.
    #[param(inline)]
    to: Option<Timestamp>,
}

/// A kind of record that has entries.
struct SubjectKindParam;

/// A kind of entry.
struct KindParam;

fn one_of(names: impl Iterator<Item = &'static str>) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(SchemaType::Type(Type::String)).enum_values(Some(names)).into()
}

impl utoipa::PartialSchema for SubjectKindParam {
    fn schema() -> RefOr<Schema> {
        one_of(journal::subject_kinds())
    }
}

impl utoipa::PartialSchema for KindParam {
    fn schema() -> RefOr<Schema> {
        one_of(journal::kinds())
    }
}

impl utoipa::ToSchema for SubjectKindParam {}
impl utoipa::ToSchema for KindParam {}
