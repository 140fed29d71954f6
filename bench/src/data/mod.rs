//! Registers that are filled once and kept between runs, because filling them takes longer than measuring.

mod by_requests;
mod risks;
mod varied;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::bench::Bench;
use crate::register::Register;
use crate::requests;
use crate::target::Target;
use crate::tenant::Tenant;

pub(crate) use risks::figure;
pub(crate) use varied::{COMMON_WORD, RARE_WORD, word};

/// Counts the ways in which sets were filled: a set that was filled in another way is filled again.
const VERSION: u32 = 4;

const MARK: &str = "bench.json";

/// Records that are made in one transaction.
const IN_EACH: usize = 1_000;

/// A register that is filled.
pub(crate) struct Set {
    pub(crate) target: Target,
    pub(crate) tenant: Tenant,
}

/// What is kept of a set beside its data.
#[derive(Serialize, Deserialize)]
struct Mark {
    version: u32,
    /// Stands for the schema: before 0.1.0 the service does not upgrade every earlier one.
    schema: u64,
    tenant: Tenant,
}

impl Mark {
    fn is_current(&self) -> bool {
        (self.version, self.schema) == (VERSION, schema())
    }
}

fn schema() -> u64 {
    let mut hasher = DefaultHasher::new();
    store::migrations::ALL.iter().for_each(|step| step.text.hash(&mut hasher));
    hasher.finish()
}

/// Creates at least so many incidents for a tenant.
pub(crate) async fn fill(bench: &Bench, target: &Target, tenant: &Tenant, incidents: usize) -> Result<()> {
    if bench.fills_by_requests {
        return by_requests::incidents(&bench.program, target, tenant, incidents).await;
    }
    Register::fill(target, tenant, incidents).await
}

/// A register with so many incidents, all created as the service does it, and indexed.
pub(crate) async fn incidents(bench: &Bench, count: usize) -> Result<Set> {
    if bench.fills_by_requests {
        let (target, tenant) = bench.empty(&format!("incidents-{count}"))?;
        by_requests::incidents(&bench.program, &target, &tenant, count).await?;
        return Ok(Set { target, tenant });
    }
    let new = requests::new_incident()?;
    set(bench, &format!("incidents-{count}"), async |register: &Register| {
        in_parts(count, async |first, last| register.create(last + 1 - first, &new).await).await?;
        register.index().await
    })
    .await
}

/// A register with so many incidents that differ, and are indexed.
pub(crate) async fn varied(bench: &Bench, count: usize) -> Result<Set> {
    set(bench, &format!("varied-{count}"), async |register: &Register| fill_varied(register, count).await)
        .await
}

/// The same in a database that this run alone needs.
pub(crate) async fn varied_in(bench: &Bench, target: Target, count: usize) -> Result<Set> {
    bench.step(format_args!("filling a database with {count} incidents"));
    let tenant = target.create_tenant(&bench.program, "bench")?;
    let register = Register::open(&target, &tenant).await?;
    fill_varied(&register, count).await?;
    register.db.close().await;
    Ok(Set { target, tenant })
}

async fn fill_varied(register: &Register, count: usize) -> Result<()> {
    let people = varied::cast(register).await?;
    in_parts(count, async |first, last| varied::create(register, &people, (first, last), count).await)
        .await?;
    register.index().await
}

/// A register with so many risks of so many evaluations each. The evaluations are not journaled: ten million
/// entries would need 6 GB, and the figure never reads them.
pub(crate) async fn risks(bench: &Bench, count: usize, each: usize) -> Result<Set> {
    if bench.fills_by_requests {
        let (target, tenant) = bench.empty(&format!("risks-{count}-{each}"))?;
        by_requests::risks(&bench.program, &target, &tenant, (count, each)).await?;
        return Ok(Set { target, tenant });
    }
    let name = format!("risks-{count}-{each}");
    set(bench, &name, async |register: &Register| fill_risks(register, count, each).await).await
}

/// The same in a register that this run alone needs.
pub(crate) async fn risks_to_change(bench: &Bench, count: usize, each: usize) -> Result<Set> {
    let (target, tenant) = bench.empty(&format!("changed-risks-{count}-{each}"))?;
    let register = Register::open(&target, &tenant).await?;
    fill_risks(&register, count, each).await?;
    register.db.close().await;
    Ok(Set { target, tenant })
}

async fn fill_risks(register: &Register, count: usize, each: usize) -> Result<()> {
    in_parts(count, async |first, last| {
        risks::create(register, last + 1 - first).await?;
        risks::evaluate(register, (first, last), each).await
    })
    .await?;
    risks::sum(register, each).await
}

/// Does something for the numbers up to `count`, part by part.
async fn in_parts(count: usize, mut part: impl AsyncFnMut(usize, usize) -> Result<()>) -> Result<()> {
    for first in (1..=count).step_by(IN_EACH) {
        part(first, count.min(first + IN_EACH - 1)).await?;
    }
    Ok(())
}

async fn set(bench: &Bench, name: &str, fill: impl AsyncFnOnce(&Register) -> Result<()>) -> Result<Set> {
    let folder = std::path::absolute(bench.folder.join(name))?;
    if let Some(Mark { tenant, .. }) = mark(&folder).filter(Mark::is_current) {
        return Ok(Set { target: Target::folder(folder), tenant });
    }
    let started = Instant::now();
    bench.step(format_args!("filling {}", folder.display()));
    // A run that was interrupted leaves a set that has no mark.
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let target = Target::folder(folder.clone());
    let tenant = target.create_tenant(&bench.program, "bench")?;
    let register = Register::open(&target, &tenant).await?;
    fill(&register).await?;
    register.db.close().await;
    drop(register);
    let text = serde_json::to_vec(&Mark { version: VERSION, schema: schema(), tenant: tenant.clone() })?;
    std::fs::write(folder.join(MARK), text)?;
    bench.step(format_args!("{name} took {} s; it is kept", started.elapsed().as_secs()));
    Ok(Set { target, tenant })
}

fn mark(folder: &Path) -> Option<Mark> {
    serde_json::from_slice(&std::fs::read(folder.join(MARK)).ok()?).ok()
}
