//! What an entry of each kind tells without its payload.

use super::phrase::word;

/// Each kind of entry about an incident.
const KINDS: &[(&str, &str)] = &[
    ("incident.created", "declared the incident"),
    ("incident.updated", "changed the incident"),
    ("incident.status_changed", "changed the status"),
    ("incident.imported", "imported the status and dates of the past"),
    ("incident.legal_hold_changed", "changed the legal hold"),
    ("incident.deleted", "deleted the incident"),
    ("incident.restored", "restored the incident"),
    ("incident.task_created", "added a task"),
    ("incident.task_updated", "changed a task"),
    ("incident.task_deleted", "deleted a task"),
    ("incident.task_restored", "restored a task"),
    ("incident.review_created", "started a review"),
    ("incident.review_updated", "changed the review"),
    ("incident.review_published", "published the review"),
    ("incident.note_added", "added a note"),
    ("incident.note_updated", "edited a note"),
    ("incident.note_deleted", "deleted a note"),
    ("incident.note_restored", "restored a note"),
    ("incident.tag_added", "added a tag"),
    ("incident.tag_removed", "removed a tag"),
    ("incident.link_added", "added a link"),
    ("incident.link_removed", "removed a link"),
    ("incident.reported", "reported the incident again"),
    ("incident.redacted", "redacted the incident"),
    ("incident.purged", "permanently deleted the incident"),
];

/// Whether entries of this kind have a wording of their own.
pub fn is_worded(kind: &str) -> bool {
    KINDS.iter().any(|(known, _)| *known == kind)
}

/// What was done. A kind that this release does not know is read as it is made: noun and past participle.
pub(super) fn clause(kind: &str) -> String {
    if let Some((_, clause)) = KINDS.iter().find(|(known, _)| *known == kind) {
        return (*clause).to_owned();
    }
    let about = kind.rsplit('.').next().unwrap_or(kind);
    match about.rsplit_once('_') {
        Some((noun, verb)) if !noun.is_empty() && !verb.is_empty() => {
            format!("{verb} the {}", word(noun).to_lowercase())
        }
        _ => format!("{about} the incident"),
    }
}
