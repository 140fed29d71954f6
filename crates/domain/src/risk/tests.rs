use jiff::tz::TimeZone;
use uuid::Uuid;

use super::*;
use crate::change::Change;
use crate::error::Error;
use crate::json::{FromJson as _, Json, Pointer};
use crate::scale::{DEFAULT_VERSION, Scales};
use crate::text::Prose;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_772_355_600 + second).unwrap()
}

fn rating(likelihood: i64, impact: i64) -> Rating {
    Rating { likelihood, impact }
}

fn stored() -> Risk {
    let new = NewRisk::rated(Line::stored("Ransomware"), rating(4, 5), rating(2, 3));
    new.open(RiskNumber(1), None, DEFAULT_VERSION, at(0))
}

fn closed() -> Risk {
    let patch = RiskPatch {
        status: Some(RiskStatus::Closed),
        status_reason: Change::Set(Prose::stored("The plant was sold.")),
        ..RiskPatch::default()
    };
    patch.apply(&stored(), None, &Scales::default(), at(1)).unwrap().unwrap()
}

fn places(result: crate::Result<Option<Risk>>) -> Vec<(String, FaultCode)> {
    match result.unwrap_err() {
        Error::Invalid(faults) => faults.into_iter().map(|fault| (fault.pointer, fault.code)).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_level_is_1_to_10() {
    let read = |level: i64| {
        let mut faults = Faults::new();
        let sent = Json::Object(vec![("likelihood".into(), Json::Integer(level))]);
        let read = RatingPatch::from_json(sent, Pointer::ROOT, &mut faults).unwrap();
        let faults = faults.into_vec().into_iter().map(|fault| (fault.pointer, fault.code)).next();
        (read.likelihood, faults)
    };
    for good in 1..=10 {
        assert_eq!(read(good), (Some(good), None));
    }
    for bad in [0, 11, -1, i64::MAX, i64::MIN] {
        assert_eq!(read(bad), (None, Some(("#/likelihood".to_owned(), FaultCode::Range))));
    }
}

#[test]
fn the_target_is_not_above_the_inherent_score() {
    let fault = |inherent, target| {
        let mut faults = Faults::new();
        target_within(inherent, target, &mut faults);
        faults.into_vec().into_iter().map(|fault| (fault.pointer, fault.code)).next()
    };
    assert_eq!(fault(rating(2, 3), rating(3, 2)), None);
    assert_eq!(fault(rating(2, 3), rating(5, 1)), None);
    assert_eq!(fault(rating(2, 3), rating(4, 2)), Some(("#/target".into(), FaultCode::Range)));
}

#[test]
fn a_patched_rating_is_merged_and_checked_whole() {
    let lower = |likelihood| RiskPatch {
        inherent: Some(RatingPatch { likelihood: Some(likelihood), impact: None }),
        ..RiskPatch::default()
    };
    let changed = lower(2).apply(&stored(), None, &Scales::default(), at(1)).unwrap().unwrap();
    assert_eq!((changed.inherent, changed.version, changed.updated_date), (rating(2, 5), 2, at(1)));
    assert_eq!(
        places(lower(1).apply(&stored(), None, &Scales::default(), at(1))),
        [("#/target".into(), FaultCode::Range)]
    );
}

#[test]
fn a_target_is_cleared_by_null_and_set_by_both_members() {
    let of = |target| RiskPatch { target, ..RiskPatch::default() };
    let set = |likelihood, impact| of(Change::Set(RatingPatch { likelihood, impact }));
    let without = of(Change::Clear).apply(&stored(), None, &Scales::default(), at(1)).unwrap().unwrap();
    assert_eq!((without.target, without.version), (None, 2));
    assert_eq!(of(Change::Clear).apply(&without, None, &Scales::default(), at(2)), Ok(None));
    let impact = ("#/target/impact".to_owned(), FaultCode::Required);
    assert_eq!(places(set(Some(2), None).apply(&without, None, &Scales::default(), at(2))), [impact]);
    let both =
        ["#/target/likelihood", "#/target/impact"].map(|place| (place.to_owned(), FaultCode::Required));
    assert_eq!(places(set(None, None).apply(&without, None, &Scales::default(), at(2))), both);
    let again = set(Some(2), Some(2)).apply(&without, None, &Scales::default(), at(2)).unwrap().unwrap();
    assert_eq!(again.target, Some(rating(2, 2)));
    assert_eq!(
        set(None, Some(1)).apply(&again, None, &Scales::default(), at(3)).unwrap().unwrap().target,
        Some(rating(2, 1))
    );
}

#[test]
fn a_closed_risk_needs_a_reason() {
    let close = RiskPatch { status: Some(RiskStatus::Closed), ..RiskPatch::default() };
    let missing = [("#/status_reason".to_owned(), FaultCode::Required)];
    assert_eq!(places(close.apply(&stored(), None, &Scales::default(), at(1))), missing);
    assert_eq!(closed().status_reason.as_deref(), Some("The plant was sold."));
    assert_eq!(close.apply(&closed(), None, &Scales::default(), at(2)), Ok(None));
    let clear = RiskPatch { status_reason: Change::Clear, ..RiskPatch::default() };
    assert_eq!(places(clear.apply(&closed(), None, &Scales::default(), at(2))), missing);
}

#[test]
fn reopening_needs_a_reason_of_its_own() {
    let open = RiskPatch { status: Some(RiskStatus::Open), ..RiskPatch::default() };
    assert_eq!(
        places(open.apply(&closed(), None, &Scales::default(), at(2))),
        [("#/status_reason".to_owned(), FaultCode::Required)]
    );
    let open = RiskPatch { status_reason: Change::Set(Prose::stored("It came back.")), ..open };
    let opened = open.apply(&closed(), None, &Scales::default(), at(2)).unwrap().unwrap();
    assert_eq!((opened.status, opened.status_date, opened.version), (RiskStatus::Open, Some(at(2)), 3));
    assert_eq!(opened.status_reason.as_deref(), Some("It came back."));
    assert_eq!(open.apply(&opened, None, &Scales::default(), at(3)), Ok(None));
    let close = RiskPatch { status: Some(RiskStatus::Closed), ..RiskPatch::default() };
    assert!(
        close.apply(&opened, None, &Scales::default(), at(3)).is_err(),
        "the reason for reopening is none for closing"
    );
    assert_eq!(
        open.apply(&stored(), None, &Scales::default(), at(3)),
        Ok(None),
        "one that was never closed has no reason"
    );
}

#[test]
fn an_evaluation_moves_one_day_and_a_review_the_other() {
    let utc = TimeZone::UTC;
    let patch = RiskPatch {
        evaluate_every_days: Change::Set(7),
        review_every_days: Change::Set(30),
        ..RiskPatch::default()
    };
    let risk = patch.apply(&stored(), None, &Scales::default(), at(86_400)).unwrap().unwrap();
    assert!(risk.lacks_days());
    let risk = risk.with_days(&utc);
    let days = |risk: &Risk| [risk.next_evaluation_date(), risk.next_review_date.clone()];
    let expected = |evaluation: &str, review: &str| [evaluation, review].map(|day| Some(Day::stored(day)));
    assert_eq!(days(&risk), expected("2026-03-08", "2026-04-01"), "seven days after it was created");
    let current = Current {
        rating: rating(1, 1),
        scale_version: DEFAULT_VERSION,
        evaluation: 1,
        evaluated_at: at(2 * 86_400),
        evaluated_day: Day::of(at(2 * 86_400)).number(),
        performance_basis_points: Some(0),
    };
    let evaluated = Risk { current: Some(current), ..risk };
    assert_eq!(days(&evaluated), expected("2026-03-10", "2026-04-01"));
    let reviewed = evaluated.reviewed(at(3 * 86_400), &utc).unwrap();
    assert_eq!((days(&reviewed), reviewed.version), (expected("2026-03-10", "2026-04-03"), 3));
    assert_eq!(reviewed.reviewed(at(3 * 86_400 + 1), &utc), None, "the day stays");
    let today = Day::stored("2026-04-03");
    assert!(reviewed.is_evaluation_overdue(&today) && !reviewed.is_review_overdue(&today));
    let closed = Risk { status: RiskStatus::Closed, ..reviewed };
    assert!(!closed.is_evaluation_overdue(&today) && !closed.is_review_overdue(&Day::stored("2027-01-01")));
}

#[test]
fn a_reopened_risk_is_due_until_it_is_evaluated() {
    let open = RiskPatch {
        status: Some(RiskStatus::Open),
        status_reason: Change::Set(Prose::stored("It came back.")),
        ..RiskPatch::default()
    };
    let opened = open
        .apply(&closed(), None, &Scales::default(), at(86_400))
        .unwrap()
        .unwrap()
        .with_days(&TimeZone::UTC);
    assert_eq!(opened.next_evaluation_date(), Some(Day::stored("2026-03-02")));
    let evaluated_at = |second| {
        let day = Day::of(at(second)).number();
        let current = Current {
            rating: rating(1, 1),
            scale_version: DEFAULT_VERSION,
            evaluation: 1,
            evaluated_at: at(second),
            evaluated_day: day,
            performance_basis_points: Some(0),
        };
        Risk { current: Some(current), ..opened.clone() }
    };
    assert_eq!(evaluated_at(86_399).next_evaluation_date(), Some(Day::stored("2026-03-02")));
    assert_eq!(evaluated_at(86_400).next_evaluation_date(), None);
}

#[test]
fn only_a_review_moves_the_next_review() {
    let on =
        |day: &str| RiskPatch { next_review_date: Change::Set(Day::stored(day)), ..RiskPatch::default() };
    let set = on("2026-05-01").apply(&stored(), None, &Scales::default(), at(1)).unwrap().unwrap();
    let refused = [("#/next_review_date".to_owned(), FaultCode::ReadOnly)];
    assert_eq!(places(on("2026-06-01").apply(&set, None, &Scales::default(), at(2))), refused);
    assert_eq!(on("2026-05-01").apply(&set, None, &Scales::default(), at(2)), Ok(None));
    let clear = RiskPatch { next_review_date: Change::Clear, ..RiskPatch::default() };
    let every = RiskPatch { review_every_days: Change::Set(30), ..RiskPatch::default() };
    let counted = every.apply(&set, None, &Scales::default(), at(2)).unwrap().unwrap();
    assert_eq!(places(clear.apply(&counted, None, &Scales::default(), at(3))), refused);
    assert_eq!(clear.apply(&set, None, &Scales::default(), at(3)).unwrap().unwrap().next_review_date, None);
    assert_eq!(set.reviewed(at(3), &TimeZone::UTC).unwrap().next_review_date, None, "it was due once");
}

#[test]
fn a_patch_changes_what_it_names_of_the_register_and_nothing_else() {
    let set = RiskPatch {
        owner_name: Change::Set(Line::stored("Head of IT")),
        asset: Change::Set(Reason::stored("Robots")),
        controls: Some(vec!["A.8.13".into()]),
        treatment: Some(Treatment::Transfer),
        ..RiskPatch::default()
    };
    let changed = set.apply(&stored(), None, &Scales::default(), at(1)).unwrap().unwrap();
    assert_eq!((stored().treatment, changed.treatment), (Treatment::Undecided, Treatment::Transfer));
    assert_eq!(set.apply(&changed, None, &Scales::default(), at(2)), Ok(None), "the same again");
    let clear = RiskPatch { asset: Change::Clear, controls: Some(Vec::new()), ..RiskPatch::default() };
    let cleared = clear.apply(&changed, None, &Scales::default(), at(2)).unwrap().unwrap();
    assert_eq!((&cleared.asset, cleared.controls.len()), (&None, 0));
    assert_eq!(cleared.owner_name.as_deref(), Some("Head of IT"), "it is kept");
}

#[test]
fn only_a_member_owns_a_risk() {
    let id = UserId(Uuid::from_u128(1));
    let patch = RiskPatch { owner: Change::Set(id), ..RiskPatch::default() };
    assert_eq!(
        places(patch.apply(&stored(), None, &Scales::default(), at(1))),
        [("#/owner".into(), FaultCode::UnknownUser)]
    );
    let ada = Person { id, name: "Ada".into(), email: "ada@x.org".into() };
    let owned = patch.apply(&stored(), Some(ada.clone()), &Scales::default(), at(1)).unwrap().unwrap();
    assert_eq!(owned.owner, Some(ada));
    let left = RiskPatch { owner: Change::Clear, ..RiskPatch::default() };
    assert_eq!(left.apply(&owned, None, &Scales::default(), at(2)).unwrap().unwrap().owner, None);
}
