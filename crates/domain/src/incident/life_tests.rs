//! The life of an incident: the table of the document, what each step needs and sets, and histories of random changes.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::Status::{Closed, Contained, Dismissed, Investigating, New, Resolved};
use super::*;
use crate::actor::ActorKind;
use crate::error::Error;
use crate::fault::FaultCode;
use crate::scope::{Scope, Scopes};
use crate::severity::StatedSeverity;

pub(super) fn at(minutes: i64) -> Timestamp {
    "2026-03-01T09:00:00Z".parse::<Timestamp>().unwrap() + SignedDuration::from_mins(minutes)
}

fn responder() -> Actor {
    Actor { kind: ActorKind::Client, id: "bwc_1".into(), name: "Responder".into() }
}

fn declared() -> Incident {
    NewIncident::untitled().open(IncidentNumber(1), None, responder(), at(0))
}

pub(super) fn facts() -> Facts {
    Facts {
        assignee: None,
        members: BTreeSet::new(),
        duplicate: None,
        around: Surroundings::default(),
        author: responder(),
        scopes: Scope::IncidentsWrite.into(),
    }
}

/// A call that asks for a status, with everything that any step needs.
pub(super) fn full(to: Status) -> IncidentPatch {
    let resolution_reason = match to {
        Resolved => Some(ResolutionReason::Fixed),
        Dismissed => Some(ResolutionReason::FalsePositive),
        _ => None,
    };
    IncidentPatch {
        status: Some(to),
        reason: Some("Because.".into()),
        resolution_reason,
        ..IncidentPatch::default()
    }
}

/// An incident in this status.
pub(super) fn in_status(status: Status) -> Incident {
    let path: &[Status] = match status {
        New => &[],
        Investigating => &[Investigating],
        Contained => &[Investigating, Contained],
        Resolved => &[Investigating, Contained, Resolved],
        Closed => &[Investigating, Contained, Resolved, Closed],
        Dismissed => &[Investigating, Dismissed],
    };
    path.iter().zip(1..).fold(closable(declared()), |incident, (to, minute)| {
        full(*to).apply(&incident, &facts(), at(minute)).unwrap().unwrap()
    })
}

fn closable(incident: Incident) -> Incident {
    Incident { severity: Severity::Medium, resolution_summary: Some("Done.".into()), ..incident }
}

pub(super) fn pointers(result: crate::Result<Option<Incident>>) -> Vec<(String, FaultCode)> {
    match result.unwrap_err() {
        Error::Invalid(faults) => faults.into_iter().map(|fault| (fault.pointer, fault.code)).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_steps_are_those_of_the_table() {
    // One line for each status, with the others in order: ahead, back, reopening, or no step.
    let expected = [
        (New, "- a a a n a"),
        (Investigating, "n - a a n a"),
        (Contained, "n b - a n a"),
        (Resolved, "n r r - a n"),
        (Closed, "n r n n - n"),
        (Dismissed, "b r n n n -"),
    ];
    for (from, line) in expected {
        let found: Vec<&str> = Status::ALL
            .iter()
            .map(|to| match Step::between(from, *to).map(|step| step.direction) {
                _ if from == *to => "-",
                None => "n",
                Some(Direction::Ahead) => "a",
                Some(Direction::Back) => "b",
                Some(Direction::Reopening) => "r",
            })
            .collect();
        assert_eq!(found.join(" "), line, "{from}");
    }
}

#[test]
fn no_status_is_without_a_way_out() {
    for from in Status::ALL {
        for incident in [in_status(*from), Incident { responded_date: Some(at(0)), ..in_status(*from) }] {
            let ways = options(&incident, &Surroundings::default(), Scopes::all());
            assert!(ways.iter().any(|way| way.permitted), "{from}: {ways:?}");
            assert_eq!(ways.len(), 5);
        }
    }
}

#[test]
fn a_step_that_is_not_in_the_table_names_those_that_are() {
    let refused = full(Closed).apply(&declared(), &facts(), at(1)).unwrap_err();
    let allowed = vec![Investigating, Contained, Resolved, Dismissed];
    assert_eq!(refused, Error::TransitionNotAllowed { from: New, to: Closed, allowed });
    assert_eq!(
        not_allowed(New, Closed, &[Investigating, Dismissed]),
        "An incident that is new cannot become closed. It can become investigating or dismissed."
    );
    // Somebody has responded before it was dismissed.
    let refused = full(New).apply(&in_status(Dismissed), &facts(), at(9)).unwrap_err();
    assert_eq!(
        refused,
        Error::TransitionNotAllowed { from: Dismissed, to: New, allowed: vec![Investigating] }
    );
}

#[test]
fn each_stage_sets_its_date_once_and_a_skipped_one_none() {
    let taken = full(Investigating).apply(&declared(), &facts(), at(1)).unwrap().unwrap();
    assert_eq!((taken.responded_date, taken.contained_date), (Some(at(1)), None));
    let resolved = full(Resolved).apply(&taken, &facts(), at(2)).unwrap().unwrap();
    assert_eq!((resolved.contained_date, resolved.resolved_date), (None, Some(at(2))));
    let known = Incident { responded_date: Some(at(-5)), ..declared() };
    let taken = full(Investigating).apply(&known, &facts(), at(1)).unwrap().unwrap();
    assert_eq!(taken.responded_date, Some(at(-5)));
    let earlier = IncidentPatch { at: Some(at(0)), ..full(Contained) };
    let contained = earlier.apply(&declared(), &facts(), at(7)).unwrap().unwrap();
    assert_eq!(
        (contained.contained_date, contained.status_date(), contained.updated_date),
        (Some(at(0)), at(0), at(7))
    );
}

#[test]
fn a_step_names_what_it_needs() {
    let bare = |to| IncidentPatch { status: Some(to), ..IncidentPatch::default() };
    let required = |pointer: &str| (pointer.to_owned(), FaultCode::Required);
    assert_eq!(
        pointers(bare(Resolved).apply(&declared(), &facts(), at(1))),
        [required("#/resolution_reason"), required("#/responded_date")]
    );
    assert_eq!(
        pointers(bare(Dismissed).apply(&declared(), &facts(), at(1))),
        [required("#/resolution_reason")]
    );
    for (from, to) in [
        (Resolved, Investigating),
        (Resolved, Contained),
        (Closed, Investigating),
        (Dismissed, Investigating),
    ] {
        assert_eq!(
            pointers(bare(to).apply(&in_status(from), &facts(), at(9))),
            [required("#/reason")],
            "{from}"
        );
    }
    let other = IncidentPatch { resolution_reason: Some(ResolutionReason::Other), ..bare(Resolved) };
    assert_eq!(pointers(other.apply(&in_status(Contained), &facts(), at(9))), [required("#/reason")]);
    let grave = Incident { severity: Severity::High, ..declared() };
    let dismiss = IncidentPatch { reason: None, ..full(Dismissed) };
    assert_eq!(pointers(dismiss.apply(&grave, &facts(), at(1))), [required("#/reason")]);
    assert!(dismiss.apply(&declared(), &facts(), at(1)).is_ok());
    let wrong = IncidentPatch { resolution_reason: Some(ResolutionReason::Fixed), ..bare(Dismissed) };
    assert_eq!(
        pointers(wrong.apply(&declared(), &facts(), at(1))),
        [("#/resolution_reason".to_owned(), FaultCode::NotInStatus)]
    );
}

#[test]
fn a_duplicate_names_the_incident_that_stands_for_it() {
    let dismiss = IncidentPatch { resolution_reason: Some(ResolutionReason::Duplicate), ..full(Dismissed) };
    let named = IncidentPatch { duplicate_of: Some(IncidentNumber(7)), ..dismiss.clone() };
    let with = |duplicate| Facts { duplicate, ..facts() };
    let code = |patch: &IncidentPatch, duplicate| pointers(patch.apply(&declared(), &with(duplicate), at(1)));
    let fault = |code| vec![("#/duplicate_of".to_owned(), code)];
    assert_eq!(code(&dismiss, None), fault(FaultCode::Required));
    assert_eq!(code(&named, Some(DuplicateTarget::Unknown)), fault(FaultCode::UnknownIncident));
    assert_eq!(code(&named, Some(DuplicateTarget::Cycle)), fault(FaultCode::DuplicateCycle));
    let stray = IncidentPatch { duplicate_of: Some(IncidentNumber(7)), ..full(Dismissed) };
    assert_eq!(code(&stray, Some(DuplicateTarget::Valid)), fault(FaultCode::NotInStatus));
    let dismissed = named.apply(&declared(), &with(Some(DuplicateTarget::Valid)), at(1)).unwrap().unwrap();
    assert_eq!(dismissed.duplicate_of, Some(IncidentNumber(7)));
    let reopened = full(Investigating).apply(&dismissed, &facts(), at(2)).unwrap().unwrap();
    assert_eq!((reopened.duplicate_of, reopened.resolution_reason), (None, None));
    let spell = Spell::between(&dismissed, &reopened);
    assert_eq!((spell.duplicate_of, spell.is_reopening), (Some(IncidentNumber(7)), true));
}

#[test]
fn closing_requires_what_the_gate_names() {
    use Requirement::{
        MandatoryTasksOpen, ResolutionSummaryMissing, ReviewNotPublished, SeverityUndetermined,
    };
    let resolved = in_status(Resolved);
    let bare = Incident { severity: Severity::Undetermined, resolution_summary: None, ..resolved.clone() };
    let close = IncidentPatch { reason: None, ..full(Closed) };
    let tasks = Facts { around: Surroundings { open_mandatory_tasks: 2, has_review: false }, ..facts() };
    assert_eq!(
        close.apply(&bare, &tasks, at(9)),
        Err(Error::CloseRequirements(vec![
            SeverityUndetermined,
            ResolutionSummaryMissing,
            MandatoryTasksOpen
        ]))
    );
    let grave = Incident { severity: Severity::Critical, ..resolved.clone() };
    assert_eq!(close.apply(&grave, &facts(), at(9)), Err(Error::CloseRequirements(vec![ReviewNotPublished])));
    let reviewed = Facts { around: Surroundings { open_mandatory_tasks: 0, has_review: true }, ..facts() };
    assert!(close.apply(&grave, &reviewed, at(9)).is_ok());
    let drill = Incident { kind: Kind::Drill, ..grave.clone() };
    assert!(close.apply(&drill, &facts(), at(9)).is_ok());

    let forced = IncidentPatch { is_override: true, ..close };
    assert_eq!(forced.apply(&grave, &facts(), at(9)), Err(Error::Forbidden(Scope::IncidentsOverride.into())));
    let may = Facts { scopes: Scopes::all(), ..facts() };
    assert_eq!(pointers(forced.apply(&grave, &may, at(9))), [("#/reason".to_owned(), FaultCode::Required)]);
    let explained = IncidentPatch { reason: Some("The board wants it.".into()), ..forced };
    let closed = explained.apply(&grave, &may, at(9)).unwrap().unwrap();
    assert_eq!((closed.status, closed.overridden), (Closed, vec![ReviewNotPublished]));
}

#[test]
fn a_closed_incident_keeps_what_closing_required() {
    let closed = Incident { kind: Kind::Drill, severity: Severity::Critical, ..in_status(Closed) };
    let grave = IncidentPatch {
        severity: Some(StatedSeverity::manual(Severity::High, "Two sites.".into())),
        ..IncidentPatch::default()
    };
    let real = IncidentPatch { kind: Some(Kind::Real), ..IncidentPatch::default() };
    let refused = Err(Error::ClosedRequirements(vec![Requirement::ReviewNotPublished]));
    let low = Incident { kind: Kind::Real, severity: Severity::Low, ..closed.clone() };
    assert_eq!(grave.apply(&low, &facts(), at(20)), refused);
    assert_eq!(real.apply(&closed, &facts(), at(20)), refused);
    assert!(grave.apply(&closed, &facts(), at(20)).is_ok(), "a drill needs no review");
    let reviewed = Facts { around: Surroundings { open_mandatory_tasks: 0, has_review: true }, ..facts() };
    assert!(real.apply(&closed, &reviewed, at(20)).is_ok());
    // What was missing when it was closed is no reason to refuse another change.
    let forced = Incident { kind: Kind::Real, overridden: vec![Requirement::ReviewNotPublished], ..closed };
    assert!(grave.apply(&forced, &facts(), at(20)).is_ok());
    for (patch, incident) in [(&grave, &low), (&real, &forced)] {
        assert!(patch.depends_on_surroundings(incident.status));
    }
    assert!(!IncidentPatch::default().depends_on_surroundings(Closed));
    assert!(!real.depends_on_surroundings(Resolved));
}

#[test]
fn a_step_back_keeps_what_stood_and_clears_what_belongs_after() {
    let closed = in_status(Closed);
    let reopened = full(Investigating).apply(&closed, &facts(), at(20)).unwrap().unwrap();
    assert_eq!(
        (
            reopened.contained_date,
            reopened.resolved_date,
            reopened.closed_date,
            reopened.resolution_summary.clone()
        ),
        (None, None, None, None)
    );
    assert_eq!(reopened.responded_date, closed.responded_date);
    assert_eq!(
        (reopened.first_contained_date(), reopened.first_resolved_date()),
        (closed.contained_date, closed.resolved_date)
    );
    assert_eq!((reopened.reopen_count, reopened.last_step_back), (1, Some(reopened.version)));
    let spell = Spell::between(&closed, &reopened);
    assert_eq!((spell.from, spell.to, spell.at), (Closed, Investigating, at(20)));
    assert_eq!(
        (spell.contained_date, spell.resolved_date, spell.closed_date, spell.resolution_summary),
        (closed.contained_date, closed.resolved_date, closed.closed_date, closed.resolution_summary)
    );
    // Contained once more: the first date stays.
    let again = full(Contained).apply(&reopened, &facts(), at(30)).unwrap().unwrap();
    assert_eq!((again.contained_date, again.first_contained_date()), (Some(at(30)), closed.contained_date));

    let failed = full(Investigating).apply(&in_status(Contained), &facts(), at(20)).unwrap().unwrap();
    assert_eq!((failed.reopen_count, failed.contained_date), (0, None));
    assert_eq!(failed.last_step_back, Some(failed.version));
}

#[test]
fn any_transition_ends_a_pause() {
    let hold = IncidentPatch {
        hold: crate::Change::Set(NewHold { until: Some(at(60)), reason: "Waiting for the vendor.".into() }),
        ..IncidentPatch::default()
    };
    let held = hold.apply(&in_status(Investigating), &facts(), at(5)).unwrap().unwrap();
    assert_eq!(held.status, Investigating);
    assert_eq!(held.hold_at(at(59)).map(|hold| hold.since), Some(at(5)));
    assert_eq!(held.hold_at(at(60)), None);
    assert_eq!(hold.apply(&held, &facts(), at(6)), Ok(None), "the same pause again");
    let longer = IncidentPatch {
        hold: crate::Change::Set(NewHold { until: None, reason: "Still waiting.".into() }),
        ..IncidentPatch::default()
    };
    let longer = longer.apply(&held, &facts(), at(6)).unwrap().unwrap();
    assert_eq!(longer.hold.unwrap().since, at(5));
    assert_eq!(full(Contained).apply(&held, &facts(), at(7)).unwrap().unwrap().hold, None);
    let fault = |incident: &Incident, now| pointers(hold.apply(incident, &facts(), now));
    assert_eq!(fault(&in_status(Closed), at(5)), [("#/hold".to_owned(), FaultCode::NotInStatus)]);
    assert_eq!(fault(&in_status(New), at(60)), [("#/hold/until".to_owned(), FaultCode::Range)]);
}

#[test]
fn the_same_status_again_changes_nothing() {
    for status in Status::ALL {
        let same = IncidentPatch { status: Some(*status), ..IncidentPatch::default() };
        assert_eq!(same.apply(&in_status(*status), &facts(), at(9)), Ok(None), "{status}");
    }
}

#[test]
fn dates_of_an_end_are_changed_only_while_it_lasts() {
    let patch =
        IncidentPatch { resolved_date: Some(at(4)), closed_date: Some(at(6)), ..IncidentPatch::default() };
    let fault = |pointer: &str| (pointer.to_owned(), FaultCode::NotInStatus);
    assert_eq!(
        pointers(patch.apply(&in_status(Investigating), &facts(), at(9))),
        [fault("#/resolved_date"), fault("#/closed_date")]
    );
    assert_eq!(pointers(patch.apply(&in_status(Resolved), &facts(), at(9))), [fault("#/closed_date")]);
    let changed = patch.apply(&in_status(Closed), &facts(), at(9)).unwrap().unwrap();
    assert_eq!((changed.resolved_date, changed.closed_date), (Some(at(4)), Some(at(6))));
    let cleared = IncidentPatch {
        responded_date: crate::Change::Clear,
        contained_date: crate::Change::Clear,
        ..IncidentPatch::default()
    };
    assert_eq!(
        pointers(cleared.apply(&in_status(Investigating), &facts(), at(9))),
        [fault("#/responded_date")]
    );
    assert_eq!(pointers(cleared.apply(&in_status(Contained), &facts(), at(9))), [fault("#/contained_date")]);
}

#[test]
fn who_sees_an_incident_is_changed_by_those_who_see_it_restricted() {
    let stranger = Facts { author: Actor { id: "bwc_2".into(), ..responder() }, ..facts() };
    let restrict = IncidentPatch { restricted: Some(true), ..IncidentPatch::default() };
    assert_eq!(
        restrict.apply(&declared(), &stranger, at(1)),
        Err(Error::Forbidden(Scope::IncidentsRestricted.into()))
    );
    let restricted = restrict.apply(&declared(), &facts(), at(1)).unwrap().unwrap();
    assert!(!Viewer::new(&stranger.author, stranger.scopes).sees_incident(&restricted));
    assert!(Viewer::new(&responder(), stranger.scopes).sees_incident(&restricted));
    assert!(Viewer::new(&stranger.author, Scope::IncidentsRestricted.into()).sees_incident(&restricted));
    let user = UserId(uuid::Uuid::from_u128(9));
    let person = Actor { kind: ActorKind::User, id: user.to_string(), name: "Ada".into() };
    assert!(!Viewer::new(&person, Scope::IncidentsRead.into()).sees_incident(&restricted));
    let shared = Incident { readers: vec![user], ..restricted };
    assert!(Viewer::new(&person, Scope::IncidentsRead.into()).sees_incident(&shared));
    assert!(
        !Viewer::new(&person, Scope::IncidentsDeclare.into()).sees_incident(&shared),
        "it was declared by another"
    );
}

pub(super) fn some_patch() -> impl Strategy<Value = IncidentPatch> {
    let date = || proptest::option::weighted(0.2, (-30_i64..90).prop_map(at));
    let patched =
        || proptest::option::weighted(0.2, proptest::option::weighted(0.7, (-30_i64..90).prop_map(at)));
    (
        (proptest::option::weighted(0.8, prop::sample::select(Status::ALL)), date(), any::<bool>()),
        (patched(), patched(), date(), date()),
        proptest::option::weighted(0.6, prop::sample::select(ResolutionReason::ALL)),
        (any::<bool>(), any::<bool>(), proptest::option::weighted(0.3, prop::sample::select(Severity::ALL))),
    )
        .prop_map(
            |((status, at, has_reason), (responded, contained, resolved, closed), resolution, more)| {
                let (has_summary, is_override, _) = more;
                let is_duplicate = resolution == Some(ResolutionReason::Duplicate);
                IncidentPatch {
                    status,
                    at: at.filter(|_| status.is_some()),
                    reason: has_reason.then(|| "Because.".into()),
                    responded_date: responded.into(),
                    contained_date: contained.into(),
                    resolved_date: resolved,
                    closed_date: closed,
                    resolution_reason: resolution,
                    duplicate_of: is_duplicate.then_some(IncidentNumber(2)),
                    resolution_summary: has_summary.then(|| Some("Done.".into())).into(),
                    is_override,
                    ..IncidentPatch::default()
                }
            },
        )
}

/// Whether the dates are in the order of the document.
fn is_ordered(it: &Incident) -> bool {
    let before = |first: Option<Timestamp>, second: Option<Timestamp>| !matches!((first, second), (Some(a), Some(b)) if b < a);
    let (occurred, detected) = (it.occurred_date, Some(it.detected_date));
    [detected, it.contained_date, it.resolved_date, it.closed_date]
        .iter()
        .all(|later| before(occurred, *later))
        && [it.contained_date, detected].iter().all(|first| before(*first, it.resolved_date))
        && [it.resolved_date, detected, it.contained_date, it.responded_date]
            .iter()
            .all(|first| before(*first, it.closed_date))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// No sequence of changes breaks the order of the dates, loses a date, skips the gate, or leaves a status without a way
    /// out.
    #[test]
    fn histories_keep_the_rules(
        patches in proptest::collection::vec(some_patch(), 1..25),
        severity in prop::sample::select(Severity::ALL),
        scopes in prop::sample::select(&[Scope::IncidentsWrite, Scope::IncidentsOverride]),
    ) {
        let facts = Facts { duplicate: Some(DuplicateTarget::Valid), scopes: scopes.into(), ..facts() };
        let mut states = vec![Incident { severity, ..declared() }];
        for (patch, minute) in patches.iter().zip(1_i64..) {
            let before = states.last().unwrap().clone();
            let Ok(Some(after)) = patch.apply(&before, &facts, at(minute)) else { continue };
            prop_assert!(is_ordered(&after), "{after:?}");
            prop_assert_eq!(after.version, before.version + 1);
            match after.status {
                Resolved => prop_assert!(after.resolved_date.is_some() && after.resolution_reason.is_some()),
                Dismissed => prop_assert!(after.closed_date.is_some() && after.resolution_reason.is_some()),
                Closed => prop_assert!(after.closed_date.is_some() && after.resolved_date.is_some()),
                New | Investigating | Contained => {
                    prop_assert!(after.resolved_date.is_none() && after.closed_date.is_none());
                }
            }
            if after.status != before.status {
                let step = Step::between(before.status, after.status).unwrap();
                let last = if step.is_back() { Some(after.version) } else { before.last_step_back };
                prop_assert_eq!(after.last_step_back, last);
                if after.status == Closed {
                    prop_assert!(missing(&after, &facts.around) == after.overridden);
                    prop_assert!(after.overridden.is_empty() || scopes == Scope::IncidentsOverride);
                }
            }
            // A date is gone only where it was cleared by hand, or where a spell has it.
            for field in DateField::ALL {
                let is_lost = before.dates().get(field).is_some() && after.dates().get(field).is_none();
                let is_kept = after.last_step_back == Some(after.version);
                let by_hand = match field {
                    DateField::Occurred => patch.occurred_date == crate::Change::Clear,
                    DateField::Responded => patch.responded_date == crate::Change::Clear,
                    DateField::Contained => patch.contained_date == crate::Change::Clear,
                    _ => false,
                };
                prop_assert!(!is_lost || is_kept || by_hand, "{field:?} of {after:?}");
            }
            let ways = options(&after, &facts.around, Scopes::all());
            prop_assert!(ways.iter().any(|way| way.permitted), "{after:?}");
            states.push(after);
        }
    }
}

#[test]
fn what_goes_back_is_the_same_in_the_table_and_beside_it() {
    for step in STEPS {
        let back = Step::back(step.from, step.to).map(|it| it.direction);
        assert_eq!(back, Some(step.direction).filter(|_| step.is_back()), "{step:?}");
    }
}
