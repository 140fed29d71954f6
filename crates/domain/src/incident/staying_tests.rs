//! A status that stays, beside a model of what may be sent with it.

use std::collections::BTreeSet;

use jiff::Timestamp;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;

use super::Status::{Closed, Dismissed, Resolved};
use super::life_tests::{at, facts, full, in_status, pointers, some_patch};
use super::*;
use crate::change::Change;
use crate::error::Error;
use crate::fault::FaultCode::{self, DuplicateCycle, NotInStatus, Required, UnknownIncident};
use crate::scope::Scopes;
use crate::text::{Line, Prose};

const ORIGINAL: IncidentNumber = IncidentNumber(7);

fn same(incident: &Incident) -> IncidentPatch {
    IncidentPatch { status: Some(incident.status), ..IncidentPatch::default() }
}

/// A duplicate of [`ORIGINAL`], dismissed without a reason.
fn duplicate() -> Incident {
    Incident {
        resolution_reason: Some(ResolutionReason::Duplicate),
        duplicate_of: Some(ORIGINAL),
        status_reason: None,
        ..in_status(Dismissed)
    }
}

fn applied(
    patch: &IncidentPatch,
    incident: &Incident,
    target: DuplicateTarget,
) -> crate::Result<Option<Incident>> {
    let duplicate = patch.duplicate_of.map(|_| target);
    patch.apply(incident, &Facts { duplicate, scopes: Scopes::all(), ..facts() }, at(99))
}

#[test]
fn a_duplicate_that_stays_has_an_original_that_can_stand_for_it() {
    let to = |number| IncidentPatch { duplicate_of: Some(IncidentNumber(number)), ..same(&duplicate()) };
    for (target, code) in [
        (DuplicateTarget::Unknown, UnknownIncident),
        (DuplicateTarget::Hidden, UnknownIncident),
        (DuplicateTarget::Cycle, DuplicateCycle),
    ] {
        let found = pointers(applied(&to(8), &duplicate(), target));
        assert_eq!(found, [("#/duplicate_of".to_owned(), code)], "{target:?}");
    }
    let after = applied(&to(8), &duplicate(), DuplicateTarget::Valid).unwrap().unwrap();
    assert_eq!((after.duplicate_of, after.status_date), (Some(IncidentNumber(8)), duplicate().status_date));
    // The one that it has may have been deleted since. Those who do not see it are not told that they guessed it.
    for target in [DuplicateTarget::Unknown, DuplicateTarget::Cycle, DuplicateTarget::Valid] {
        assert_eq!(applied(&to(7), &duplicate(), target), Ok(None), "{target:?}");
    }
    let found = pointers(applied(&to(7), &duplicate(), DuplicateTarget::Hidden));
    assert_eq!(found, [("#/duplicate_of".to_owned(), UnknownIncident)]);
    for status in Status::ALL {
        let patch = IncidentPatch { duplicate_of: Some(ORIGINAL), ..same(&in_status(*status)) };
        let found = pointers(applied(&patch, &in_status(*status), DuplicateTarget::Valid));
        assert_eq!(found, [("#/duplicate_of".to_owned(), NotInStatus)], "{status}");
    }
}

#[test]
fn another_outcome_obeys_the_rules_of_the_way_in() {
    let unexplained = |status| Incident { status_reason: None, ..in_status(status) };
    let reason = |reason| IncidentPatch { resolution_reason: Some(reason), ..IncidentPatch::default() };
    let required = [("#/reason".to_owned(), Required)];
    for status in [Resolved, Closed, Dismissed] {
        let other = reason(ResolutionReason::Other);
        for patch in [other.clone(), IncidentPatch { status: Some(status), ..other }] {
            let valid = DuplicateTarget::Valid;
            assert_eq!(pointers(applied(&patch, &unexplained(status), valid)), required, "{status}");
            assert!(applied(&patch, &in_status(status), valid).unwrap().is_some(), "it has a reason");
        }
    }
    let grave = Incident { severity: Severity::High, ..unexplained(Dismissed) };
    let patch = reason(ResolutionReason::Test);
    assert_eq!(pointers(applied(&patch, &grave, DuplicateTarget::Valid)), required);
    let title = IncidentPatch { title: Some("Another".into()), ..same(&grave) };
    assert!(applied(&title, &grave, DuplicateTarget::Valid).unwrap().is_some());
}

#[test]
fn the_date_that_resolving_needs_stays() {
    let direct = Incident { contained_date: None, ..in_status(Resolved) };
    let clear = IncidentPatch { responded_date: Change::Clear, ..IncidentPatch::default() };
    let found = pointers(applied(&clear, &direct, DuplicateTarget::Valid));
    assert_eq!(found, [("#/responded_date".to_owned(), NotInStatus)]);
    let contained = applied(&clear, &in_status(Resolved), DuplicateTarget::Valid).unwrap().unwrap();
    let clear = IncidentPatch { contained_date: Change::Clear, ..same(&contained) };
    let found = pointers(applied(&clear, &contained, DuplicateTarget::Valid));
    assert_eq!(found, [("#/contained_date".to_owned(), NotInStatus)]);
}

#[test]
fn no_step_leaves_an_original_beside_another_status() {
    let stray = Incident { duplicate_of: Some(ORIGINAL), ..in_status(Status::Investigating) };
    let dismissed = full(Dismissed).apply(&stray, &facts(), at(9)).unwrap().unwrap();
    assert_eq!(
        (dismissed.duplicate_of, dismissed.resolution_reason),
        (None, Some(ResolutionReason::FalsePositive))
    );
}

/// The resolution reasons that an incident has in this status.
fn words(status: Status) -> &'static [ResolutionReason] {
    if status == Closed { Resolved.resolution_reasons() } else { status.resolution_reasons() }
}

/// An incident of any status, as the rules allow it.
fn some_incident() -> impl Strategy<Value = Incident> {
    (
        (select(Status::ALL), any::<prop::sample::Index>(), any::<bool>()),
        (select(&[Severity::Low, Severity::High][..]), any::<bool>(), any::<bool>()),
    )
        .prop_map(|((status, word, is_explained), (severity, is_overridden, legal_hold))| {
            let words = words(status);
            let resolution_reason = (!words.is_empty()).then(|| *word.get(words));
            let is_other = resolution_reason == Some(ResolutionReason::Other) && status != Closed;
            let overridden = Requirement::ALL.iter().copied().filter(|_| is_overridden && status == Closed);
            Incident {
                severity,
                resolution_reason,
                duplicate_of: (resolution_reason == Some(ResolutionReason::Duplicate)).then_some(ORIGINAL),
                status_reason: (is_explained || is_other).then(|| "Because.".into()),
                overridden: overridden.collect(),
                legal_hold,
                legal_hold_reason: legal_hold.then(|| "Court order.".into()),
                ..in_status(status)
            }
        })
}

/// A date of the record, another one, or none.
#[derive(Debug, Clone, Copy)]
enum Sent {
    Same,
    Other,
    Null,
}

impl Sent {
    fn of<T>(self, same: T, other: T) -> Option<T> {
        match self {
            Self::Same => Some(same),
            Self::Other => Some(other),
            Self::Null => None,
        }
    }
}

const REASONS: &[&str] = &["Because.", "Court order.", "Another."];

/// Members of every kind beside the status of this incident.
fn some_members(incident: Incident) -> impl Strategy<Value = (Incident, IncidentPatch)> {
    let sent = || weighted(0.4, select(&[Sent::Same, Sent::Same, Sent::Other, Sent::Null][..]));
    let outcome = incident.resolution_reason.into_iter().chain(ResolutionReason::ALL.iter().copied());
    (
        (sent(), weighted(0.4, select(REASONS)), any::<bool>(), weighted(0.3, any::<bool>())),
        (
            weighted(0.5, select(outcome.collect::<Vec<_>>())),
            weighted(0.4, select(&[ORIGINAL, IncidentNumber(8)][..])),
        ),
        (sent(), sent(), sent(), sent()),
    )
        .prop_map(move |((time, reason, is_override, legal_hold), (outcome, original), dates)| {
            let (responded, contained, summary, title) = dates;
            let date = |sent: Option<Sent>, same: Option<Timestamp>| {
                sent.map(|sent| sent.of(same, Some(at(1))).flatten())
            };
            let stored = incident.resolution_summary.as_deref().map(Prose::stored);
            let patch = IncidentPatch {
                at: time.and_then(|sent| sent.of(incident.status_date(), at(2_000_000))),
                reason: reason.map(Into::into),
                is_override: is_override && incident.status == Closed,
                legal_hold,
                resolution_reason: outcome,
                duplicate_of: original,
                responded_date: date(responded, incident.responded_date).into(),
                contained_date: date(contained, incident.contained_date).into(),
                resolution_summary: summary
                    .map(|sent| sent.of(stored.clone(), Some("Another".into())).flatten())
                    .into(),
                title: title
                    .and_then(|sent| sent.of(Line::stored(incident.title.as_str()), "Another".into())),
                ..same(&incident)
            };
            (incident.clone(), patch)
        })
}

/// The faults that the rules of the document find.
fn model(before: &Incident, patch: &IncidentPatch, target: DuplicateTarget) -> BTreeSet<(String, FaultCode)> {
    let is_about_hold = patch.legal_hold.is_some_and(|hold| hold != before.legal_hold);
    let reason = patch.reason.as_deref();
    let is_retried_override =
        !before.overridden.is_empty() || (reason.is_some() && reason == before.status_reason.as_deref());
    let is_stored_reason = reason == before.status_reason.as_deref()
        || (patch.legal_hold.is_some() && reason == before.legal_hold_reason.as_deref());
    let is_original_new = patch.duplicate_of.is_some_and(|sent| Some(sent) != before.duplicate_of);
    let outcome = patch.resolution_reason.or(before.resolution_reason);
    let is_outcome_new = outcome != before.resolution_reason;
    let (is, was) =
        [outcome, before.resolution_reason].map(|it| it == Some(ResolutionReason::Duplicate)).into();
    let is_wrong_word = patch.resolution_reason.is_some_and(|sent| !words(before.status).contains(&sent));
    let needs_reason =
        outcome == Some(ResolutionReason::Other) || (before.status == Dismissed && before.severity.is_high());
    let is_unexplained = patch.reason.is_none() && before.status_reason.is_none();
    let mut all: BTreeSet<(String, FaultCode)> = [
        ("#/at", NotInStatus, patch.at.is_some_and(|sent| sent != before.status_date())),
        ("#/reason", NotInStatus, patch.reason.is_some() && !is_about_hold && !is_stored_reason),
        ("#/override", NotInStatus, patch.is_override && !is_retried_override),
        ("#/resolution_reason", NotInStatus, is_wrong_word || is != was),
        ("#/reason", Required, is_outcome_new && needs_reason && is_unexplained),
    ]
    .into_iter()
    .filter(|(_, _, is_wrong)| *is_wrong)
    .map(|(pointer, code, _)| (pointer.to_owned(), code))
    .collect();
    let is_hidden = patch.duplicate_of.is_some() && target == DuplicateTarget::Hidden;
    if is_original_new || is_outcome_new || is_hidden {
        // As if it were dismissed now.
        let dismiss = IncidentPatch {
            status: Some(Dismissed),
            resolution_reason: outcome,
            duplicate_of: patch.duplicate_of,
            reason: Some("Because.".into()),
            ..IncidentPatch::default()
        };
        let found = faults(applied(&dismiss, &in_status(Status::Investigating), target));
        all.extend(found.into_iter().filter(|(pointer, _)| pointer == "#/duplicate_of"));
    }
    // Everything else is a patch.
    let plain = IncidentPatch {
        status: None,
        at: None,
        reason: patch.reason.clone().filter(|_| is_about_hold),
        is_override: false,
        resolution_reason: None,
        duplicate_of: None,
        ..patch.clone()
    };
    all.extend(faults(applied(&plain, before, target)));
    all
}

fn faults(result: crate::Result<Option<Incident>>) -> BTreeSet<(String, FaultCode)> {
    match result {
        Ok(_) => BTreeSet::new(),
        refused => pointers(refused).into_iter().collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// With the status that an incident has, every combination of members is taken or refused as the model says, and what is
    /// taken changes the members that were sent and nothing else.
    #[test]
    fn a_status_that_stays_is_no_way_around_a_rule(
        (before, patch) in some_incident().prop_flat_map(some_members),
        target in select(&[
            DuplicateTarget::Unknown,
            DuplicateTarget::Hidden,
            DuplicateTarget::Cycle,
            DuplicateTarget::Valid,
            DuplicateTarget::Valid,
        ][..]),
    ) {
        let expected = model(&before, &patch, target);
        let result = applied(&patch, &before, target);
        if !expected.is_empty() {
            prop_assert_eq!(faults(result), expected);
            return Ok(());
        }
        let hold = patch.legal_hold.unwrap_or(before.legal_hold);
        let wanted = Incident {
            title: patch.title.as_ref().unwrap_or(&before.title).clone(),
            responded_date: patch.responded_date.of(&before.responded_date),
            contained_date: patch.contained_date.of(&before.contained_date),
            resolution_reason: patch.resolution_reason.or(before.resolution_reason),
            resolution_summary: patch.resolution_summary.of(&before.resolution_summary),
            duplicate_of: patch.duplicate_of.or(before.duplicate_of),
            legal_hold: hold,
            legal_hold_reason: match hold == before.legal_hold {
                true => before.legal_hold_reason.clone(),
                false => patch.reason.clone(),
            },
            ..before.clone()
        };
        match result {
            Ok(None) => prop_assert_eq!(wanted, before),
            Ok(Some(after)) => {
                prop_assert_ne!(&wanted, &before, "it changes nothing");
                let changed = Incident { updated_date: at(99), version: before.version + 1, ..wanted };
                prop_assert_eq!(after, changed);
            }
            Err(error) => prop_assert!(false, "{error:?}"),
        }
    }

    /// Whatever call changed a status, the same call again changes nothing.
    #[test]
    fn a_repeated_call_changes_nothing(
        from in select(Status::ALL),
        patch in some_patch(),
    ) {
        // A date that is cleared where a stage begins gets the time of the stage.
        let patch = IncidentPatch {
            responded_date: patch.responded_date.value().copied().map_or(Change::Keep, Change::Set),
            contained_date: patch.contained_date.value().copied().map_or(Change::Keep, Change::Set),
            ..patch
        };
        let before = in_status(from);
        let Ok(Some(after)) = applied(&patch, &before, DuplicateTarget::Valid) else { return Ok(()) };
        // An override that was not needed is known by its reason only.
        prop_assume!(!(patch.is_override && patch.reason.is_none()));
        let again = applied(&patch, &after, DuplicateTarget::Valid);
        prop_assert!(matches!(again, Ok(None)), "{again:?} after {after:?}");
    }
}

#[test]
fn the_model_refuses_something_of_every_kind() {
    let patch = IncidentPatch { reason: Some("Another.".into()), ..same(&duplicate()) };
    assert_eq!(model(&duplicate(), &patch, DuplicateTarget::Valid).len(), 1);
    assert!(matches!(applied(&patch, &duplicate(), DuplicateTarget::Valid), Err(Error::Invalid(_))));
}
