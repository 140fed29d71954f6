//! Fills a database with the story, through the functions that every other write goes through.
//!
//! Nothing is back-dated: the database is opened with a clock that walks through the last 120 days, so
//! that the journal, `created_date` and "as of" tell the story in its order. Each act is a write of its
//! own, because a write has one time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use db::{Db, Tx};
use domain::OrgId;
use jiff::Timestamp;
use store::demo::Mark;

use super::Demo;
use super::acts::{Known, Scene};
use super::cast;
use super::story;

/// Why there is no demo.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The database holds a real register.
    #[error("this database is not a demo's: choose another folder or database for --demo")]
    NotADemo,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<db::Error> for Error {
    fn from(error: db::Error) -> Self {
        Self::Store(error.into())
    }
}

/// Makes the demo organization in an empty database, or finds it in a demo's.
///
/// Call it before anything else is written, signing keys too: time never goes back within a chain, and
/// the instance's chain must not be ahead of the story. A fill that was interrupted leaves an
/// unused organization behind, and the next call makes another.
pub(crate) async fn prepare(options: db::Options) -> Result<Demo, Error> {
    let now = (options.clock)();
    let clock = StoryClock::new(story::begin(now));
    let db = Db::open(db::Options { clock: clock.handle(), ..options }).await?;
    db.migrate(store::migrations::ALL).await?;
    let demo = match look(&db).await? {
        Found::Empty => fill(&db, &clock, now).await?,
        Found::Demo(demo) => demo,
        Found::Register => return Err(Error::NotADemo),
    };
    db.close().await;
    Ok(demo)
}

/// What a database holds.
enum Found {
    /// Nothing, or a demo that was not finished.
    Empty,
    /// A whole demo.
    Demo(Demo),
    /// Something else.
    Register,
}

async fn look(db: &Db) -> Result<Found, Error> {
    let mut tx = db.read().await?;
    Ok(match store::demo::mark(&mut tx).await? {
        Some(Mark::Filled { organization, client }) => Found::Demo(Demo { organization, client }),
        Some(Mark::Begun) => Found::Empty,
        None if store::journal::head(&mut tx, OrgId::INSTANCE).await?.seq == 0 => Found::Empty,
        None => Found::Register,
    })
}

/// A clock that shows the time of the story.
#[derive(Clone)]
struct StoryClock(Arc<AtomicI64>);

impl StoryClock {
    fn new(at: Timestamp) -> Self {
        Self(Arc::new(AtomicI64::new(at.as_microsecond())))
    }

    fn set(&self, at: Timestamp) {
        self.0.store(at.as_microsecond(), Ordering::SeqCst);
    }

    fn handle(&self) -> db::Clock {
        let time = Arc::clone(&self.0);
        Arc::new(move || Timestamp::from_microsecond(time.load(Ordering::SeqCst)).unwrap_or(Timestamp::MIN))
    }
}

/// Tells the whole story into an empty database and marks it.
async fn fill(db: &Db, clock: &StoryClock, now: Timestamp) -> Result<Demo, Error> {
    let cast = Arc::new(cast::introduce(db).await?);
    let organization = cast.organization;
    let mut known = Arc::new(Known::default());
    for (at, act) in story::acts(now) {
        clock.set(at);
        let (cast, before) = (Arc::clone(&cast), Arc::clone(&known));
        let write = async move |tx: &mut Tx| {
            let scene = Scene { tx, cast: &cast, known: &before, now };
            scene.perform(act).await
        };
        let news = db.write(organization, write).await?;
        let known = Arc::make_mut(&mut known);
        news.into_iter().for_each(|news| known.learn(news));
    }
    let client = cast.visitor.clone();
    let visitor = client.clone();
    db.write_instance(async move |tx: &mut Tx| store::demo::finish(tx, organization, &visitor).await).await?;
    Ok(Demo { organization, client })
}
