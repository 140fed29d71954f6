//! Evaluations: recorded with the plan of their moment, superseded, listed.

use domain::evaluation::NewEvaluation;
use domain::risk::{Current, RatingPatch, RiskPatch};
use domain::{Actor, ActorKind, Author, Change, Error, FaultCode, ResourceKind, RiskNumber, Role};
use jiff::SignedDuration;
use store::View;
use testkit::{TestDb, both_engines};

use crate::risks::support::*;

#[both_engines]
async fn an_evaluation_is_read_back_and_becomes_the_current_one(db: TestDb) {
    let org = db.organization("Acme").await;
    let risk = create(&db, org, titled("Fire")).await;
    assert_eq!(risk.current, None);
    db.clock.advance_seconds(10);
    let new = NewEvaluation { note: Some("Sprinklers".into()), ..rated(3, 4) };
    let made = evaluate(&db, org, 1, new).await.unwrap();
    assert_eq!((made.number, made.risk, made.scale_version), (1, RiskNumber(1), 1));
    assert_eq!(
        (made.inherent_score, made.target_score, made.performance_basis_points),
        (20, Some(6), Some(5_714))
    );
    assert_eq!((made.evaluated_at, made.created_date), (db.clock.now(), db.clock.now()));
    let mut tx = db.read().await.unwrap();
    assert_eq!(store::evaluations::get(&mut tx, org, RiskNumber(1), 1).await, Ok(made.clone()));
    assert_eq!(
        store::evaluations::get(&mut tx, org, RiskNumber(1), 2).await,
        not_found(ResourceKind::Evaluation)
    );
    assert_eq!(store::evaluations::get(&mut tx, org, RiskNumber(2), 1).await, not_found(ResourceKind::Risk));
    drop(tx);
    let after = get(&db, org, 1, View::now()).await.unwrap();
    let current = Current {
        rating: rating(3, 4),
        scale_version: 1,
        evaluation: 1,
        evaluated_at: made.evaluated_at,
        evaluated_day: 20_513,
        performance_basis_points: Some(5_714),
    };
    assert_eq!(after.current, Some(current));
    assert_eq!((after.version, after.updated_date, after.seq_from), (1, risk.updated_date, risk.seq_from));
    let payload = concat!(
        r#"{"evaluations/1":[null,{"evaluated_at":"2026-03-01T09:00:10.000000Z","evaluated_day":20513,"impact":4,"inherent_score":20,"#,
        r#""likelihood":3,"note":"Sprinklers","performance_basis_points":5714,"scale_version":1,"#,
        r#""supersedes":null,"target_score":6}]}"#
    );
    let entries = journal(&db, org, risk.seq_from).await;
    assert_eq!(entries, [("evaluation.recorded".into(), "RSK-1".into(), payload.into())]);
}

#[both_engines]
async fn a_later_plan_does_not_rewrite_history(db: TestDb) {
    let org = db.organization("Acme").await;
    create(&db, org, titled("Fire")).await;
    evaluate(&db, org, 1, rated(3, 4)).await.unwrap();
    let plan = RatingPatch { likelihood: Some(3), impact: Some(4) };
    update(&db, org, 1, RiskPatch { target: Change::Set(plan), ..RiskPatch::default() }).await.unwrap();
    assert_eq!(figure(&db, org, 90).await, (1, 57));
    let an_hour_ago = Some(db.clock.now() - SignedDuration::from_hours(1));
    let backdated = NewEvaluation { evaluated_at: an_hour_ago, ..rated(3, 4) };
    let made = evaluate(&db, org, 1, backdated).await.unwrap();
    assert_eq!(
        (made.target_score, made.performance_basis_points),
        (Some(12), Some(10_000)),
        "the plan of today"
    );
    assert_eq!(figure(&db, org, 90).await, (1, 57), "the other one is later");
    assert_eq!(get(&db, org, 1, View::now()).await.unwrap().current.unwrap().evaluation, 1);
}

#[both_engines]
async fn a_superseded_evaluation_stays_visible_and_no_longer_counts(db: TestDb) {
    let org = db.organization("Acme").await;
    create(&db, org, titled("Fire")).await;
    evaluate(&db, org, 1, rated(2, 3)).await.unwrap();
    db.clock.advance_seconds(60);
    evaluate(&db, org, 1, rated(4, 5)).await.unwrap();
    let seq = head(&db, org).await;
    let long_ago = db.clock.now() - SignedDuration::from_hours(24);
    db.clock.advance_seconds(60);
    let correction = NewEvaluation { supersedes: Some(2), evaluated_at: Some(long_ago), ..rated(1, 1) };
    let third = evaluate(&db, org, 1, correction.clone()).await.unwrap();
    assert_eq!((third.number, third.supersedes, third.superseded_by), (3, Some(2), None));
    let mut tx = db.read().await.unwrap();
    let wrong = store::evaluations::get(&mut tx, org, RiskNumber(1), 2).await.unwrap();
    assert_eq!(wrong.superseded_by, Some(3));
    drop(tx);
    let current = async |view| get(&db, org, 1, view).await.unwrap().current.unwrap().evaluation;
    assert_eq!(current(View::now()).await, 1, "the latest of those that count");
    assert_eq!(current(View::as_of(seq)).await, 2, "as it was known then");
    assert_eq!(current(View::as_of(seq - 1)).await, 1);
    assert_eq!(get(&db, org, 1, View::as_of(seq - 2)).await.unwrap().current, None);

    assert_eq!(conflict(&evaluate(&db, org, 1, correction).await), "already_superseded");
    let unknown = [("#/supersedes".to_owned(), FaultCode::UnknownEvaluation)];
    for number in [0, 4, -1, i64::MAX] {
        let new = NewEvaluation { supersedes: Some(number), ..rated(1, 1) };
        assert_eq!(input_faults(evaluate(&db, org, 1, new).await), unknown, "{number}");
    }
    let ahead = Some(db.clock.now() + SignedDuration::from_mins(6));
    let new = NewEvaluation { evaluated_at: ahead, supersedes: Some(9), ..rated(1, 1) };
    assert_eq!(input_faults(evaluate(&db, org, 1, new).await).len(), 2, "every fault at once");
    assert_eq!(head(&db, org).await, seq + 1, "what was refused left nothing");
    let payload = &journal(&db, org, seq).await[0].2;
    assert!(payload.ends_with(r#","evaluations/2/superseded_by":[null,3]}"#), "{payload}");
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn evaluations_of_the_register_are_counted_as_they_are_listed(db: TestDb) {
    let org = db.organization("Acme").await;
    for title in ["Fire", "Flood"] {
        create(&db, org, titled(title)).await;
    }
    let before = head(&db, org).await;
    evaluate(&db, org, 1, rated(2, 3)).await.unwrap();
    evaluate(&db, org, 1, NewEvaluation { supersedes: Some(1), ..rated(1, 1) }).await.unwrap();
    evaluate(&db, org, 2, rated(2, 2)).await.unwrap();
    delete(&db, org, 2).await.unwrap();
    let mut tx = db.read().await.unwrap();
    for (entries, counting, all) in [(0, 0, 0), (1, 1, 1), (2, 1, 2), (3, 2, 3), (4, 1, 2)] {
        let seq = before + entries;
        let seen = (View::as_of(seq), seq);
        let mut listed = store::evaluations::all(&mut tx, org, seen, None, 10).await.unwrap().rows;
        listed.retain(|it| it.risk.is_some());
        let current = listed.iter().filter(|it| it.evaluation.superseded_by.is_none()).count();
        assert_eq!((current, listed.len()), (counting, all), "{entries}");
        for (with_superseded, count) in [(false, counting), (true, all)] {
            let counted = store::evaluations::count_all(&mut tx, org, seq, with_superseded).await;
            assert_eq!(counted, Ok(i64::try_from(count).unwrap()), "{entries} {with_superseded}");
        }
    }
}

#[both_engines]
async fn evaluations_are_listed_by_time_and_number(db: TestDb) {
    let (org, other) = (db.organization("Acme").await, db.organization("Other").await);
    for org in [org, org, other] {
        create(&db, org, titled("Fire")).await;
    }
    let now = db.clock.now();
    for hours in [3, 1, 3, 2] {
        let evaluated_at = Some(now - SignedDuration::from_hours(hours));
        evaluate(&db, org, 1, NewEvaluation { evaluated_at, ..rated(2, 2) }).await.unwrap();
    }
    assert_eq!(evaluate(&db, org, 2, rated(2, 2)).await.unwrap().number, 1, "counted per risk");
    let mut tx = db.read().await.unwrap();
    let (mut seen, mut before) = (Vec::new(), None);
    loop {
        let page = store::evaluations::list(&mut tx, org, RiskNumber(1), before, 3).await.unwrap();
        before = page.rows.last().map(domain::evaluation::Evaluation::order);
        seen.push(page.rows.iter().map(|it| it.number).collect::<Vec<_>>());
        if !page.has_more {
            break;
        }
    }
    assert_eq!(seen, [vec![2, 4, 3], vec![1]]);
    let theirs = store::evaluations::list(&mut tx, other, RiskNumber(1), None, 9).await.unwrap();
    assert!(theirs.rows.is_empty());
    let unknown = store::evaluations::list(&mut tx, other, RiskNumber(2), None, 9).await;
    assert_eq!(unknown.unwrap_err().0, Error::NotFound(ResourceKind::Risk));
}

#[both_engines]
async fn an_evaluator_has_todays_name(db: TestDb) {
    let org = db.organization("Acme").await;
    create(&db, org, titled("Fire")).await;
    let ada = db.user(org, "Ada", "ada@x.org", Role::Owner).await;
    let actor = Actor { kind: ActorKind::User, id: ada.to_string(), name: "Yesterday".into() };
    let author = Author::new(actor, "r");
    let work = async move |tx: &mut db::Tx| {
        store::evaluations::record(tx, org, &author, RiskNumber(1), &rated(1, 1)).await
    };
    db.write(org, work).await.unwrap();
    let mut tx = db.read().await.unwrap();
    let read = store::evaluations::get(&mut tx, org, RiskNumber(1), 1).await.unwrap();
    assert_eq!((read.evaluator.id, read.evaluator.name), (ada.to_string(), "Ada".to_owned()));
}
