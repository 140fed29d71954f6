use jiff::SignedDuration;

use super::*;
use crate::actor::ActorKind;
use crate::fault::{FaultCode, Faults};
use crate::ids::{IncidentNumber, UserId};
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

fn prose(text: &str) -> Prose {
    Prose::new(text.to_owned(), "", &mut Faults::new()).unwrap()
}

fn comment(mentions: &[UserId]) -> Note {
    let new = NewNote {
        mentions: Some(mentions.to_vec()),
        ..NewNote::of(NoteKind::Comment, prose("Two accounts."))
    };
    let members = mentions.iter().copied().collect();
    new.write(1, &members, &ada(), now()).unwrap()
}

fn action() -> Note {
    let new = NewNote::of(NoteKind::Action, prose("Blocked."));
    new.write(1, &Default::default(), &ada(), now()).unwrap()
}

fn faults<T: std::fmt::Debug>(result: Result<T>) -> Vec<(String, FaultCode)> {
    match result.unwrap_err() {
        Error::Invalid(faults) => faults.into_iter().map(|fault| (fault.pointer, fault.code)).collect(),
        other => panic!("{other:?}"),
    }
}

fn to(text: &str) -> NotePatch {
    NotePatch { text: Some(prose(text)), ..NotePatch::default() }
}

/// The state after a change by somebody, without new mentions.
fn change(patch: &NotePatch, before: &Note, by: &Author) -> Result<Option<Note>> {
    patch.apply(before, &Default::default(), by, later())
}

#[test]
fn a_note_speaks_of_a_time_up_to_5_minutes_ahead() {
    assert_eq!(action().at, now());
    let at = |ahead| {
        let new = NewNote { at: Some(now() + ahead), ..NewNote::of(NoteKind::Action, prose("x")) };
        new.write(1, &Default::default(), &ada(), now())
    };
    let most = SignedDuration::from_mins(5);
    assert_eq!(at(most).unwrap().at, now() + most, "it is kept as it was sent");
    let more = most + SignedDuration::from_micros(1);
    let future = [("#/at".to_owned(), FaultCode::DateInFuture)];
    assert_eq!(faults(at(more)), future);
    let patch = NotePatch { at: Some(now() + more), ..NotePatch::default() };
    assert_eq!(faults(patch.apply(&action(), &Default::default(), &ada(), now())), future);
}

#[test]
fn a_member_of_other_kinds_is_refused_and_the_fault_names_the_kind() {
    let not_of_kind = |pointer: &str| (pointer.to_owned(), FaultCode::NotOfKind);
    for kind in NoteKind::ALL {
        let new = NewNote {
            at: Some(now()),
            pinned: Some(false),
            mentions: Some(Vec::new()),
            ..NewNote::of(*kind, prose("x"))
        };
        let expected = match kind {
            NoteKind::Comment => vec![not_of_kind("#/at"), not_of_kind("#/pinned")],
            _ => vec![not_of_kind("#/mentions")],
        };
        assert_eq!(faults(new.write(1, &Default::default(), &ada(), now())), expected);
    }
    let patch = NotePatch { pinned: Some(true), ..NotePatch::default() };
    let refused = change(&patch, &comment(&[]), &ada()).unwrap_err();
    let Error::Invalid(found) = refused else { panic!("{refused:?}") };
    assert_eq!(found[0].sentence(), "Pinned does not belong to a note of the kind comment.");
}

#[test]
fn a_kind_changes_only_among_those_of_the_timeline() {
    let kind = |kind| NotePatch { kind: Some(kind), ..NotePatch::default() };
    let changed = change(&kind(NoteKind::Decision), &action(), &ada()).unwrap().unwrap();
    assert_eq!((changed.kind, changed.revision()), (NoteKind::Decision, 2));
    let refused = [("#/kind".to_owned(), FaultCode::NotOfKind)];
    assert_eq!(faults(change(&kind(NoteKind::Comment), &action(), &ada())), refused);
    assert_eq!(faults(change(&kind(NoteKind::Action), &comment(&[]), &ada())), refused);
    assert_eq!(change(&kind(NoteKind::Comment), &comment(&[]), &ada()), Ok(None));
}

#[test]
fn who_only_declares_incidents_writes_comments_alone() {
    let staff = person(4, Scope::IncidentsDeclare.into());
    let write = |kind, by: &Author| NewNote::of(kind, prose("x")).write(1, &Default::default(), by, now());
    let own = write(NoteKind::Comment, &staff).unwrap();
    assert!(change(&to("y"), &own, &staff).is_ok());
    for kind in NoteKind::ALL.iter().filter(|kind| **kind != NoteKind::Comment) {
        assert_eq!(write(*kind, &staff), Err(Error::Forbidden(Scope::IncidentsWrite.into())));
        assert!(write(*kind, &ada()).is_ok());
    }
    let viewer = person(5, Scope::IncidentsRead.into());
    assert!(matches!(write(NoteKind::Comment, &viewer), Err(Error::ForbiddenWithoutAny(_))));
    let pin = NotePatch { pinned: Some(true), ..NotePatch::default() };
    assert_eq!(change(&pin, &action(), &staff), Err(Error::Forbidden(Scope::IncidentsWrite.into())));
}

#[test]
fn an_edit_keeps_who_wrote_it_and_says_who_edited_it() {
    let before = comment(&[]);
    let after = change(&to("Three accounts."), &before, &moderator()).unwrap().unwrap();
    let Note { author, edited_by, edited_date, updated_date, version, .. } = after.clone();
    assert_eq!((author, edited_by), (ada().actor, Some(moderator().actor)));
    assert_eq!((edited_date, updated_date, version, after.revision()), (Some(later()), later(), 2, 2));
    let same = change(&to("Three accounts."), &after, &ben());
    assert!(same.is_err(), "also what changes nothing is refused to others");
    assert_eq!(change(&to("Three accounts."), &after, &ada()), Ok(None));
    assert_eq!(change(&NotePatch::default(), &after, &ben()), Ok(None));
}

#[test]
fn only_the_author_and_holders_of_incidents_delete_change_it() {
    let refused = Err(Error::Forbidden(Scope::IncidentsDelete.into()));
    for note in [comment(&[]), action()] {
        assert_eq!(change(&to("x"), &note, &ben()), refused);
        assert!(change(&to("x"), &note, &moderator()).is_ok());
    }
    let other_kind = Author { actor: Actor { kind: ActorKind::Client, ..ada().actor }, ..ada() };
    assert!(comment(&[]).check_author(&other_kind).is_err(), "a client of the same id is another actor");
    let operator = Author::new(Actor { kind: ActorKind::Operator, ..ada().actor }, "r-1");
    assert!(comment(&[]).check_author(&operator).is_ok());
}

/// So that a stored response is replayed only to those who have the scope.
#[test]
fn the_scope_is_noted_as_required_only_where_it_is() {
    let (own, others) = (ada(), moderator());
    for author in [&own, &others] {
        comment(&[]).check_author(author).unwrap();
    }
    assert_eq!(own.permissions.required(), Scopes::default());
    assert_eq!(others.permissions.required(), Scope::IncidentsDelete.into());
}

#[test]
fn everybody_pins_and_pinning_is_no_edit() {
    let pin = NotePatch { pinned: Some(true), ..NotePatch::default() };
    let pinned = change(&pin, &action(), &ben()).unwrap().unwrap();
    assert!(pinned.pinned);
    let Note { edited_date, edited_by, updated_date, version, .. } = pinned.clone();
    assert_eq!((edited_date, edited_by, updated_date, version), (None, None, later(), 2));
    assert_eq!(pinned.revision(), 1);
    assert_eq!(change(&pin, &pinned, &ben()), Ok(None));
}

#[test]
fn a_deletion_and_a_restoration_are_no_edits() {
    let note = comment(&[]);
    let deleted = note.deleted_or_restored(later());
    assert_eq!((deleted.deleted_date, deleted.version, deleted.revision()), (Some(later()), 2, 1));
    let restored = deleted.deleted_or_restored(later());
    assert_eq!((restored.deleted_date, restored.version, &restored.text), (None, 3, &note.text));
}

#[test]
fn a_mention_is_a_member_and_counts_once() {
    assert_eq!(comment(&[id(5), id(4), id(5)]).mentions, [id(5), id(4)]);
    let write = |mentions: Vec<UserId>, members: &[UserId]| {
        let new = NewNote { mentions: Some(mentions), ..NewNote::of(NoteKind::Comment, prose("x")) };
        new.write(1, &members.iter().copied().collect(), &ada(), now())
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
    let patch = |mentions: &[UserId]| NotePatch { mentions: Some(mentions.to_vec()), ..NotePatch::default() };
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
    let person = Person { id: id(number), name: "Ben".into(), email: "ben@example.org".into() };
    Mention { person, scopes: role.map(Role::scopes) }
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

#[test]
fn an_address_is_mentioned_where_it_follows_an_at_sign_that_begins_a_word() {
    let found = |text: &'static str| addresses(text).map(|(_, address)| address).collect::<Vec<_>>();
    assert_eq!(found("@ada@x.org, see (@ben.nye@y.example)."), ["ada@x.org", "ben.nye@y.example"]);
    assert_eq!(found("Ask **@ada@x.org**\n@ben@y.org"), ["ada@x.org", "ben@y.org"]);
    assert_eq!(found("ada@x.org wrote a@b@c, @ada and @ and @@"), Vec::<&str>::new());
    assert_eq!(addresses("é @a@b.org").collect::<Vec<_>>(), [(3, "a@b.org")]);
}
