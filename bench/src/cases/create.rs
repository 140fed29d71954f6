//! Creating incidents, and moving them on.

use super::{FINDING, FINDING_LATENCY};
use crate::Result;
use crate::bench::Bench;
use crate::case::Case;
use crate::data;
use crate::figure::{Limit, Unit};
use crate::window::{Measure, Window};
use crate::{disk, load, requests, server};

/// Processor time beside the echo, and the rate beside the same statements without HTTP in transactions of 64.
pub(super) async fn create(bench: &Bench) -> Result<Case> {
    let bare = server::start(None)?;
    let (service, _, token) = bench.service("create").await?;
    let register = bench.register("create-baseline").await?;
    let load = |more| requests::create(&service.process, std::slice::from_ref(&token), more);
    let mut case = Case::default();
    case.load("create with Idempotency-Key", load(requests::KEYED), &service.process);
    case.load("bare echo", requests::echo(&bare), &bare);
    case.as_baseline();
    case.load("create", load(""), &service.process);
    let in_64 = "the same statements, 64 in each transaction";
    case.own(in_64, move |seconds| register.clone().creations_per_second(64, seconds));
    case.as_baseline();
    let at_most = 3.5 * FINDING;
    case.bar("create: CPU", Measure::Cpu, "create", &["bare echo"], Limit::AtMost(at_most));
    let (keyed, at_most) = ("create with Idempotency-Key", 1.5 + at_most);
    case.bar("create with Idempotency-Key: CPU", Measure::Cpu, keyed, &["bare echo"], Limit::AtMost(at_most));
    case.bar("create: rate", Measure::Rate, "create", &[in_64], Limit::AtLeast(0.5 / FINDING));
    Ok(case)
}

/// On one connection, beside committing the same creation without HTTP. What one bare durable write costs on the same
/// disk is measured too.
pub(super) async fn latency(bench: &Bench) -> Result<Case> {
    let (service, _, token) = bench.service("latency").await?;
    let register = bench.register("latency-baseline").await?;
    let (times, file) = (bench.size(1_000, 300), bench.scratch("probe"));
    let mut case = Case::default();
    let create = requests::create(&service.process, &[token], "").on(1);
    case.load("create, 1 connection", create, &service.process);
    let alone = "the same statements, committed alone";
    case.own(alone, move |seconds| register.clone().one_by_one(seconds));
    case.as_baseline();
    case.own("one bare durable write of 4 KiB", move |_| std::future::ready(disk::probe(&file, times)));
    case.as_baseline();
    let work = "create, 1 connection: p50";
    case.bar(work, Measure::P50, "create, 1 connection", &[alone], Limit::AtMost(3.0));
    Ok(case)
}

/// The slowest creations on all connections, while the disk is as it should be: a write waits for the commit that runs, and
/// then for its own, so a disk of which one write in a hundred takes half the bar cannot meet it, whatever the service does.
pub(super) async fn tail(bench: &Bench) -> Result<Case> {
    let below_us = 5_000.0 * FINDING_LATENCY;
    let (service, _, token) = bench.service("tail").await?;
    let (file, create) = (bench.scratch("probe"), requests::create(&service.process, &[token], ""));
    let mut case = Case::default();
    let measure = move |seconds| {
        let before = disk::probe(&file, 300)?;
        let window = load::run(&create, seconds, &service.process)?;
        let worst = before.p99_us.max(disk::probe(&file, 300)?.p99_us);
        Ok(if worst < below_us / 2.0 { window } else { Window::NOTHING })
    };
    case.own("create, while the disk is not slow", move |seconds| std::future::ready(measure(seconds)));
    let side = "create, while the disk is not slow";
    case.bar("create: p99", Measure::P99, side, &[], Limit::Below(below_us));
    Ok(case)
}

/// Transitions on all connections, beside creations.
pub(super) async fn transition(bench: &Bench) -> Result<Case> {
    // Each has as many transitions as the requests have steps: more than the rounds of a run need.
    let incidents = bench.size(400_000, 50_000);
    let (target, tenant) = bench.empty("transition")?;
    bench.step(format_args!("transition: creating {incidents} incidents"));
    data::fill(bench, &target, &tenant, incidents).await?;
    let service = target.serve(&bench.program)?;
    let token = service.token(&tenant).await?;
    let mut case = Case::default();
    let create = requests::create(&service.process, std::slice::from_ref(&token), "");
    case.load("create", create, &service.process);
    case.as_baseline();
    let mut done = 0.0;
    let mut measure = move |seconds| {
        let load = requests::transitions(&service.process, &token, incidents, done);
        let window = load::run(&load, seconds, &service.process)?;
        // What was under way when the window ended may have been done too.
        done += window.requests + f64::from(load.connections);
        Ok(window)
    };
    case.own("transition", move |seconds| std::future::ready(measure(seconds)));
    case.bar("transition: CPU", Measure::Cpu, "transition", &["create"], Limit::AtMost(1.5));
    Ok(case)
}

/// The memory of a process that has created a million incidents.
pub(super) async fn memory(bench: &Bench) -> Result<Case> {
    let wanted = bench.size(1_000_000, 50_000) as f64;
    let (service, _, token) = bench.service("memory").await?;
    let create = requests::create(&service.process, &[token], "");
    let mut case = Case::with_rounds(1);
    let measure = move |seconds| {
        let (mut created, mut most) = (0.0, service.process.rss_anon_mebibytes()?);
        while created < wanted {
            created += load::run(&create, seconds, &service.process)?.requests;
            most = most.max(service.process.rss_anon_mebibytes()?);
        }
        Ok(Window { value: most, ..Window::NOTHING })
    };
    let work = format!("memory in {} creations (RssAnon, the most)", Unit::Count.text(wanted));
    case.own(&work, move |seconds| std::future::ready(measure(seconds)));
    case.bar(&work, Measure::Value(Unit::Mebibytes), &work, &[], Limit::Below(96.0));
    Ok(case)
}
