//! Comments on an incident, and the people whom they mention. A mention gives no access.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::Note;
use crate::actor::{Actor, ActorKind, Author};
use crate::error::Result;
use crate::fault::{FaultCode, Faults};
use crate::ids::{IncidentNumber, UserId};
use crate::incident::{Incident, Viewer};
use crate::person::Person;
use crate::role::Role;

/// The most people that a comment mentions.
pub const MAX_MENTIONS: usize = 50;

/// A comment on an incident.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// What it has in common with entries.
    pub note: Note,
    /// The people whom it mentions, each once, in the order in which they were sent.
    pub mentions: Vec<UserId>,
}

/// A comment to write. The text has passed its check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewComment {
    /// See [`Note::text`].
    pub text: String,
    /// See [`Comment::mentions`].
    pub mentions: Vec<UserId>,
}

impl NewComment {
    /// The comment with this `number`, written `at` this moment. `members` are the members among the people whom it
    /// mentions.
    pub fn write(
        &self,
        incident: IncidentNumber,
        number: i64,
        members: &BTreeSet<UserId>,
        author: Actor,
        at: Timestamp,
    ) -> Result<Comment> {
        let mut faults = Faults::new();
        let mentions = mentions(&self.mentions, |id| members.contains(&id), &mut faults);
        let note = Note::new(incident, number, self.text.clone(), author, at);
        faults.or(Comment { note, mentions })
    }
}

/// A change of a comment: what is absent stays. The text has passed its check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the fields are those of Comment and Note")]
pub struct CommentPatch {
    pub text: Option<String>,
    pub mentions: Option<Vec<UserId>>,
}

impl CommentPatch {
    /// The merged comment, edited `at` this moment, or `None` when nothing changes. `members` are the members among the
    /// people whom the patch mentions; who was mentioned before may have left.
    pub fn apply(
        &self,
        before: &Comment,
        members: &BTreeSet<UserId>,
        author: &Author,
        at: Timestamp,
    ) -> Result<Option<Comment>> {
        if self.text.is_some() || self.mentions.is_some() {
            before.note.check_author(author)?;
        }
        let mut faults = Faults::new();
        let is_known = |id| members.contains(&id) || before.mentions.contains(&id);
        let mentions = match &self.mentions {
            Some(sent) => mentions(sent, is_known, &mut faults),
            None => before.mentions.clone(),
        };
        faults.or(())?;
        let text = self.text.as_ref().unwrap_or(&before.note.text);
        if (text, &mentions) == (&before.note.text, &before.mentions) {
            return Ok(None);
        }
        Ok(Some(Comment { note: before.note.edited(text.clone(), &author.actor, at), mentions }))
    }
}

/// The people that were sent, each once.
fn mentions(sent: &[UserId], is_known: impl Fn(UserId) -> bool, faults: &mut Faults) -> Vec<UserId> {
    let mut found = Vec::new();
    for (place, id) in sent.iter().enumerate() {
        if !is_known(*id) {
            let detail = "No member of the organization has this id.";
            faults.add(format_args!("#/mentions/{place}"), FaultCode::UnknownUser, detail);
        }
        if !found.contains(id) {
            found.push(*id);
        }
        if found.len() > MAX_MENTIONS {
            let detail = format!("must have at most {MAX_MENTIONS} members");
            faults.add("#/mentions", FaultCode::TooMany, detail);
            break;
        }
    }
    found
}

/// Somebody whom a comment mentions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The person, with today's name.
    pub person: Person,
    /// Their role today; none if they have left.
    pub role: Option<Role>,
}

/// Somebody who is mentioned and does not see the incident.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MentionWarning {
    /// Stable machine code.
    pub code: &'static str,
    /// The person.
    pub user: UserId,
    /// A sentence for a person.
    pub message: String,
}

/// What is to be said of a mention in a comment on this incident, if anything.
pub fn mention_warning(incident: &Incident, mention: &Mention) -> Option<MentionWarning> {
    let Mention { person: Person { id, name, .. }, role } = mention;
    let warning = |code, message| Some(MentionWarning { code, user: *id, message });
    let Some(role) = role else {
        return warning(
            "mention_of_former_member",
            format!("{name} is not a member of the organization any more."),
        );
    };
    let actor = Actor { kind: ActorKind::User, id: id.to_string(), name: name.clone() };
    if Viewer::new(&actor, role.scopes()).sees_incident(incident) {
        return None;
    }
    let message = format!("{name} does not see this incident, and the mention does not change that.");
    warning("mention_without_access", message)
}
