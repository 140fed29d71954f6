//! Writes of every kind, waiting at the same time, leave exactly what they would have left one by one.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use crate::common::{Written, append, assert_whole, chain, open, organization, write};
use db::{Db, Engine, Error, Tx};
use futures_util::future::join_all;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use testkit::{EmptyDatabase, both_engines};
use uuid::Uuid;

/// Histories that are tried on each engine.
const CASES: u32 = 150;
const ORGANIZATIONS: usize = 3;

/// What a write does after its entries are appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Succeed,
    DomainError,
    Constraint,
    /// Continues after a violated constraint and returns success.
    Swallow,
    Panic,
    /// What it leaves is refused at COMMIT, where it takes its whole batch with it.
    CommitFails,
    /// PostgreSQL: the server ends the connection. SQLite: the transaction ends without the lane's knowledge.
    ConnectionDies,
}

/// How long its caller waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Patience {
    Whole,
    /// Drops the future right after submitting the write.
    None,
    Micros(u64),
}

/// How it is submitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Shared,
    Alone,
    /// A write of the instance that adds this organization's head.
    Instance,
}

#[derive(Debug, Clone)]
struct Op {
    organization: usize,
    way: Way,
    entries: usize,
    /// Lets others in between its statements.
    pause_micros: u64,
    end: End,
    patience: Patience,
}

fn op() -> impl Strategy<Value = Op> {
    let end = prop_oneof![
        12 => Just(End::Succeed),
        3 => Just(End::DomainError),
        3 => Just(End::Constraint),
        1 => Just(End::Swallow),
        1 => Just(End::Panic),
        1 => Just(End::CommitFails),
        1 => Just(End::ConnectionDies),
    ];
    let patience = prop_oneof![
        8 => Just(Patience::Whole),
        1 => Just(Patience::None),
        1 => (0..3_000_u64).prop_map(Patience::Micros),
    ];
    let way = prop_oneof![8 => Just(Way::Shared), 1 => Just(Way::Alone), 1 => Just(Way::Instance)];
    let pause_micros = prop_oneof![6 => Just(0), 1 => 1..800_u64];
    (0..ORGANIZATIONS, way, 0..3_usize, pause_micros, end, patience).prop_map(
        |(organization, way, entries, pause_micros, end, patience)| Op {
            organization,
            way,
            entries,
            pause_micros,
            end,
            patience,
        },
    )
}

/// The errors of a store: its own, and the database's.
#[derive(Debug, Clone, PartialEq, Eq)]
enum StoreError {
    Domain(usize),
    Db(Error),
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        Self::Db(error)
    }
}

type Answer = Result<Vec<Written>, StoreError>;

/// The work of the op number `index`. Its labels start with that number.
async fn work(tx: &mut Tx, op: &Op, organization: Uuid, index: usize) -> Answer {
    if op.way == Way::Instance {
        tx.lock_head(organization).await?;
    }
    let mut written = Vec::new();
    for entry in 0..op.entries {
        written.push(append(tx, organization, &format!("{index}.{entry}")).await?);
        if op.way == Way::Instance {
            let label = format!("{organization} {index}.{entry}");
            append(tx, Uuid::nil(), &label).await?;
        }
        if op.pause_micros > 0 {
            tokio::time::sleep(Duration::from_micros(op.pause_micros)).await;
        }
    }
    match op.end {
        End::Succeed => Ok(written),
        End::DomainError => Err(StoreError::Domain(index)),
        End::Constraint => {
            append(tx, organization, "taken").await?;
            Ok(written)
        }
        End::Swallow => {
            let _ = append(tx, organization, "taken").await;
            let _ = append(tx, organization, &format!("{index}.swallowed")).await;
            Ok(written)
        }
        End::Panic => panic!("on purpose"),
        End::CommitFails => {
            tx.execute("INSERT INTO child (parent) VALUES (0)", &[]).await?;
            Ok(written)
        }
        End::ConnectionDies => {
            match tx.engine() {
                Engine::Sqlite => tx.execute("ROLLBACK", &[]).await?,
                Engine::Postgres => tx.execute("SELECT pg_terminate_backend(pg_backend_pid())", &[]).await?,
            };
            Ok(written)
        }
    }
}

/// Submits an op when it is first polled. `None`: its caller was dropped before the answer.
async fn submit(db: Db, op: Op, organization: Uuid, index: usize) -> Option<Answer> {
    let of_op = op.clone();
    let task = async move |tx: &mut Tx| work(tx, &of_op, organization, index).await;
    let mut answer: Pin<Box<dyn Future<Output = Answer>>> = match op.way {
        Way::Shared => Box::pin(async move { db.write(organization, task).await }),
        Way::Alone => Box::pin(async move { db.write_alone(organization, task).await }),
        Way::Instance => Box::pin(async move { db.write_instance(task).await }),
    };
    match op.patience {
        Patience::Whole => Some(answer.await),
        Patience::None => match futures_util::poll!(&mut answer) {
            Poll::Ready(answer) => Some(answer),
            Poll::Pending => None,
        },
        Patience::Micros(micros) => tokio::time::timeout(Duration::from_micros(micros), answer).await.ok(),
    }
}

/// What the caller of a refused write must have been told. `None`: it succeeds.
fn refusal(op: &Op, engine: Engine) -> Option<fn(&StoreError, usize) -> bool> {
    match op.end {
        End::Succeed => None,
        End::DomainError => Some(|error, index| *error == StoreError::Domain(index)),
        End::Constraint | End::Swallow => {
            Some(|error, _| *error == StoreError::Db(Error::Constraint { name: "entry_label".to_owned() }))
        }
        End::Panic => {
            Some(|error, _| *error == StoreError::Db(Error::Internal("a write panicked".to_owned())))
        }
        End::CommitFails if engine == Engine::Sqlite => {
            Some(|error, _| *error == StoreError::Db(Error::Constraint { name: "foreign_key".to_owned() }))
        }
        End::CommitFails => {
            Some(|error, _| *error == StoreError::Db(Error::Constraint { name: "child_parent".to_owned() }))
        }
        End::ConnectionDies => Some(|error, _| matches!(error, StoreError::Db(Error::Unavailable(_)))),
    }
}

/// Runs a history on new organizations and compares the result with the model.
async fn check(db: &Db, ops: &[Op]) -> Result<(), TestCaseError> {
    let mut organizations = Vec::new();
    for _ in 0..ORGANIZATIONS {
        let organization = organization(db).await;
        write(db, organization, "taken").await.unwrap();
        organizations.push(organization);
    }
    // Polled in order, so they are handed over in order.
    let submitted = ops
        .iter()
        .enumerate()
        .map(|(index, op)| submit(db.clone(), op.clone(), organizations[op.organization], index));
    let answers = join_all(submitted).await;
    // Writes whose caller is gone may still run; a last write of each organization and the instance comes after them.
    for organization in &organizations {
        write(db, *organization, "last").await.unwrap();
    }
    db.write_instance(async move |_: &mut Tx| -> db::Result<()> { Ok(()) }).await.unwrap();
    for organization in &organizations {
        assert_whole(db, *organization).await;
    }
    for (index, organization) in organizations.iter().enumerate() {
        check_chain(db, index, *organization, ops, &answers).await?;
    }
    Ok(())
}

async fn check_chain(
    db: &Db,
    index: usize,
    organization: Uuid,
    ops: &[Op],
    answers: &[Option<Answer>],
) -> Result<(), TestCaseError> {
    let mut by_op: BTreeMap<usize, Vec<Written>> = BTreeMap::new();
    let (mut order, mut before) = (Vec::new(), None);
    for written in chain(db, organization).await {
        let Some((index, _)) = written.label.split_once('.') else {
            before = Some(written.at);
            continue;
        };
        let index: usize = index.parse().unwrap();
        if order.last() == Some(&index) {
            // Entries of one write have one time.
            prop_assert_eq!(before, Some(written.at));
        } else {
            prop_assert!(before < Some(written.at), "time stood still at {:?}", written);
            order.push(index);
        }
        before = Some(written.at);
        by_op.entry(index).or_default().push(written);
    }
    prop_assert_eq!(order.len(), by_op.len(), "two writes were mixed: {:?}", order);
    let shared: Vec<_> = order.iter().filter(|index| ops[**index].way != Way::Instance).collect();
    prop_assert!(shared.is_sorted(), "first come is not first served: {:?}", order);
    for (index, (op, answer)) in
        ops.iter().zip(answers).enumerate().filter(|(_, it)| it.0.organization == index)
    {
        let found = by_op.remove(&index).unwrap_or_default();
        match (refusal(op, db.engine()), answer) {
            (None, Some(Ok(written))) => {
                prop_assert_eq!(written, &found);
                prop_assert_eq!(written.len(), op.entries);
            }
            (None, None) => {
                prop_assert!(found.is_empty() || found.len() == op.entries, "half of {}: {:?}", index, found);
            }
            (Some(expected), Some(Err(error))) if expected(error, index) => {
                prop_assert_eq!(found, [], "refused and there");
            }
            (Some(_), None) => prop_assert_eq!(found, [], "refused and there"),
            (_, answer) => prop_assert!(false, "{}: {:?} was answered {:?}", index, op, answer),
        }
    }
    prop_assert!(by_op.is_empty());
    Ok(())
}

/// The nil organization's chain has an entry for each that an instance write has added elsewhere.
async fn check_instance(db: &Db) {
    assert_whole(db, Uuid::nil()).await;
    for written in chain(db, Uuid::nil()).await {
        let (organization, label) = written.label.split_once(' ').unwrap();
        let entries = crate::common::labels(db, organization.parse().unwrap()).await;
        assert!(entries.iter().any(|entry| entry == label), "{written:?}");
    }
}

#[both_engines]
async fn waiting_writes_leave_what_they_would_have_left_one_by_one(index: EmptyDatabase) {
    let db = open(&index).await;
    std::panic::set_hook(Box::new(|panic| {
        let purpose = panic.payload().downcast_ref::<&str>() == Some(&"on purpose");
        if !purpose {
            #[expect(clippy::print_stderr, reason = "a test's own failure")]
            {
                eprintln!("{panic}");
            }
        }
    }));
    let handle = tokio::runtime::Handle::current();
    let result = tokio::task::block_in_place(|| {
        let config =
            Config { cases: CASES, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
        TestRunner::new(config)
            .run(&prop::collection::vec(op(), 1..60), |ops| handle.block_on(check(&db, &ops)))
    });
    let _ = std::panic::take_hook();
    result.unwrap();
    check_instance(&db).await;
}
