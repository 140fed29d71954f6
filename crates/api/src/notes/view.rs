//! A note as responses show it.

use std::collections::HashMap;

use domain::incident::Incident;
use domain::note::{Mention, MentionWarning, Note, NoteKind, mention_warning};
use domain::{IncidentNumber, Prose, UserId};
use http::as_of::AsOfShown;
use http::timestamp::Timestamp;
use http::word::OneOf;
use serde::Serialize;
use store::notes::WithMentions;
use utoipa::ToSchema;

use crate::shared::{ActorView, PersonView};

/// A note about an incident.
#[derive(Serialize, ToSchema)]
#[schema(as = Note, examples(json!({
    "kind": "action", "text": "The sender is blocked at the mail gateway.", "at": "2026-03-01T09:30:00.000000Z",
    "mentions": [], "edited_by": null, "warnings": [],
})))]
pub(super) struct NoteView {
    /// The number: counted from 1 for each incident.
    #[schema(minimum = 1)]
    number: i64,
    /// The incident's id.
    incident: IncidentNumber,
    /// The kind.
    kind: NoteKindView,
    /// Markdown.
    text: Prose,
    /// The event time; of a comment the time of writing.
    at: Timestamp,
    /// Whether it is among the most important ones; a comment never is.
    pinned: bool,
    /// The people whom a comment mentions, with today's names.
    #[schema(max_items = 50)]
    mentions: Vec<PersonView>,
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
    /// One for each person who is mentioned and does not see the incident.
    #[schema(max_items = 50)]
    warnings: Vec<WarningView>,
    /// The point in time that the response shows, if `as_of` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Timestamp, required = false)]
    as_of: Option<Timestamp>,
    /// The journal entry whose state the response shows, if `as_of_seq` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    as_of_seq: Option<i64>,
}

pub(super) type NoteKindView = OneOf<NoteKind>;

/// A mentioned person who cannot see the incident.
#[derive(Serialize, ToSchema)]
#[schema(as = MentionWarning)]
struct WarningView {
    /// Stable machine code.
    #[schema(pattern = "^[a-z_]{1,100}$", max_length = 100, examples("mention_without_access"))]
    code: &'static str,
    /// The person's id.
    user: UserId,
    /// A sentence for a person.
    #[schema(max_length = 500, examples("Ada does not see the incident."))]
    message: String,
}

impl From<MentionWarning> for WarningView {
    fn from(it: MentionWarning) -> Self {
        Self { code: it.code, user: it.user, message: it.message }
    }
}

impl NoteView {
    /// One note.
    pub(super) fn new(WithMentions { value, incident, mentions }: WithMentions<Note>) -> Self {
        Self::of(value, &incident, &mentions)
    }

    /// A note about this incident; the people whom it mentions are among the known ones.
    pub(super) fn of(note: Note, incident: &Incident, known: &HashMap<UserId, Mention>) -> Self {
        let warnings = note.mentions.iter().filter_map(|id| mention_warning(incident, known.get(id)?));
        let (warnings, revision_count) = (warnings.map(WarningView::from).collect(), note.revision());
        Self {
            number: note.number,
            incident: incident.number,
            kind: note.kind.into(),
            text: note.text,
            at: note.at.into(),
            pinned: note.pinned,
            mentions: people(&note.mentions, known),
            author: note.author.into(),
            created_date: note.created_date.into(),
            edited_date: note.edited_date.map(Timestamp),
            edited_by: note.edited_by.map(ActorView::from),
            revision_count,
            updated_date: note.updated_date.into(),
            deleted_date: note.deleted_date.map(Timestamp),
            version: note.version,
            warnings,
            as_of: None,
            as_of_seq: None,
        }
    }

    /// The same with the requested point in time.
    pub(super) fn seen(self, named: AsOfShown) -> Self {
        Self { as_of: named.as_of, as_of_seq: named.as_of_seq, ..self }
    }
}

/// The people who are mentioned.
pub(super) fn people(mentions: &[UserId], known: &HashMap<UserId, Mention>) -> Vec<PersonView> {
    let people = mentions.iter().filter_map(|id| known.get(id));
    people.map(|mention| PersonView::from(mention.person.clone())).collect()
}
