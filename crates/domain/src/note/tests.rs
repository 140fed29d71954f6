use jiff::SignedDuration;

use super::*;
use crate::actor::ActorKind;
use crate::fault::FaultCode;
use crate::ids::UserId;
use crate::incident::{Incident, NewIncident};
use crate::permissions::Permissions;
use crate::person::Person;
use crate::role::Role;
use crate::{Error, Scopes};

fn now() -> Timestamp {
    "2026-03-01T09:00:00Z".parse().unwrap()
}

fn later() -> Timestamp {
    now() + SignedDuration::from_mins(30)
}

fn id(number: u128) -> UserId {
    UserId(uuid::Uuid::from_u128(number))
}

/// A person who may change incidents.
fn person(number: u128, scopes: Scopes) -> Author {
    let actor = Actor { kind: ActorKind::User, id: id(number).to_string(), name: "Ada".into() };
    Author::new(actor, "r-1").with(Permissions::new(scopes))
}

fn ada() -> Author {
    person(1, Scope::IncidentsWrite.into())
}

fn ben() -> Author {
    person(2, Scope::IncidentsWrite.into())
}

fn moderator() -> Author {
    person(3, [Scope::IncidentsWrite, Scope::IncidentsDelete].into_iter().collect())
}

fn comment(mentions: &[UserId]) -> Comment {
    let new = NewComment { text: "Two accounts.".into(), mentions: mentions.to_vec() };
    let members = mentions.iter().copied().collect();
    new.write(IncidentNumber(1), 1, &members, ada().actor, now()).unwrap()
}

fn entry() -> Entry {
    let new = NewEntry { kind: EntryKind::Action, text: "Blocked.".into(), at: None, pinned: false };
    new.write(IncidentNumber(1), 1, ada().actor, now()).unwrap()
}

fn faults<T: std::fmt::Debug>(result: Result<T>) -> Vec<(String, FaultCode)> {
    match result.unwrap_err() {
        Error::Invalid(faults) => faults.into_iter().map(|fault| (fault.pointer, fault.code)).collect(),
        other => panic!("{other:?}"),
    }
}

fn to(text: &str) -> CommentPatch {
    CommentPatch { text: Some(text.into()), mentions: None }
}

#[test]
fn an_entry_speaks_of_a_time_up_to_5_minutes_ahead() {
    assert_eq!(entry().at, now());
    let at = |ahead| {
        let new =
            NewEntry { kind: EntryKind::Action, text: "x".into(), at: Some(now() + ahead), pinned: true };
        new.write(IncidentNumber(1), 1, ada().actor, now())
    };
    let most = SignedDuration::from_mins(5);
    assert_eq!(at(most).unwrap().at, now() + most, "it is kept as it was sent");
    let more = most + SignedDuration::from_micros(1);
    let future = [("#/at".to_owned(), FaultCode::DateInFuture)];
    assert_eq!(faults(at(more)), future);
    let patch = EntryPatch { at: Some(now() + more), ..EntryPatch::default() };
    assert_eq!(faults(patch.apply(&entry(), &ada(), now())), future);
}

#[test]
fn an_edit_keeps_who_wrote_it_and_says_who_edited_it() {
    let before = comment(&[]);
    let after =
        to("Three accounts.").apply(&before, &Default::default(), &moderator(), later()).unwrap().unwrap();
    let Note { author, edited_by, edited_date, updated_date, version, .. } = after.note.clone();
    assert_eq!((author, edited_by), (ada().actor, Some(moderator().actor)));
    assert_eq!((edited_date, updated_date, version, after.note.revision()), (Some(later()), later(), 2, 2));
    let same = to("Three accounts.").apply(&after, &Default::default(), &ben(), later());
    assert!(same.is_err(), "also what changes nothing is refused to others");
    assert_eq!(to("Three accounts.").apply(&after, &Default::default(), &ada(), later()), Ok(None));
    assert_eq!(CommentPatch::default().apply(&after, &Default::default(), &ben(), later()), Ok(None));
}

#[test]
fn only_the_author_and_holders_of_incidents_delete_change_it() {
    let refused = Err(Error::Forbidden(Scope::IncidentsDelete.into()));
    assert_eq!(to("x").apply(&comment(&[]), &Default::default(), &ben(), later()), refused);
    let text = EntryPatch { text: Some("x".into()), ..EntryPatch::default() };
    assert!(matches!(text.apply(&entry(), &ben(), later()), Err(Error::Forbidden(_))));
    assert!(text.apply(&entry(), &moderator(), later()).is_ok());
    let other_kind = Author { actor: Actor { kind: ActorKind::Client, ..ada().actor }, ..ada() };
    assert!(comment(&[]).note.check_author(&other_kind).is_err(), "a client of the same id is another actor");
    let operator = Author::new(Actor { kind: ActorKind::Operator, ..ada().actor }, "r-1");
    assert!(comment(&[]).note.check_author(&operator).is_ok());
}

/// So that a stored response is replayed only to those who have the scope.
#[test]
fn the_scope_is_noted_as_required_only_where_it_is() {
    let (own, others) = (ada(), moderator());
    for author in [&own, &others] {
        comment(&[]).note.check_author(author).unwrap();
    }
    assert_eq!(own.permissions.required(), Scopes::default());
    assert_eq!(others.permissions.required(), Scope::IncidentsDelete.into());
}

#[test]
fn everybody_pins_and_pinning_is_no_edit() {
    let pin = EntryPatch { pinned: Some(true), ..EntryPatch::default() };
    let pinned = pin.apply(&entry(), &ben(), later()).unwrap().unwrap();
    assert!(pinned.pinned);
    let Note { edited_date, edited_by, updated_date, version, .. } = pinned.note.clone();
    assert_eq!((edited_date, edited_by, updated_date, version), (None, None, later(), 2));
    assert_eq!(pinned.note.revision(), 1);
    assert_eq!(pin.apply(&pinned, &ben(), later()), Ok(None));
}

#[test]
fn a_deletion_and_a_restoration_are_no_edits() {
    let note = comment(&[]).note;
    let deleted = note.deleted_or_restored(later());
    assert_eq!((deleted.deleted_date, deleted.version, deleted.revision()), (Some(later()), 2, 1));
    let restored = deleted.deleted_or_restored(later());
    assert_eq!((restored.deleted_date, restored.version, &restored.text), (None, 3, &note.text));
}

#[test]
fn a_mention_is_a_member_and_counts_once() {
    assert_eq!(comment(&[id(5), id(4), id(5)]).mentions, [id(5), id(4)]);
    let new = |mentions: Vec<UserId>| NewComment { text: "x".into(), mentions };
    let write = |mentions, members: &[UserId]| {
        let members = members.iter().copied().collect();
        new(mentions).write(IncidentNumber(1), 1, &members, ada().actor, now())
    };
    assert_eq!(
        faults(write(vec![id(4), id(5), id(6)], &[id(5)])),
        [
            ("#/mentions/0".to_owned(), FaultCode::UnknownUser),
            ("#/mentions/2".to_owned(), FaultCode::UnknownUser),
        ]
    );
    let many: Vec<UserId> = (0..51).map(id).collect();
    assert!(write(many[..50].to_vec(), &many).is_ok());
    assert_eq!(faults(write(many.clone(), &many)), [("#/mentions".to_owned(), FaultCode::TooMany)]);
}

#[test]
fn who_was_mentioned_may_have_left_since() {
    let patch = |mentions: &[UserId]| CommentPatch { text: None, mentions: Some(mentions.to_vec()) };
    let before = comment(&[id(4)]);
    let members = [id(5)].into_iter().collect();
    let after = patch(&[id(4), id(5)]).apply(&before, &members, &ada(), later()).unwrap().unwrap();
    assert_eq!(after.mentions, [id(4), id(5)]);
    assert_eq!(
        faults(patch(&[id(4), id(6)]).apply(&before, &members, &ada(), later())),
        [("#/mentions/1".to_owned(), FaultCode::UnknownUser)]
    );
}

fn incident(restricted: bool) -> Incident {
    let opened = NewIncident::untitled().open(IncidentNumber(1), None, ada().actor, now());
    Incident { restricted, ..opened }
}

fn mention(number: u128, role: Option<Role>) -> Mention {
    Mention { person: Person { id: id(number), name: "Ben".into(), email: "ben@example.org".into() }, role }
}

#[test]
fn a_mention_of_somebody_who_does_not_see_the_incident_is_warned_about() {
    let codes = |restricted, role| {
        mention_warning(&incident(restricted), &mention(2, role)).map(|warning| warning.code)
    };
    assert_eq!(codes(false, Some(Role::Viewer)), None);
    assert_eq!(codes(true, Some(Role::Viewer)), Some("mention_without_access"));
    assert_eq!(codes(true, Some(Role::Admin)), None);
    assert_eq!(codes(false, Some(Role::Staff)), Some("mention_without_access"), "staff see their own");
    assert_eq!(codes(false, None), Some("mention_of_former_member"));
    let opener = mention_warning(&incident(true), &mention(1, Some(Role::Staff)));
    assert_eq!(opener, None);
    let reader = Incident { readers: vec![id(2)], ..incident(true) };
    assert_eq!(mention_warning(&reader, &mention(2, Some(Role::Viewer))), None);
    let warning = mention_warning(&incident(true), &mention(2, Some(Role::Viewer))).unwrap();
    assert_eq!(warning.message, "Ben does not see this incident, and the mention does not change that.");
}
