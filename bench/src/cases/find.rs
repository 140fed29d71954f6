//! Finding, counting and exporting among a million incidents that differ, on 16 connections.

use std::fmt::Write;
use std::time::Instant;

use reqwest::Method;
use serde_json::Value;

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::data::{self, COMMON_WORD, RARE_WORD, Set, word};
use crate::figure::{Limit, Row, Unit};
use crate::load::{self, Load, Windows};
use crate::postgres::{self, Server};
use crate::requests;
use crate::service::{Service, Target};

const CONNECTIONS: u32 = 16;
const SORTS: [&str; 8] = [
    "number",
    "-number",
    "detected_date",
    "-detected_date",
    "updated_date",
    "-updated_date",
    "severity",
    "-severity",
];
/// The least share of the incidents that a pair of filters has, as one in so many.
const ONE_IN: i64 = 100;
/// The pairs that are measured one by one: the slowest ones when each is requested once.
const SLOWEST: usize = 3;

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let set = data::varied(bench, super::scale::many(bench)).await?;
    Find::start(bench, set, "SQLite").await?.measure().await
}

pub(super) async fn measure_on_postgres(bench: &Bench) -> Result<Outcome> {
    let server = Server::start(bench)?;
    let database = server.database("bailiwick_find")?;
    let target = Target { data: bench.scratch().join("postgres-find"), database: Some(database.clone()) };
    let set = data::varied_in(bench, target, super::scale::many(bench)).await?;
    postgres::vacuum(&database)?;
    Find::start(bench, set, "PostgreSQL").await?.measure().await
}

/// The service on the register, and what it has.
struct Find<'b> {
    bench: &'b Bench,
    service: Service,
    token: String,
    engine: &'static str,
    facets: Value,
    outcome: Outcome,
}

impl<'b> Find<'b> {
    async fn start(bench: &'b Bench, set: Set, engine: &'static str) -> Result<Self> {
        let service = set.target.serve(bench.program())?;
        let token = service.token(&set.tenant).await?;
        let facets = service.send(Method::GET, "/v1/incidents/facets", &token, None).await?;
        let facets = serde_json::from_str(&facets)?;
        Ok(Self { bench, service, token, engine, facets, outcome: Outcome::default() })
    }

    async fn measure(mut self) -> Result<Outcome> {
        let pairs = self.pairs().await?;
        let lists: Vec<String> = pairs
            .iter()
            .flat_map(|pair| SORTS.iter().map(move |sort| format!("/v1/incidents?{pair}&sort={sort}")))
            .collect();
        self.bench.step(format_args!("{} pairs of filters, {} lists", pairs.len(), lists.len()));
        for path in self.slowest(&lists).await? {
            self.p99(&format!("slow pair {}", filters_of(&path)), &[path], 200.0).await?;
        }
        self.p99("pairs of filters in any order", &lists, 20.0).await?;
        let facets: Vec<String> = pairs.iter().map(|pair| format!("/v1/incidents/facets?{pair}")).collect();
        self.p99("facets of pairs of filters", &facets, 50.0).await?;
        self.p99("facets of a rare word", &[format!("/v1/incidents/facets?q={}", word(RARE_WORD))], 500.0)
            .await?;
        let rare: Vec<String> =
            (0..50).map(|more| format!("/v1/search?q={}", word(RARE_WORD + more * 17))).collect();
        self.p99("search for a rare word", &rare, 20.0).await?;
        let begin = |rank: u64| word(rank).chars().take(4).collect::<String>();
        self.p99(
            "search for the beginning of a word",
            &[format!("/v1/search?q={}*", begin(RARE_WORD))],
            100.0,
        )
        .await?;
        self.p99("search for a common word", &[format!("/v1/search?q={}", word(COMMON_WORD))], 50.0).await?;
        let two = format!("/v1/search?q={}+{}", word(COMMON_WORD), word(COMMON_WORD + 1));
        self.p99("search for two common words", &[two], 50.0).await?;
        self.figures().await?;
        self.export().await?;
        Ok(self.outcome)
    }

    /// Pairs of filters on two fields that a share of the incidents has.
    async fn pairs(&self) -> Result<Vec<String>> {
        let of = |name: &str| self.filters(name);
        let fields = [of("status"), of("severity"), of("assigned_to"), of("kind"), of("tag")];
        let all = total(&self.facets);
        let mut pairs = Vec::new();
        for (place, first) in fields.iter().enumerate() {
            for second in fields.iter().skip(place + 1) {
                for pair in
                    first.iter().flat_map(|one| second.iter().map(move |other| format!("{one}&{other}")))
                {
                    let path = format!("/v1/incidents/facets?{pair}");
                    let found = self.service.send(Method::GET, &path, &self.token, None).await?;
                    let found: Value = serde_json::from_str(&found)?;
                    if total(&found) * ONE_IN >= all {
                        pairs.push(pair);
                    }
                }
            }
        }
        Ok(pairs)
    }

    /// A filter for each value of a field.
    fn filters(&self, name: &str) -> Vec<String> {
        let facet = self.facets.get("facets").and_then(|it| it.get(name)).and_then(Value::as_array);
        let values = facet.into_iter().flatten().filter_map(|it| it.get("value"));
        values.map(|value| format!("{name}={}", value.as_str().unwrap_or("none"))).collect()
    }

    /// The paths that take longest when nothing else is asked.
    async fn slowest(&self, paths: &[String]) -> Result<Vec<String>> {
        let mut took = Vec::new();
        for path in paths {
            let started = Instant::now();
            self.service.send(Method::GET, path, &self.token, None).await?;
            took.push((started.elapsed(), path.clone()));
        }
        took.sort_by(|one, other| other.cmp(one));
        Ok(took.into_iter().take(SLOWEST).map(|(_, path)| path).collect())
    }

    /// A bar on the slowest of a hundred requests for these paths in turn.
    async fn p99(&mut self, work: &str, paths: &[String], most_ms: f64) -> Result<()> {
        let work = format!("{}: {work}", self.engine);
        self.bench.step(&work);
        for path in paths {
            self.service.read_through(path, &self.token).await?;
        }
        let load = self.in_turn(paths);
        let mut windows = Windows::new();
        load::run(&load, CONNECTIONS, 1, &self.service.process)?;
        for _ in 0..self.bench.rounds() {
            windows.push(load::run(&load, CONNECTIONS, self.bench.seconds(), &self.service.process)?);
        }
        let p99 = windows.each(|window| window.p99_ms);
        self.outcome.rows.push(Row::absolute(
            &format!("{work}: p99"),
            Unit::Millis,
            &p99,
            Limit::AtMost(most_ms),
        )?);
        self.outcome.lines.push(windows.line(&work)?);
        Ok(())
    }

    fn in_turn(&self, paths: &[String]) -> Load {
        let mut load = requests::get(&self.service.process, "", &self.token);
        let list: Vec<String> = paths.iter().map(|path| format!("'{path}'")).collect();
        let _ = write!(
            load.script,
            "local paths, n = {{{}}}, 0\nfunction request()\n  n = n % #paths + 1\n  return wrk.format(nil, paths[n])\nend\n",
            list.join(",")
        );
        load
    }

    async fn figures(&mut self) -> Result<()> {
        self.bench.step("figures");
        // A tenth of the register: the newest incidents, by the time at which they were noticed.
        let path = format!("/v1/incidents/metrics?from={}&group_by=month", self.noticed_by_a_tenth().await?);
        let took = self.timed(&path).await?;
        let work = format!("{}: figures of a tenth of the register", self.engine);
        self.outcome.rows.push(Row::absolute(&work, Unit::Millis, &took, Limit::Below(300.0))?);
        Ok(())
    }

    /// When the incident was noticed after which a tenth follows.
    async fn noticed_by_a_tenth(&self) -> Result<String> {
        let all = total(&self.facets);
        let path = format!("/v1/incidents/INC-{}", all - all / 10);
        let one: Value =
            serde_json::from_str(&self.service.send(Method::GET, &path, &self.token, None).await?)?;
        let date = one.get("detected_date").and_then(Value::as_str);
        Ok(date.ok_or("no date")?.to_owned())
    }

    async fn export(&mut self) -> Result<()> {
        self.bench.step("export");
        let before = self.service.process.rss_anon_mebibytes()?;
        let took = self.timed("/v1/incidents/export?format=ndjson").await?;
        let more = self.service.process.rss_anon_mebibytes()? - before;
        let seconds: Vec<f64> = took.iter().map(|ms| ms / 1_000.0).collect();
        let work = format!("{}: export of every incident, in seconds", self.engine);
        self.outcome.rows.push(Row::absolute(&work, Unit::Count, &seconds, Limit::AtMost(15.0))?);
        let work = format!("{}: memory after exports", self.engine);
        self.outcome.rows.push(Row::absolute(&work, Unit::Mebibytes, &[more], Limit::AtMost(100.0))?);
        Ok(())
    }

    /// How many milliseconds a request takes alone, three times; one before them brings the pages into the kernel's cache.
    async fn timed(&self, path: &str) -> Result<Vec<f64>> {
        self.service.read_through(path, &self.token).await?;
        let mut took = Vec::new();
        for _ in 0..3 {
            let started = Instant::now();
            self.service.read_through(path, &self.token).await?;
            took.push(started.elapsed().as_secs_f64() * 1_000.0);
        }
        Ok(took)
    }
}

/// How many incidents a list has, of its facets.
fn total(facets: &Value) -> i64 {
    facets.get("total").and_then(Value::as_i64).unwrap_or_default()
}

/// The filters of a list without the ids in them, which are others in each data set.
fn filters_of(path: &str) -> String {
    let (_, query) = path.split_once('?').unwrap_or_default();
    let filter = |filter: &str| match filter.split_once('=') {
        Some((name, id)) if id.len() == "00000000-0000-0000-0000-000000000000".len() => name.to_owned(),
        _ => filter.to_owned(),
    };
    query.split('&').map(filter).collect::<Vec<_>>().join("&")
}
