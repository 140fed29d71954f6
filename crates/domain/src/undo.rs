//! Undoing a request: what can be undone, how long, and what becomes of each record.

use jiff::{SignedDuration, Timestamp};
use macros::Body;

use crate::fault::{FaultCode, Faults};
use crate::json::checked;
use crate::person::Person;
use crate::schema::Schema;
use crate::scope::Scope;

/// How long after a request it can be undone.
pub const MAX_AGE: SignedDuration = SignedDuration::from_mins(15);

/// The time of the oldest request that can be undone at `now`.
pub fn oldest(now: Timestamp) -> Timestamp {
    now.saturating_sub(MAX_AGE).unwrap_or(Timestamp::MIN)
}

/// The request to undo.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
pub struct UndoRequest {
    /// The `X-Request-Id` of the request, from its response.
    #[body(read = checked(request_id), schema = REQUEST_ID, example = "01901645-2b7c-7d90-b3a1-5e2f9c8d7a60")]
    pub request_id: String,
}

/// The most characters of the id of a request.
const REQUEST_ID_CHARACTERS: usize = 128;

const REQUEST_ID: Schema = Schema::text(1, REQUEST_ID_CHARACTERS, "^[A-Za-z0-9._-]{1,128}$");

/// Whether a caller may choose this id for a request.
pub fn is_request_id(id: &[u8]) -> bool {
    (1..=REQUEST_ID_CHARACTERS).contains(&id.len())
        && id.iter().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte))
}

fn request_id(id: &str, pointer: &str, faults: &mut Faults) {
    if !is_request_id(id.as_bytes()) {
        let detail = "must be 1 to 128 characters: letters A to Z, digits, dots, underscores and hyphens";
        faults.add(pointer, FaultCode::Format, detail);
    }
}

crate::words! {
    "UndoOutcome"
    /// What undoing a request did to one record that the request changed.
    pub enum UndoOutcome {
        /// The record is as it was before the request.
        Undone = "undone",
        /// The record had its earlier state already, so nothing was changed.
        AlreadyUndone = "already_undone",
        /// The record was changed after the request and stays as it is.
        ChangedSince = "changed_since",
        /// The record stays as it is, because what it was before is not allowed any more.
        NoLongerValid = "no_longer_valid",
        /// The record stays as it is, because a change of this kind cannot be undone.
        NotUndoable = "not_undoable",
    }
}

/// What became of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoResult {
    /// The outcome.
    pub outcome: UndoOutcome,
    /// A sentence that says why it was not undone.
    pub reason: Option<String>,
}

impl UndoResult {
    /// The record is as it was before.
    pub fn undone() -> Self {
        Self { outcome: UndoOutcome::Undone, reason: None }
    }

    fn not_undone(outcome: UndoOutcome, reason: impl Into<String>) -> Self {
        Self { outcome, reason: Some(reason.into()) }
    }

    /// The result for a record about which the request has an entry of a kind that cannot be undone; none if it can be.
    pub fn of_kind(entry_kind: &str) -> Option<Self> {
        let reason = match entry_kind {
            _ if required_scope(entry_kind).is_some() => return None,
            "incident.created" | "risk.created" => {
                "The request created it. A creation cannot be undone, but the record can be deleted."
            }
            "incident.redacted" => "What was redacted is gone for good.",
            "evaluation.recorded" => "Evaluations are never removed. Record another one that supersedes it.",
            "risk.reviewed" => "Reviews are never removed. Record another one.",
            "risk.acceptance_changed" => {
                "An acceptance or request changed with it. If the risk is closed, reopen it and ask again."
            }
            "document.restored" => "Archive the document again instead.",
            "acknowledgement_request.created" => "End the request to acknowledge instead.",
            "acknowledgement_request.ended" => "Ask people to acknowledge the document again instead.",
            _ if is_of_approval(entry_kind) => {
                "What was proposed, decided and published stays. Make another proposal instead."
            }
            _ if is_of_part(entry_kind) => {
                "It changed a part of the record, such as a task, a note or a link. Change that back instead."
            }
            _ => "Only changes of incidents, risks, tags and the properties of documents can be undone.",
        };
        Some(Self::not_undone(UndoOutcome::NotUndoable, reason))
    }

    /// The result for a record whose changes can be undone; none if they are to be undone.
    pub fn of_record(comparison: &Comparison<'_>) -> Option<Self> {
        match comparison {
            Comparison { is_as_before: true, .. } => {
                Some(Self::not_undone(UndoOutcome::AlreadyUndone, "It is as it was before the request."))
            }
            Comparison { is_latest: false, .. } => {
                Some(Self::not_undone(UndoOutcome::ChangedSince, "It was changed after the request."))
            }
            Comparison { former_member: Some((field, person)), .. } => {
                let name = &person.name;
                let reason =
                    format!("Its {field} was {name}, who is not a member of the organization any more.");
                Some(Self::not_undone(UndoOutcome::NoLongerValid, reason))
            }
            Comparison { obstacle: Some(reason), .. } => {
                Some(Self::not_undone(UndoOutcome::NoLongerValid, *reason))
            }
            Comparison { .. } => None,
        }
    }
}

/// A record that a request changed, compared with what it was before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparison<'r> {
    /// Whether its latest journal entry is one of the request; entries about its parts do not count.
    pub is_latest: bool,
    /// Whether it is as it was before the request, apart from its version.
    pub is_as_before: bool,
    /// The field that would name a person who is not a member any more, and that person.
    pub former_member: Option<(&'static str, &'r Person)>,
    /// What else stands against its former state, in a sentence.
    pub obstacle: Option<&'static str>,
}

/// What follows `incident.` or `risk.` in the kinds of entries about parts of it.
const PARTS: [&str; 5] = ["task_", "review_", "note_", "link_", "acceptance_"];

/// Whether entries of this kind are about a part of a record. They do not change the record itself, so they do not stand
/// against undoing an earlier change of it.
pub fn is_of_part(entry_kind: &str) -> bool {
    let change = entry_kind.strip_prefix("incident.").or_else(|| entry_kind.strip_prefix("risk."));
    change.is_some_and(|change| PARTS.iter().any(|part| change.starts_with(part)))
}

/// Whether entries of this kind are about what was proposed or decided of a document.
fn is_of_approval(entry_kind: &str) -> bool {
    entry_kind.starts_with("proposal.") || entry_kind == "document.published"
}

/// The scope that a change needed, and that undoing it needs; none for a change that cannot be undone. `entry_kind` is
/// the kind of its journal entry.
pub fn required_scope(entry_kind: &str) -> Option<Scope> {
    match entry_kind {
        "incident.updated" | "incident.status_changed" | "incident.tag_added" | "incident.tag_removed" => {
            Some(Scope::IncidentsWrite)
        }
        "incident.deleted" | "incident.restored" | "incident.legal_hold_changed" => {
            Some(Scope::IncidentsDelete)
        }
        "risk.updated" | "risk.tag_added" | "risk.tag_removed" => Some(Scope::RisksWrite),
        "risk.deleted" | "risk.restored" => Some(Scope::RisksDelete),
        "document.updated" | "document.archived" | "document.tag_added" | "document.tag_removed" => {
            Some(Scope::DocumentsWrite)
        }
        "tag.updated" | "tag.merged" | "tag.deleted" | "tag.restored" => Some(Scope::TagsWrite),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::UserId;

    #[test]
    fn an_id_of_a_request_is_taken_only_if_it_is_harmless() {
        assert!(is_request_id(b"a") && is_request_id(b"A.b_c-9") && is_request_id(&[b'x'; 128]));
        for id in [&b""[..], b"a b", b"a\"b", b"a\\b", "é".as_bytes(), &[b'x'; 129]] {
            assert!(!is_request_id(id), "{id:?}");
        }
    }

    #[test]
    fn a_request_can_be_undone_for_15_minutes() {
        let made: Timestamp = "2026-03-01T09:00:00Z".parse().unwrap();
        let after = |seconds| made + SignedDuration::from_secs(seconds);
        assert!(made >= oldest(after(0)) && made >= oldest(after(900)));
        assert!(made < oldest(after(901)));
        assert!(oldest(Timestamp::MIN) == Timestamp::MIN);
    }

    #[test]
    fn a_creation_an_evaluation_and_other_records_cannot_be_undone() {
        for kind in [
            "incident.created",
            "incident.redacted",
            "risk.created",
            "evaluation.recorded",
            "risk.reviewed",
            "tag.created",
            "document.restored",
            "document.published",
            "proposal.step_approved",
            "acknowledgement.recorded",
        ] {
            let result = UndoResult::of_kind(kind).unwrap();
            assert_eq!(result.outcome, UndoOutcome::NotUndoable, "{kind}");
            assert!(result.reason.unwrap().ends_with('.'), "{kind}");
            assert_eq!(required_scope(kind), None, "{kind}");
        }
        for kind in
            ["incident.updated", "incident.deleted", "incident.restored", "risk.tag_added", "risk.deleted"]
        {
            assert_eq!(UndoResult::of_kind(kind), None, "{kind}");
        }
    }

    #[test]
    fn a_change_of_a_part_is_no_change_of_the_record_and_cannot_be_undone() {
        for kind in ["incident.task_created", "incident.review_published", "risk.task_deleted"] {
            assert!(is_of_part(kind), "{kind}");
            let reason = UndoResult::of_kind(kind).unwrap().reason.unwrap();
            assert!(reason.starts_with("It changed a part of the record"), "{kind}: {reason}");
        }
        let reason = UndoResult::of_kind("risk.acceptance_changed").unwrap().reason.unwrap();
        assert!(reason.starts_with("An acceptance or request changed with it."), "{reason}");
        for kind in
            ["incident.created", "incident.updated", "incident.purged", "risk.tag_added", "tag.created"]
        {
            assert!(!is_of_part(kind), "{kind}");
        }
    }

    #[test]
    fn a_record_is_undone_only_if_nothing_stands_against_it() {
        let ada =
            Person { id: UserId(uuid::Uuid::nil()), name: "Ada".into(), email: "ada@example.org".into() };
        let left = Some(("assigned_to", &ada));
        let result = |is_latest, is_as_before, former_member, obstacle| {
            UndoResult::of_record(&Comparison { is_latest, is_as_before, former_member, obstacle })
        };
        let outcome = |is_latest, is_as_before, former_member| {
            result(is_latest, is_as_before, former_member, None).map(|result| result.outcome)
        };
        let obstacle = result(true, false, None, Some("Not now.")).unwrap();
        assert_eq!(obstacle, UndoResult::not_undone(UndoOutcome::NoLongerValid, "Not now."));
        assert_eq!(outcome(true, false, None), None);
        assert_eq!(outcome(true, false, left), Some(UndoOutcome::NoLongerValid));
        assert_eq!(outcome(false, false, None), Some(UndoOutcome::ChangedSince));
        assert_eq!(outcome(false, false, left), Some(UndoOutcome::ChangedSince));
        // Then the rest makes no difference.
        for (is_latest, former) in [(true, None), (true, left), (false, None), (false, left)] {
            assert_eq!(outcome(is_latest, true, former), Some(UndoOutcome::AlreadyUndone));
        }
    }
}
