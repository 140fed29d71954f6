//! Reading one incident beside the echo; a list of 50 beside a handler that serialises the same rows from
//! memory and the bare query.

use std::time::{Duration, Instant};

use domain::incident::Viewer;
use reqwest::Method;
use store::View;

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::figure::{Limit, Row, Unit};
use crate::load::{Load, Windows};
use crate::process::cpu_of;
use crate::register::Register;
use crate::{data, requests, server};

/// Incidents in the register.
const INCIDENTS: usize = 1_000;
/// Rows of a page.
const PAGE: i64 = 50;

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let set = data::incidents(bench, INCIDENTS).await?;
    let service = set.target.serve(bench.program())?;
    let token = service.token(&set.tenant).await?;
    // What the bare handler answers is what the service answers, to the byte.
    let answer = service.send(Method::GET, "/v1/incidents", &token, None).await?;
    let file = bench.scratch().join("list.json");
    std::fs::write(&file, &answer)?;
    let bare = server::start(Some(&file))?;
    let from_memory = Load { url: format!("{}/list", bare.url), script: String::new() };
    if reqwest::get(&from_memory.url).await?.text().await? != answer {
        return Err("the bare handler does not write the list as the service does".into());
    }
    let register = Register::open(&set.target, &set.tenant).await?;
    let echo = requests::echo(&bare);
    let one = requests::read_one(&service.process, &token, INCIDENTS);
    let list = requests::get(&service.process, "/v1/incidents", &token);
    bench.warm_up(&echo, &bare)?;
    bench.warm_up(&list, &service.process)?;
    let [mut beside, mut ones, mut lists, mut memory] = [const { Windows::new() }; 4];
    let mut queries = Vec::new();
    for round in 1..=bench.rounds() {
        bench.step(format_args!("read: round {round} of {}", bench.rounds()));
        beside.push(bench.load(&echo, &bare)?);
        ones.push(bench.load(&one, &service.process)?);
        memory.push(bench.load(&from_memory, &bare)?);
        lists.push(bench.load(&list, &service.process)?);
        queries.push(bare_query_us(&register, bench.seconds()).await?);
    }
    let bare_list: Vec<f64> =
        memory.cpu_us().iter().zip(&queries).map(|(memory, query)| memory + query).collect();
    let both = ("the same rows from memory + the bare query", &*bare_list);
    Ok(Outcome {
        rows: vec![
            Row::ratio(
                "read one: CPU",
                Unit::Micros,
                &ones.cpu_us(),
                ("bare echo", &beside.cpu_us()),
                Limit::AtMost(2.0),
            )?,
            Row::ratio("list of 50: CPU", Unit::Micros, &lists.cpu_us(), both, Limit::AtMost(1.5))?,
        ],
        lines: vec![
            ones.line("read one")?,
            lists.line("list of 50")?,
            memory.line("list of 50 from memory")?,
        ],
        ..Outcome::default()
    })
}

/// Processor time of the list's query with its rows read, on a snapshot of its own each time.
async fn bare_query_us(register: &Register, seconds: u64) -> Result<f64> {
    let (started, before, mut done) = (Instant::now(), cpu_of("self")?, 0.0);
    while started.elapsed() < Duration::from_secs(seconds) {
        let mut tx = register.db.read().await?;
        let page = store::incidents::list(
            &mut tx,
            register.organization,
            &Viewer::service(),
            View::now(),
            None,
            PAGE,
        )
        .await?;
        if page.rows.is_empty() {
            return Err("the list is empty".into());
        }
        done += 1.0;
    }
    Ok((cpu_of("self")? - before).as_secs_f64() * 1e6 / done)
}
