//! The filters of the journal.

use domain::Actor;
use http::query::Query;
use store::journal::{self, EntryFilter};

/// Reads the filters; `caller` is the person who is meant by `me`.
pub fn read(query: &mut Query<'_>, caller: &Actor) -> EntryFilter {
    let (subject_kinds, kinds): (Vec<_>, Vec<_>) =
        (journal::subject_kinds().collect(), journal::kinds().collect());
    EntryFilter {
        subject_kind: query.some_of("subject_kind", &subject_kinds),
        subject_id: query.texts("subject_id"),
        actor: query.actors("actor", caller),
        kind: query.some_of("kind", &kinds),
        at: query.times("from", "to"),
    }
}
