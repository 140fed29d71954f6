//! Purging concurrently with other processes that purge, and with callers that restore.

use std::collections::BTreeMap;

use domain::OrgId;
use domain::incident::Viewer;
use jiff::Timestamp;
use store::incidents::IncidentQuery;
use store::{Deleted, View};
use testkit::TestDb;

use crate::housekeeping::support::{
    Dice, declare, delete, faults, incidents, journal, purge, purge_all, restore,
};

const INCIDENTS: i64 = 120;

/// The subjects of the entries of one kind.
async fn subjects(db: &TestDb, org: OrgId, kind: &str) -> Vec<String> {
    let entries = journal(db, org).await.into_iter().filter(|entry| entry.kind == kind);
    entries.map(|entry| entry.subject_id).collect()
}

async fn living(db: &TestDb, org: OrgId, deleted: Deleted) -> Vec<i64> {
    let mut tx = db.read().await.unwrap();
    let view = View { deleted, ..View::now() };
    let page = store::incidents::list(&mut tx, org, &Viewer::service(), &IncidentQuery::of(view), 1_000)
        .await
        .unwrap();
    page.rows.iter().map(|incident| incident.number.number()).rev().collect()
}

#[testkit::both_engines]
async fn processes_purge_each_record_once_and_none_that_was_restored(db: TestDb) {
    let org = db.organization("Acme").await;
    let (second, third) = (db.second(2).await, db.second(3).await);
    let mut numbers = Vec::new();
    for n in 0..INCIDENTS {
        numbers.push(declare(&db, org, &format!("T{n}")).await);
    }
    delete(&db, org, &numbers).await;
    db.clock.advance_days(91);
    // From the end, where the purge arrives last; one before it begins, so that there is one on a slow machine too.
    let mut to_restore = numbers.iter().rev().step_by(2);
    let first = *to_restore.next().unwrap();
    assert_eq!(restore(&third, org, &[first]).await, 1);
    let restoring = async {
        let mut restored = vec![first];
        for number in to_restore {
            if restore(&third, org, &[*number]).await == 1 {
                restored.push(*number);
            }
        }
        restored.reverse();
        restored
    };
    let (here, there, restored) =
        tokio::join!(purge_all(&db, org, incidents()), purge_all(&second, org, incidents()), restoring);
    assert!(here + there > 0, "{here}, {there}, {restored:?}");
    assert_eq!(living(&db, org, Deleted::Without).await, restored);
    assert_eq!(living(&db, org, Deleted::Only).await, Vec::<i64>::new());
    let mut purged = subjects(&db, org, "incident.purged").await;
    assert_eq!(u64::try_from(purged.len()).unwrap(), here + there);
    purged.sort();
    purged.dedup();
    assert_eq!(u64::try_from(purged.len()).unwrap(), here + there, "each once");
    assert_eq!(i64::try_from(purged.len() + restored.len()).unwrap(), INCIDENTS);
    assert_eq!(faults(&db, org).await, Vec::<String>::new());
}

/// Random orders of deleting, restoring, waiting and purging against a model: when each was deleted.
#[testkit::both_engines]
async fn in_any_order_only_what_lay_long_enough_is_purged(db: TestDb) {
    for seed in 1..=6 {
        let (org, mut dice) = (db.organization("Acme").await, Dice(seed));
        let mut model: BTreeMap<i64, Option<Timestamp>> = BTreeMap::new();
        for _ in 0..60 {
            db.clock.advance_seconds(1);
            let known: Vec<i64> = model.keys().copied().collect();
            let any = |dice: &mut Dice| {
                let index = dice.below(u64::try_from(known.len()).unwrap().max(1));
                known.get(usize::try_from(index).unwrap()).copied().unwrap_or(99)
            };
            match dice.below(8) {
                0 | 1 => {
                    model.insert(declare(&db, org, "T").await, None);
                }
                2 | 3 => {
                    let number = any(&mut dice);
                    let lives = model.get(&number) == Some(&None);
                    assert_eq!(delete(&db, org, &[number]).await, i64::from(lives));
                    if lives {
                        model.insert(number, Some(db.clock.now()));
                    }
                }
                4 | 5 => {
                    let number = any(&mut dice);
                    let lies = model.get(&number).is_some_and(Option::is_some);
                    assert_eq!(restore(&db, org, &[number]).await, i64::from(lies));
                    if lies {
                        model.insert(number, None);
                    }
                }
                6 => db.clock.advance_days(dice.below(60)),
                _ => {
                    let before = db.clock.now() - jiff::SignedDuration::from_hours(90 * 24);
                    let count = model.len();
                    model.retain(|_, deleted| deleted.is_none_or(|at| at > before));
                    let purged = u64::try_from(count - model.len()).unwrap();
                    assert_eq!(purge(&db, org, incidents()).await.count, purged);
                }
            }
            let all: Vec<i64> = model.keys().copied().collect();
            assert_eq!(living(&db, org, Deleted::With).await, all, "seed {seed}");
        }
        assert_eq!(faults(&db, org).await, Vec::<String>::new());
    }
}
