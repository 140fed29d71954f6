//! One job, in writes of bounded size with pauses between.

use std::time::{Duration, Instant};

use db::{Db, Tx};
use domain::{Actor, ActorKind, Author, OrgId};
use store::housekeeping::{self, Taken, Trash};
use store::sweeps::{self, Sweep};
use store::{Result, refused_sign_ins};

/// Rows that one write sweeps, or counters that it replaces by entries: a few milliseconds, as their keys lie far apart.
pub(super) const ROWS: u32 = 100;
/// Organizations whose trash one read looks at.
const ORGANIZATIONS: i64 = 500;
/// Between two writes at least.
const PAUSE: Duration = Duration::from_millis(20);
/// And this many times as long as the last write took, including its wait in the queue: the busier the database is, the
/// longer the pauses.
const PAUSE_FACTOR: u32 = 4;

/// What is cleared away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Job {
    Sweep(Sweep),
    /// Counted refusals of hours that are over become entries.
    RefusedSignIns,
    Purge(Trash),
}

impl Job {
    /// All of them, in their order: kept answers go before the records that they may show.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let sweeps = Sweep::ALL.map(Self::Sweep).into_iter();
        sweeps.chain([Self::RefusedSignIns]).chain(store::REGISTRY.trash().map(Self::Purge))
    }

    /// The name, as it is measured and logged.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sweep(sweep) => sweep.name(),
            Self::RefusedSignIns => "refused_sign_ins",
            Self::Purge(trash) => trash.name(),
        }
    }

    /// Removes what is due now, and tells after each write how much that was.
    pub(super) async fn run(self, db: &Db, mut removed: impl FnMut(u64)) -> Result<()> {
        match self {
            Self::Sweep(sweep) => run_sweep(db, sweep, &mut removed).await,
            Self::RefusedSignIns => run_refused_sign_ins(db, &mut removed).await,
            Self::Purge(trash) => run_purge(db, trash, &mut removed).await,
        }
    }
}

/// Reads first, which costs no write: mostly nothing is due.
async fn run_sweep(db: &Db, sweep: Sweep, removed: &mut impl FnMut(u64)) -> Result<()> {
    let now = (db.clock())();
    if !sweeps::is_due(&mut db.read().await?, sweep, now).await? {
        return Ok(());
    }
    let write = || {
        db.write_alone(OrgId::INSTANCE, async move |tx: &mut Tx| sweeps::sweep(tx, sweep, now, ROWS).await)
    };
    while paced(write(), removed).await?.more {}
    Ok(())
}

async fn run_refused_sign_ins(db: &Db, removed: &mut impl FnMut(u64)) -> Result<()> {
    let now = (db.clock())();
    if !refused_sign_ins::is_due(&mut db.read().await?, now).await? {
        return Ok(());
    }
    let write = || {
        let author = author();
        db.write_alone(OrgId::INSTANCE, async move |tx: &mut Tx| {
            refused_sign_ins::append_entries(tx, &author, ROWS).await
        })
    };
    while paced(write(), removed).await?.more {}
    Ok(())
}

/// An organization whose trash cannot be emptied does not keep the others from it.
async fn run_purge(db: &Db, trash: Trash, removed: &mut impl FnMut(u64)) -> Result<()> {
    let (mut after, mut result) = (OrgId::INSTANCE, Ok(()));
    loop {
        let mut read = db.read().await?;
        let now = (db.clock())();
        let (due, last) =
            housekeeping::organizations_with_due(&mut read, trash, now, after, ORGANIZATIONS).await?;
        drop(read);
        for organization in due {
            match purge(db, trash, organization, removed).await {
                Err(error) if matches!(error.0, domain::Error::Unavailable(_)) => return Err(error),
                Err(error) => result = Err(error),
                Ok(()) => {}
            }
        }
        let Some(last) = last else { return result };
        after = last;
    }
}

async fn purge(db: &Db, trash: Trash, organization: OrgId, removed: &mut impl FnMut(u64)) -> Result<()> {
    let write = || {
        let author = author();
        db.write_alone(organization, async move |tx: &mut Tx| {
            housekeeping::purge(tx, organization, &author, trash).await
        })
    };
    while paced(write(), removed).await?.more {}
    Ok(())
}

/// One write, and the pause after it.
async fn paced(write: impl Future<Output = Result<Taken>>, removed: &mut impl FnMut(u64)) -> Result<Taken> {
    let started = Instant::now();
    let taken = write.await?;
    removed(taken.count);
    tokio::time::sleep(PAUSE.max(started.elapsed() * PAUSE_FACTOR)).await;
    Ok(taken)
}

/// The service itself, as the author of changes without a caller.
fn author() -> Author {
    let actor = Actor { kind: ActorKind::Operator, id: "service".to_owned(), name: "Service".to_owned() };
    Author::new(actor, "housekeeping")
}
