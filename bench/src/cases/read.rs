//! Reading incidents, in small and great registers, and starting on a great one.

use std::future::ready;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::incident::Viewer;
use reqwest::Method;
use serde_json::json;
use store::View;
use store::incidents::IncidentQuery;

use crate::Result;
use crate::bench::Bench;
use crate::case::Case;
use crate::figure::{Limit, Unit};
use crate::load::Load;
use crate::process::cpu_of;
use crate::register::Register;
use crate::window::{Measure, Window};
use crate::{data, requests, server};

/// Incidents in the small register.
pub(super) const FEW: usize = 1_000;
/// Notes of the long timeline.
const NOTES: usize = 200;
/// Rows of a page.
const PAGE: i64 = 50;

/// Incidents in the great register.
pub(super) fn many(bench: &Bench) -> usize {
    bench.size(1_000_000, 50_000)
}

/// One incident beside the echo; a list of 50 beside a handler that serialises the same rows from memory and the bare query.
pub(super) async fn read(bench: &Bench) -> Result<Case> {
    let set = data::incidents(bench, FEW).await?;
    let service = set.target.serve(&bench.program)?;
    let token = service.token(&set.tenant).await?;
    // What the bare handler answers is what the service answers, to the byte.
    let answer = service.send(Method::GET, "/v1/incidents", &token, None).await?;
    let file = bench.scratch("list.json");
    std::fs::write(&file, &answer)?;
    let bare = server::start(Some(("--list", &file)))?;
    let from_memory = Load::new(&bare, "/list", String::new());
    if reqwest::get(&from_memory.url).await?.text().await? != answer {
        return Err("the bare handler does not write the list as the service does".into());
    }
    let register = Register::open(&set.target, &set.tenant).await?;
    let mut case = Case::default();
    case.load("bare echo", requests::echo(&bare), &bare);
    case.as_baseline();
    case.load("read one", requests::read_one(&service.process, &token, FEW), &service.process);
    let (memory, query) = ("the same rows from memory", "the bare query");
    case.load(memory, from_memory, &bare);
    case.as_baseline();
    case.load("list of 50", requests::get(&service.process, "/v1/incidents", &token), &service.process);
    case.own(query, move |seconds| bare_query(register.clone(), seconds));
    case.as_baseline();
    case.bar("read one: CPU", Measure::Cpu, "read one", &["bare echo"], Limit::AtMost(2.0));
    case.bar("list of 50: CPU", Measure::Cpu, "list of 50", &[memory, query], Limit::AtMost(1.5));
    Ok(case)
}

/// The list's query with its rows read, on a snapshot of its own each time.
async fn bare_query(register: Register, seconds: u64) -> Result<Window> {
    let (started, before, mut done) = (Instant::now(), cpu_of("self")?, 0.0);
    let (viewer, query) = (Viewer::service(), IncidentQuery::of(View::now()));
    while started.elapsed() < Duration::from_secs(seconds) {
        let mut tx = register.db.read().await?;
        let page = store::incidents::list(&mut tx, register.organization, &viewer, &query, PAGE).await?;
        if page.rows.is_empty() {
            return Err("the list is empty".into());
        }
        done += 1.0;
    }
    let cpu_us = (cpu_of("self")? - before).as_secs_f64() * 1e6 / done;
    Ok(Window { cpu_us, ..Window::NOTHING })
}

/// An incident with a long timeline, beside one without.
pub(super) async fn timeline(bench: &Bench) -> Result<Case> {
    let (service, _, token) = bench.service("timeline").await?;
    for title in ["One with a long timeline", "One without"] {
        let incident = json!({"title": title, "description": ""});
        service.send(Method::POST, "/v1/incidents", &token, Some(&incident)).await?;
    }
    let text = "The queue of the gateway grows by 40 orders a minute.";
    let note = json!({"kind": "observation", "text": text});
    for _ in 0..NOTES {
        service.send(Method::POST, "/v1/incidents/INC-1/notes", &token, Some(&note)).await?;
    }
    let mut case = Case::default();
    for (name, path) in [
        ("one without", "/v1/incidents/INC-2"),
        ("one with 200 notes", "/v1/incidents/INC-1"),
        ("first page of a timeline of 200", "/v1/incidents/INC-1/timeline"),
    ] {
        case.load(name, requests::get(&service.process, path, &token), &service.process);
    }
    let work = "read one with 200 notes: CPU";
    case.bar(work, Measure::Cpu, "one with 200 notes", &["one without"], Limit::AtMost(1.05));
    Ok(case)
}

/// One incident and a list of 50 among 1,000 incidents and among a million.
pub(super) async fn scale(bench: &Bench) -> Result<Case> {
    let mut case = Case::default();
    for incidents in [FEW, many(bench)] {
        let set = data::incidents(bench, incidents).await?;
        let service = set.target.serve(&bench.program)?;
        let token = service.token(&set.tenant).await?;
        let among = Unit::Count.text(incidents as f64);
        let one = requests::read_one(&service.process, &token, incidents);
        case.load(&format!("read one among {among}"), one, &service.process);
        let list = requests::get(&service.process, "/v1/incidents", &token);
        case.load(&format!("list of 50 among {among}"), list, &service.process);
    }
    // Beside each other in time.
    case.sides.swap(1, 2);
    let [few, many] = [FEW, many(bench)].map(|incidents| Unit::Count.text(incidents as f64));
    for work in ["read one", "list of 50"] {
        let (few, many) = (format!("{work} among {few}"), format!("{work} among {many}"));
        case.bar(&format!("{many}: CPU"), Measure::Cpu, &many, &[&few], Limit::AtMost(1.2));
    }
    Ok(case)
}

/// From starting the program to the line that it listens, on a great register.
pub(super) async fn start(bench: &Bench) -> Result<Case> {
    let set = data::incidents(bench, many(bench)).await?;
    let program = bench.program.clone();
    let mut case = Case::with_rounds(3 * bench.rounds);
    let measure = move || {
        let started = Instant::now();
        let service = set.target.serve(&program)?;
        let took = started.elapsed();
        Arc::into_inner(service.process).ok_or("it is in use")?.stop()?;
        Ok(Window::took(took))
    };
    let work = format!("start on {} incidents", Unit::Count.text(many(bench) as f64));
    case.own(&work, move |_| ready(measure()));
    case.bar(&work, Measure::P50, &work, &[], Limit::AtMost(100_000.0));
    Ok(case)
}
