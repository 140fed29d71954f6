use super::*;
use crate::actor::ActorKind;
use crate::decision::{Verdict, Verdicted};
use crate::scale::{DEFAULT_VERSION, Scale};

fn at() -> Timestamp {
    "2026-03-01T09:00:00Z".parse().unwrap()
}

fn ada() -> Actor {
    Actor { kind: ActorKind::User, id: "ada".into(), name: "Ada".into() }
}

fn rating(likelihood: i64, impact: i64) -> Rating {
    Rating { likelihood, impact }
}

/// An acceptance of 2 x 3 in the second of four bands.
fn requested() -> Acceptance {
    let until = Day::stored("2027-03-01");
    let grade = Scales::default().grade(rating(2, 3), DEFAULT_VERSION).unwrap();
    Acceptance {
        risk: RiskNumber(1),
        number: 1,
        decision: Decision::ask(Prose::stored("Too dear"), until, ada(), at()),
        risk_version: 1,
        treatment: Treatment::Accept,
        treatment_plan: None,
        evaluation: 1,
        evaluated_at: at(),
        rating: rating(2, 3),
        scale_version: DEFAULT_VERSION,
        band: grade.name,
        band_place: grade.place,
        band_count: 4,
        stale_by: None,
        scale_until: None,
    }
}

fn accepted() -> Acceptance {
    let made = Verdicted { verdict: Verdict::Accepted, note: None, on_behalf_of: None, recorded: None };
    let asked = requested();
    Acceptance { decision: asked.decision.decide(made, ada(), at()).unwrap(), ..asked }
}

fn counting(evaluation: i64, rating: Rating, scale_version: i64) -> Counting {
    Counting { evaluation, rating, scale_version }
}

/// The acceptance after a change; as it was if nothing follows.
fn after(before: &Acceptance, counting: &[Counting], scales: &Scales) -> Acceptance {
    let present = Present { closed: None, counting, scales };
    before.follow(present, &ada(), at()).unwrap_or_else(|| before.clone())
}

#[test]
fn an_evaluation_with_a_higher_score_makes_it_stale_until_it_no_longer_counts() {
    let (scales, first) = (Scales::default(), counting(1, rating(2, 3), 1));
    assert_eq!(after(&accepted(), &[first, counting(2, rating(2, 2), 1)], &scales), accepted());
    let stale =
        after(&accepted(), &[first, counting(3, rating(2, 4), 1), counting(2, rating(5, 5), 1)], &scales);
    assert_eq!((stale.decision.state, stale.stale_by), (DecisionState::Stale, Some(2)));
    let less = after(&stale, &[first, counting(3, rating(2, 4), 1)], &scales);
    assert_eq!((less.decision.state, less.stale_by), (DecisionState::Stale, Some(3)));
    let again = after(&less, &[first, counting(4, rating(1, 1), 1)], &scales);
    assert_eq!((again.decision.state, again.stale_by), (DecisionState::Accepted, None));
    assert_eq!(again.decision.version, accepted().decision.version + 3, "each is a change");
}

/// The default scale with the band of the rating of [`accepted`] one higher.
fn stricter(number: i64, generation: i64) -> Scale {
    let mut scale = Scale { number, generation, ..Scale::default() };
    for row in &mut scale.content.matrix {
        row.iter_mut().for_each(|cell| *cell = (*cell + 1).min(3));
    }
    scale
}

#[test]
fn an_edit_of_the_bands_that_puts_it_higher_makes_it_stale() {
    let scales = Scales::default().with(stricter(2, 1));
    let stale = after(&accepted(), &[counting(1, rating(2, 3), 1)], &scales);
    assert_eq!(
        (stale.decision.state, stale.stale_by, stale.scale_until.as_ref()),
        (DecisionState::Stale, Some(1), None)
    );
    let back = scales.with(Scale { number: 3, ..Scale::default() });
    assert_eq!(after(&stale, &[counting(1, rating(2, 3), 1)], &back).decision.state, DecisionState::Accepted);
}

#[test]
fn another_scale_leaves_it_in_force_for_90_days_or_until_the_next_evaluation() {
    let scales = Scales::default().with(stricter(2, 2));
    let flagged = after(&accepted(), &[counting(1, rating(2, 3), 1)], &scales);
    let last = Day::stored("2026-05-30");
    assert_eq!(
        (flagged.decision.state, flagged.scale_until.as_ref()),
        (DecisionState::Accepted, Some(&last))
    );
    assert_eq!(flagged.state_on(&last), DecisionState::Accepted);
    assert_eq!(flagged.state_on(&Day::stored("2026-05-31")), DecisionState::Stale);
    let stale = after(&flagged, &[counting(1, rating(2, 3), 1), counting(2, rating(1, 1), 2)], &scales);
    assert_eq!((stale.decision.state, stale.stale_by), (DecisionState::Stale, Some(2)));
}

#[test]
fn closing_the_risk_ends_acceptances_and_requests() {
    let (scales, reason) = (Scales::default(), Prose::stored("Sold"));
    let present = Present { closed: Some(Some(&reason)), counting: &[], scales: &scales };
    for (before, state) in [(requested(), DecisionState::Withdrawn), (accepted(), DecisionState::Revoked)] {
        let ended = before.follow(present, &ada(), at()).unwrap();
        assert_eq!((ended.decision.state, ended.decision.end_reason.as_ref()), (state, Some(&reason)));
        assert_eq!(ended.follow(present, &ada(), at()), None, "once");
    }
}

#[test]
fn what_has_ended_and_what_is_asked_for_follows_no_evaluation() {
    let (scales, higher) = (Scales::default(), [counting(2, rating(5, 5), 1)]);
    let present = Present { closed: None, counting: &higher, scales: &scales };
    assert_eq!(requested().follow(present, &ada(), at()), None);
    assert_eq!(accepted().follow(present, &ada(), "2028-01-01T00:00:00Z".parse().unwrap()), None);
}
