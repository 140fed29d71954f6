//! The filters of the journal.

use domain::Actor;
use http::limits::FILTER_VALUES;
use http::query::{Parameter, Query, Texts, Time, actor_id};
use store::journal::{self, EntryFilter};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type};

http::parameters! {
    /// The filters.
    pub struct EntryFilterParams {
        /// Entries about records of one of these kinds.
        subject_kind: SubjectKinds,
        /// Entries about a record with one of these ids, as the entries show them.
        subject_id: Texts,
        /// Entries of one of these actors, by id; `me` is the caller.
        actor: Texts,
        /// Entries of one of these kinds.
        kind: EntryKinds,
        /// Entries from this time on.
        from: Time,
        /// Entries before this time.
        to: Time,
    }
}

/// Kinds of records that have entries.
pub struct SubjectKinds;

/// Kinds of entries.
pub struct EntryKinds;

impl Parameter for SubjectKinds {
    type Value = Vec<&'static str>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Vec<&'static str> {
        query.some_of(name, &journal::subject_kinds().collect::<Vec<_>>())
    }

    fn schema() -> RefOr<Schema> {
        some_of(journal::subject_kinds())
    }
}

impl Parameter for EntryKinds {
    type Value = Vec<&'static str>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Vec<&'static str> {
        query.some_of(name, &journal::kinds().collect::<Vec<_>>())
    }

    fn schema() -> RefOr<Schema> {
        some_of(journal::kinds())
    }
}

fn some_of(names: impl Iterator<Item = &'static str>) -> RefOr<Schema> {
    let name = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names));
    ArrayBuilder::new().items(name).max_items(Some(FILTER_VALUES)).into()
}

/// Reads the filters; `caller` is the person who is meant by `me`.
pub fn read(query: &mut Query<'_>, caller: &Actor) -> EntryFilter {
    let EntryFilterParams { subject_kind, subject_id, actor, kind, from, to } =
        EntryFilterParams::read(query);
    let actor = actor.into_iter().map(|id| actor_id(id, caller)).collect();
    EntryFilter { subject_kind, subject_id, actor, kind, at: query.times(("from", from), ("to", to)) }
}
