//! The registry of records: every kind that the journal tells of, with what verification, the trash and the inventory need
//! to know of it.

use domain::acknowledgement::{Acknowledgement, AcknowledgementRequest};
use domain::client::Client;
use domain::exception::PolicyException;
use domain::group::Group;
use domain::incident::Incident;
use domain::invitation::Invitation;
use domain::organization::Organization;
use domain::reset_link::ResetLink;
use domain::risk::Risk;
use domain::saved_view::SavedView;
use domain::scale::Scale;
use domain::tag::Tag;
use domain::time;
use jiff::Timestamp;

use crate::documents::WithTemplate;
use crate::ledger::housekeeping::Trash;
use crate::ledger::records::{Check, Id, RecordKind, Registry};
use crate::ledger::undo::{TAG_RECORDS, UndoableKind, undoable};
use crate::people::{Membership, PersonRow};
use crate::proposals::ProposalRow;
use crate::signing_keys::StoredKey;
use crate::{
    acknowledgements, clients, documents, exceptions, groups, incidents, invitations, notes, organizations,
    people, performance, proposals, refused_sign_ins, reset_links, risks, saved_views, scales, signing_keys,
    tags,
};

/// A function that reads the next page of records as they are held against the journal.
macro_rules! pages {
    ($recorded:path) => {
        |tx, owner, after| Box::pin($recorded(tx, owner, after))
    };
}

/// The registry.
pub const REGISTRY: Registry = Registry { kinds: KINDS, checks: CHECKS, undoable: UNDOABLE };

const KINDS: &[RecordKind] = &[
    RecordKind::of::<Organization>("organization", Id::Uuid, pages!(organizations::recorded)),
    RecordKind::of::<PersonRow>("user", Id::Uuid, pages!(people::recorded_persons))
        .unchanged_by(refused_sign_ins::KIND),
    RecordKind::of::<StoredKey>("signing_key", Id::Text, pages!(signing_keys::recorded))
        .staying(|entry, _, _| entry != "signing_key.deleted"),
    RecordKind::of::<Client>("client", Id::Text, pages!(clients::recorded)),
    RecordKind::of::<Membership>("membership", Id::Uuid, pages!(people::recorded)),
    RecordKind::of::<Group>("group", Id::Uuid, pages!(groups::recorded)).with_parts(&["group_member"]),
    RecordKind::of::<Invitation>("invitation", Id::Uuid, pages!(invitations::recorded))
        .staying(|entry, payload, now| entry == "invitation.created" && is_open(payload, now)),
    RecordKind::of::<ResetLink>("reset_link", Id::Uuid, pages!(reset_links::recorded))
        .staying(|entry, payload, now| entry == "reset_link.created" && is_open(payload, now)),
    RecordKind::of::<Incident>("incident", Id::Number, pages!(incidents::recorded))
        .with_trash(Trash::of::<Incident>("deleted_incidents"))
        .with_parts(&[
            "incident_task",
            "incident_review",
            "incident_note",
            "incident_report",
            "incident_link",
        ]),
    RecordKind::of::<Risk>("risk", Id::Number, pages!(risks::recorded))
        .with_trash(Trash::of::<Risk>("deleted_risks"))
        .with_parts(&["evaluation", "risk_review", "risk_task", "risk_acceptance"]),
    RecordKind::of::<Scale>("scale", Id::Number, pages!(scales::recorded)),
    RecordKind::of::<Tag>("tag", Id::Uuid, pages!(tags::recorded)),
    RecordKind::of::<SavedView>("view", Id::Uuid, pages!(saved_views::recorded))
        .staying(|entry, _, _| entry != saved_views::DELETED),
    RecordKind::of::<WithTemplate>("document", Id::Text, pages!(documents::recorded))
        .with_parts(&["document_review", "document_library_text"])
        .staying(|entry, _, _| entry != documents::DELETED),
    RecordKind::of::<ProposalRow>("proposal", Id::Number, pages!(proposals::recorded))
        .with_parts(&["proposal_approval", "proposal_comment"])
        .staying(|entry, _, _| entry != proposals::DELETED),
    RecordKind::of::<PolicyException>("exception", Id::Number, pages!(exceptions::recorded)),
    RecordKind::of::<AcknowledgementRequest>(
        "acknowledgement_request",
        Id::Uuid,
        pages!(acknowledgements::recorded_requests),
    ),
    RecordKind::of::<Acknowledgement>("acknowledgement", Id::Uuid, pages!(acknowledgements::recorded)),
];

/// A function that notes what does not follow from the records.
macro_rules! check {
    ($check:path) => {
        |tx, organization, checker| Box::pin($check(tx, organization, checker))
    };
}

const CHECKS: &[Check] = &[
    check!(performance::verify),
    check!(incidents::verify_counts),
    check!(notes::verify),
    check!(incidents::verify_duplicates),
];

const UNDOABLE: &[UndoableKind] = &[TAG_RECORDS, undoable!(Incident), undoable!(Risk), documents::UNDOABLE];

/// Whether the record that was made with this payload has not expired yet.
fn is_open(payload: Option<&str>, now: Timestamp) -> bool {
    let payload: Option<serde_json::Value> = payload.and_then(|text| serde_json::from_str(text).ok());
    let expires = payload.as_ref().and_then(|payload| payload.pointer("/expires_date/1")?.as_str());
    expires.and_then(time::parse).is_some_and(|expires| expires > now)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_kind_of_record_has_its_own_name_and_table() {
        let names: HashSet<_> = KINDS.iter().map(|kind| kind.name).collect();
        let tables: HashSet<_> = KINDS.iter().map(|kind| kind.table).collect();
        assert_eq!((names.len(), tables.len()), (KINDS.len(), KINDS.len()));
    }
}
