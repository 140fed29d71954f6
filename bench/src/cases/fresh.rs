//! How soon a search finds what was written, while 500 incidents are created in a second.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::MissedTickBehavior;

use crate::Result;
use crate::bench::Bench;
use crate::case::Case;
use crate::data::word;
use crate::figure::{Limit, percentile};
use crate::postgres::Server;
use crate::service::Service;
use crate::target::Target;
use crate::window::{Measure, Window};

/// Creations in a second.
const PER_SECOND: u32 = 500;

/// How long an incident is looked for at most.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) async fn fresh(bench: &Bench) -> Result<Case> {
    let mut case = Case::default();
    let (service, _, token) = bench.service("fresh").await?;
    side(&mut case, "SQLite", service, &token);
    let server = Server::start(bench)?;
    let database = server.database("bailiwick_fresh")?;
    let target = Target { data: bench.scratch("postgres-fresh"), database: Some(database) };
    let tenant = target.create_tenant(&bench.program, "fresh")?;
    let service = target.serve(&bench.program)?;
    let token = service.token(&tenant).await?;
    side(&mut case, "PostgreSQL", service, &token);
    case.keeps.push(Box::new(server));
    Ok(case)
}

fn side(case: &mut Case, engine: &str, service: Service, token: &str) {
    let work = format!("{engine}: found after it was created");
    let writer = Writer { service: Arc::new(service), token: token.into(), words: Arc::default() };
    case.own(&work, move |seconds| writer.clone().found_after(Duration::from_secs(seconds)));
    case.bar(&format!("{work}, the slowest"), Measure::P99, &work, &[], Limit::AtMost(1e6));
}

#[derive(Clone)]
struct Writer {
    service: Arc<Service>,
    token: Arc<str>,
    /// Words that were looked for so far.
    words: Arc<AtomicU64>,
}

impl Writer {
    /// How long after its creation an incident is found; the slowest one is told as the 99 of a hundred.
    async fn found_after(self, time: Duration) -> Result<Window> {
        let (created, is_done) = (Arc::default(), Arc::default());
        let creating = tokio::spawn(self.clone().create(Arc::clone(&created), Arc::clone(&is_done)));
        let (began, mut took) = (Instant::now(), Vec::new());
        while began.elapsed() < time {
            took.push(self.time_to_find().await?.as_secs_f64() * 1e6);
        }
        is_done.store(true, Ordering::Relaxed);
        creating.await?;
        let per_second = created.load(Ordering::Relaxed) as f64 / began.elapsed().as_secs_f64();
        let (p50_us, p99_us) = (percentile(&took, 50), percentile(&took, 100));
        Ok(Window { per_second, p50_us, p99_us, ..Window::NOTHING })
    }

    /// Creates incidents at a steady rate.
    async fn create(self, created: Arc<AtomicU64>, is_done: Arc<AtomicBool>) {
        let mut ticks = tokio::time::interval(Duration::from_secs(1) / PER_SECOND);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
        for number in 0_u64.. {
            ticks.tick().await;
            if is_done.load(Ordering::Relaxed) {
                return;
            }
            let (writer, created) = (self.clone(), Arc::clone(&created));
            tokio::spawn(async move {
                let words: Vec<String> = (0..40).map(|place| word(number * 7 + place * place * 11)).collect();
                if writer.declare("Something is wrong", &words.join(" ")).await.is_ok() {
                    created.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    }

    async fn declare(&self, title: &str, description: &str) -> Result<()> {
        let body = json!({"title": title, "description": description});
        self.service.send(Method::POST, "/v1/incidents", &self.token, Some(&body)).await?;
        Ok(())
    }

    /// Creates an incident and searches for it until it is found.
    async fn time_to_find(&self) -> Result<Duration> {
        let word = format!("probe{}", self.words.fetch_add(1, Ordering::Relaxed));
        self.declare(&word, "").await?;
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            let found = self.service.get(&format!("/v1/search?q={word}"), &self.token).await?;
            if found.get("data").and_then(Value::as_array).is_some_and(|data| !data.is_empty()) {
                return Ok(began.elapsed());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Err(format!("{word} was not found").into())
    }
}
