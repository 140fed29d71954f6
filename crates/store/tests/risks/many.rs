//! Many evaluations in one write: as if they were recorded one after the other.

use db::Tx;
use domain::evaluation::{EvaluationOfRisk, NewEvaluation, NewEvaluations};
use domain::performance::average_percentage;
use domain::risk::{Current, Rating, RiskPatch};
use domain::{Change, Error, OrgId, ResourceKind, RiskNumber};
use jiff::{SignedDuration, Timestamp};
use store::View;
use store::evaluations::Recorded;
use testkit::{TestDb, both_engines};

use crate::risks::histories::Dice;
use crate::risks::support::*;

/// Risks of each random history; the last one is deleted, and the number after it is unknown.
const RISKS: i64 = 6;

fn row(risk: i64, evaluation: NewEvaluation) -> EvaluationOfRisk {
    EvaluationOfRisk { risk: RiskNumber(risk), evaluation }
}

fn superseding(number: i64, new: NewEvaluation) -> NewEvaluation {
    NewEvaluation { supersedes: Some(number), ..new }
}

fn all_of(evaluations: Vec<EvaluationOfRisk>) -> NewEvaluations {
    NewEvaluations { evaluations, dry_run: false, atomic: false }
}

async fn record_all(db: &TestDb, org: OrgId, new: NewEvaluations) -> store::Result<Vec<Recorded>> {
    let work = async move |tx: &mut Tx| store::evaluations::record_all(tx, org, &by(), &new).await;
    db.write_alone(org, work).await
}

async fn plan_all(db: &TestDb, org: OrgId, new: &NewEvaluations) -> Vec<Recorded> {
    store::evaluations::plan_all(&mut db.read().await.unwrap(), org, &by(), new).await.unwrap()
}

/// Records the rows one after the other in one write; one that is refused leaves nothing.
async fn record_each(db: &TestDb, org: OrgId, rows: Vec<EvaluationOfRisk>) -> Vec<Recorded> {
    let work = async move |tx: &mut Tx| {
        let mut all = Vec::new();
        for EvaluationOfRisk { risk, evaluation } in &rows {
            let made = store::evaluations::record(tx, org, &by(), *risk, evaluation).await;
            all.push((*risk, made.map(|it| it.number).map_err(|error| error.0)));
        }
        Ok::<_, store::Error>(all)
    };
    db.write_alone(org, work).await.unwrap()
}

/// The result with each fault at the place that it has in a row alone.
fn alone(recorded: Vec<Recorded>) -> Vec<Recorded> {
    let placed = |at: usize, error: Error| match error {
        Error::Invalid(faults) => {
            let mut own = domain::Faults::new();
            for fault in faults {
                let pointer = fault.pointer.replace(&format!("/evaluations/{at}"), "");
                own.push(domain::Fault { pointer, ..fault });
            }
            Error::from(own)
        }
        other => other,
    };
    let rows = recorded.into_iter().enumerate();
    rows.map(|(at, (risk, made))| (risk, made.map_err(|error| placed(at, error)))).collect()
}

/// The figure by the definition, from all evaluations.
async fn naive(db: &TestDb, org: OrgId, days: i64) -> (i64, i64) {
    let mut tx = db.read().await.unwrap();
    let after = tx.at() - SignedDuration::from_hours(24 * days);
    let (mut count, mut sum) = (0, 0);
    for risk in list(db, org, View::now()).await {
        let all = store::evaluations::list(&mut tx, org, risk.number, None, 1_000).await.unwrap().rows;
        let latest = all.iter().filter(|it| it.superseded_by.is_none()).max_by_key(|it| it.order());
        let counted = latest.filter(|it| it.evaluated_at > after && risk.target.is_some());
        if let Some(points) = counted.and_then(|it| it.performance_basis_points) {
            (count, sum) = (count + 1, sum + points);
        }
    }
    (count, average_percentage(sum, count))
}

/// What the evaluations have made of each risk.
async fn register(
    db: &TestDb,
    org: OrgId,
    view: View,
) -> Vec<(i64, Rating, Option<Rating>, Option<Current>)> {
    let risks = list(db, org, view).await.into_iter();
    risks.map(|it| (it.version, it.inherent, it.target, it.current)).collect()
}

fn random_rows(dice: &mut Dice, now: Timestamp) -> Vec<EvaluationOfRisk> {
    let mut rows = Vec::new();
    for _ in 0..=dice.below(12) {
        let judged = dice.rating();
        let past = now - SignedDuration::from_secs(dice.below(40 * 86_400));
        let evaluated_at = dice.one_of(&[None, Some(now), Some(past)]);
        let number = 1 + dice.below(4);
        let supersedes = dice.one_of(&[None, None, Some(number)]);
        let inherent = dice.one_of(&[None, None, Some(rating(5, 5)), Some(rating(4, 4))]);
        let target = dice.one_of(&[None, None, Some(rating(1, 2)), Some(rating(4, 5))]);
        let new = NewEvaluation { rating: judged, evaluated_at, note: None, supersedes, inherent, target };
        rows.push(row(1 + dice.below(RISKS + 1), new));
    }
    rows
}

#[both_engines]
async fn many_at_once_are_as_many_one_after_the_other(db: TestDb) {
    let (mut refused, mut superseded) = (0, 0);
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        let orgs = [db.organization("Together").await, db.organization("Alone").await];
        for org in orgs {
            for number in 1..=RISKS {
                create(&db, org, titled(&format!("Risk {number}"))).await;
            }
            delete(&db, org, RISKS).await.unwrap();
        }
        for _ in 0..3 {
            db.clock.advance_seconds(3_600 * dice.below(100) + 1);
            let rows = random_rows(&mut dice, db.clock.now());
            superseded += rows.iter().filter(|it| it.evaluation.supersedes.is_some()).count();
            let before = (head(&db, orgs[0]).await, head(&db, orgs[1]).await);
            let new = all_of(rows.clone());
            let planned = plan_all(&db, orgs[0], &new).await;
            assert_eq!(head(&db, orgs[0]).await, before.0, "a plan writes nothing");
            let together = record_all(&db, orgs[0], new).await.unwrap();
            assert_eq!(planned, together, "{seed}");
            refused += together.iter().filter(|(_, made)| made.is_err()).count();
            assert_eq!(alone(together), record_each(&db, orgs[1], rows).await, "{seed}");
            assert_eq!(journal(&db, orgs[0], before.0).await, journal(&db, orgs[1], before.1).await);
            let mut registers = Vec::new();
            for org in orgs {
                registers.push(register(&db, org, View::now()).await);
                for days in [1, 7, 30, 90] {
                    assert_eq!(figure(&db, org, days).await, naive(&db, org, days).await, "{seed} {days}");
                }
            }
            assert_eq!(registers[0], registers[1], "{seed}");
        }
        if seed % 10 == 0 {
            assert_eq!(faults(&db, orgs[0]).await, [""; 0]);
            for seq in 0..=head(&db, orgs[0]).await {
                let view = View::as_of(seq);
                assert_eq!(register(&db, orgs[0], view).await, register(&db, orgs[1], view).await, "{seq}");
            }
        }
    }
    assert!(refused > 40 && superseded > 40, "{refused} refused, {superseded} superseding");
}

#[both_engines]
async fn a_row_supersedes_one_before_it(db: TestDb) {
    let org = db.organization("Acme").await;
    create(&db, org, titled("Fire")).await;
    let rows = vec![
        row(1, rated(5, 5)),
        row(1, superseding(1, rated(3, 4))),
        row(1, superseding(1, rated(1, 1))),
        row(2, rated(1, 1)),
        row(1, superseding(9, rated(1, 1))),
        row(1, superseding(2, rated(2, 3))),
    ];
    let recorded = record_all(&db, org, all_of(rows)).await.unwrap();
    let numbers: Vec<_> = recorded.iter().map(|(_, made)| made.clone().ok()).collect();
    assert_eq!(numbers, [Some(1), Some(2), None, None, None, Some(3)]);
    assert_eq!(conflict(&recorded[2].1.clone().map_err(store::Error)), "already_superseded");
    assert_eq!(recorded[3].1, Err(Error::NotFound(ResourceKind::Risk)));
    let unknown = input_faults(recorded[4].1.clone().map_err(store::Error));
    assert_eq!(unknown, [("#/evaluations/4/supersedes".to_owned(), domain::FaultCode::UnknownEvaluation)]);
    let current = get(&db, org, 1, View::now()).await.unwrap().current.unwrap();
    assert_eq!((current.evaluation, current.rating), (3, rating(2, 3)));
    let mut tx = db.read().await.unwrap();
    let all = store::evaluations::list(&mut tx, org, RiskNumber(1), None, 9).await.unwrap().rows;
    let by: Vec<_> = all.iter().map(|it| (it.number, it.superseded_by)).collect();
    assert_eq!(by, [(3, None), (2, Some(3)), (1, Some(2))]);
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn a_row_is_measured_by_the_ratings_that_one_before_it_brings(db: TestDb) {
    let org = db.organization("Acme").await;
    create(&db, org, titled("Fire")).await;
    evaluate(&db, org, 1, rated(2, 3)).await.unwrap();
    let clear = RiskPatch { target: Change::Clear, ..RiskPatch::default() };
    update(&db, org, 1, clear).await.unwrap();
    let before = head(&db, org).await;
    let past = Some(db.clock.now() - SignedDuration::from_hours(1));
    let brings = |inherent, target| NewEvaluation { inherent, target, evaluated_at: past, ..rated(3, 4) };
    let rows = vec![
        row(1, brings(None, Some(rating(1, 2)))),
        row(1, brings(Some(rating(1, 1)), None)),
        row(1, brings(Some(rating(5, 5)), Some(rating(1, 1)))),
        row(1, brings(None, None)),
    ];
    let recorded = record_all(&db, org, all_of(rows)).await.unwrap();
    let refused = input_faults(recorded[1].1.clone().map_err(store::Error));
    assert_eq!(refused, [("#/evaluations/1/target".to_owned(), domain::FaultCode::Range)]);
    let mut tx = db.read().await.unwrap();
    let all = store::evaluations::list(&mut tx, org, RiskNumber(1), None, 9).await.unwrap().rows;
    let scores =
        |number| all.iter().find(|it| it.number == number).map(|it| (it.inherent_score, it.target_score));
    assert_eq!([2, 3, 4].map(scores), [Some((20, Some(2))), Some((25, Some(1))), Some((25, Some(1)))]);
    let register = |seq| register(&db, org, View::as_of(seq));
    let of = |rows: Vec<(i64, Rating, Option<Rating>, Option<Current>)>| (rows[0].0, rows[0].1, rows[0].2);
    assert_eq!(of(register(before).await), (2, rating(4, 5), None));
    assert_eq!(of(register(before + 1).await), (3, rating(4, 5), Some(rating(1, 2))));
    assert_eq!(of(register(before + 2).await), (4, rating(5, 5), Some(rating(1, 1))));
    assert_eq!(of(register(before + 3).await), (4, rating(5, 5), Some(rating(1, 1))));
    assert_eq!(
        figure(&db, org, 90).await,
        (1, 100),
        "the latest one counts again: it has reached the target of its time"
    );
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn all_or_nothing_names_each_that_is_refused(db: TestDb) {
    let org = db.organization("Acme").await;
    create(&db, org, titled("Fire")).await;
    let before = head(&db, org).await;
    let rows = vec![row(1, rated(3, 4)), row(7, rated(1, 1)), row(1, superseding(5, rated(1, 1)))];
    let refused = record_all(&db, org, NewEvaluations { atomic: true, ..all_of(rows) }).await;
    let Err(store::Error(Error::BulkFailed(failed))) = refused else { panic!("{refused:?}") };
    let ids: Vec<_> = failed.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!((ids, head(&db, org).await), (vec!["RSK-7", "RSK-1"], before));
    let rows = vec![row(1, rated(3, 4)), row(1, rated(2, 3))];
    record_all(&db, org, NewEvaluations { atomic: true, ..all_of(rows) }).await.unwrap();
    assert_eq!(head(&db, org).await, before + 2);
}

#[both_engines]
async fn the_sums_move_once_in_a_write(db: TestDb) {
    let org = db.organization("Acme").await;
    create(&db, org, titled("Fire")).await;
    db.clock.advance_days(500);
    let ago = |days: i64| Some(db.clock.now() - SignedDuration::from_hours(24 * days));
    let rows = [300, 200, 100].map(|days| row(1, NewEvaluation { evaluated_at: ago(days), ..rated(2, 3) }));
    record_all(&db, org, all_of(rows.to_vec())).await.unwrap();
    let mut tx = db.read().await.unwrap();
    let sql = "SELECT span_seconds, risks FROM performance_sum WHERE organization = $1 ORDER BY span_seconds";
    let sums: Vec<(i64, i64)> = tx.query(sql, &[&org.uuid()]).await.unwrap();
    let spans = domain::performance::SPANS_SECONDS;
    assert_eq!(sums, spans.map(|span| (span, 1)), "no sum of one that was the latest in between");
}

#[both_engines]
async fn a_write_has_as_many_statements_for_many_as_for_a_few(db: TestDb) {
    let org = db.organization("Acme").await;
    let work = async move |tx: &mut Tx| {
        for _ in 0..400 {
            store::risks::create(tx, org, &by(), &titled("Fire")).await?;
        }
        Ok::<_, store::Error>(())
    };
    db.write_alone(org, work).await.unwrap();
    let first = (1..=400).map(|risk| row(risk, rated(3, 4))).collect();
    record_all(&db, org, all_of(first)).await.unwrap();
    let mut costs = Vec::new();
    for (few, number) in [(3, 1), (400, 2)] {
        let rows =
            (1..=few).map(|risk| row(risk, superseding(if risk <= 3 { number } else { 1 }, rated(2, 3))));
        let new = all_of(rows.collect());
        let before = db.statements();
        assert!(record_all(&db, org, new).await.unwrap().iter().all(|(_, made)| made.is_ok()));
        costs.push(db.statements() - before);
    }
    assert_eq!(costs[0], costs[1]);
}
