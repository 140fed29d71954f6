//! How soon a search finds what was written, while 500 incidents are created in a second.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::MissedTickBehavior;

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::data::word;
use crate::figure::{Limit, Row, Unit};
use crate::postgres::Server;
use crate::service::{Service, Target};

/// Creations in a second.
const PER_SECOND: u32 = 500;

/// How long an incident is looked for at most.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let (service, tenant) = bench.service("fresh")?;
    let token = service.token(&tenant).await?;
    let mut outcome = found_after(bench, service, token, "SQLite").await?;
    let server = Server::start(bench)?;
    let database = server.database("bailiwick_fresh")?;
    let target = Target { data: bench.scratch().join("postgres-fresh"), database: Some(database) };
    let tenant = target.create_tenant(bench.program(), "fresh")?;
    let service = target.serve(bench.program())?;
    let token = service.token(&tenant).await?;
    let on_postgres = found_after(bench, service, token, "PostgreSQL").await?;
    outcome.rows.extend(on_postgres.rows);
    outcome.notes.extend(on_postgres.notes);
    Ok(outcome)
}

/// How many milliseconds after its creation an incident is found.
async fn found_after(bench: &Bench, service: Service, token: String, engine: &str) -> Result<Outcome> {
    bench.step(format_args!("{engine}: what is found while {PER_SECOND} incidents are created in a second"));
    let seconds = bench.seconds() * u64::try_from(bench.rounds())?;
    let (created, is_done) = (Arc::default(), Arc::default());
    let writer = Writer { service: Arc::new(service), token: token.into(), created, is_done };
    let creating = tokio::spawn(writer.clone().create());
    let (began, mut took) = (Instant::now(), Vec::new());
    while began.elapsed() < Duration::from_secs(seconds) {
        took.push(writer.time_to_find(&format!("probe{}", took.len())).await?);
    }
    writer.is_done.store(true, Ordering::Relaxed);
    creating.await?;
    let created = writer.created.load(Ordering::Relaxed) as f64 / began.elapsed().as_secs_f64();
    let slowest = took.iter().copied().fold(0.0, f64::max);
    let work = format!("{engine}: found after it was created, the slowest of {}", took.len());
    Ok(Outcome {
        rows: vec![Row::absolute(&work, Unit::Millis, &[slowest], Limit::AtMost(1_000.0))?],
        notes: vec![format!("{engine}: {created:.0} incidents were created in a second meanwhile.")],
        ..Outcome::default()
    })
}

/// Creates incidents at a steady rate.
#[derive(Clone)]
struct Writer {
    service: Arc<Service>,
    token: Arc<str>,
    created: Arc<AtomicU64>,
    is_done: Arc<AtomicBool>,
}

impl Writer {
    async fn create(self) {
        let mut ticks = tokio::time::interval(Duration::from_secs(1) / PER_SECOND);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
        for number in 0_u64.. {
            ticks.tick().await;
            if self.is_done.load(Ordering::Relaxed) {
                return;
            }
            let writer = self.clone();
            tokio::spawn(async move {
                let words: Vec<String> = (0..40).map(|place| word(number * 7 + place * place * 11)).collect();
                if writer.declare("Something is wrong", &words.join(" ")).await.is_ok() {
                    writer.created.fetch_add(1, Ordering::Relaxed);
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
    async fn time_to_find(&self, word: &str) -> Result<f64> {
        self.declare(word, "").await?;
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            let path = format!("/v1/search?q={word}");
            let found: Value =
                serde_json::from_str(&self.service.send(Method::GET, &path, &self.token, None).await?)?;
            if found.get("data").and_then(Value::as_array).is_some_and(|data| !data.is_empty()) {
                return Ok(began.elapsed().as_secs_f64() * 1e3);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Err(format!("{word} was not found").into())
    }
}
