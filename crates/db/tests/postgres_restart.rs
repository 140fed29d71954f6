//! PostgreSQL killed and started again under load. The test has a cluster of its own.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/cluster.rs"]
mod cluster;
mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cluster::Cluster;
use common::{append, assert_whole, labels, organization, until, write};
use db::{Db, Error, Location, Tx};

/// The answers that one writer got.
#[derive(Default)]
struct Answers {
    acknowledged: Vec<String>,
    refused: Vec<String>,
    unknown: usize,
}

async fn write_until(db: Db, organization: uuid::Uuid, writer: usize, stop: Arc<AtomicBool>) -> Answers {
    let mut answers = Answers::default();
    for number in 0.. {
        if stop.load(Ordering::SeqCst) {
            break;
        }
        let label = format!("{writer} {number}");
        match write(&db, organization, &label).await {
            Ok(_) => answers.acknowledged.push(label),
            Err(Error::OutcomeUnknown) => answers.unknown += 1,
            Err(Error::Unavailable(_) | Error::HeadBusy) => {
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
    let db = Db::open(common::at(Location::Postgres(url), 1)).await.unwrap();
    db.migrate(common::SCHEMA).await.unwrap();
    let organizations = [organization(&db).await, organization(&db).await];
    let stop = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..12)
        .map(|writer| {
            let organization = organizations[writer % 2];
            (organization, tokio::spawn(write_until(db.clone(), organization, writer, Arc::clone(&stop))))
        })
        .collect();
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(400)).await;
        tokio::task::block_in_place(|| {
            cluster.script(&["kill"]);
            cluster.script(&["start"]);
        });
        let back = async || {
            let work = async move |tx: &mut Tx| append(tx, organizations[0], &tx.uuid().to_string()).await;
            db.write(organizations[0], work).await.is_ok() && db.read().await.is_ok()
        };
        assert!(until(Duration::from_secs(20), back).await, "it did not recover");
    }
    stop.store(true, Ordering::SeqCst);
    let mut all = Vec::new();
    for (organization, writer) in writers {
        all.push((organization, writer.await.unwrap()));
    }
    let (mut acknowledged, mut refused) = (0, 0);
    let found = [labels(&db, organizations[0]).await, labels(&db, organizations[1]).await];
    for (organization, answers) in all {
        let labels = &found[usize::from(organization == organizations[1])];
        for label in &answers.acknowledged {
            assert_eq!(labels.iter().filter(|found| *found == label).count(), 1, "{label} was acknowledged");
        }
        for label in &answers.refused {
            assert!(!labels.contains(label), "{label} was refused");
        }
        acknowledged += answers.acknowledged.len();
        refused += answers.refused.len();
    }
    assert!(acknowledged > 100 && refused > 0, "{acknowledged} and {refused}");
    assert_whole(&db, organizations[0]).await;
    assert_whole(&db, organizations[1]).await;
}
