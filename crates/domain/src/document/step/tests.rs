use jiff::Timestamp;
use proptest::prelude::*;

use super::super::{ChangeSet, Conflict, NewDocument, ProposalField, ProposedChanges, default_steps};
use super::*;
use crate::text::Line;

fn actor(kind: ActorKind, id: &str) -> Actor {
    Actor { kind, id: id.to_owned(), name: id.to_owned() }
}

fn change_set(author: Actor, edits_count: i64, fields: Vec<ProposalField>) -> ChangeSet {
    let (created, changes_count) = (Timestamp::UNIX_EPOCH, edits_count);
    ChangeSet { number: 1, author, created, updated_date: None, edits_count, changes_count, fields }
}

fn proposal(status: ProposalStatus) -> Proposal {
    Proposal {
        number: 1,
        document: "policy".to_owned(),
        status,
        confirms: false,
        created_date: Timestamp::UNIX_EPOCH,
        updated_date: Timestamp::UNIX_EPOCH,
        change_sets: Vec::new(),
        missing: Vec::new(),
        conflicts: Vec::new(),
        changes: ProposedChanges::default(),
        removed: Vec::new(),
        next: None,
        sha256: Some("1".repeat(64)),
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

fn document(status: DocumentStatus, published_version: Option<i64>) -> Document {
    let new = NewDocument::new("policy", Line::from("Policy"), Vec::new());
    let draft = new.create(None, Timestamp::UNIX_EPOCH);
    Document { status, published_version, open_proposal: Some(1), ..draft }
}

fn steps() -> [ProposalStep; 5] {
    let reason = || StepReason { reason: Reason::from("Why") };
    let submission = Submission { summary: Prose::from("What"), material: None, effective_date: None };
    let approval = Approval { sha256: Sha256::stored("1".repeat(64)), note: None };
    [
        ProposalStep::Submit(submission),
        ProposalStep::Return(reason()),
        ProposalStep::Withdraw(reason()),
        ProposalStep::Reject(reason()),
        ProposalStep::Approve(approval),
    ]
}

fn code(result: Result<Proposal>) -> Option<ErrorCode> {
    match result {
        Ok(_) => None,
        Err(Error::Conflict(code)) => Some(code),
        Err(Error::NotNext(_)) => Some(ErrorCode::NotNext),
        Err(Error::ProposalChanged { .. }) => Some(ErrorCode::ProposalChanged),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn the_steps_lead_from_edits_to_a_version_and_no_closed_proposal_goes_on() {
    use ProposalStatus as S;
    let table = [
        (S::Open, [Some(S::Submitted), None, Some(S::Withdrawn), None, None]),
        (S::Submitted, [None, Some(S::Open), Some(S::Withdrawn), Some(S::Rejected), Some(S::Approved)]),
        (S::Approved, [None; 5]),
        (S::Rejected, [None; 5]),
        (S::Withdrawn, [None; 5]),
    ];
    let draft = document(DocumentStatus::Draft, None);
    for (from, expected) in table {
        let words = ["submitted", "returned", "withdrawn", "rejected", "approved"];
        for (word, to) in words.iter().zip(&expected) {
            let said = from.next_steps().split_once(':').is_some_and(|(_, steps)| steps.contains(word));
            assert_eq!(said, to.is_some(), "{from} {word}");
        }
        for (step, to) in steps().iter().zip(expected) {
            assert_eq!(step.leads_to(from), to, "{from} {step:?}");
            let after = step.apply(&proposal(from), &draft, true, true);
            assert_eq!(after.as_ref().ok().map(|it| it.status), to);
            assert_eq!(code(after), to.is_none().then_some(ErrorCode::NotNext));
        }
    }
}

#[test]
fn what_is_not_ready_is_not_submitted() {
    let [submit, ..] = steps();
    let (open, draft) = (proposal(ProposalStatus::Open), document(DocumentStatus::Draft, None));
    let conflict = Conflict { node_id: "mfa".to_owned(), values: Vec::new() };
    let with_conflict = Proposal { conflicts: vec![conflict], ..open.clone() };
    let incomplete = Proposal { missing: vec!["mfa".to_owned()], ..open.clone() };
    let archived = document(DocumentStatus::Archived, Some(1));
    assert_eq!(code(submit.apply(&with_conflict, &draft, true, true)), Some(ErrorCode::ConflictsOpen));
    assert_eq!(code(submit.apply(&incomplete, &draft, true, true)), Some(ErrorCode::ItemsMissing));
    assert_eq!(code(submit.apply(&open, &draft, false, true)), Some(ErrorCode::NothingToPublish));
    assert_eq!(code(submit.apply(&open, &archived, true, true)), Some(ErrorCode::DocumentArchived));
    let first = submit.apply(&open, &draft, true, true).unwrap();
    let later = submit.apply(&open, &document(DocumentStatus::Published, Some(1)), true, false).unwrap();
    assert_eq!((first.is_material, later.is_material), (Some(true), Some(false)));
    assert_eq!(first.summary.as_deref(), Some("What"));
}

#[test]
fn only_the_text_that_was_read_is_approved() {
    let [.., approve] = steps();
    let changed = Proposal { sha256: Some("2".repeat(64)), ..proposal(ProposalStatus::Submitted) };
    let result = approve.apply(&changed, &document(DocumentStatus::Draft, None), true, true);
    assert_eq!(result, Err(Error::ProposalChanged { sha256: "2".repeat(64), difference: None }));
}

#[test]
fn a_date_that_has_passed_becomes_the_day_of_the_approval() {
    let today = || Day::from("2026-03-02");
    assert_eq!(in_effect(None, today()), today());
    assert_eq!(in_effect(Some(&Day::from("2026-03-01")), today()), today());
    assert_eq!(in_effect(Some(&Day::from("2026-03-03")), today()), Day::from("2026-03-03"));
}

fn actors() -> impl Strategy<Value = Actor> {
    (prop::sample::select(ActorKind::ALL), prop::sample::select(&["a", "b", "c"][..]))
        .prop_map(|(kind, id)| actor(kind, id))
}

fn fields() -> impl Strategy<Value = Vec<ProposalField>> {
    prop::sample::subsequence(ProposalField::ALL, 0..2)
}

proptest! {
    /// Whoever approves is a person who has changed nothing in the proposal and made no client that has.
    #[test]
    fn nobody_approves_an_own_change(
        approver in actors(),
        authors in prop::collection::vec((actors(), 0..2_i64, fields()), 0..4),
        creators in prop::collection::vec(actors(), 0..2),
    ) {
        let sets = authors.iter().map(|(author, edits, fields)| change_set(author.clone(), *edits, fields.clone()));
        let change_sets = sets.collect();
        let submitted = Proposal { change_sets, ..proposal(ProposalStatus::Submitted) };
        let is_author = authors.iter().any(|(author, edits, fields)| {
            (*edits > 0 || !fields.is_empty()) && *author == approver
        });
        let may = approver.kind == ActorKind::User && !is_author && !creators.contains(&approver);
        prop_assert_eq!(check_four_eyes(&approver, &submitted, Some(&creators)).is_ok(), may);
        let is_person = approver.kind == ActorKind::User;
        prop_assert_eq!(check_four_eyes(&approver, &submitted, None).is_ok(), is_person);
    }
}
