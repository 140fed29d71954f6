//! One test on one engine.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use crate::{EmptyDatabase, Engine, TestDb};

/// What `#[both_engines]` can hand to a test.
pub trait Fixture: Sized {
    /// Prepares the database, in a folder that the test owns.
    fn prepare(engine: Engine, folder: &Path) -> impl Future<Output = EmptyDatabase>;

    /// Builds the fixture on it.
    fn build(database: EmptyDatabase) -> impl Future<Output = Self>;
}

impl Fixture for EmptyDatabase {
    async fn prepare(engine: Engine, folder: &Path) -> EmptyDatabase {
        EmptyDatabase::empty(engine, folder).await
    }

    async fn build(database: EmptyDatabase) -> Self {
        database
    }
}

impl Fixture for TestDb {
    async fn prepare(engine: Engine, folder: &Path) -> EmptyDatabase {
        EmptyDatabase::migrated(engine, folder).await
    }

    async fn build(database: EmptyDatabase) -> Self {
        Self::open(database).await
    }
}

#[cfg(feature = "app")]
impl Fixture for crate::TestApp {
    async fn prepare(engine: Engine, folder: &Path) -> EmptyDatabase {
        EmptyDatabase::migrated(engine, folder).await
    }

    async fn build(database: EmptyDatabase) -> Self {
        Self::start(TestDb::open(database).await).await
    }
}

/// Runs `test` with a fixture on `engine` and cleans up, also when it panics. `#[both_engines]` calls it.
pub fn run<A: Fixture, F: Future>(engine: Engine, test: impl FnOnce(A) -> F) -> F::Output {
    let folder = tempfile::Builder::new().prefix("bailiwick-test-").tempdir().expect("a folder for the test");
    let runtime = runtime();
    let database = runtime.block_on(A::prepare(engine, folder.path()));
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(async { test(A::build(database.clone()).await).await })
    }));
    // Tasks that still run must not hold the test up.
    runtime.shutdown_timeout(Duration::from_secs(5));
    self::runtime().block_on(database.remove());
    outcome.unwrap_or_else(|panic| {
        name_engine(engine);
        resume_unwind(panic)
    })
}

#[expect(clippy::print_stderr, reason = "the test harness shows it with the failure")]
fn name_engine(engine: Engine) {
    eprintln!("This test failed on {engine:?}.");
}

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime for the test")
}
