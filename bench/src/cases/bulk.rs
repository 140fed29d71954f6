//! How long another organization's writes wait while many incidents are changed in one call. It is SQLite, where all share one
//! writer.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use domain::incident::NewIncident;
use reqwest::Method;
use serde_json::{Value, json};

use crate::Result;
use crate::bench::Bench;
use crate::case::Case;
use crate::data;
use crate::figure::Limit;
use crate::register::Register;
use crate::requests;
use crate::service::Service;
use crate::window::{Measure, Window};

/// Incidents in one call.
const MANY: usize = 10_000;
/// Incidents with the longest description of which one transaction may write no more.
const LONG_AT_ONCE: usize = 700;
const LONGEST: usize = 64 * 1024;

pub(super) async fn bulk(bench: &Bench) -> Result<Case> {
    let (target, long) = bench.empty("bulk")?;
    let short = target.create_tenant(&bench.program, "short")?;
    let other = target.create_tenant(&bench.program, "other")?;
    let (many, long_ones) = (bench.size(MANY, 1_000), bench.size(MANY, LONG_AT_ONCE));
    bench.step(format_args!("bulk: creating {many} incidents, and {long_ones} of 64 KiB"));
    let description = "suspicious sign-ins at the ordering portal ".repeat(LONGEST / 43);
    let longest =
        NewIncident { description: domain::ProseOrEmpty::stored(description), ..requests::new_incident()? };
    let register = Register::open(&target, &long).await?;
    for _ in 0..long_ones.div_ceil(100) {
        register.create(100, &longest).await?;
    }
    register.db.close().await;
    data::fill(bench, &target, &short, many).await?;
    let service = target.serve(&bench.program)?;
    let others = service.token(&other).await?;
    // The first round fills what is cached.
    let mut case = Case::with_rounds(2);
    let at_once: Vec<usize> = (1..=LONG_AT_ONCE).collect();
    for (work, tenant, target) in [
        ("a dry run over 10,000 × 64 KiB", &long, json!({"filter": {}, "dry_run": true})),
        ("a change of 10,000 × 64 KiB", &long, json!({"filter": {}})),
        ("an atomic change of 700 × 64 KiB", &long, json!({"ids": at_once, "atomic": true})),
        ("a change of 10,000", &short, json!({"filter": {}})),
        ("an atomic change of 10,000", &short, json!({"filter": {}, "atomic": true})),
    ] {
        let (service, others, own) = (service.clone(), others.clone(), service.token(tenant).await?);
        let (name, mut round) = (format!("another's longest wait during {work}"), 0);
        case.own(&name, move |_| {
            round += 1;
            let mut body = target.clone();
            if let Some(members) = body.as_object_mut() {
                let operation = json!({"type": "update", "source": format!("{work} {round}")});
                members.insert("operation".to_owned(), operation);
            }
            longest_wait(service.clone(), others.clone(), own.clone(), body)
        });
        case.bar(&name, Measure::P99, &name, &[], Limit::AtMost(500_000.0));
    }
    Ok(case)
}

/// The longest that a creation of one organization took while another one made this change.
async fn longest_wait(service: Service, others: String, own: String, body: Value) -> Result<Window> {
    let (is_over, watched) = (Arc::new(AtomicBool::new(false)), service.clone());
    let ends = Arc::clone(&is_over);
    let watch = tokio::spawn(async move {
        let mut longest = Duration::ZERO;
        while !ends.load(Ordering::Relaxed) {
            let started = Instant::now();
            let new = json!({"title": "x", "description": ""});
            watched.send(Method::POST, "/v1/incidents", &others, Some(&new)).await?;
            longest = longest.max(started.elapsed());
        }
        Ok::<_, Box<dyn Error + Send + Sync>>(longest)
    });
    let changed = service.send(Method::POST, "/v1/incidents/bulk", &own, Some(&body)).await;
    is_over.store(true, Ordering::Relaxed);
    let longest = watch.await??;
    if !changed?.contains("\"outcome\":\"changed\"") {
        return Err("nothing was changed".into());
    }
    Ok(Window { p99_us: longest.as_secs_f64() * 1e6, ..Window::NOTHING })
}
