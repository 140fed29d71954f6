//! Comments, and what people write into the timeline.

use serde_json::Value;

use super::Part;
use crate::timeline::clause::Clause;

/// What happened to a comment or to an entry of the timeline.
pub(super) fn clauses(part: &mut Part<'_, '_>) -> Vec<Clause> {
    let is_comment = part.prefix == "comments";
    let what = if is_comment { "comment" } else { "timeline entry" };
    let what = format!("{what} {}", part.id);
    if part.take_made() {
        return vec![if is_comment { "commented" } else { "wrote into the timeline" }.into()];
    }
    let mut clauses: Vec<Clause> = Vec::new();
    clauses.extend(part.take_deleted().map(|verb| format!("{verb} {what}").into()));
    clauses.extend(part.take("pinned").map(|change| {
        let verb = if change.after == Value::Bool(true) { "pinned" } else { "unpinned" };
        format!("{verb} {what}").into()
    }));
    if !part.changes.is_empty() {
        clauses.push(format!("edited {what}").into());
    }
    clauses
}
