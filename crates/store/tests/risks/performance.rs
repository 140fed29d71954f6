//! The figure by example; histories.rs compares it with a recomputation.

use db::Tx;
use domain::evaluation::NewEvaluation;
use domain::risk::{NewRisk, RatingPatch, RiskPatch, RiskStatus};
use domain::scale::{NewScale, ScaleContent};
use domain::{Change, ExpectedVersion, OrgId, Reason, ResourceKind};
use jiff::SignedDuration;
use store::performance::{Part, Worse};
use testkit::{TestDb, both_engines};

use crate::risks::support::*;

#[both_engines]
async fn a_period_begins_after_its_first_moment(db: TestDb) {
    let org = db.organization("Acme").await;
    create(&db, org, titled("Fire")).await;
    db.clock.advance_seconds(1);
    evaluate(&db, org, 1, rated(3, 4)).await.unwrap();
    assert_eq!(figure(&db, org, 1).await, (1, 57));
    db.clock.advance_days(1);
    db.clock.advance(SignedDuration::from_micros(-1));
    assert_eq!(figure(&db, org, 1).await, (1, 57));
    db.clock.advance(SignedDuration::from_micros(1));
    assert_eq!(figure(&db, org, 1).await, (0, 0));
    assert_eq!(figure(&db, org, 2).await, (1, 57));
}

#[both_engines]
async fn an_evaluation_counts_at_once_even_if_it_was_given_a_later_time(db: TestDb) {
    let org = db.organization("Acme").await;
    create(&db, org, titled("Fire")).await;
    db.clock.advance_days(3);
    let made = evaluate(&db, org, 1, rated(2, 3)).await.unwrap();
    db.clock.advance_days(-3);
    let ahead = Some(made.evaluated_at + SignedDuration::from_mins(5));
    let again = evaluate(&db, org, 1, NewEvaluation { evaluated_at: ahead, ..rated(3, 4) }).await.unwrap();
    assert!(again.evaluated_at > made.evaluated_at && again.evaluated_at == again.created_date);
    assert_eq!(figure(&db, org, 1).await, (1, 57));
}

#[both_engines]
async fn closed_risks_count_and_deleted_ones_do_not(db: TestDb) {
    let org = db.organization("Acme").await;
    for title in ["a", "b", "never evaluated"] {
        create(&db, org, titled(title)).await;
    }
    evaluate(&db, org, 1, rated(2, 3)).await.unwrap();
    evaluate(&db, org, 2, rated(4, 5)).await.unwrap();
    assert_eq!(figure(&db, org, 90).await, (2, 50));
    let patch = RiskPatch {
        status: Some(RiskStatus::Closed),
        status_reason: Change::Set("Sold".into()),
        ..RiskPatch::default()
    };
    update(&db, org, 1, patch).await.unwrap();
    assert_eq!(figure(&db, org, 90).await, (2, 50));
    delete(&db, org, 2).await.unwrap();
    delete(&db, org, 3).await.unwrap();
    assert_eq!(figure(&db, org, 90).await, (1, 100));
    restore(&db, org, 2).await.unwrap();
    assert_eq!(figure(&db, org, 90).await, (2, 50));
}

#[both_engines]
async fn a_risk_without_a_target_counts_in_neither_number(db: TestDb) {
    let org = db.organization("Acme").await;
    for title in ["a", "b"] {
        create(&db, org, titled(title)).await;
    }
    let without = create(&db, org, NewRisk { target: None, ..titled("c") }).await;
    for risk in 1..=3 {
        evaluate(&db, org, risk, rated(2, 3)).await.unwrap();
    }
    assert_eq!(figure(&db, org, 90).await, (2, 100));
    let target = |target| RiskPatch { target, ..RiskPatch::default() };
    let both = RatingPatch { likelihood: Some(1), impact: Some(1) };
    let cleared = update(&db, org, 1, target(Change::Clear)).await.unwrap();
    assert_eq!((cleared.target, cleared.current.unwrap().performance_basis_points), (None, None));
    assert_eq!(figure(&db, org, 90).await, (1, 100));
    // It has a plan again: what was recorded under the earlier one counts as it was recorded.
    update(&db, org, 1, target(Change::Set(both))).await.unwrap();
    // This one never had a plan, so its evaluation says nothing of one.
    update(&db, org, without.number.number(), target(Change::Set(both))).await.unwrap();
    assert_eq!(figure(&db, org, 90).await, (2, 100));
    evaluate(&db, org, 3, rated(4, 5)).await.unwrap();
    assert_eq!(figure(&db, org, 90).await, (3, 67));
    delete(&db, org, 3).await.unwrap();
    assert_eq!((figure(&db, org, 90).await, faults(&db, org).await), ((2, 100), Vec::new()));
}

#[both_engines]
async fn an_unknown_organization_has_no_figure(db: TestDb) {
    let unknown = OrgId(uuid::Uuid::from_u128(7));
    let mut tx = db.read().await.unwrap();
    assert_eq!(store::performance::get(&mut tx, unknown, 90).await, not_found(ResourceKind::Organization));
}

/// The risks that got worse, each with whether it is above its inherent rating and above the evaluation before.
async fn worse(db: &TestDb, org: OrgId, limit: i64) -> (Vec<(i64, bool, bool)>, bool) {
    let mut tx = db.read().await.unwrap();
    let found = store::performance::worse(&mut tx, org, 90, limit).await.unwrap();
    let row = |it: &Worse| (it.number.number(), it.is_above_inherent(), it.is_above_previous());
    (found.rows.iter().map(row).collect(), found.has_more)
}

#[both_engines]
async fn a_risk_got_worse_above_its_inherent_rating_or_the_evaluation_before(db: TestDb) {
    let org = db.organization("Acme").await;
    let start = db.clock.now();
    db.clock.advance_days(10);
    let earlier = |new| NewEvaluation { evaluated_at: Some(start), ..new };
    let instead_of = |number, new| NewEvaluation { supersedes: Some(number), ..new };
    // The inherent score of each is 20.
    for (title, evaluations) in [
        ("above the evaluation before", vec![rated(3, 4), rated(4, 4)]),
        ("above the inherent rating", vec![rated(5, 5)]),
        ("both", vec![rated(3, 4), rated(5, 5)]),
        ("better", vec![rated(4, 5), rated(3, 4)]),
        ("the same", vec![rated(4, 5), rated(5, 4)]),
        ("the one before was wrong", vec![rated(2, 2), rated(1, 1), instead_of(2, rated(2, 2))]),
        ("the worse one was wrong", vec![rated(2, 2), rated(5, 5), instead_of(2, rated(2, 2))]),
        ("the one before was recorded later", vec![rated(3, 4), earlier(rated(2, 2))]),
        ("deleted", vec![rated(5, 5)]),
    ] {
        let number = create(&db, org, titled(title)).await.number.number();
        for evaluation in evaluations {
            evaluate(&db, org, number, evaluation).await.unwrap();
        }
    }
    delete(&db, org, 9).await.unwrap();
    let all = vec![(2, true, false), (3, true, true), (1, false, true), (8, false, true)];
    assert_eq!(worse(&db, org, 4).await, (all.clone(), false));
    assert_eq!(worse(&db, org, 3).await, (all[..3].to_vec(), true));
    db.clock.advance_days(91);
    assert_eq!(worse(&db, org, 4).await.0, [], "none of them counts in the figure");
}

#[both_engines]
async fn a_lower_score_in_a_higher_band_is_worse(db: TestDb) {
    let org = db.organization("Acme").await;
    for evaluations in [[rated(2, 3), rated(1, 5)], [rated(1, 5), rated(2, 3)]] {
        let number = create(&db, org, titled("Fire")).await.number.number();
        for evaluation in evaluations {
            evaluate(&db, org, number, evaluation).await.unwrap();
        }
    }
    assert_eq!(worse(&db, org, 4).await.0, [(2, false, true)], "both are in one band: the score decides");
    let mut content = ScaleContent::default();
    for row in &mut content.matrix {
        row[4] = 3;
    }
    let new = NewScale { reason: Reason::stored("Severe is critical"), meaning_changed: false, content };
    let work = async move |tx: &mut Tx| {
        store::scale_change::change(tx, org, &by(), &ExpectedVersion::Any, &new).await
    };
    db.write(org, work).await.unwrap();
    assert_eq!(worse(&db, org, 4).await.0, [(1, false, true)], "now the band decides");
}

#[both_engines]
async fn a_later_plan_changes_neither_the_contributions_nor_what_got_worse(db: TestDb) {
    let org = db.organization("Acme").await;
    let level = |likelihood, impact| RatingPatch { likelihood: Some(likelihood), impact: Some(impact) };
    // The first would be above its new inherent score of 9, the second not above that of 25.
    for (number, evaluation, inherent) in [(1, rated(3, 4), level(3, 3)), (2, rated(5, 5), level(5, 5))] {
        create(&db, org, titled("Fire")).await;
        evaluate(&db, org, number, evaluation).await.unwrap();
        let target = Change::Set(level(2, 2));
        let patch = RiskPatch { inherent: Some(inherent), target, ..RiskPatch::default() };
        update(&db, org, number, patch).await.unwrap();
    }
    assert_eq!(worse(&db, org, 4).await.0, [(2, true, false)]);
    let mut tx = db.read().await.unwrap();
    let found = store::performance::contributions(&mut tx, org, 90, 1).await.unwrap();
    let scores = |it: &Part| (it.risk.number.number(), it.inherent_score, it.target_score);
    let told = found.rows.iter().map(scores).collect::<Vec<_>>();
    assert_eq!((told, found.has_more), (vec![(2, Some(20), Some(6))], true), "the lowest progress first");
}

/// The size of the register does not matter to what is not read.
#[both_engines]
async fn a_figure_reads_no_evaluation(db: TestDb) {
    let org = db.organization("Acme").await;
    create(&db, org, titled("Fire")).await;
    evaluate(&db, org, 1, rated(2, 3)).await.unwrap();
    let drop_both = async move |tx: &mut Tx| {
        tx.execute("DROP TABLE evaluation", &[]).await?;
        tx.execute("DROP TABLE risk", &[]).await.map(drop)
    };
    db.write(org, drop_both).await.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(figure(&db, org, 90).await, (1, 100));
}
