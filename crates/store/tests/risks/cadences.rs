//! Two cadences: when risks are to be evaluated and reviewed next, what closing and reopening do to them, and the lists of what is
//! overdue, against a model that counts the days one by one.

use db::Tx;
use domain::evaluation::NewEvaluation;
use domain::organization::OrganizationPatch;
use domain::risk::{EvaluationDue, NewRiskReview, ReviewDue, Risk, RiskPatch, RiskReview, RiskStatus};
use domain::{Change, ExpectedVersion, OrgId, Prose, RiskNumber};
use jiff::civil::Date;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use store::View;
use store::risks::{DueFilter, RiskFilter, RiskQuery};
use testkit::{TestDb, both_engines};

use crate::risks::support::*;

/// A zone whose days begin in the middle of those of UTC.
const ZONE: &str = "America/New_York";

fn zone() -> TimeZone {
    TimeZoneDatabase::bundled().get(ZONE).unwrap()
}

/// An organization in that zone.
async fn organization(db: &TestDb) -> OrgId {
    let org = db.organization("Acme").await;
    let patch = OrganizationPatch { time_zone: Some(ZONE.to_owned()), ..OrganizationPatch::default() };
    let work = async move |tx: &mut Tx| {
        store::organizations::update(tx, org, &by(), &ExpectedVersion::Any, &patch).await
    };
    db.write_instance(work).await.unwrap();
    org
}

async fn review(db: &TestDb, org: OrgId, risk: i64) -> store::Result<RiskReview> {
    let new = NewRiskReview { note: Some("Looked at it.".into()) };
    db.write(org, async move |tx: &mut Tx| store::risks::review(tx, org, &by(), RiskNumber(risk), &new).await)
        .await
}

fn moved(status: RiskStatus) -> RiskPatch {
    let status_reason = Change::Set(Prose::stored(format!("It is {} now.", status.as_str())));
    RiskPatch { status: Some(status), status_reason, ..RiskPatch::default() }
}

fn every(evaluation: Option<i64>, review: Option<i64>) -> RiskPatch {
    RiskPatch {
        evaluate_every_days: evaluation.into(),
        review_every_days: review.into(),
        ..RiskPatch::default()
    }
}

/// The numbers of the risks with each of the states, in the order of their words: overdue, due within 30 days; evaluation
/// overdue, never evaluated.
async fn lists(db: &TestDb, org: OrgId, view: View) -> [Vec<i64>; 4] {
    let review = |it| DueFilter { review: vec![it], ..DueFilter::default() };
    let evaluation = |it| DueFilter { evaluation: vec![it], ..DueFilter::default() };
    let asked = [
        review(ReviewDue::Overdue),
        review(ReviewDue::Due30),
        evaluation(EvaluationDue::Overdue),
        evaluation(EvaluationDue::Never),
    ];
    let mut tx = db.read().await.unwrap();
    let mut found = Vec::new();
    for due in asked {
        let query = RiskQuery { filter: RiskFilter { due, ..RiskFilter::default() }, ..RiskQuery::of(view) };
        let rows = store::risks::list(&mut tx, org, &query, 100).await.unwrap().rows;
        let count = store::risks::count(&mut tx, org, view, &query.filter).await.unwrap();
        assert_eq!(usize::try_from(count).unwrap(), rows.len());
        found.push(rows.into_iter().map(|it| it.number.number()).rev().collect());
    }
    found.try_into().unwrap()
}

fn days(risk: &Risk) -> [Option<String>; 2] {
    [risk.next_evaluation_date(), risk.next_review_date.clone()].map(|day| day.map(|it| it.to_string()))
}

#[both_engines]
async fn an_evaluation_and_a_review_move_their_own_day(db: TestDb) {
    let org = organization(&db).await;
    db.clock.set("2026-03-02T03:00:00Z"); // the evening of the day before, there
    create(&db, org, titled("Fire")).await;
    let risk = update(&db, org, 1, every(Some(7), Some(90))).await.unwrap();
    let expected = |evaluation: &str, review: &str| [evaluation, review].map(|day| Some(day.to_owned()));
    assert_eq!(days(&risk), expected("2026-03-08", "2026-05-30"));
    db.clock.set("2026-03-09T12:00:00Z");
    assert_eq!(lists(&db, org, View::now()).await, [vec![], vec![], vec![1], vec![1]]);
    evaluate(&db, org, 1, rated(2, 2)).await.unwrap();
    let now = get(&db, org, 1, View::now()).await.unwrap();
    assert_eq!((days(&now), now.version), (expected("2026-03-16", "2026-05-30"), 2));
    db.clock.set("2026-05-31T12:00:00Z");
    assert_eq!(lists(&db, org, View::now()).await, [vec![1], vec![], vec![1], vec![]]);
    let made = review(&db, org, 1).await.unwrap();
    assert_eq!((made.number, made.reviewed_date), (1, db.clock.now()));
    let now = get(&db, org, 1, View::now()).await.unwrap();
    assert_eq!((days(&now), now.version), (expected("2026-03-16", "2026-08-29"), 3));
    let again = review(&db, org, 1).await.unwrap();
    assert_eq!((again.number, get(&db, org, 1, View::now()).await.unwrap().version), (2, 3), "the day stays");
    let mut tx = db.read().await.unwrap();
    let page = store::risks::reviews(&mut tx, org, RiskNumber(1), Some(2), 5).await.unwrap();
    assert_eq!(
        (page.rows, store::risks::count_reviews(&mut tx, org, RiskNumber(1)).await),
        (vec![made], Ok(2))
    );
    assert_eq!(faults(&db, org).await, [""; 0]);
    let gone = "UPDATE risk_review SET note = NULL WHERE organization = $1 AND number = 1";
    db.write(org, async move |tx: &mut Tx| tx.execute(gone, &[&org.uuid()]).await).await.unwrap();
    assert_eq!(faults(&db, org).await, ["reviews/1 of the risk RSK-1 is not what its latest entry says."]);
}

#[both_engines]
async fn a_closed_risk_takes_only_what_supersedes(db: TestDb) {
    let org = organization(&db).await;
    create(&db, org, titled("Fire")).await;
    evaluate(&db, org, 1, rated(2, 2)).await.unwrap();
    update(&db, org, 1, moved(RiskStatus::Closed)).await.unwrap();
    assert_eq!(conflict(&evaluate(&db, org, 1, rated(3, 3)).await), "risk_closed");
    assert_eq!(conflict(&review(&db, org, 1).await), "risk_closed");
    evaluate(&db, org, 1, NewEvaluation { supersedes: Some(1), ..rated(3, 3) }).await.unwrap();
    db.clock.advance_days(2);
    let opened = update(&db, org, 1, moved(RiskStatus::Open)).await.unwrap();
    assert_eq!(opened.status_reason.as_deref(), Some("It is open now."));
    assert_eq!(days(&opened)[0].as_deref(), Some("2026-03-03"));
    db.clock.advance_days(1);
    assert_eq!(lists(&db, org, View::now()).await[2], [1]);
    evaluate(&db, org, 1, rated(3, 3)).await.unwrap();
    assert_eq!(lists(&db, org, View::now()).await[2], [0; 0]);
    assert_eq!(faults(&db, org).await, [""; 0]);
}

/// One act on one of two risks.
#[derive(Debug, Clone)]
enum Act {
    Wait { hours: i64 },
    Every { evaluation: Option<i64>, review: Option<i64> },
    Evaluate { hours_ago: i64 },
    Supersede { hours_ago: i64 },
    Move { status: RiskStatus },
    Review,
}

fn act() -> impl Strategy<Value = Act> {
    let every = || prop::option::weighted(0.8, 1..40_i64);
    prop_oneof![
        4 => (1..300_i64).prop_map(|hours| Act::Wait { hours }),
        2 => (every(), every()).prop_map(|(evaluation, review)| Act::Every { evaluation, review }),
        3 => (0..200_i64).prop_map(|hours_ago| Act::Evaluate { hours_ago }),
        1 => (0..200_i64).prop_map(|hours_ago| Act::Supersede { hours_ago }),
        3 => prop::sample::select(RiskStatus::ALL).prop_map(|status| Act::Move { status }),
        2 => Just(Act::Review),
    ]
}

/// What happened to a risk.
#[derive(Debug, Clone)]
struct Model {
    created: Timestamp,
    moves: Vec<(Timestamp, RiskStatus)>,
    every: [Option<i64>; 2],
    /// When each evaluation was, and whether it counts.
    evaluations: Vec<(Timestamp, bool)>,
    next_review: Option<Date>,
}

fn day(at: Timestamp) -> Date {
    at.to_zoned(zone()).date()
}

fn later(day: Date, days: i64) -> Date {
    (0..days).fold(day, |day, _| day.tomorrow().unwrap())
}

impl Model {
    fn is_open(&self) -> bool {
        self.moves.last().is_none_or(|(_, status)| *status == RiskStatus::Open)
    }

    fn next_evaluation(&self) -> Option<Date> {
        let latest = self.evaluations.iter().filter(|(_, counts)| *counts).map(|(at, _)| *at).max();
        let (reopened, every) = (self.moves.last().map(|(at, _)| *at), self.every[0]);
        match (latest, reopened) {
            _ if !self.is_open() => None,
            (latest, Some(reopened)) if latest.is_none_or(|at| at < reopened) => Some(day(reopened)),
            (Some(at), _) => every.map(|days| later(day(at), days)),
            (None, _) => every.map(|days| later(day(self.created), days)),
        }
    }

    /// The act as it should go at `now`; false if it is refused.
    fn apply(&mut self, act: &Act, now: Timestamp) -> bool {
        let ago = |hours| now - SignedDuration::from_hours(hours);
        match act {
            Act::Wait { .. } => {}
            Act::Every { evaluation, review } => {
                self.every = [*evaluation, *review];
                self.next_review = self.next_review.or(review.map(|days| later(day(now), days)));
            }
            Act::Evaluate { .. } | Act::Review if !self.is_open() => return false,
            Act::Evaluate { hours_ago } => self.evaluations.push((ago(*hours_ago), true)),
            Act::Supersede { hours_ago } => match self.evaluations.last_mut() {
                Some((_, counts)) => {
                    *counts = false;
                    self.evaluations.push((ago(*hours_ago), true));
                }
                None => return false,
            },
            Act::Move { status } => {
                if self.is_open() != (*status == RiskStatus::Open) {
                    self.moves.push((now, *status));
                }
            }
            Act::Review => self.next_review = self.every[1].map(|days| later(day(now), days)),
        }
        true
    }
}

/// The lists as they should be on a day.
fn expected(risks: &[Model], today: Date) -> [Vec<i64>; 4] {
    let those = |is_one: &dyn Fn(&Model) -> bool| {
        (1..).zip(risks).filter(|(_, risk)| is_one(risk)).map(|(number, _)| number).collect::<Vec<i64>>()
    };
    let review = |risk: &Model| risk.next_review.filter(|_| risk.is_open());
    [
        those(&|risk| review(risk).is_some_and(|day| day < today)),
        those(&|risk| review(risk).is_some_and(|day| day >= today && day <= later(today, 30))),
        those(&|risk| risk.next_evaluation().is_some_and(|day| day < today)),
        those(&|risk| !risk.evaluations.iter().any(|(_, counts)| *counts)),
    ]
}

/// The act on the store; false if it is refused. An evaluation is dated so many hours before the model's time of the write.
async fn do_on_store(db: &TestDb, org: OrgId, number: i64, act: &Act, model: &Model) -> bool {
    let now = db.clock.now();
    let dated = |hours: i64, supersedes: Option<i64>| NewEvaluation {
        evaluated_at: Some(now - SignedDuration::from_hours(hours)),
        supersedes,
        ..rated(2, 2)
    };
    match act {
        Act::Wait { hours } => {
            db.clock.advance(SignedDuration::from_hours(*hours));
            true
        }
        Act::Every { evaluation, review } => {
            update(db, org, number, every(*evaluation, *review)).await.is_ok()
        }
        Act::Evaluate { hours_ago } => evaluate(db, org, number, dated(*hours_ago, None)).await.is_ok(),
        Act::Supersede { hours_ago } => {
            let last = i64::try_from(model.evaluations.len()).unwrap();
            evaluate(db, org, number, dated(*hours_ago, Some(last))).await.is_ok()
        }
        Act::Move { status } => update(db, org, number, moved(*status)).await.is_ok(),
        Act::Review => review(db, org, number).await.is_ok(),
    }
}

/// Does all the acts in an organization of their own, and compares after each.
async fn check(db: &TestDb, acts: &[(bool, Act)]) {
    let org = organization(db).await;
    let mut risks = Vec::new();
    for title in ["Fire", "Flood"] {
        let created = create(db, org, titled(title)).await.created_date;
        let (moves, evaluations) = (Vec::new(), Vec::new());
        risks.push(Model { created, moves, every: [None; 2], evaluations, next_review: None });
    }
    let mut past = Vec::new();
    for (is_second, act) in acts {
        // Each write has a time of its own, which the model knows.
        db.clock.advance_seconds(1);
        let (now, index) = (db.clock.now(), usize::from(*is_second));
        let number = i64::from(*is_second) + 1;
        let done = do_on_store(db, org, number, act, &risks[index]).await;
        assert_eq!(done, risks[index].apply(act, now), "{act:?} of {:#?}", risks[index]);
        for (number, model) in (1..).zip(&risks) {
            let found = days(&get(db, org, number, View::now()).await.unwrap());
            let days = [model.next_evaluation(), model.next_review].map(|day| day.map(|it| it.to_string()));
            assert_eq!(found, days, "{number} after {act:?}: {model:#?}");
        }
        let today = day(db.clock.now());
        assert_eq!(lists(db, org, View::now()).await, expected(&risks, today), "on {today}: {risks:#?}");
        if !matches!(act, Act::Wait { .. }) && done {
            past.push((head(db, org).await, expected(&risks, day(now))));
        }
    }
    // An act that changed nothing has no entry, and the one before it stays the latest.
    past.dedup_by_key(|(seq, _)| *seq);
    for (seq, lists_then) in past {
        assert_eq!(lists(db, org, View::as_of(seq)).await, lists_then, "as of {seq}");
    }
    assert_eq!(faults(db, org).await, [""; 0]);
}

#[both_engines]
async fn every_due_day_and_every_list_is_what_counting_the_days_gives(db: TestDb) {
    let handle = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let config = Config { cases: 40, failure_persistence: None, ..Config::default() };
        TestRunner::new(config)
            .run(&prop::collection::vec((any::<bool>(), act()), 1..25), |acts| {
                handle.block_on(check(&db, &acts));
                Ok(())
            })
            .unwrap();
    });
}
