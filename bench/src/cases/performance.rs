//! The performance figure of 25 risks and of 100,000 with ten million evaluations.

use serde_json::Value;

use crate::Result;
use crate::bench::Bench;
use crate::case::Case;
use crate::data::{self, Set};
use crate::figure::{Limit, Unit};
use crate::register::Register;
use crate::service::Service;
use crate::window::{Measure, Window};
use crate::{load, requests};

const ROUTE: &str = "risk-performance";
const DURATION: &str = "http_server_request_duration_seconds";

pub(super) async fn performance(bench: &Bench) -> Result<Case> {
    let (risks, each) = (bench.size(100_000, 2_000), bench.size(100, 20));
    let mut case = Case::default();
    side(bench, &mut case, "25 risks", 25, 17).await?;
    let count = |count: usize| Unit::Count.text(count as f64);
    let work = format!("performance, {} risks, {} evaluations", count(risks), count(risks * each));
    side(bench, &mut case, &work, risks, each).await?;
    case.bar(&work, Measure::P50, &work, &["25 risks"], Limit::AtMost(1.5));
    case.bar(&work, Measure::P50, &work, &[], Limit::Below(1_000.0));
    Ok(case)
}

/// The mean time from a request's header to its answer, as the service measures it, on one connection.
async fn side(bench: &Bench, case: &mut Case, name: &str, risks: usize, each: usize) -> Result<()> {
    let set = data::risks(bench, risks, each).await?;
    let service = set.target.serve(&bench.program)?;
    let token = service.token(&set.tenant).await?;
    let path = format!("/v1/organizations/{}/risk-performance", set.tenant.organization);
    // Either way there is a first request that is not measured: it makes the service count.
    match bench.fills_by_requests {
        true => drop(service.get(&path, &token).await?),
        false => check(&set, &service, &path, &token).await?,
    }
    case.own(name, move |seconds| {
        let (service, load) = (service.clone(), requests::get(&service.process, &path, &token).on(1));
        async move {
            let figure = async |part: &str| service.metric(&format!("{DURATION}_{part}"), ROUTE).await;
            let (sum, count) = (figure("sum").await?, figure("count").await?);
            let window = load::run(&load, seconds, &service.process)?;
            let mean = (figure("sum").await? - sum) / (figure("count").await? - count);
            Ok(Window { p50_us: mean * 1e6, ..window })
        }
    });
    Ok(())
}

/// Compares the service's answer with the single rows: a wrong figure must not count as fast.
async fn check(set: &Set, service: &Service, path: &str, token: &str) -> Result<()> {
    let register = Register::open(&set.target, &set.tenant).await?;
    let before = data::figure(&register).await?;
    let answer = service.get(path, token).await?;
    let after = data::figure(&register).await?;
    let told =
        |name: &str| answer.get(name).and_then(Value::as_i64).ok_or_else(|| format!("no {name}: {answer}"));
    let (count, average) = (told("total_risks_evaluated")?, told("average_performance_percentage")?);
    // Time goes on between the looks: what was just within the period may no longer be.
    if (after.0..=before.0).contains(&count) && [before.1, after.1].contains(&average) {
        return Ok(());
    }
    Err(format!("the figure is {answer}, but the rows say {before:?} and then {after:?}").into())
}
