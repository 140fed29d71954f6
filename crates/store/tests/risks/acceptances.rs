//! Acceptances in random histories of evaluations, supersessions, edits of the scale, decisions and closings, also at the same
//! time, compared with a recomputation from all evaluations; and each moment as it is shown later.

use db::Tx;
use domain::acceptance::Acceptance;
use domain::accepting::{AcceptanceDecision, NewAcceptance, Revocation};
use domain::decision::{DecisionState, Verdict};
use domain::document::Day;
use domain::evaluation::{Evaluation, NewEvaluation};
use domain::risk::{Risk, RiskPatch, RiskStatus};
use domain::scale::{NewScale, Scale, ScaleContent, Scales};
use domain::{
    Actor, ActorKind, Author, Change, Error, ExpectedVersion, OrgId, Permissions, Reason, RiskNumber, Role,
    Scopes, UserId,
};
use jiff::SignedDuration;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};
use store::View;
use store::acceptances::{AcceptanceDetails, AcceptanceFilter};
use testkit::{TestDb, both_engines};

use crate::risks::support::*;

const ANY: ExpectedVersion = ExpectedVersion::Any;

#[derive(Debug, Clone)]
enum Act {
    /// A rating, so many hours ago; perhaps instead of one of the evaluations that there are.
    Evaluate {
        likelihood: i64,
        impact: i64,
        hours: i64,
        instead_of: Option<i64>,
    },
    /// The bands begin at so many points more; perhaps the levels mean something else.
    Scale {
        more: i64,
        is_incompatible: bool,
    },
    Ask,
    Decide {
        verdict: Verdict,
        is_latest: bool,
    },
    Withdraw,
    Revoke,
    /// The risk is closed, or open again.
    Status,
    /// So many days pass.
    Wait {
        days: i64,
    },
}

fn act() -> impl Strategy<Value = Act> {
    let rating = (1..=5_i64, 1..=5_i64, prop_oneof![Just(0), 0..200_i64], proptest::option::of(1..6_i64));
    prop_oneof![
        6 => rating.prop_map(|(likelihood, impact, hours, instead_of)| Act::Evaluate { likelihood, impact, hours, instead_of }),
        2 => (0..4_i64, proptest::bool::weighted(0.2)).prop_map(|(more, is_incompatible)| Act::Scale { more, is_incompatible }),
        4 => Just(Act::Ask),
        5 => (proptest::bool::weighted(0.9), proptest::bool::weighted(0.9)).prop_map(|(accepts, is_latest)| {
            Act::Decide { verdict: if accepts { Verdict::Accepted } else { Verdict::Refused }, is_latest }
        }),
        1 => Just(Act::Withdraw),
        1 => Just(Act::Revoke),
        1 => Just(Act::Status),
        1 => (1..200_i64).prop_map(|days| Act::Wait { days }),
    ]
}

/// The owner of the risk.
fn owner(id: UserId) -> Author {
    let actor = Actor { kind: ActorKind::User, id: id.to_string(), name: "Ada".into() };
    Author::new(actor, "r").with(Permissions::new(Scopes::all()))
}

async fn risk_of(db: &TestDb, org: OrgId, owner: UserId) -> i64 {
    create(db, org, domain::risk::NewRisk { owner: Some(owner), target: None, ..titled("Fire") })
        .await
        .number
        .number()
}

/// The default scale with bands that begin at more points.
fn content(more: i64) -> ScaleContent {
    let mut content = ScaleContent::default();
    for (likelihood, row) in (1..).zip(&mut content.matrix) {
        for (impact, band) in (1..).zip(row) {
            let score = likelihood * impact;
            *band = [5 + more, 10 + more, 15 + more].iter().map(|from| i64::from(score >= *from)).sum();
        }
    }
    content
}

/// Does it in one write; a conflict is no failure.
async fn run(db: &TestDb, org: OrgId, ada: UserId, number: i64, act: &Act) {
    let (act, now) = (act.clone(), db.clock.now());
    let done = db.write(org, async move |tx: &mut Tx| {
        within(tx, org, &owner(ada), RiskNumber(number), &act, now).await
    });
    match done.await {
        Ok(())
        | Err(store::Error(
            Error::Conflict(_) | Error::RiskChanged { .. } | Error::NotFound(_) | Error::Invalid(_),
        )) => {}
        Err(other) => panic!("{other:?}"),
    }
}

async fn within(
    tx: &mut Tx,
    org: OrgId,
    ada: &Author,
    number: RiskNumber,
    act: &Act,
    now: jiff::Timestamp,
) -> store::Result<()> {
    let risk = store::risks::get(tx, org, number, View::now()).await?;
    let latest = risk.current.map_or(1, |it| it.evaluation);
    let asked = risk.acceptance_request.as_ref().map_or(1, |it| it.number);
    match act {
        Act::Evaluate { likelihood, impact, hours, instead_of } => {
            let evaluated_at = Some(now - SignedDuration::from_hours(*hours));
            let ratings = risk.grades.is_outdated.then_some(risk.inherent);
            let inherent = ratings.filter(|_| instead_of.is_none());
            let new = NewEvaluation {
                evaluated_at,
                supersedes: *instead_of,
                inherent,
                ..rated(*likelihood, *impact)
            };
            store::evaluations::record(tx, org, &by(), number, &new).await.map(drop)
        }
        Act::Scale { more, is_incompatible } => {
            let reason = Reason::stored("Because");
            let new = NewScale { reason, meaning_changed: *is_incompatible, content: content(*more) };
            store::scale_change::change(tx, org, &by(), &ANY, &new).await.map(drop)
        }
        Act::Ask => {
            let new = NewAcceptance { reason: "Too dear".into(), until: None, evaluation: latest };
            store::acceptances::ask(tx, org, &by(), number, &new).await.map(drop)
        }
        Act::Decide { verdict, is_latest } => {
            let evaluation = if *is_latest { latest } else { latest + 1 };
            let decision = AcceptanceDecision {
                decision: *verdict,
                note: None,
                evaluation,
                risk_version: Some(risk.version),
            };
            store::acceptances::decide(tx, org, ada, (number, asked), &decision, None).await.map(drop)
        }
        Act::Withdraw => store::acceptances::withdraw(tx, org, ada, (number, asked)).await.map(drop),
        Act::Revoke => {
            let accepted = risk.acceptance.as_ref().map_or(1, |it| it.number);
            let reason = Revocation { reason: "Moved".into() };
            store::acceptances::revoke(tx, org, ada, (number, accepted), &reason).await.map(drop)
        }
        Act::Status => {
            let status = match risk.status {
                RiskStatus::Open => RiskStatus::Closed,
                RiskStatus::Closed => RiskStatus::Open,
            };
            let status_reason = Change::Set("Sold".into());
            let patch = RiskPatch { status: Some(status), status_reason, ..RiskPatch::default() };
            store::risks::update(tx, org, &by(), number, &ANY, &patch).await.map(drop)
        }
        Act::Wait { .. } => Ok(()),
    }
}

/// Whether what was accepted has become worse, from all evaluations of the risk.
fn is_worse(it: &Acceptance, evaluations: &[Evaluation], scales: &Scales) -> bool {
    let counting = || evaluations.iter().filter(|it| it.superseded_by.is_none());
    let last = counting().map(Evaluation::order).max();
    let later = counting()
        .filter(|other| other.order() >= (it.evaluated_at, it.evaluation) || Some(other.order()) == last);
    let own: &Scale = scales.read_by(it.scale_version);
    later.into_iter().any(|other| {
        let its = scales.read_by(other.scale_version);
        let is_other = own.generation != its.generation;
        is_other || other.rating.score() > it.rating.score() || its.band_of(other.rating) > it.band_place
    })
}

/// What the register has follows from the evaluations, and nothing is without a way out.
async fn check(db: &TestDb, org: OrgId, number: i64) {
    let mut tx = db.read().await.unwrap();
    let number = RiskNumber(number);
    let risk: Risk = store::risks::get(&mut tx, org, number, View::now()).await.unwrap();
    let all =
        store::acceptances::list_of_risk(&mut tx, org, View::now(), number, None, 1_000).await.unwrap().rows;
    let evaluations = store::evaluations::list(&mut tx, org, number, None, 1_000).await.unwrap().rows;
    let scales = store::scales::known(&mut tx, org, View::now()).await.unwrap();
    let today = Day::of(db.clock.now());
    let live: Vec<_> = all.iter().filter(|it| it.state.is_live()).map(|it| &it.acceptance).collect();
    let requested: Vec<_> = all.iter().filter(|it| it.state == DecisionState::Requested).collect();
    assert!(live.len() <= 1 && requested.len() <= 1, "{all:?}");
    assert_eq!(risk.acceptance.as_ref().map(|it| it.number), live.first().map(|it| it.number));
    assert_eq!(risk.acceptance_request.is_some(), !requested.is_empty());
    assert!(risk.status == RiskStatus::Open || live.is_empty() && requested.is_empty(), "{all:?}");
    for it in live {
        let is_worse = is_worse(it, &evaluations, &scales);
        let is_over = it.scale_until.as_ref().is_some_and(|until| *until < today);
        assert_eq!(it.scale_until.is_some(), !scales.is_present(it.scale_version), "{it:?}");
        let expected = if is_worse || is_over { DecisionState::Stale } else { DecisionState::Accepted };
        assert_eq!(it.state_on(&today), expected, "{it:?} {evaluations:?}");
        assert_eq!(it.stale_by.is_some(), is_worse, "{it:?}");
    }
}

/// What a view shows of the acceptances: those of the risk, those of all risks, and what the risk has of them.
#[derive(Debug, PartialEq)]
struct Shown {
    of_risk: Vec<AcceptanceDetails>,
    all: Vec<AcceptanceDetails>,
    in_force: Option<Box<Acceptance>>,
    requested: Option<Box<Acceptance>>,
}

async fn shown(db: &TestDb, org: OrgId, number: i64, view: View) -> Shown {
    let (mut tx, number, filter) =
        (db.read().await.unwrap(), RiskNumber(number), AcceptanceFilter::default());
    let of_risk = store::acceptances::list_of_risk(&mut tx, org, view, number, None, 1_000).await.unwrap();
    let all = store::acceptances::list(&mut tx, org, view, &filter, None, 1_000).await.unwrap();
    let risk = store::risks::get(&mut tx, org, number, view).await.unwrap();
    let shown = Shown {
        of_risk: of_risk.rows,
        all: all.rows,
        in_force: risk.acceptance,
        requested: risk.acceptance_request,
    };
    let next = i64::try_from(shown.of_risk.len()).unwrap() + 1;
    for (asked, expected) in [(next - 1, shown.of_risk.first()), (next, None)] {
        let one = store::acceptances::get(&mut tx, org, view, number, asked).await.ok();
        assert_eq!(one.as_ref(), expected, "{asked} {view:?}");
    }
    for state in [DecisionState::Accepted, DecisionState::Stale, DecisionState::Expired] {
        let filter = AcceptanceFilter { state: vec![state], ..AcceptanceFilter::default() };
        let count = store::acceptances::count(&mut tx, org, view, &filter).await.unwrap();
        let expected = shown.of_risk.iter().filter(|it| it.state == state).count();
        assert_eq!(usize::try_from(count), Ok(expected), "{state:?} {view:?}");
    }
    let live = shown.of_risk.iter().find(|it| it.state.is_live());
    assert_eq!(
        shown.in_force.as_ref().map(|it| (it.number, it.decision.state)),
        live.map(|it| (it.acceptance.number, it.state)),
        "the register and the list"
    );
    shown
}

#[both_engines]
async fn acceptances_follow_random_histories(db: TestDb) {
    let mut runner = TestRunner::new(Config { cases: 40, ..Config::default() });
    let histories = proptest::collection::vec(act(), 1..40);
    for case in 0..40 {
        let acts = histories.new_tree(&mut runner).unwrap().current();
        let org = db.organization(&format!("Acme {case}")).await;
        let ada = db.user(org, "Ada", &format!("ada{case}@x.org"), Role::Owner).await;
        let (risk, mut moments) = (risk_of(&db, org, ada).await, Vec::new());
        for act in &acts {
            match act {
                Act::Wait { days } => db.clock.advance_days(*days),
                act => run(&db, org, ada, risk, act).await,
            }
            check(&db, org, risk).await;
            let view = View::as_of(head(&db, org).await).at(db.clock.now());
            moments.push((view, shown(&db, org, risk, View::now()).await));
        }
        for (view, then) in moments {
            assert_eq!(shown(&db, org, risk, view).await, then, "{view:?} {acts:?}");
        }
        assert_eq!(faults(&db, org).await, [""; 0], "{acts:?}");
    }
}

#[both_engines]
async fn acts_at_the_same_time_leave_no_acceptance_in_force_that_is_worse(db: TestDb) {
    let mut runner = TestRunner::new(Config::default());
    let several = proptest::collection::vec(act(), 8);
    let org = db.organization("Acme").await;
    let ada = db.user(org, "Ada", "ada@x.org", Role::Owner).await;
    let risk = risk_of(&db, org, ada).await;
    for _ in 0..20 {
        let acts = several.new_tree(&mut runner).unwrap().current();
        tokio::join!(
            run(&db, org, ada, risk, &acts[0]),
            run(&db, org, ada, risk, &acts[1]),
            run(&db, org, ada, risk, &acts[2]),
            run(&db, org, ada, risk, &acts[3]),
            run(&db, org, ada, risk, &acts[4]),
            run(&db, org, ada, risk, &acts[5]),
            run(&db, org, ada, risk, &acts[6]),
            run(&db, org, ada, risk, &acts[7]),
        );
        check(&db, org, risk).await;
    }
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn a_risk_shows_the_acceptance_of_a_past_time(db: TestDb) {
    let org = db.organization("Acme").await;
    let ada = db.user(org, "Ada", "ada@x.org", Role::Owner).await;
    let risk = risk_of(&db, org, ada).await;
    let evaluate = |likelihood| Act::Evaluate { likelihood, impact: 3, hours: 0, instead_of: None };
    let decide = Act::Decide { verdict: Verdict::Accepted, is_latest: true };
    let mut seqs = Vec::new();
    for act in [evaluate(2), Act::Ask, decide, evaluate(5), Act::Status] {
        db.clock.advance_seconds(60);
        run(&db, org, ada, risk, &act).await;
        seqs.push(head(&db, org).await);
    }
    let mut states = Vec::new();
    for seq in seqs {
        let past = get(&db, org, risk, View::as_of(seq)).await.unwrap();
        let state = |it: Option<Box<Acceptance>>| it.map(|it| it.decision.state);
        states.push((state(past.acceptance_request), state(past.acceptance)));
    }
    let (requested, accepted, stale) =
        (DecisionState::Requested, DecisionState::Accepted, DecisionState::Stale);
    let expected =
        [(None, None), (Some(requested), None), (None, Some(accepted)), (None, Some(stale)), (None, None)];
    assert_eq!(states, expected);
    assert_eq!(faults(&db, org).await, [""; 0]);
}
