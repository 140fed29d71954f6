//! PostgreSQL killed and started again under load. The test has a cluster of its own.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::cluster::Cluster;
use crate::common::{append, assert_whole, labels, organization, write};
use db::{Db, Error, Location, Tx};
use testkit::until;

/// How many answers all writers got.
#[derive(Default)]
struct Counts {
    acknowledged: AtomicUsize,
    refused: AtomicUsize,
    is_over: AtomicBool,
}

/// The answers that one writer got.
#[derive(Default)]
struct Answers {
    acknowledged: Vec<String>,
    refused: Vec<String>,
    unknown: usize,
}

async fn write_until(db: Db, organization: uuid::Uuid, writer: usize, counts: Arc<Counts>) -> Answers {
    let mut answers = Answers::default();
    for number in 0.. {
        if counts.is_over.load(Ordering::SeqCst) {
            break;
        }
        let label = format!("{writer} {number}");
        match write(&db, organization, &label).await {
            Ok(_) => {
                counts.acknowledged.fetch_add(1, Ordering::SeqCst);
                answers.acknowledged.push(label);
            }
            Err(Error::OutcomeUnknown) => answers.unknown += 1,
            Err(Error::Unavailable(_) | Error::HeadBusy) => {
                counts.refused.fetch_add(1, Ordering::SeqCst);
                answers.refused.push(label);
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            Err(other) => panic!("{other:?}"),
        }
    }
    answers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_loses_nothing_that_was_acknowledged() {
    let cluster = Cluster::new();
    let url = cluster.script(&["start"]);
    let db = Db::open(crate::common::at(Location::Postgres(url), 1)).await.unwrap();
    db.migrate(crate::common::SCHEMA).await.unwrap();
    let organizations = [organization(&db).await, organization(&db).await];
    let counts = Arc::new(Counts::default());
    let acknowledged = || counts.acknowledged.load(Ordering::SeqCst);
    let refused = || counts.refused.load(Ordering::SeqCst);
    let writers: Vec<_> = (0..12)
        .map(|writer| {
            let organization = organizations[writer % 2];
            (organization, tokio::spawn(write_until(db.clone(), organization, writer, Arc::clone(&counts))))
        })
        .collect();
    for _ in 0..3 {
        let (before, refused_before) = (acknowledged(), refused());
        until("some are acknowledged", async || acknowledged() > before + 40).await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        tokio::task::block_in_place(|| cluster.script(&["kill"]));
        until("some are refused", async || refused() > refused_before).await;
        tokio::task::block_in_place(|| cluster.script(&["start"]));
        let back = async || {
            let work = async move |tx: &mut Tx| append(tx, organizations[0], &tx.uuid().to_string()).await;
            db.write(organizations[0], work).await.is_ok() && db.read().await.is_ok()
        };
        until("it recovers", back).await;
    }
    counts.is_over.store(true, Ordering::SeqCst);
    let mut all = Vec::new();
    for (organization, writer) in writers {
        all.push((organization, writer.await.unwrap()));
    }
    let found = [labels(&db, organizations[0]).await, labels(&db, organizations[1]).await];
    for (organization, answers) in all {
        let labels = &found[usize::from(organization == organizations[1])];
        for label in &answers.acknowledged {
            assert_eq!(labels.iter().filter(|found| *found == label).count(), 1, "{label} was acknowledged");
        }
        for label in &answers.refused {
            assert!(!labels.contains(label), "{label} was refused");
        }
    }
    assert_whole(&db, organizations[0]).await;
    assert_whole(&db, organizations[1]).await;
}
