//! A migrated database that one test owns.

use std::ops::Deref;

use crate::{EmptyDatabase, TestClock, patient, seeded};

/// A migrated database, a clock that stands still and randomness that repeats. It dereferences to [`db::Db`].
pub struct TestDb {
    /// The time of the test.
    pub clock: TestClock,
    database: EmptyDatabase,
    db: db::Db,
}

impl TestDb {
    pub(crate) async fn open(database: EmptyDatabase) -> Self {
        let clock = TestClock::new();
        let db = opened(&database, &clock, 1).await;
        Self { clock, database, db }
    }

    /// The database as it is, not migrated yet, with a clock that shows `now`.
    pub async fn at(database: EmptyDatabase, now: &str) -> Self {
        let db = Self::open(database).await;
        db.clock.set(now);
        db
    }

    /// The database that it is connected to.
    pub fn database(&self) -> &EmptyDatabase {
        &self.database
    }

    /// The handle itself, for code that needs to own one.
    pub fn db(&self) -> db::Db {
        self.db.clone()
    }

    /// A second handle on the same database, as another process would have it: own connections, own lanes, same clock.
    /// `seed` is any number but 1, and another one for each.
    pub async fn second(&self, seed: u64) -> Self {
        let db = opened(&self.database, &self.clock, seed).await;
        Self { clock: self.clock.clone(), database: self.database.clone(), db }
    }
}

async fn opened(database: &EmptyDatabase, clock: &TestClock, seed: u64) -> db::Db {
    let options = db::Options::new(database.location(), clock.handle(), seeded(seed));
    db::Db::open(patient(options)).await.expect("opening the test's database")
}

impl Deref for TestDb {
    type Target = db::Db;

    fn deref(&self) -> &db::Db {
        &self.db
    }
}
