//! Links to other records and to addresses.

use super::Part;
use crate::link::LinkKind;
use crate::timeline::clause::Clause;

/// What happened to a link.
pub(super) fn clauses(part: &mut Part<'_, '_>) -> Vec<Clause> {
    let Some(link) = part.id.parse().ok().and_then(|number: i64| part.names.links.get(&number)) else {
        return part.plain();
    };
    let (end, role) = (part.names.end(link), role(link.kind));
    if part.take_made() {
        return vec![format!("linked {end} as {role}").into()];
    }
    if part.take("removed_date").is_some() {
        return vec![format!("removed the link to {end} as {role}").into()];
    }
    part.plain()
}

/// What the other end is to the incident.
fn role(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Materialised => "materialised",
        LinkKind::Threatens => "more likely",
        LinkKind::Violates => "violated",
        LinkKind::CausedBy => "the cause",
        LinkKind::RecurrenceOf => "an earlier occurrence",
        LinkKind::Related => "related",
        LinkKind::Ticket => "a ticket",
        LinkKind::Chat => "a chat",
        LinkKind::Reference => "a reference",
    }
}
