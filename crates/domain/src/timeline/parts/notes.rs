//! What people write about the incident.

use serde_json::Value;

use super::Part;
use crate::note::NoteKind;
use crate::timeline::clause::Clause;

/// What happened to a note.
pub(super) fn clauses(part: &mut Part<'_, '_>) -> Vec<Clause> {
    if part.take_made() {
        let is_comment = part.take_text("kind") == Some(NoteKind::Comment.as_str());
        return vec![if is_comment { "commented" } else { "added a note" }.into()];
    }
    let what = format!("note {}", part.id);
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
