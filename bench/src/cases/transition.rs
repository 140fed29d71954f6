//! Transitions of incidents on all connections, beside creations.

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::figure::{Limit, Row, Unit};
use crate::load::Windows;
use crate::register::Register;
use crate::requests;

/// Incidents in the register. Each has as many transitions as [`requests::transitions`] has steps: more than the rounds of a
/// run need.
const INCIDENTS: usize = 400_000;
/// Incidents that are created in one transaction.
const IN_EACH: usize = 1_000;

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let (target, tenant) = bench.empty("transition")?;
    let register = Register::open(&target, &tenant).await?;
    let incidents = bench.size(INCIDENTS, INCIDENTS / 8);
    bench.step(format_args!("transition: creating {incidents} incidents"));
    for _ in 0..incidents / IN_EACH {
        register.create(IN_EACH).await?;
    }
    register.db.close().await;
    let service = target.serve(bench.program())?;
    let token = service.token(&tenant).await?;
    let create = requests::create(&service.process, std::slice::from_ref(&token), "");
    bench.warm_up(&create, &service.process)?;
    let [mut creations, mut transitions] = [const { Windows::new() }; 2];
    let mut done = 0.0;
    for round in 1..=bench.rounds() {
        bench.step(format_args!("transition: round {round} of {}", bench.rounds()));
        creations.push(bench.load(&create, &service.process)?);
        let load = requests::transitions(&service.process, &token, incidents, done);
        let window = bench.load(&load, &service.process)?;
        // What was under way when the window ended may have been done too.
        done += window.requests + f64::from(bench.options.connections);
        transitions.push(window);
    }
    Ok(Outcome {
        rows: vec![Row::ratio(
            "transition: CPU",
            Unit::Micros,
            &transitions.cpu_us(),
            ("create", &creations.cpu_us()),
            Limit::AtMost(1.5),
        )?],
        lines: vec![transitions.line("transition")?],
        ..Outcome::default()
    })
}
