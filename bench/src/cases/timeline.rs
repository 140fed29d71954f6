//! Reading an incident with a long timeline, beside one without.

use reqwest::Method;
use serde_json::json;

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::figure::{Limit, Row, Unit};
use crate::load::Windows;
use crate::requests;

/// Notes of the long timeline.
const NOTES: usize = 200;

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let (service, tenant) = bench.service("timeline")?;
    let token = service.token(&tenant).await?;
    for title in ["One with a long timeline", "One without"] {
        let incident = json!({"title": title, "description": ""});
        service.send(Method::POST, "/v1/incidents", &token, Some(&incident)).await?;
    }
    let note =
        json!({"kind": "observation", "text": "The queue of the gateway grows by 40 orders a minute."});
    for _ in 0..NOTES {
        service.send(Method::POST, "/v1/incidents/INC-1/notes", &token, Some(&note)).await?;
    }
    let long = requests::get(&service.process, "/v1/incidents/INC-1", &token);
    let short = requests::get(&service.process, "/v1/incidents/INC-2", &token);
    let page = requests::get(&service.process, "/v1/incidents/INC-1/timeline", &token);
    bench.warm_up(&short, &service.process)?;
    let [mut with, mut without, mut pages] = [const { Windows::new() }; 3];
    for round in 1..=bench.rounds() {
        bench.step(format_args!("timeline: round {round} of {}", bench.rounds()));
        without.push(bench.load(&short, &service.process)?);
        with.push(bench.load(&long, &service.process)?);
        pages.push(bench.load(&page, &service.process)?);
    }
    Ok(Outcome {
        rows: vec![Row::ratio(
            "read one with 200 notes: CPU",
            Unit::Micros,
            &with.cpu_us(),
            ("one without", &without.cpu_us()),
            Limit::AtMost(1.05),
        )?],
        lines: vec![pages.line("first page of a timeline of 200")?],
        ..Outcome::default()
    })
}
