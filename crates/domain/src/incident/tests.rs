use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::actor::ActorKind;
use crate::error::Error;
use crate::fault::{Fault, FaultCode};
use crate::scope::Scopes;

fn at(minutes: i64) -> Timestamp {
    "2026-03-01T09:00:00Z".parse::<Timestamp>().unwrap() + SignedDuration::from_mins(minutes)
}

fn opener() -> Actor {
    Actor { kind: ActorKind::Client, id: "siem".into(), name: "SIEM".into() }
}

fn person(id: u128) -> Person {
    Person { id: UserId(Uuid::from_u128(id)), name: format!("P{id}"), email: format!("p{id}@x.org") }
}

fn declare(new: &NewIncident, now: Timestamp) -> crate::Result<Incident> {
    let assignee = new.check(None, now, Faults::new())?;
    Ok(new.open(IncidentNumber(1), assignee, opener(), now))
}

fn facts(assignee: Option<Person>) -> Facts {
    Facts {
        assignee,
        members: BTreeSet::new(),
        duplicate: None,
        around: Surroundings::default(),
        author: opener(),
        scopes: Scopes::all(),
    }
}

fn faults(result: crate::Result<impl std::fmt::Debug>) -> Vec<Fault> {
    match result.unwrap_err() {
        Error::Invalid(faults) => faults.into_vec(),
        other => panic!("{other:?}"),
    }
}

fn places(faults: &[Fault]) -> Vec<(&str, FaultCode)> {
    faults.iter().map(|fault| (fault.pointer.as_str(), fault.code)).collect()
}

#[test]
fn declare_now_describe_later() {
    let incident = declare(&NewIncident::untitled(), at(0)).unwrap();
    assert_eq!(incident.title, "Untitled incident");
    assert_eq!(incident.description, "");
    assert_eq!(incident.status, Status::New);
    assert_eq!((incident.created_date, incident.updated_date, incident.version), (at(0), at(0), 1));
}

#[test]
fn detected_date_defaults_to_the_moment_of_creation_or_a_later_occurred_date() {
    let with = |occurred| NewIncident { occurred_date: occurred, ..NewIncident::untitled() };
    assert_eq!(declare(&with(None), at(0)).unwrap().detected_date, at(0));
    assert_eq!(declare(&with(Some(at(-90))), at(0)).unwrap().detected_date, at(0));
    assert_eq!(declare(&with(Some(at(5))), at(0)).unwrap().detected_date, at(5));
    let given = NewIncident { detected_date: Some(at(-7)), ..with(Some(at(-90))) };
    assert_eq!(declare(&given, at(0)).unwrap().detected_date, at(-7));
}

#[test]
fn a_date_may_lie_5_minutes_ahead_and_no_further() {
    let with = |date| NewIncident {
        occurred_date: Some(date),
        detected_date: Some(date),
        responded_date: Some(date),
        contained_date: Some(date),
        ..NewIncident::untitled()
    };
    let kept = declare(&with(at(5)), at(0)).unwrap();
    assert_eq!(kept.contained_date, Some(at(5)));
    let refused = faults(declare(&with(at(5) + SignedDuration::from_micros(1)), at(0)));
    let pointers: Vec<&str> = refused.iter().map(|fault| fault.pointer.as_str()).collect();
    assert_eq!(pointers, ["#/occurred_date", "#/detected_date", "#/responded_date", "#/contained_date"]);
    assert!(refused.iter().all(|fault| fault.code == FaultCode::DateInFuture));
}

#[test]
fn nothing_is_noticed_or_contained_before_it_began() {
    let new = NewIncident {
        occurred_date: Some(at(-10)),
        detected_date: Some(at(-20)),
        contained_date: Some(at(-30)),
        ..NewIncident::untitled()
    };
    let refused = faults(declare(&new, at(0)));
    assert_eq!(
        places(&refused),
        [("#/detected_date", FaultCode::DateOrder), ("#/contained_date", FaultCode::DateOrder)]
    );
    assert_eq!(refused[1].fields, Some(["occurred_date", "contained_date"]));
    let detail = &refused[1].detail;
    assert!(detail.contains("2026-03-01T08:50:00.000000Z"), "{detail}");
    assert!(detail.contains("2026-03-01T08:30:00.000000Z"), "{detail}");
}

#[test]
fn an_odd_order_is_a_warning() {
    let new = NewIncident {
        occurred_date: Some(at(-40)),
        detected_date: Some(at(-20)),
        responded_date: Some(at(-50)),
        contained_date: Some(at(-30)),
        ..NewIncident::untitled()
    };
    let incident = declare(&new, at(0)).unwrap();
    let odd: Vec<_> = warnings(&incident.dates()).into_iter().map(|it| (it.code, it.fields)).collect();
    assert_eq!(
        odd,
        [
            ("responded_before_occurred", ["responded_date", "occurred_date"]),
            ("responded_before_detected", ["responded_date", "detected_date"]),
            ("contained_before_detected", ["contained_date", "detected_date"]),
        ]
    );
    let last = Dates { responded: Some(at(2)), contained: Some(at(1)), ..Dates::default() };
    assert_eq!(warnings(&last)[0].code, "contained_before_responded");
    let equal = Dates {
        occurred: Some(at(1)),
        detected: Some(at(1)),
        responded: Some(at(1)),
        contained: Some(at(1)),
        resolved: Some(at(1)),
        closed: Some(at(1)),
    };
    assert_eq!(warnings(&equal), []);
}

#[test]
fn a_patch_is_checked_against_the_stored_dates_and_points_at_what_was_sent() {
    let new = NewIncident {
        occurred_date: Some(at(-30)),
        detected_date: Some(at(-20)),
        contained_date: Some(at(-10)),
        ..NewIncident::untitled()
    };
    let stored = declare(&new, at(0)).unwrap();
    let later = IncidentPatch { occurred_date: crate::Change::Set(at(-5)), ..IncidentPatch::default() };
    let refused = faults(later.apply(&stored, &facts(None), at(1)));
    let occurred = ("#/occurred_date", FaultCode::DateOrder);
    assert_eq!(places(&refused), [occurred, occurred]);
    assert_eq!(refused[0].fields, Some(["occurred_date", "detected_date"]));
    assert_eq!(refused[1].fields, Some(["occurred_date", "contained_date"]));

    let earlier = IncidentPatch { detected_date: Some(at(-31)), ..IncidentPatch::default() };
    let refused = faults(earlier.apply(&stored, &facts(None), at(1)));
    assert_eq!(places(&refused), [("#/detected_date", FaultCode::DateOrder)]);

    let cleared = IncidentPatch { occurred_date: crate::Change::Clear, ..earlier };
    let changed = cleared.apply(&stored, &facts(None), at(1)).unwrap().unwrap();
    assert_eq!((changed.occurred_date, changed.detected_date), (None, at(-31)));
}

#[test]
fn a_patch_that_changes_nothing_keeps_the_version() {
    let stored = declare(&NewIncident::untitled(), at(0)).unwrap();
    assert_eq!(IncidentPatch::default().apply(&stored, &facts(None), at(1)), Ok(None));
    let same = IncidentPatch {
        title: Some(Line::stored(stored.title.clone())),
        source: crate::Change::Clear,
        assigned_to: crate::Change::Clear,
        detected_date: Some(stored.detected_date),
        ..IncidentPatch::default()
    };
    assert_eq!(same.apply(&stored, &facts(None), at(1)), Ok(None));

    let patch = IncidentPatch { source: crate::Change::Set("mail gateway".into()), ..same };
    let changed = patch.apply(&stored, &facts(None), at(1)).unwrap().unwrap();
    assert_eq!((changed.version, changed.updated_date, changed.created_date), (2, at(1), at(0)));
    assert_eq!(changed.source.as_deref(), Some("mail gateway"));
}

#[test]
fn only_a_member_is_assigned_and_every_fault_is_reported() {
    let stored = declare(&NewIncident::untitled(), at(0)).unwrap();
    let patch = IncidentPatch {
        assigned_to: crate::Change::Set(person(1).id),
        responded_date: crate::Change::Set(at(60)),
        ..IncidentPatch::default()
    };
    let refused = faults(patch.apply(&stored, &facts(None), at(1)));
    assert_eq!(
        places(&refused),
        [("#/assigned_to", FaultCode::UnknownUser), ("#/responded_date", FaultCode::DateInFuture)]
    );
    let patch = IncidentPatch { responded_date: crate::Change::Keep, ..patch };
    let assigned = patch.apply(&stored, &facts(Some(person(1))), at(1)).unwrap().unwrap();
    assert_eq!(assigned.assigned_to, Some(person(1)));

    let new = NewIncident { assigned_to: Some(person(2).id), ..NewIncident::untitled() };
    assert_eq!(
        places(&faults(new.check(None, at(0), Faults::new()))),
        [("#/assigned_to", FaultCode::UnknownUser)]
    );
    assert_eq!(new.check(Some(person(2)), at(0), Faults::new()), Ok(Some(person(2))));
}

#[test]
fn every_status_survives_a_round_trip() {
    for &status in Status::ALL {
        assert_eq!(Status::parse(status.as_str()), Some(status));
    }
}

/// A date within a few minutes of `at(0)`, so that orders collide often; or none.
fn some_date() -> impl Strategy<Value = Option<Timestamp>> {
    proptest::option::weighted(0.8, (-4_i64..8).prop_map(at))
}

prop_compose! {
    fn some_incident()(
        occurred_date in some_date(), detected_date in some_date(),
        responded_date in some_date(), contained_date in some_date(),
    ) -> NewIncident {
        NewIncident { occurred_date, detected_date, responded_date, contained_date, ..NewIncident::untitled() }
    }
}

prop_compose! {
    fn some_patch()(
        occurred_date in proptest::option::of(some_date()), detected_date in proptest::option::of((-4_i64..8).prop_map(at)),
        responded_date in proptest::option::of(some_date()), contained_date in proptest::option::of(some_date()),
    ) -> IncidentPatch {
        IncidentPatch {
            occurred_date: occurred_date.into(),
            detected_date,
            responded_date: responded_date.into(),
            contained_date: contained_date.into(),
            ..IncidentPatch::default()
        }
    }
}

/// The table of the rules, read as a person would, for a record at rest.
fn possible(incident: &Incident, now: Timestamp) -> bool {
    let dates = [
        incident.occurred_date,
        Some(incident.detected_date),
        incident.responded_date,
        incident.contained_date,
    ];
    let in_time = dates.iter().flatten().all(|date| *date <= now + SignedDuration::from_mins(5));
    let began_first = incident.occurred_date.is_none_or(|occurred| {
        incident.detected_date >= occurred
            && incident.contained_date.is_none_or(|contained| contained >= occurred)
    });
    in_time && began_first
}

proptest! {
    #[test]
    fn a_declared_incident_is_possible_and_every_possible_one_can_be_declared(new in some_incident()) {
        let unchecked = new.open(IncidentNumber(1), None, opener(), at(0));
        prop_assert_eq!(new.check(None, at(0), Faults::new()).is_ok(), possible(&unchecked, at(0)));
    }

    #[test]
    fn a_change_keeps_an_incident_possible(new in some_incident(), patch in some_patch()) {
        let Ok(stored) = declare(&new, at(0)) else { return Ok(()) };
        let merged = Incident {
            occurred_date: patch.occurred_date.of(&stored.occurred_date),
            detected_date: patch.detected_date.unwrap_or(stored.detected_date),
            responded_date: patch.responded_date.of(&stored.responded_date),
            contained_date: patch.contained_date.of(&stored.contained_date),
            ..stored.clone()
        };
        match patch.apply(&stored, &facts(None), at(0)) {
            Ok(None) => prop_assert_eq!(merged, stored),
            Ok(Some(changed)) => {
                prop_assert!(possible(&changed, at(0)));
                prop_assert_ne!(&merged, &stored);
                prop_assert_eq!(changed.dates(), merged.dates());
            }
            Err(Error::Invalid(faults)) => {
                prop_assert!(!possible(&merged, at(0)));
                for fault in faults {
                    let field = DateField::ALL.into_iter().find(|it| fault.pointer == format!("#/{}", it.name()));
                    let sent = match field.unwrap() {
                        DateField::Occurred => patch.occurred_date.is_sent(),
                        DateField::Detected => patch.detected_date.is_some(),
                        DateField::Responded => patch.responded_date.is_sent(),
                        DateField::Contained => patch.contained_date.is_sent(),
                        DateField::Resolved | DateField::Closed => false,
                    };
                    prop_assert!(sent, "{} was not sent", fault.pointer);
                }
            }
            Err(other) => prop_assert!(false, "{other:?}"),
        }
    }
}
