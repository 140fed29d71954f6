//! How long another organization's writes wait while many incidents are changed in one call. It is SQLite, where all share one
//! writer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use db::Tx;
use domain::incident::NewIncident;
use reqwest::Method;
use serde_json::{Value, json};

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::figure::{Limit, Row, Unit};
use crate::register::Register;
use crate::requests;
use crate::service::{Service, Tenant};

/// Incidents in one call.
const MANY: usize = 10_000;
/// Incidents with the longest description of which one transaction may write no more.
const LONG_AT_ONCE: usize = 700;
const LONGEST: usize = 64 * 1024;
/// Incidents that are created in one transaction.
const IN_EACH: usize = 500;

/// Two calls of each kind; the waits of the second are told: the first one fills what is cached.
const ROUNDS: usize = 2;

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let (target, long) = bench.empty("bulk")?;
    let short = target.create_tenant(bench.program(), "short")?;
    let other = target.create_tenant(bench.program(), "other")?;
    let (many, long_ones) = (bench.size(MANY, 1_000), bench.size(MANY, LONG_AT_ONCE));
    bench.step(format_args!("bulk: creating {many} incidents, and {long_ones} of 64 KiB"));
    let description = "suspicious sign-ins at the ordering portal ".repeat(LONGEST / 43);
    fill(&Register::open(&target, &long).await?, long_ones, Some(description)).await?;
    fill(&Register::open(&target, &short).await?, many, None).await?;
    let service = Arc::new(target.serve(bench.program())?);
    let mut rows = Vec::new();
    let at_once: Vec<usize> = (1..=LONG_AT_ONCE).collect();
    for (work, tenant, target, bound) in [
        ("a dry run over 10,000 × 64 KiB", &long, json!({"filter": {}, "dry_run": true}), 500.0),
        ("a change of 10,000 × 64 KiB", &long, json!({"filter": {}}), 500.0),
        ("an atomic change of 700 × 64 KiB", &long, json!({"ids": at_once, "atomic": true}), 500.0),
        ("a change of 10,000", &short, json!({"filter": {}}), 500.0),
        ("an atomic change of 10,000", &short, json!({"filter": {}, "atomic": true}), 500.0),
    ] {
        let mut waited = 0.0;
        for round in 0..ROUNDS {
            bench.step(format_args!("bulk: {work}, {}", round + 1));
            let mut body = target.clone();
            if let Some(members) = body.as_object_mut() {
                let operation = json!({"type": "update", "source": format!("{work} {round}")});
                members.insert("operation".to_owned(), operation);
            }
            waited = longest_wait(&service, &other, tenant, &body).await?;
        }
        rows.push(Row::absolute(
            &format!("another's longest wait during {work}"),
            Unit::Millis,
            &[waited],
            Limit::AtMost(bound),
        )?);
    }
    Ok(Outcome { rows, ..Outcome::default() })
}

async fn fill(register: &Register, count: usize, description: Option<String>) -> Result<()> {
    let new = match description {
        Some(description) => NewIncident { description, ..requests::new_incident()? },
        None => requests::new_incident()?,
    };
    for _ in 0..count.div_ceil(IN_EACH) {
        let (organization, author, new) = (register.organization, register.author.clone(), new.clone());
        let work = async move |tx: &mut Tx| -> store::Result<()> {
            for _ in 0..IN_EACH.min(count) {
                store::incidents::create(tx, organization, &author, &new).await?;
            }
            Ok(())
        };
        register.db.write_alone(organization, work).await?;
    }
    register.db.close().await;
    Ok(())
}

/// The longest that a creation of `other` took while `tenant` made this change, in milliseconds.
async fn longest_wait(service: &Arc<Service>, other: &Tenant, tenant: &Tenant, body: &Value) -> Result<f64> {
    let (own, others) = (service.token(tenant).await?, service.token(other).await?);
    let (is_over, watched) = (Arc::new(AtomicBool::new(false)), Arc::clone(service));
    let ends = Arc::clone(&is_over);
    let watch = tokio::spawn(async move {
        let mut longest = Duration::ZERO;
        while !ends.load(Ordering::Relaxed) {
            let started = Instant::now();
            let new = json!({"title": "x", "description": ""});
            let sent = watched.send(Method::POST, "/v1/incidents", &others, Some(&new)).await;
            sent.map_err(|error| error.to_string())?;
            longest = longest.max(started.elapsed());
        }
        Ok::<_, String>(longest)
    });
    let changed = service.send(Method::POST, "/v1/incidents/bulk", &own, Some(body)).await;
    is_over.store(true, Ordering::Relaxed);
    let longest = watch.await??;
    if !changed?.contains("\"outcome\":\"changed\"") {
        return Err("nothing was changed".into());
    }
    Ok(longest.as_secs_f64() * 1e3)
}
