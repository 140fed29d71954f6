//! Risks: made, changed, deleted, restored, listed, now and in the past.

use db::Tx;
use domain::document::Control;
use domain::person::Person;
use domain::risk::{NewRisk, RatingPatch, RiskPatch, RiskStatus};
use domain::{FaultCode, OrgId, ResourceKind, Role};
use store::risks::RiskQuery;
use store::{Deleted, View};
use testkit::{TestDb, both_engines};

use crate::risks::support::*;

async fn member(db: &TestDb, organization: OrgId, name: &str) -> Person {
    let email = format!("{name}@x.org");
    let id = db.user(organization, name, &email, Role::Owner).await;
    Person { id, name: name.into(), email }
}

#[both_engines]
async fn a_risk_is_read_back(db: TestDb) {
    let org = db.organization("Acme").await;
    let ada = member(&db, org, "Ada").await;
    let new = NewRisk {
        description: "**All** of it \u{1F525}".into(),
        category: Some("physical".into()),
        owner: Some(ada.id),
        ..titled("Fire")
    };
    let before = head(&db, org).await;
    let made = create(&db, org, new).await;
    assert_eq!((made.number.to_string().as_str(), made.version, made.seq_from), ("RSK-1", 1, before + 1));
    assert_eq!(made.owner, Some(ada.clone()));
    assert_eq!(get(&db, org, 1, View::now()).await, Ok(made.clone()));
    assert_eq!(list(&db, org, View::now()).await, [made]);
    assert_eq!(get(&db, org, 2, View::now()).await, not_found(ResourceKind::Risk));
    let payload = format!(
        concat!(
            r#"{{"title":[null,"Fire"],"description":[null,"**All** of it 🔥"],"category":[null,"physical"],"#,
            r#""owner":[null,"{}"],"treatment":[null,"undecided"],"status":[null,"open"],"#,
            r#""inherent":[null,{{"likelihood":4,"impact":5}}],"#,
            r#""target":[null,{{"likelihood":2,"impact":3}}],"scale_version":[null,1]}}"#
        ),
        ada.id
    );
    assert_eq!(journal(&db, org, before).await, [("risk.created".into(), "RSK-1".into(), payload)]);
}

#[both_engines]
async fn an_owner_is_a_member(db: TestDb) {
    let (acme, other) = (db.organization("Acme").await, db.organization("Other").await);
    let eve = member(&db, other, "Eve").await.id;
    let new = NewRisk { owner: Some(eve), ..titled("Fire") };
    let work = async move |tx: &mut Tx| store::risks::create(tx, acme, &by(), &new).await;
    let unknown = [("#/owner".to_owned(), FaultCode::UnknownUser)];
    assert_eq!(input_faults(db.write(acme, work).await), unknown);
    assert_eq!(create(&db, acme, titled("Fire")).await.number.number(), 1, "the number was not used up");
    let patch = RiskPatch { owner: domain::Change::Set(eve), ..RiskPatch::default() };
    assert_eq!(input_faults(update(&db, acme, 1, patch).await), unknown);
}

#[both_engines]
async fn a_change_keeps_the_state_before_it(db: TestDb) {
    let org = db.organization("Acme").await;
    let made = create(&db, org, titled("Fire")).await;
    db.clock.advance_seconds(60);
    let patch = RiskPatch {
        title: Some("Fire in the warehouse".into()),
        category: domain::Change::Set("physical".into()),
        status: Some(RiskStatus::Closed),
        status_reason: domain::Change::Set("The warehouse was sold.".into()),
        inherent: Some(RatingPatch { likelihood: Some(5), impact: None }),
        ..RiskPatch::default()
    };
    let changed = update(&db, org, 1, patch.clone()).await.unwrap();
    assert_eq!((changed.version, changed.inherent, changed.status), (2, rating(5, 5), RiskStatus::Closed));
    assert!(changed.updated_date > made.updated_date && changed.created_date == made.created_date);
    assert_eq!(get(&db, org, 1, View::now()).await, Ok(changed.clone()));
    assert_eq!(get(&db, org, 1, View::as_of(made.seq_from)).await, Ok(made.clone()));
    assert_eq!(get(&db, org, 1, View::as_of(made.seq_from - 1)).await, not_found(ResourceKind::Risk));
    let payload = format!(
        concat!(
            r#"{{"title":["Fire","Fire in the warehouse"],"category":[null,"physical"],"status":["open","closed"],"#,
            r#""status_reason":[null,"The warehouse was sold."],"status_date":[null,"{}"],"#,
            r#""inherent":[{{"likelihood":4,"impact":5}},{{"likelihood":5,"impact":5}}]}}"#
        ),
        domain::time::format(changed.updated_date)
    );
    let entries = journal(&db, org, made.seq_from).await;
    assert_eq!(entries, [("risk.updated".into(), "RSK-1".into(), payload)]);

    assert_eq!(update(&db, org, 1, patch).await, Ok(changed.clone()), "nothing changes");
    let above = RatingPatch { likelihood: Some(1), impact: Some(1) };
    let patch = RiskPatch { inherent: Some(above), ..RiskPatch::default() };
    assert_eq!(input_faults(update(&db, org, 1, patch).await), [("#/target".to_owned(), FaultCode::Range)]);
    assert_eq!(head(&db, org).await, changed.seq_from);
    assert_eq!(update(&db, org, 9, RiskPatch::default()).await, not_found(ResourceKind::Risk));
}

#[both_engines]
async fn a_deleted_risk_is_gone_until_it_is_restored(db: TestDb) {
    let org = db.organization("Acme").await;
    for title in ["a", "b", "c"] {
        create(&db, org, titled(title)).await;
    }
    evaluate(&db, org, 2, rated(2, 2)).await.unwrap();
    let tag = create_tag(&db, org, "cloud").await.unwrap();
    add_tag(&db, org, 2, tag.id).await.unwrap();
    let whole = get(&db, org, 2, View::now()).await.unwrap();
    let seen = head(&db, org).await;
    db.clock.advance_seconds(1);
    delete(&db, org, 2).await.unwrap();
    assert_eq!(delete(&db, org, 2).await, not_found(ResourceKind::Risk), "deleted already");
    assert_eq!(numbers(&db, org, View::now()).await, [3, 1]);
    assert_eq!(numbers(&db, org, view(Deleted::Only)).await, [2]);
    assert_eq!(numbers(&db, org, view(Deleted::With)).await, [3, 2, 1]);
    assert_eq!(numbers(&db, org, View::as_of(seen)).await, [3, 2, 1]);
    assert_eq!(get(&db, org, 2, View::now()).await, not_found(ResourceKind::Risk));
    assert_eq!(update(&db, org, 2, RiskPatch::default()).await, not_found(ResourceKind::Risk));
    assert_eq!(evaluate(&db, org, 2, rated(1, 1)).await, not_found(ResourceKind::Risk));
    let deleted = get(&db, org, 2, view(Deleted::Only)).await.unwrap();
    assert_eq!((deleted.version, deleted.deleted_date), (2, Some(deleted.updated_date)));
    assert_eq!((&deleted.current, &deleted.tags), (&whole.current, &whole.tags));

    assert_eq!(restore(&db, org, 1).await, not_found(ResourceKind::Risk), "not deleted");
    let restored = restore(&db, org, 2).await.unwrap();
    assert_eq!((restored.version, restored.deleted_date), (3, None));
    assert_eq!((&restored.current, &restored.tags), (&whole.current, &whole.tags));
    assert_eq!(get(&db, org, 2, View::now()).await, Ok(restored));
    let date = domain::time::format(deleted.updated_date);
    let entry = |kind: &str, payload: String| (kind.to_owned(), "RSK-2".to_owned(), payload);
    assert_eq!(
        journal(&db, org, seen).await,
        [
            entry("risk.deleted", format!(r#"{{"deleted_date":[null,"{date}"]}}"#)),
            entry("risk.restored", format!(r#"{{"deleted_date":["{date}",null]}}"#)),
        ]
    );
    delete(&db, org, 3).await.unwrap();
    assert_eq!(create(&db, org, titled("d")).await.number.number(), 4, "a number is never used again");
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn a_page_ends_where_the_next_begins(db: TestDb) {
    let org = db.organization("Acme").await;
    for title in ["a", "b", "c", "d", "e"] {
        create(&db, org, titled(title)).await;
    }
    let mut tx = db.read().await.unwrap();
    let (mut seen, mut query) = (Vec::new(), RiskQuery::of(View::now()));
    loop {
        let page = store::risks::list(&mut tx, org, &query, 2).await.unwrap();
        query.after = page.rows.last().map(|risk| query.sort.by.position(risk));
        seen.push(page.rows.into_iter().map(|risk| String::from(risk.title)).collect::<String>());
        if !page.has_more {
            break;
        }
    }
    assert_eq!(seen, ["ed", "cb", "a"]);
}

#[both_engines]
async fn nothing_crosses_organizations(db: TestDb) {
    let (acme, other) = (db.organization("Acme").await, db.organization("Other").await);
    create(&db, acme, titled("a")).await;
    evaluate(&db, acme, 1, rated(2, 2)).await.unwrap();
    for view in [View::now(), view(Deleted::With), View::as_of(1)] {
        assert_eq!(get(&db, other, 1, view).await, not_found(ResourceKind::Risk));
        assert_eq!(numbers(&db, other, view).await, [0; 0]);
    }
    assert_eq!(update(&db, other, 1, RiskPatch::default()).await, not_found(ResourceKind::Risk));
    assert_eq!(delete(&db, other, 1).await, not_found(ResourceKind::Risk));
    assert_eq!(evaluate(&db, other, 1, rated(1, 1)).await, not_found(ResourceKind::Risk));
    delete(&db, acme, 1).await.unwrap();
    assert_eq!(restore(&db, other, 1).await, not_found(ResourceKind::Risk));
    assert_eq!(figure(&db, other, 90).await, (0, 0));
    assert_eq!(create(&db, other, titled("b")).await.number.number(), 1);
    assert_eq!(get(&db, other, 1, View::now()).await.unwrap().current, None);
}

#[both_engines]
async fn the_number_of_statements_does_not_depend_on_the_length(db: TestDb) {
    let org = db.organization("Acme").await;
    let tag = create_tag(&db, org, "cloud").await.unwrap().id;
    let fill = async move |tx: &mut Tx| {
        for _ in 0..200 {
            let risk = store::risks::create(tx, org, &by(), &titled("a")).await?;
            store::listed::add_tag::<domain::risk::Risk>(tx, org, &by(), risk.number, tag).await?;
            store::evaluations::record(tx, org, &by(), risk.number, &rated(2, 2)).await?;
        }
        Ok::<(), store::Error>(())
    };
    db.write_alone(org, fill).await.unwrap();
    let seq = head(&db, org).await;
    for (view, statements) in [(View::now(), 4), (View::as_of(seq), 6)] {
        let count = async |limit: i64| {
            let before = db.statements();
            let mut tx = db.read().await.unwrap();
            let page = store::risks::list(&mut tx, org, &RiskQuery::of(view), limit).await.unwrap();
            assert_eq!(page.rows.len(), usize::try_from(limit).unwrap());
            assert!(page.rows.iter().all(|risk| risk.tags.len() == 1 && risk.current.is_some()));
            db.statements() - before
        };
        assert_eq!((count(1).await, count(200).await), (statements, statements));
    }
    let before = db.statements();
    assert_eq!(figure(&db, org, 90).await, (200, 100));
    assert_eq!(db.statements() - before, 2);
}

#[both_engines]
async fn verification_finds_what_was_changed_behind_the_journal(db: TestDb) {
    let org = db.organization("Acme").await;
    for title in ["a", "b"] {
        create(&db, org, titled(title)).await;
        let tag = create_tag(&db, org, title).await.unwrap();
        let risk = if title == "a" { 1 } else { 2 };
        add_tag(&db, org, risk, tag.id).await.unwrap();
        evaluate(&db, org, risk, rated(2, 2)).await.unwrap();
        evaluate(&db, org, risk, rated(3, 2)).await.unwrap();
    }
    assert_eq!(faults(&db, org).await, [""; 0]);
    for (sql, found) in [
        (
            "UPDATE risk SET target_impact = 1 WHERE organization = $1 AND number = 2",
            "target of the risk RSK-2",
        ),
        ("UPDATE tag SET color = '#000000' WHERE organization = $1 AND name = 'b'", "color of the tag"),
        (
            "UPDATE evaluation SET performance_basis_points = 1 WHERE organization = $1 AND risk = 1 AND number = 1",
            "evaluations/1 of the risk RSK-1",
        ),
        ("DELETE FROM risk_tag WHERE organization = $1 AND risk = 2", "tags/"),
    ] {
        let before = faults(&db, org).await.len();
        db.write(org, async move |tx: &mut Tx| tx.execute(sql, &[&org.uuid()]).await).await.unwrap();
        let faults = faults(&db, org).await;
        assert_eq!(faults.len(), before + 1, "{faults:?}");
        assert!(faults.iter().any(|fault| fault.starts_with(found)), "{found}: {faults:?}");
    }
}

#[both_engines]
async fn the_risks_of_controls_are_found_by_whole_numbers(db: TestDb) {
    let (acme, other) = (db.organization("Acme").await, db.organization("Other").await);
    let with = |controls: &[&str]| NewRisk {
        controls: controls.iter().map(|it| Control::stored(*it)).collect(),
        ..titled("a")
    };
    for controls in [&["A.8.13", "A.8.1"][..], &["A.8.13"], &[], &["a.8.1", "A_8_1"], &["A.8.1"], &["A.8.1"]]
    {
        create(&db, acme, with(controls)).await;
    }
    create(&db, other, with(&["A.8.1"])).await;
    delete(&db, acme, 6).await.unwrap();
    let found = async |controls: &[&str], limit: usize| {
        let (wanted, before) = (controls.iter().copied().collect(), db.statements());
        let mut tx = db.read().await.unwrap();
        let found = store::risks::of_controls(&mut tx, acme, &wanted, limit).await.unwrap();
        assert!(db.statements() - before <= 1);
        found.into_iter().map(|it| format!("{} {}", it.number, it.controls.join(" "))).collect::<Vec<_>>()
    };
    assert_eq!(found(&["A.8.1"], 9).await, ["RSK-1 A.8.1", "RSK-5 A.8.1"]);
    assert_eq!(found(&["A.8.1", "A.8.13"], 2).await, ["RSK-1 A.8.13 A.8.1", "RSK-2 A.8.13"]);
    assert!(found(&["A.8"], 9).await.is_empty() && found(&[], 9).await.is_empty());
}
