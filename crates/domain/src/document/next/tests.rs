use jiff::Timestamp;

use super::*;
use crate::actor::Actor;
use crate::document::{ChangeSet, Conflict, ProposedChanges, default_steps};
use crate::ids::UserId;
use crate::person::Person;
use crate::role::{Role, Roles};

fn member(name: &str, role: Role, is_active: bool) -> Member {
    let id = UserId::parse(&format!("00000000-0000-7000-8000-{:012x}", name.as_bytes()[0])).unwrap();
    let person = Person { id, name: name.to_owned(), email: format!("{name}@example.org") };
    let created_date = Timestamp::UNIX_EPOCH;
    let activated_date = is_active.then_some(created_date);
    Member { person, job_title: None, roles: Roles::from(role), created_date, activated_date, version: 1 }
}

fn proposal(status: ProposalStatus, author: &Member, edits_count: i64) -> Proposal {
    let created = Timestamp::UNIX_EPOCH;
    let (author, fields) = (author.actor(), Vec::new());
    let changes_count = edits_count;
    let set =
        ChangeSet { number: 1, author, created, updated_date: None, edits_count, changes_count, fields };
    Proposal {
        number: 1,
        document: "policy".to_owned(),
        status,
        confirms: false,
        created_date: created,
        updated_date: created,
        change_sets: vec![set],
        missing: Vec::new(),
        conflicts: Vec::new(),
        changes: ProposedChanges::default(),
        removed: Vec::new(),
        next: None,
        sha256: None,
        summary: None,
        is_material: None,
        material_reason: None,
        effective_date: None,
        reason: None,
        approval_steps: default_steps(),
        steps: Vec::new(),
        four_eyes_waived: None,
        library: None,
        report: None,
        version: 1,
    }
}

fn facts(members: &[Member], creators: &[Actor]) -> ApprovalFacts {
    ApprovalFacts { members: members.to_vec(), creators: creators.to_vec(), ..ApprovalFacts::default() }
}

fn next_of(it: &Proposal, changes: bool, facts: &ApprovalFacts) -> Next {
    let steps = it.steps_with(&[], facts);
    next(&Proposal { steps, ..it.clone() }, changes, facts).unwrap()
}

fn who(next: &Next) -> Vec<&str> {
    next.who.iter().map(|person| person.name.as_str()).collect()
}

#[test]
fn an_open_proposal_waits_for_a_choice_then_for_values_then_for_its_submission() {
    let members = [member("Ada", Role::Owner, true), member("Ben", Role::Approver, true)];
    let mut open = proposal(ProposalStatus::Open, &members[0], 1);
    let of = |it: &Proposal, changes| next_of(it, changes, &facts(&members, &[]));
    let submit = of(&open, true);
    assert_eq!((submit.action, who(&submit)), (NextAction::Submit, vec!["Ada"]));
    assert_eq!(of(&open, false).action, NextAction::Edit);
    open.missing = vec!["contact".to_owned()];
    assert_eq!((of(&open, true).action, of(&open, true).who.len()), (NextAction::Edit, 1));
    open.conflicts = vec![Conflict { node_id: "contact".to_owned(), values: Vec::new() }];
    let resolve = of(&open, true);
    assert_eq!((resolve.action, who(&resolve)), (NextAction::Resolve, vec!["Ada", "Ben"]));
}

#[test]
fn only_those_approve_who_can_sign_in_and_have_changed_nothing() {
    let members = [
        member("Ada", Role::Admin, true),
        member("Ben", Role::Approver, true),
        member("Cleo", Role::Approver, false),
        member("Dan", Role::Owner, true),
    ];
    let submitted = |edits| proposal(ProposalStatus::Submitted, &members[0], edits);
    let of = |it: &Proposal, creators: &[Actor]| next_of(it, true, &facts(&members, creators));
    assert_eq!(who(&of(&submitted(1), &[])), ["Ben"]);
    assert_eq!(who(&of(&submitted(0), &[])), ["Ada", "Ben"], "who took everything back is no author");
    let nobody = of(&submitted(1), &[members[1].actor()]);
    assert_eq!((nobody.action, nobody.who.len()), (NextAction::Approve, 0));
    assert!(nobody.reason.starts_with("Nobody can"), "{}", nobody.reason);
}

#[test]
fn a_closed_proposal_waits_for_nothing() {
    let ada = member("Ada", Role::Admin, true);
    for status in [ProposalStatus::Approved, ProposalStatus::Rejected, ProposalStatus::Withdrawn] {
        assert_eq!(next(&proposal(status, &ada, 1), true, &ApprovalFacts::default()), None);
    }
}

#[test]
fn a_hundred_people_are_named_and_all_are_known() {
    let ada = member("Ada", Role::Owner, true);
    let facts = facts(&vec![ada.clone(); 101], &[]);
    let open = proposal(ProposalStatus::Open, &ada, 1);
    assert_eq!(next_of(&open, true, &facts).who.len(), 100);
    assert_eq!(
        next_if(&open, Readiness { changes: true, ..Readiness::default() }, &facts).unwrap().who.len(),
        101
    );
}
