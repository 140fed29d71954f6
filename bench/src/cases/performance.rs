//! The performance figure of 25 risks and of 100,000 with ten million evaluations.

use reqwest::Method;
use serde_json::Value;

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::data::{self, Set};
use crate::figure::{Limit, Row, Unit};
use crate::load::{self, Load, Windows};
use crate::register::Register;
use crate::requests;
use crate::service::Service;

const ROUTE: &str = "risk-performance";
const DURATION: &str = "http_server_request_duration_seconds";

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let (risks, each) = (bench.size(100_000, 2_000), bench.size(100, 20));
    let small = Side::start(bench, 25, 17).await?;
    let great = Side::start(bench, risks, each).await?;
    let [mut small_us, mut great_us] = [const { Vec::new() }; 2];
    let mut windows = Windows::default();
    for round in 1..=bench.rounds() {
        bench.step(format_args!("performance: round {round} of {}", bench.rounds()));
        small_us.push(small.server_time_us(bench.seconds()).await?);
        great_us.push(great.server_time_us(bench.seconds()).await?);
        windows.push(bench.load(&great.load, &great.service.process)?);
    }
    let count = |count: usize| Unit::Count.text(count as f64);
    let work = format!("performance, {} risks, {} evaluations", count(risks), count(risks * each));
    let at_most = Limit::AtMost(1.5);
    Ok(Outcome {
        rows: vec![
            Row::ratio(&work, Unit::Micros, &great_us, ("25 risks", &small_us), at_most)?,
            Row::absolute(&work, Unit::Micros, &great_us, Limit::Below(1_000.0))?,
        ],
        lines: vec![windows.line("performance, great register")?],
        ..Outcome::default()
    })
}

/// The service on one of the two registers.
struct Side {
    service: Service,
    load: Load,
}

impl Side {
    async fn start(bench: &Bench, risks: usize, each: usize) -> Result<Self> {
        let set = data::risks(bench, risks, each).await?;
        let service = set.target.serve(bench.program())?;
        let token = service.token(&set.tenant).await?;
        let path = format!("/v1/organizations/{}/risk-performance", set.tenant.organization);
        check(&set, &service, &path, &token).await?;
        let load = requests::get(&service.process, &path, &token);
        bench.warm_up(&load, &service.process)?;
        Ok(Self { service, load })
    }

    /// The mean time from a request's header to its answer, as the service measures it, on one connection.
    async fn server_time_us(&self, seconds: u64) -> Result<f64> {
        let figure = async |part: &str| self.service.metric(&format!("{DURATION}_{part}"), ROUTE).await;
        let (sum, count) = (figure("sum").await?, figure("count").await?);
        load::run(&self.load, 1, seconds, &self.service.process)?;
        Ok((figure("sum").await? - sum) * 1e6 / (figure("count").await? - count))
    }
}

/// Compares the service's answer with the single rows: a wrong figure must not count as fast.
async fn check(set: &Set, service: &Service, path: &str, token: &str) -> Result<()> {
    let register = Register::open(&set.target, &set.tenant).await?;
    let before = data::figure(&register).await?;
    let answer: Value = serde_json::from_str(&service.send(Method::GET, path, token, None).await?)?;
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
