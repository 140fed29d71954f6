//! Creating incidents on all connections: processor time beside the echo, and the rate beside the same
//! statements without HTTP in transactions of 64.

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::cases::FINDING;
use crate::figure::{Limit, Row, Unit};
use crate::load::Windows;
use crate::{requests, server};

/// Creations in one transaction of the baseline.
const IN_EACH: usize = 64;

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let bare = server::start(None)?;
    let (service, tenant) = bench.service("create")?;
    let tokens = [service.token(&tenant).await?];
    let register = bench.register("create-baseline").await?;
    let echo = requests::echo(&bare);
    let create = requests::create(&service.process, &tokens, "");
    let keyed = requests::create(&service.process, &tokens, requests::KEYED);
    bench.warm_up(&echo, &bare)?;
    bench.warm_up(&create, &service.process)?;
    let (mut beside, mut plain, mut with_key, mut batches) =
        (Windows::default(), Windows::default(), Windows::default(), Vec::new());
    for round in 1..=bench.rounds() {
        bench.step(format_args!("create: round {round} of {}", bench.rounds()));
        with_key.push(bench.load(&keyed, &service.process)?);
        beside.push(bench.load(&echo, &bare)?);
        plain.push(bench.load(&create, &service.process)?);
        batches.push(register.creations_per_second(IN_EACH, bench.seconds()).await?);
    }
    let echo = ("bare echo", &*beside.cpu_us());
    let in_64 = ("the same statements, 64 in each transaction", &*batches);
    Ok(Outcome {
        rows: vec![
            Row::ratio("create: CPU", Unit::Micros, &plain.cpu_us(), echo, Limit::AtMost(3.5 * FINDING))?,
            Row::ratio(
                "create with Idempotency-Key: CPU",
                Unit::Micros,
                &with_key.cpu_us(),
                echo,
                Limit::AtMost(1.5 + 3.5 * FINDING),
            )?,
            Row::ratio(
                "create: rate",
                Unit::PerSecond,
                &plain.per_second(),
                in_64,
                Limit::AtLeast(0.5 / FINDING),
            )?,
        ],
        lines: vec![
            beside.line("bare echo")?,
            plain.line("create")?,
            with_key.line("create with Idempotency-Key")?,
        ],
        ..Outcome::default()
    })
}
