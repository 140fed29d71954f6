//! Finding, counting and exporting among a million incidents that differ, on 16 connections.

use std::time::Instant;

use serde_json::Value;

use crate::Result;
use crate::bench::Bench;
use crate::case::Case;
use crate::data::{self, COMMON_WORD, RARE_WORD, Set, word};
use crate::figure::{Limit, Unit};
use crate::postgres::{self, Server};
use crate::requests;
use crate::service::Service;
use crate::target::Target;
use crate::window::{Measure, Window};

const CONNECTIONS: u32 = 16;
const SORTS: [&str; 4] = ["number", "detected_date", "updated_date", "severity"];
/// The least share of the incidents that a pair of filters has, as one in so many.
const ONE_IN: i64 = 100;
/// The pairs that are measured one by one: the slowest ones when each is requested once.
const SLOWEST: usize = 3;

pub(super) async fn sqlite(bench: &Bench) -> Result<Case> {
    let set = data::varied(bench, super::read::many(bench)).await?;
    prepare(bench, &set, "SQLite").await
}

pub(super) async fn postgres(bench: &Bench) -> Result<Case> {
    let server = Server::start(bench)?;
    let database = server.database("bailiwick_find")?;
    let target = Target { data: bench.scratch("postgres-find"), database: Some(database.clone()) };
    let set = data::varied_in(bench, target, super::read::many(bench)).await?;
    postgres::vacuum(&database)?;
    let mut case = prepare(bench, &set, "PostgreSQL").await?;
    case.keeps.push(Box::new(server));
    Ok(case)
}

async fn prepare(bench: &Bench, set: &Set, engine: &str) -> Result<Case> {
    let service = set.target.serve(&bench.program)?;
    let token = service.token(&set.tenant).await?;
    let facets = service.get("/v1/incidents/facets", &token).await?;
    let pairs = pairs(&service, &token, &facets).await?;
    let sorts = SORTS.iter().flat_map(|sort| [(*sort).to_owned(), format!("-{sort}")]);
    let sorts: Vec<String> = sorts.collect();
    let lists = pairs.iter().flat_map(|pair| sorts.iter().map(move |sort| format!("{pair}&sort={sort}")));
    let lists: Vec<String> = lists.map(|query| format!("/v1/incidents?{query}")).collect();
    bench.step(format_args!("{} pairs of filters, {} lists", pairs.len(), lists.len()));
    let facets_of = |query: &str| format!("/v1/incidents/facets?{query}");
    let search = |words: &str| format!("/v1/search?q={words}");
    let begin: String = word(RARE_WORD).chars().take(4).collect();
    let mut loads: Vec<(String, Vec<String>, f64)> = Vec::new();
    for path in slowest(&service, &token, &lists).await? {
        loads.push((format!("slow pair {}", filters_of(&path)), vec![path], 200.0));
    }
    for (work, paths, most_ms) in [
        ("pairs of filters in any order", lists, 20.0),
        ("facets of pairs of filters", pairs.iter().map(|pair| facets_of(pair)).collect(), 50.0),
        ("facets of a rare word", vec![facets_of(&format!("q={}", word(RARE_WORD)))], 500.0),
        ("search for a rare word", (0..50).map(|more| search(&word(RARE_WORD + more * 17))).collect(), 20.0),
        ("search for the beginning of a word", vec![search(&format!("{begin}*"))], 100.0),
        ("search for a common word", vec![search(&word(COMMON_WORD))], 50.0),
        (
            "search for two common words",
            vec![search(&format!("{}+{}", word(COMMON_WORD), word(COMMON_WORD + 1)))],
            50.0,
        ),
    ] {
        loads.push((work.to_owned(), paths, most_ms));
    }
    let mut case = Case::default();
    for (work, paths, most_ms) in loads {
        let work = format!("{engine}: {work}");
        let load = requests::in_turn(&service.process, &token, &paths).on(CONNECTIONS);
        case.load(&work, load, &service.process);
        case.bar(&format!("{work}: p99"), Measure::P99, &work, &[], Limit::AtMost(most_ms * 1e3));
    }
    // A tenth of the register: the newest incidents, by the time at which they were noticed.
    let all = total(&facets);
    let one = service.get(&format!("/v1/incidents/INC-{}", all - all / 10), &token).await?;
    let from = one.get("detected_date").and_then(Value::as_str).ok_or("no date")?;
    let path = format!("/v1/incidents/metrics?from={from}&group_by=month");
    let work = format!("{engine}: figures of a tenth of the register");
    alone(&mut case, &service, &token, &work, path).await?;
    case.bar(&work, Measure::P50, &work, &[], Limit::Below(300_000.0));
    let work = format!("{engine}: export of every incident");
    alone(&mut case, &service, &token, &work, "/v1/incidents/export?format=ndjson".to_owned()).await?;
    case.bar(&work, Measure::P50, &work, &[], Limit::AtMost(15e6));
    let memory = format!("{engine}: memory after exports");
    case.bar(&memory, Measure::Value(Unit::Mebibytes), &work, &[], Limit::AtMost(100.0));
    Ok(case)
}

/// One request at a time: how long it takes, and how much the memory has grown since before the first one, which brings
/// the pages into the kernel's cache.
async fn alone(case: &mut Case, service: &Service, token: &str, work: &str, path: String) -> Result<()> {
    let before = service.process.rss_anon_mebibytes()?;
    service.read_through(&path, token).await?;
    let (service, token) = (service.clone(), token.to_owned());
    case.own(work, move |_| {
        let (service, token, path) = (service.clone(), token.clone(), path.clone());
        async move {
            let started = Instant::now();
            service.read_through(&path, &token).await?;
            let took = started.elapsed();
            Ok(Window { value: service.process.rss_anon_mebibytes()? - before, ..Window::took(took) })
        }
    });
    Ok(())
}

/// Pairs of filters on two fields that a share of the incidents has.
async fn pairs(service: &Service, token: &str, facets: &Value) -> Result<Vec<String>> {
    let fields = ["status", "severity", "assigned_to", "kind", "tag"].map(|name| filters(facets, name));
    let mut pairs = Vec::new();
    for (place, first) in fields.iter().enumerate() {
        for second in fields.iter().skip(place + 1) {
            for pair in first.iter().flat_map(|one| second.iter().map(move |other| format!("{one}&{other}")))
            {
                let found = service.get(&format!("/v1/incidents/facets?{pair}"), token).await?;
                if total(&found) * ONE_IN >= total(facets) {
                    pairs.push(pair);
                }
            }
        }
    }
    Ok(pairs)
}

/// A filter for each value of a field.
fn filters(facets: &Value, name: &str) -> Vec<String> {
    let facet = facets.pointer(&format!("/facets/{name}")).and_then(Value::as_array);
    let values = facet.into_iter().flatten().filter_map(|it| it.get("value"));
    values.map(|value| format!("{name}={}", value.as_str().unwrap_or("none"))).collect()
}

/// The paths that take longest when nothing else is asked.
async fn slowest(service: &Service, token: &str, paths: &[String]) -> Result<Vec<String>> {
    let mut took = Vec::new();
    for path in paths {
        let started = Instant::now();
        service.read_through(path, token).await?;
        took.push((started.elapsed(), path.clone()));
    }
    took.sort_by(|one, other| other.cmp(one));
    Ok(took.into_iter().take(SLOWEST).map(|(_, path)| path).collect())
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
