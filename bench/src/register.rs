//! A register without the service: the same statements, with the same journal, and no HTTP.

use std::sync::Arc;
use std::time::{Duration, Instant};

use db::{Clock, Db, Location, Options, Random, Tx};
use domain::incident::NewIncident;
use domain::{Actor, ActorKind, Author, OrgId};
use uuid::Uuid;

use crate::figure::percentile;
use crate::target::Target;
use crate::tenant::Tenant;
use crate::window::Window;
use crate::{Result, requests};

/// A statement that builds a data set may take this long.
const PATIENCE: Duration = Duration::from_mins(10);

/// An open register, and in whose name it is written.
#[derive(Clone)]
pub(crate) struct Register {
    pub(crate) db: Db,
    pub(crate) organization: OrgId,
    pub(crate) author: Author,
}

impl Register {
    /// Opens a register whose schema is there.
    pub(crate) async fn open(target: &Target, tenant: &Tenant) -> Result<Self> {
        let location = match &target.database {
            Some(url) => Location::Postgres(url.clone()),
            None => Location::Sqlite(target.data.join("bailiwick.db")),
        };
        let options = Options { statement_timeout: PATIENCE, ..Options::new(location, clock(), random()) };
        let actor = Actor { kind: ActorKind::Client, id: tenant.client_id.clone(), name: "bench".to_owned() };
        Ok(Self {
            db: Db::open(options).await?,
            organization: OrgId(Uuid::parse_str(&tenant.organization)?),
            author: Author::new(actor, "bench"),
        })
    }

    /// Creates incidents for a tenant.
    pub(crate) async fn fill(target: &Target, tenant: &Tenant, incidents: usize) -> Result<()> {
        let (register, new) = (Self::open(target, tenant).await?, requests::new_incident()?);
        for done in (0..incidents).step_by(1_000) {
            register.create(1_000.min(incidents - done), &new).await?;
        }
        register.db.close().await;
        Ok(())
    }

    /// Creates incidents in one transaction.
    pub(crate) async fn create(&self, count: usize, new: &NewIncident) -> Result<()> {
        let (organization, author, new) = (self.organization, self.author.clone(), new.clone());
        let work = async move |tx: &mut Tx| -> store::Result<()> {
            for _ in 0..count {
                store::incidents::create(tx, organization, &author, &new).await?;
            }
            Ok(())
        };
        Ok(self.db.write_alone(organization, work).await?)
    }

    /// Indexes what is to be searched, which the service would do while it is measured.
    pub(crate) async fn index(&self) -> Result<()> {
        let organization = self.organization;
        loop {
            let follow = async move |tx: &mut Tx| store::search::follow(tx, organization, 512, None).await;
            if self.db.write_alone(organization, follow).await?.is_done {
                return Ok(());
            }
        }
    }

    /// Creates incidents for so long, one after the other.
    pub(crate) async fn one_by_one(self, seconds: u64) -> Result<Window> {
        let (started, mut took_us, new) = (Instant::now(), Vec::new(), requests::new_incident()?);
        while started.elapsed() < Duration::from_secs(seconds) {
            let from = Instant::now();
            self.create(1, &new).await?;
            took_us.push(from.elapsed().as_secs_f64() * 1e6);
        }
        Ok(Window { p50_us: percentile(&took_us, 50), p99_us: percentile(&took_us, 99), ..Window::NOTHING })
    }

    /// Creates incidents for so long, so many in each transaction, one transaction after the other.
    pub(crate) async fn creations_per_second(self, in_each: usize, seconds: u64) -> Result<Window> {
        let (started, mut done, new) = (Instant::now(), 0, requests::new_incident()?);
        while started.elapsed() < Duration::from_secs(seconds) {
            self.create(in_each, &new).await?;
            done += in_each;
        }
        Ok(Window { per_second: done as f64 / started.elapsed().as_secs_f64(), ..Window::NOTHING })
    }
}

#[expect(clippy::disallowed_methods, reason = "the bench's one clock, handed on from here")]
fn clock() -> Clock {
    Arc::new(|| domain::time::cut(jiff::Timestamp::now()))
}

#[expect(clippy::disallowed_methods, reason = "the bench's one random source, handed on from here")]
fn random() -> Random {
    use rand::Rng;
    Arc::new(|bytes| rand::rng().fill_bytes(bytes))
}
