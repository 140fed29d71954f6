//! Two builds of the service, pair by pair: what a change did, apart from what the machine did meanwhile.

use std::path::PathBuf;
use std::time::Instant;

use clap::ValueEnum;
use reqwest::Method;
use serde_json::json;

use crate::Result;
use crate::bench::{Bench, Options as RunOptions};
use crate::figure::{Figure, Unit};
use crate::load::{self, Load, Window, Windows};
use crate::register::Register;
use crate::requests;
use crate::service::{Service, Target, Tenant};
use crate::stats::ratios;

/// Incidents in the register before reading is measured.
const INCIDENTS: usize = 1_000;
const MANY: usize = 1_000;

/// Which builds.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The release binary of the one revision.
    #[arg(long)]
    a: PathBuf,
    /// That of the other.
    #[arg(long)]
    b: PathBuf,
    /// How many pairs.
    #[arg(long, default_value_t = 7)]
    pairs: usize,
    /// How long one window of load lasts, in seconds.
    #[arg(long, default_value_t = 2)]
    seconds: u64,
    /// Where the registers are kept while it runs.
    #[arg(long, default_value = "target/bench")]
    folder: PathBuf,
    /// Only these.
    #[arg(value_enum)]
    works: Vec<Work>,
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Work {
    /// Creating incidents.
    Create,
    /// The same with an Idempotency-Key.
    CreateWithKey,
    /// The same on one connection.
    CreateAlone,
    /// Reading one incident.
    ReadOne,
    /// Reading a list of 50.
    List,
    /// Issuing tokens.
    Token,
    /// The performance figure.
    Performance,
    /// Deleting 1,000 incidents in one call.
    Delete,
}

/// A measure of a window: its name, its unit, the figure.
type Measure = (&'static str, Unit, fn(&Window) -> f64);

/// One of the two.
struct Side {
    service: Service,
    tenant: Tenant,
    token: String,
    deleted: usize,
}

pub(crate) async fn run(options: Options) -> Result<()> {
    let bench_a = Bench::new(RunOptions::of_comparison(options.a, options.folder.clone()))?;
    let bench_b = Bench::new(RunOptions::of_comparison(options.b, options.folder))?;
    let works = if options.works.is_empty() { Work::value_variants() } else { options.works.as_slice() };
    println!("| work | measure | A | B | B / A, with the spread |\n| --- | --- | ---: | ---: | ---: |");
    for work in works {
        let mut a = Side::start(&bench_a, *work, options.pairs).await?;
        let mut b = Side::start(&bench_b, *work, options.pairs).await?;
        let (mut windows_a, mut windows_b) = (Windows::default(), Windows::default());
        for pair in 0..=options.pairs {
            // In turns the one and the other goes first: A B B A …
            let a_first = pair % 2 == 0;
            let (first, second) = if a_first { (&mut a, &mut b) } else { (&mut b, &mut a) };
            let first = first.measure(*work, options.seconds).await?;
            let second = second.measure(*work, options.seconds).await?;
            let (of_a, of_b) = if a_first { (first, second) } else { (second, first) };
            // The first pair warms up.
            if pair > 0 {
                windows_a.push(of_a);
                windows_b.push(of_b);
            }
            bench_a.step(format_args!("{work:?}: pair {pair} of {}", options.pairs));
        }
        print(*work, &windows_a, &windows_b)?;
    }
    Ok(())
}

fn print(work: Work, a: &Windows, b: &Windows) -> Result<()> {
    let measures: [Measure; 3] = [
        ("CPU per request", Unit::Micros, |window| window.cpu_us),
        ("rate", Unit::PerSecond, |window| window.per_second),
        ("p99", Unit::Millis, |window| window.p99_ms),
    ];
    for (name, unit, figure) in measures {
        let (a, b) = (a.each(figure), b.each(figure));
        let ratio = Figure::of(Unit::Times, &ratios(&b, &a))?.text_with_spread();
        let (a, b) = (Figure::of(unit, &a)?.text(), Figure::of(unit, &b)?.text());
        println!("| {work:?} | {name} | {a} | {b} | {ratio} |");
    }
    Ok(())
}

impl Side {
    /// The service on a register of its own, filled as far as the work needs it.
    async fn start(bench: &Bench, work: Work, pairs: usize) -> Result<Self> {
        let name = format!("{work:?}");
        let (target, tenant) = bench.empty(&name)?;
        let incidents = if work == Work::Delete { (pairs + 1) * MANY } else { INCIDENTS };
        fill(&target, &tenant, incidents).await?;
        let service = target.serve(bench.program())?;
        let token = service.token(&tenant).await?;
        if work == Work::Performance {
            evaluate(&service, &token).await?;
        }
        Ok(Self { service, tenant, token, deleted: 0 })
    }

    async fn measure(&mut self, work: Work, seconds: u64) -> Result<Window> {
        let connections = if work == Work::CreateAlone { 1 } else { 64 };
        match self.load(work) {
            Some(load) => load::run(&load, connections, seconds, &self.service.process),
            None => self.delete().await,
        }
    }

    fn load(&self, work: Work) -> Option<Load> {
        let (process, token) = (&self.service.process, &self.token);
        let tokens = std::slice::from_ref(token);
        Some(match work {
            Work::Create | Work::CreateAlone => requests::create(process, tokens, ""),
            Work::CreateWithKey => requests::create(process, tokens, requests::KEYED),
            Work::ReadOne => requests::read_one(process, token, INCIDENTS),
            Work::List => requests::get(process, "/v1/incidents", token),
            Work::Token => requests::token(process, &self.tenant.client_id, &self.tenant.client_secret),
            Work::Performance => {
                let path = format!("/v1/organizations/{}/risk-performance", self.tenant.organization);
                requests::get(process, &path, token)
            }
            Work::Delete => return None,
        })
    }

    async fn delete(&mut self) -> Result<Window> {
        let ids: Vec<usize> = (self.deleted + 1..=self.deleted + MANY).collect();
        self.deleted += MANY;
        let (started, before) = (Instant::now(), self.service.process.cpu()?);
        self.service.send(Method::DELETE, "/v1/incidents", &self.token, Some(&json!({"ids": ids}))).await?;
        let (took, cpu) = (started.elapsed().as_secs_f64(), self.service.process.cpu()? - before);
        Ok(Window {
            requests: 1.0,
            cpu_us: cpu.as_secs_f64() * 1e6,
            per_second: 1.0 / took,
            p50_ms: took * 1e3,
            p99_ms: took * 1e3,
        })
    }
}

async fn fill(target: &Target, tenant: &Tenant, incidents: usize) -> Result<()> {
    let register = Register::open(target, tenant).await?;
    register.create(incidents).await?;
    register.db.close().await;
    Ok(())
}

/// 25 risks with 17 evaluations each.
async fn evaluate(service: &Service, token: &str) -> Result<()> {
    let risk = json!({
        "title": "Ransomware in the depot network",
        "inherent": {"likelihood": 4, "impact": 5},
        "target": {"likelihood": 2, "impact": 3},
    });
    for number in 1..=25 {
        service.send(Method::POST, "/v1/risks", token, Some(&risk)).await?;
        let path = format!("/v1/risks/RSK-{number}/evaluations");
        for _ in 0..17 {
            service.send(Method::POST, &path, token, Some(&json!({"likelihood": 3, "impact": 4}))).await?;
        }
    }
    Ok(())
}
