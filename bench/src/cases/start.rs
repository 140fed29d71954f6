//! From starting the program to the line that it listens, on a great register.

use std::time::Instant;

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::cases::scale;
use crate::data;
use crate::figure::{Limit, Row, Unit};

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let incidents = scale::many(bench);
    let set = data::incidents(bench, incidents).await?;
    let mut took = Vec::new();
    for _ in 0..3 * bench.rounds() {
        let started = Instant::now();
        let service = set.target.serve(bench.program())?;
        took.push(started.elapsed().as_secs_f64() * 1e3);
        service.process.stop()?;
    }
    let work = format!("start on {} incidents", Unit::Count.text(incidents as f64));
    Ok(Outcome {
        rows: vec![Row::absolute(&work, Unit::Millis, &took, Limit::AtMost(100.0))?],
        ..Outcome::default()
    })
}
