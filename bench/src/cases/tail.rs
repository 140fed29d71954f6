//! The slowest creations on all connections, while the disk is as it should be.

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::cases::FINDING_LATENCY;
use crate::disk;
use crate::figure::{Figure, Limit, Row, Unit};
use crate::load::Windows;
use crate::requests;

/// The bar.
const BELOW_MS: f64 = 5.0 * FINDING_LATENCY;

/// A write waits for the commit that runs, and then for its own. A disk of which one write in a hundred
/// takes half the bar cannot meet it, whatever the service does.
const SLOW_DISK_US: f64 = BELOW_MS * 1_000.0 / 2.0;

/// Windows are repeated until enough of them met a disk that was not slow, or so many times the rounds.
const TRIES: usize = 2;

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let (service, tenant) = bench.service("tail")?;
    let create = requests::create(&service.process, &[service.token(&tenant).await?], "");
    bench.warm_up(&create, &service.process)?;
    let (mut calm, mut slow) = (Windows::default(), Windows::default());
    let (mut calm_count, mut disk_us) = (0, Vec::new());
    for round in 1..=bench.rounds() * TRIES {
        if calm_count == bench.rounds() {
            break;
        }
        let before = disk::probe(bench.scratch(), 300)?;
        let window = bench.load(&create, &service.process)?;
        let after = disk::probe(bench.scratch(), 300)?;
        let worst_us = before.p99_us.max(after.p99_us);
        let ms = window.p99_ms;
        bench.step(format_args!("tail: window {round}, p99 {ms:.2} ms, of the disk {worst_us:.0} µs"));
        if worst_us < SLOW_DISK_US {
            calm_count += 1;
            disk_us.push(worst_us);
            calm.push(window);
        } else {
            slow.push(window);
        }
    }
    if calm_count == 0 {
        let note = "The disk was slow all the time: p99 could not be measured.".to_owned();
        return Ok(Outcome { notes: vec![note], ..Outcome::default() });
    }
    let p99 = calm.each(|window| window.p99_ms);
    let mut row = Row::absolute("create: p99", Unit::Millis, &p99, Limit::Below(BELOW_MS))?;
    row.baseline = Some(("p99 of a bare durable write".to_owned(), Figure::of(Unit::Micros, &disk_us)?));
    let set_aside = slow.each(|window| window.p99_ms);
    let notes = match set_aside.is_empty() {
        true => Vec::new(),
        false => vec![format!(
            "create, p99: {} of {} windows were set aside, because right before or after them one bare durable \
             write in a hundred took longer than {:.1} ms; their p99: {} ms.",
            set_aside.len(),
            set_aside.len() + calm_count,
            SLOW_DISK_US / 1_000.0,
            set_aside.iter().map(|ms| format!("{ms:.1}")).collect::<Vec<_>>().join(", ")
        )],
    };
    Ok(Outcome { rows: vec![row], notes, ..Outcome::default() })
}
