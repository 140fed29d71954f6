//! The trash is emptied after its days, and what is purged leaves what it should and nothing else.

use db::Tx;
use domain::evaluation::NewEvaluation;
use domain::incident::{IncidentPatch, Viewer};
use domain::risk::{NewRisk, NewRiskReview, Rating, RiskPatch, RiskStatus};
use domain::tag::NewTag;
use domain::{Error, ExpectedVersion, IncidentNumber, OrgId, ResourceKind, RiskNumber};
use store::housekeeping::{Taken, organizations_with_due};
use store::risks::RiskQuery;
use store::{Deleted, View};
use testkit::{TestDb, author};

use crate::housekeeping::support::{
    SECRET, change, declare, delete, everything, faults, incidents, journal, keep_trash, purge, purge_all,
    restore, risks, rows,
};

const DAYS: i64 = 90;

/// An incident with a past, in the trash.
async fn deleted_incident(db: &TestDb, org: OrgId) -> i64 {
    let number = declare(db, org, &format!("{SECRET} called")).await;
    db.clock.advance_seconds(60);
    let patch = IncidentPatch {
        description: Some(domain::ProseOrEmpty::stored(format!("It was {SECRET}."))),
        source: domain::Change::Set(domain::LineOrEmpty::stored(SECRET)),
        resolution_summary: domain::Change::Set(domain::Prose::stored(format!("{SECRET} again"))),
        occurred_date: domain::Change::Set(db.clock.now()),
        detected_date: Some(db.clock.now()),
        ..IncidentPatch::default()
    };
    change(db, org, number, patch).await;
    let work = async move |tx: &mut Tx| {
        let new = NewTag {
            name: domain::tag::TagName::stored(format!("of {number}")),
            color: None,
            description: None,
        };
        let (by, number) = (author(), IncidentNumber(number));
        let tag = store::tags::create(tx, org, &by, &new).await?.id;
        store::listed::add_tag::<domain::incident::Incident>(tx, org, &by, number, tag).await
    };
    db.write(org, work).await.unwrap();
    db.clock.advance_seconds(60);
    assert_eq!(delete(db, org, &[number]).await, 1);
    number
}

async fn get(db: &TestDb, org: OrgId, number: i64, view: View) -> store::Result<String> {
    let mut tx = db.read().await.unwrap();
    let found = store::incidents::get(&mut tx, org, &Viewer::service(), IncidentNumber(number), view).await?;
    Ok(found.title.into())
}

#[testkit::both_engines]
async fn an_incident_under_a_legal_hold_is_never_purged(db: TestDb) {
    let org = db.organization("Acme").await;
    let (held, other) = (deleted_incident(&db, org).await, deleted_incident(&db, org).await);
    assert_eq!(restore(&db, org, &[held]).await, 1);
    let hold = |legal_hold| IncidentPatch {
        legal_hold: Some(legal_hold),
        reason: Some("Court order".into()),
        ..IncidentPatch::default()
    };
    change(&db, org, held, hold(true)).await;
    delete(&db, org, &[held]).await;
    db.clock.advance_days(DAYS + 1);
    assert_eq!(purge(&db, org, incidents()).await, Taken { count: 1, more: false });
    let with = View { deleted: Deleted::With, ..View::now() };
    assert!(get(&db, org, held, with).await.is_ok());
    assert!(get(&db, org, other, with).await.is_err());
    assert_eq!(purge(&db, org, incidents()).await, Taken::default());
    // Without the hold it is purged when its days are over.
    restore(&db, org, &[held]).await;
    change(&db, org, held, hold(false)).await;
    delete(&db, org, &[held]).await;
    db.clock.advance_days(DAYS + 1);
    assert_eq!(purge(&db, org, incidents()).await, Taken { count: 1, more: false });
    assert_eq!(faults(&db, org).await, Vec::<String>::new());
}

#[testkit::both_engines]
async fn a_purged_incident_leaves_its_number_its_dates_and_its_actors(db: TestDb) {
    let org = db.organization("Acme").await;
    let stays = declare(&db, org, "Stays").await;
    let number = deleted_incident(&db, org).await;
    assert!(everything(&db).await.contains(SECRET));
    let before = journal(&db, org).await;
    let seen = View { deleted: Deleted::With, ..View::as_of(3) };
    assert!(get(&db, org, number, seen).await.is_ok());

    db.clock.advance_days(DAYS);
    db.clock.advance_seconds(-1);
    assert_eq!(purge(&db, org, incidents()).await, Taken::default(), "a second too early");
    assert_eq!(journal(&db, org).await.len(), before.len());
    db.clock.advance_seconds(1);
    assert_eq!(purge(&db, org, incidents()).await, Taken { count: 1, more: false });

    assert!(!everything(&db).await.contains(SECRET), "{}", everything(&db).await);
    assert_eq!(rows(&db, "incident_tag").await, 0);
    let gone = Err(store::Error(Error::NotFound(ResourceKind::Incident)));
    for view in [View::now(), seen, View { deleted: Deleted::Only, ..View::now() }] {
        assert_eq!(get(&db, org, number, view).await, gone, "{view:?}");
    }
    assert_eq!((restore(&db, org, &[number]).await, delete(&db, org, &[number]).await), (0, 0));
    assert_eq!(declare(&db, org, "The next").await, number + 1, "a number is never used again");

    let after = journal(&db, org).await;
    for (old, new) in before.iter().zip(&after) {
        let mut left = old.clone();
        if old.subject_id == "INC-0002" {
            (left.payload, left.salt) = (None, None);
        }
        assert_eq!(*new, left, "the rest of the entry stays");
    }
    let last = &after[before.len()];
    assert_eq!((last.kind.as_str(), last.subject_id.as_str()), ("incident.purged", "INC-0002"));
    assert_eq!(last.actor.id, "service");
    let dates = r#"{"created_date":["2026-03-01T09:00:00.000001Z",null],"occurred_date":["2026-03-01T09:01:00.000000Z",null],"detected_date":["2026-03-01T09:01:00.000000Z",null],"deleted_date":["2026-03-01T09:02:00.000000Z",null]}"#;
    assert_eq!(last.payload.as_deref(), Some(dates));
    assert_eq!(get(&db, org, stays, View::now()).await, Ok("Stays".to_owned()));
    assert_eq!(faults(&db, org).await, Vec::<String>::new());
    // It is not purged again.
    assert_eq!(purge(&db, org, incidents()).await, Taken::default());
}

fn risk(title: String) -> NewRisk {
    let rating = |likelihood, impact| Rating { likelihood, impact };
    NewRisk {
        description: domain::ProseOrEmpty::stored(title.clone()),
        category: Some(domain::Line::stored(title.clone())),
        owner_name: Some(domain::Line::stored(title.clone())),
        asset: Some(domain::Reason::stored(title.clone())),
        existing_controls: Some(domain::Prose::stored(title.clone())),
        external_ref: Some(domain::Line::stored(title.clone())),
        controls: vec![domain::document::Control::stored("A.8.13")],
        ..NewRisk::rated(domain::Line::stored(title), rating(4, 5), rating(2, 3))
    }
}

/// A risk with everything that a risk can have; its number.
async fn judged(db: &TestDb, org: OrgId, title: &str) -> RiskNumber {
    let (text, tag) = (title.to_owned(), format!("about {}", title.len()));
    let work = async move |tx: &mut Tx| {
        let (by, any) = (author(), ExpectedVersion::Any);
        let number = store::risks::create(tx, org, &by, &risk(text.clone())).await?.number;
        let patch = RiskPatch {
            status: Some(RiskStatus::Closed),
            status_reason: domain::Change::Set(domain::Prose::stored(text.clone())),
            ..RiskPatch::default()
        };
        for supersedes in [None, Some(1), None] {
            let rating = Rating { likelihood: 3, impact: 4 };
            let new = NewEvaluation {
                rating,
                evaluated_at: None,
                note: Some(domain::ProseOrEmpty::stored(text.clone())),
                supersedes,
                inherent: None,
                target: None,
            };
            store::evaluations::record(tx, org, &by, number, &new).await?;
        }
        store::risks::review(
            tx,
            org,
            &by,
            number,
            &NewRiskReview { note: Some(domain::Prose::stored(text.clone())) },
        )
        .await?;
        store::risks::update(tx, org, &by, number, &any, &patch).await?;
        let new = NewTag { name: domain::tag::TagName::stored(tag.clone()), color: None, description: None };
        let tag = store::tags::create(tx, org, &by, &new).await?.id;
        store::listed::add_tag::<domain::risk::Risk>(tx, org, &by, number, tag).await?;
        store::listed::remove_tag::<domain::risk::Risk>(tx, org, &by, number, tag).await?;
        store::listed::add_tag::<domain::risk::Risk>(tx, org, &by, number, tag).await?;
        Ok::<_, store::Error>(number)
    };
    db.write(org, work).await.unwrap()
}

async fn delete_risk(db: &TestDb, org: OrgId, number: RiskNumber) {
    let work = async move |tx: &mut Tx| {
        store::risks::delete(tx, org, &author(), number, &ExpectedVersion::Any).await
    };
    db.write(org, work).await.unwrap();
}

async fn figure(db: &TestDb, org: OrgId) -> (i64, i64) {
    let mut tx = db.read().await.unwrap();
    let figure = store::performance::get(&mut tx, org, 3_650).await.unwrap();
    (figure.total_risks_evaluated, figure.average_performance_percentage)
}

#[testkit::both_engines]
async fn a_purged_risk_takes_its_evaluations_and_links_with_it(db: TestDb) {
    let org = db.organization("Acme").await;
    let stays = judged(&db, org, "Stays").await;
    let tables = ["risk", "risk_history", "risk_latest", "risk_review", "risk_tag", "evaluation"];
    let mut alone = Vec::new();
    for table in tables {
        alone.push((table, rows(&db, table).await));
    }
    assert_eq!(alone.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [1, 1, 1, 1, 2, 3]);
    let doomed = judged(&db, org, SECRET).await;
    delete_risk(&db, org, doomed).await;
    let (counted, kept) = (figure(&db, org).await, journal(&db, org).await.len());

    db.clock.advance_days(DAYS + 1);
    assert_eq!(purge(&db, org, incidents()).await, Taken::default());
    assert_eq!(purge(&db, org, risks()).await, Taken { count: 1, more: false });
    for (table, count) in alone {
        assert_eq!(rows(&db, table).await, count, "{table}");
    }
    assert!(!everything(&db).await.contains(SECRET), "{}", everything(&db).await);
    assert_eq!(figure(&db, org).await, counted, "it did not count before");
    let entries = journal(&db, org).await;
    assert_eq!(entries.len(), kept + 1);
    for entry in &entries {
        let (is_old, is_doomed) = (entry.seq <= i64::try_from(kept).unwrap(), entry.subject_id == "RSK-2");
        assert_eq!(entry.payload.is_none(), is_old && is_doomed, "{entry:?}");
        assert_eq!(entry.payload.is_none(), entry.salt.is_none());
    }
    assert_eq!(entries[kept].kind, "risk.purged");
    let mut tx = db.read().await.unwrap();
    let deleted = View { deleted: Deleted::With, ..View::now() };
    let list = store::risks::list(&mut tx, org, &RiskQuery::of(deleted), 10).await.unwrap().rows;
    assert_eq!(list.iter().map(|risk| risk.number).collect::<Vec<_>>(), [stays]);
    drop(tx);
    assert_eq!(faults(&db, org).await, Vec::<String>::new());
}

#[testkit::both_engines]
async fn an_organization_says_how_long_its_trash_is_kept(db: TestDb) {
    let (short, never, other) =
        (db.organization("Short").await, db.organization("Never").await, db.organization("Other").await);
    for org in [short, never, other] {
        deleted_incident(&db, org).await;
    }
    keep_trash(&db, short, 1).await;
    keep_trash(&db, never, 0).await;
    let empty = async |org| purge(&db, org, incidents()).await.count;
    db.clock.advance_days(1);
    assert_eq!((empty(short).await, empty(never).await, empty(other).await), (1, 0, 0));
    db.clock.advance_days(4_000);
    assert_eq!(empty(never).await, 0);
    // A change counts for what is there already.
    keep_trash(&db, never, 3_650).await;
    assert_eq!((empty(never).await, empty(other).await), (1, 1));
    for org in [short, never, other, OrgId::INSTANCE] {
        assert_eq!(faults(&db, org).await, Vec::<String>::new());
    }
}

#[testkit::both_engines]
async fn organizations_are_looked_at_page_by_page(db: TestDb) {
    let mut due = Vec::new();
    for n in 0..5 {
        let org = db.organization("Acme").await;
        if n % 2 == 0 {
            deleted_incident(&db, org).await;
            due.push(org);
        }
        db.clock.advance_seconds(1);
    }
    // In the trash, but not long enough.
    let look = async |trash| {
        let (mut found, mut after) = (Vec::new(), OrgId::INSTANCE);
        loop {
            let (mut tx, now) = (db.read().await.unwrap(), db.clock.now());
            let (due, last) = organizations_with_due(&mut tx, trash, now, after, 2).await.unwrap();
            found.extend(due);
            let Some(last) = last else { return found };
            after = last;
        }
    };
    assert_eq!(look(incidents()).await, []);
    db.clock.advance_days(DAYS);
    assert_eq!(look(incidents()).await, due);
    assert_eq!(look(risks()).await, []);
    keep_trash(&db, due[1], 0).await;
    assert_eq!(look(incidents()).await, [due[0], due[2]]);
}

#[testkit::both_engines]
async fn one_write_purges_a_bounded_number_of_records_and_entries(db: TestDb) {
    let org = db.organization("Acme").await;
    let mut numbers = Vec::new();
    for n in 0..105 {
        numbers.push(declare(&db, org, &format!("T{n}")).await);
    }
    delete(&db, org, &numbers).await;
    // One with a long story, deleted last.
    let long = declare(&db, org, "Long").await;
    for n in 0..300 {
        let patch = IncidentPatch {
            title: Some(domain::Line::stored(format!("Long {n}"))),
            ..IncidentPatch::default()
        };
        change(&db, org, long, patch).await;
    }
    delete(&db, org, &[long]).await;
    let last = declare(&db, org, "Last").await;
    delete(&db, org, &[last]).await;
    db.clock.advance_days(DAYS + 1);
    let mut taken = Vec::new();
    let mut statements = Vec::new();
    loop {
        let before = db.statements();
        let one = purge(&db, org, incidents()).await;
        statements.push(db.statements() - before);
        taken.push(one.count);
        if !one.more {
            break;
        }
    }
    assert_eq!(taken, [20, 20, 20, 20, 20, 5, 1, 1]);
    assert!(statements.iter().all(|count| *count == statements[0]), "{statements:?}");
    assert_eq!(rows(&db, "incident").await + rows(&db, "incident_history").await, 0);
    assert_eq!(faults(&db, org).await, Vec::<String>::new());
}

/// Another organization's trash stays, and so does its journal, though the numbers are the same.
#[testkit::both_engines]
async fn nothing_of_another_organization_is_purged(db: TestDb) {
    let (org, other) = (db.organization("Acme").await, db.organization("Other").await);
    deleted_incident(&db, org).await;
    deleted_incident(&db, other).await;
    db.clock.advance_days(DAYS);
    let untouched = journal(&db, other).await;
    assert_eq!(purge_all(&db, org, incidents()).await, 1);
    assert_eq!(journal(&db, other).await, untouched);
    assert_eq!(restore(&db, other, &[1]).await, 1);
    assert_eq!(faults(&db, other).await, Vec::<String>::new());
}

/// A write that does not come to its end leaves everything as it was.
#[testkit::both_engines]
async fn a_purge_that_fails_in_the_end_has_purged_nothing(db: TestDb) {
    let org = db.organization("Acme").await;
    let number = deleted_incident(&db, org).await;
    db.clock.advance_days(DAYS);
    let before = journal(&db, org).await;
    let work = async move |tx: &mut Tx| {
        store::housekeeping::purge(tx, org, &author(), incidents()).await?;
        Err::<(), _>(store::Error(Error::Internal("the power fails".to_owned())))
    };
    db.write_alone(org, work).await.unwrap_err();
    assert_eq!(journal(&db, org).await, before);
    assert_eq!(restore(&db, org, &[number]).await, 1);
    assert_eq!(get(&db, org, number, View::now()).await, Ok(format!("{SECRET} called")));
    assert_eq!(faults(&db, org).await, Vec::<String>::new());
}
