//! Creating incidents on one connection, beside committing the same creation without HTTP, and beside what one bare
//! durable write costs on the same disk.

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::disk;
use crate::figure::{Figure, Limit, Row, Unit};
use crate::load::{self, Windows};
use crate::requests;
use crate::stats::ratios;

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let (service, tenant) = bench.service("latency")?;
    let create = requests::create(&service.process, &[service.token(&tenant).await?], "");
    let register = bench.register("latency-baseline").await?;
    bench.warm_up(&create, &service.process)?;
    let (mut windows, mut commits, mut writes) = (Windows::default(), Vec::new(), Vec::new());
    for round in 1..=bench.rounds() {
        bench.step(format_args!("latency: round {round} of {}", bench.rounds()));
        let before = disk::probe(bench.scratch(), bench.size(1_000, 300))?;
        windows.push(load::run(&create, 1, bench.seconds(), &service.process)?);
        let after = disk::probe(bench.scratch(), bench.size(1_000, 300))?;
        writes.push(f64::midpoint(before.p50_us, after.p50_us));
        commits.push(register.one_by_one_us(bench.seconds()).await?);
    }
    let took = windows.each(|window| window.p50_ms * 1_000.0);
    let commit = ("the same statements, committed alone", &*commits);
    let write = Figure::of(Unit::Micros, &writes)?.text();
    let of_write = Figure::of(Unit::Times, &ratios(&took, &writes))?.text_with_spread();
    Ok(Outcome {
        rows: vec![Row::ratio("create, 1 connection: p50", Unit::Micros, &took, commit, Limit::AtMost(3.0))?],
        notes: vec![format!(
            "create, 1 connection: one bare durable write of 4 KiB (fdatasync) took {write} meanwhile; the creation took \
             {of_write} as long."
        )],
        lines: vec![windows.line("create, 1 connection")?],
    })
}
