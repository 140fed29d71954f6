//! The people whom a comment mentions. A mention gives no access.

use crate::actor::{Actor, ActorKind};
use crate::fault::{FaultCode, Faults};
use crate::ids::UserId;
use crate::incident::{Incident, Viewer};
use crate::person::Person;
use crate::scope::Scopes;

/// The most people that a comment mentions.
pub const MAX_MENTIONS: usize = 50;

/// The people that were sent, each once.
pub(super) fn mentions(
    sent: &[UserId],
    is_known: impl Fn(UserId) -> bool,
    faults: &mut Faults,
) -> Vec<UserId> {
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

/// The e-mail addresses that a text mentions: each follows an `@` that begins a word. With the place of that `@`.
pub fn addresses(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_of_address = |it: char| it.is_alphanumeric() || "@.!#$%&'*+/=?^_`{|}~-".contains(it);
    text.match_indices('@').filter_map(move |(place, _)| {
        let (before, rest) = (text.get(..place)?, text.get(place + 1..)?);
        let end = rest.find(|it| !is_of_address(it)).unwrap_or(rest.len());
        let address = rest.get(..end)?.trim_end_matches(|it: char| !it.is_alphanumeric());
        let (local, domain) = address.split_once('@')?;
        let is_begun = !before.ends_with(|it: char| it.is_alphanumeric() || "@.+_-".contains(it));
        let is_mention = is_begun && !local.is_empty() && !domain.is_empty();
        is_mention.then_some((place, address))
    })
}

/// Somebody whom a comment mentions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The person, with today's name.
    pub person: Person,
    /// What they may do today; none if they have left.
    pub scopes: Option<Scopes>,
}

/// A mentioned person who cannot see the incident.
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
    let Mention { person: Person { id, name, .. }, scopes } = mention;
    let warning = |code, message| Some(MentionWarning { code, user: *id, message });
    let Some(scopes) = scopes else {
        return warning(
            "mention_of_former_member",
            format!("{name} is not a member of the organization any more."),
        );
    };
    let actor = Actor { kind: ActorKind::User, id: id.to_string(), name: name.clone() };
    if Viewer::new(&actor, *scopes).sees_incident(incident) {
        return None;
    }
    let message = format!("{name} does not see this incident, and the mention does not change that.");
    warning("mention_without_access", message)
}
