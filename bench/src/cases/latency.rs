//! Creating incidents on one connection, beside what one durable write costs on the same disk.

use crate::Result;
use crate::bench::Bench;
use crate::cases::Outcome;
use crate::disk;
use crate::figure::{Limit, Row, Unit};
use crate::load::{self, Windows};
use crate::requests;

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let (service, tenant) = bench.service("latency")?;
    let create = requests::create(&service.process, &[service.token(&tenant).await?], "");
    bench.warm_up(&create, &service.process)?;
    let (mut windows, mut commits) = (Windows::default(), Vec::new());
    for round in 1..=bench.rounds() {
        bench.step(format_args!("latency: round {round} of {}", bench.rounds()));
        let before = disk::probe(bench.scratch(), bench.size(1_000, 300))?;
        windows.push(load::run(&create, 1, bench.seconds(), &service.process)?);
        let after = disk::probe(bench.scratch(), bench.size(1_000, 300))?;
        commits.push(f64::midpoint(before.p50_us, after.p50_us));
    }
    let took = windows.each(|window| window.p50_ms * 1_000.0);
    let commit = ("one bare durable write of 4 KiB (fdatasync)", &*commits);
    Ok(Outcome {
        rows: vec![Row::ratio("create, 1 connection: p50", Unit::Micros, &took, commit, Limit::AtMost(3.0))?],
        lines: vec![windows.line("create, 1 connection")?],
        ..Outcome::default()
    })
}
