//! An entry of a timeline as responses show it.

use domain::note::{Entry, EntryKind};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::shared::ActorView;
use crate::http::as_of::AsOfShown;
use crate::http::timestamp::Timestamp;
use crate::http::word::OneOf;

/// An entry that somebody wrote into the timeline of an incident.
#[derive(Serialize, ToSchema)]
#[schema(as = Entry)]
pub(super) struct EntryView {
    /// The number: counted from 1 for each incident.
    #[schema(minimum = 1)]
    number: i64,
    /// The incident's id.
    #[schema(examples("INC-0001"), pattern = "^INC-[0-9]{4,19}$")]
    incident: String,
    /// What it tells of.
    kind: EntryKindView,
    /// Markdown.
    #[schema(examples("The sender is blocked at the mail gateway."))]
    text: String,
    /// The time that it speaks of.
    at: Timestamp,
    /// Whether it is among the most important ones.
    pinned: bool,
    /// Who wrote it.
    author: ActorView,
    /// When it was written.
    created_date: Timestamp,
    /// When it was last edited; null if never.
    edited_date: Option<Timestamp>,
    /// Who edited it last.
    edited_by: Option<ActorView>,
    /// How many revisions it has: 1, and 1 more with each edit.
    #[schema(minimum = 1)]
    revision_count: i64,
    /// When it was last changed in any way.
    updated_date: Timestamp,
    /// When it was deleted; absent if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Timestamp, required = false)]
    deleted_date: Option<Timestamp>,
    /// The version: 1 at first, and 1 more with each change.
    #[schema(minimum = 1)]
    version: i64,
    /// The point in time that the response shows, if `as_of` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Timestamp, required = false)]
    as_of: Option<Timestamp>,
    /// The journal entry whose state the response shows, if `as_of_seq` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    as_of_seq: Option<i64>,
}

pub(super) type EntryKindView = OneOf<EntryKind>;

impl From<Entry> for EntryView {
    fn from(Entry { note, kind, at, pinned }: Entry) -> Self {
        let revision_count = note.revision();
        Self {
            number: note.number,
            incident: note.incident.to_string(),
            kind: kind.into(),
            text: note.text,
            at: at.into(),
            pinned,
            author: note.author.into(),
            created_date: note.created_date.into(),
            edited_date: note.edited_date.map(Timestamp),
            edited_by: note.edited_by.map(ActorView::from),
            revision_count,
            updated_date: note.updated_date.into(),
            deleted_date: note.deleted_date.map(Timestamp),
            version: note.version,
            as_of: None,
            as_of_seq: None,
        }
    }
}

impl EntryView {
    /// The same with the requested point in time.
    pub(super) fn seen(self, named: AsOfShown) -> Self {
        Self { as_of: named.as_of, as_of_seq: named.as_of_seq, ..self }
    }
}
