//! Reading one incident and a list of 50 among 1,000 incidents and among a million.

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::data;
use crate::figure::{Limit, Row, Unit};
use crate::load::Windows;
use crate::requests;

const FEW: usize = 1_000;

/// Incidents in the great register.
pub(super) fn many(bench: &Bench) -> usize {
    bench.size(1_000_000, 50_000)
}

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let (mut services, mut loads) = (Vec::new(), Vec::new());
    for incidents in [FEW, many(bench)] {
        let set = data::incidents(bench, incidents).await?;
        let service = set.target.serve(bench.program())?;
        let token = service.token(&set.tenant).await?;
        let one = requests::read_one(&service.process, &token, incidents);
        let list = requests::get(&service.process, "/v1/incidents", &token);
        bench.warm_up(&one, &service.process)?;
        bench.warm_up(&list, &service.process)?;
        services.push(service);
        loads.push([one, list]);
    }
    // Few: one, list; many: one, list.
    let mut windows = [const { [const { Windows::new() }; 2] }; 2];
    for round in 1..=bench.rounds() {
        bench.step(format_args!("scale: round {round} of {}", bench.rounds()));
        for kind in 0..2 {
            for ((service, loads), windows) in services.iter().zip(&loads).zip(&mut windows) {
                if let (Some(load), Some(windows)) = (loads.get(kind), windows.get_mut(kind)) {
                    windows.push(bench.load(load, &service.process)?);
                }
            }
        }
    }
    let [few, many_windows] = &windows;
    let among = Unit::Count.text(many(bench) as f64);
    let mut outcome = Outcome::default();
    for (name, (few, many)) in ["read one", "list of 50"].into_iter().zip(few.iter().zip(many_windows)) {
        let few = ("among 1,000", &*few.cpu_us());
        let work = format!("{name} among {among}: CPU");
        outcome.rows.push(Row::ratio(&work, Unit::Micros, &many.cpu_us(), few, Limit::AtMost(1.2))?);
        outcome.lines.push(many.line(&format!("{name} among {among}"))?);
    }
    Ok(outcome)
}
