//! Creating incidents on PostgreSQL: in 64 organizations beside pgbench with the same statements, and in one
//! beside the same creation committed one by one.

use std::path::Path;

use db::Tx;
use uuid::Uuid;

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::cases::FINDING;
use crate::figure::{Limit, Row, Unit};
use crate::load::Windows;
use crate::postgres::{self, Server};
use crate::register::Register;
use crate::requests;
use crate::service::{Service, Target, Tenant};

const ORGANIZATIONS: u128 = 64;
const CLIENTS: u32 = 32;
/// Command lines that run at the same time.
const AT_ONCE: usize = 8;

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let server = Server::start(bench)?;
    bench.step("postgres: making 64 organizations");
    let target = Target {
        data: bench.scratch().join("postgres"),
        database: Some(server.database("bailiwick_bench")?),
    };
    let tenants = tenants(bench, &target)?;
    let service = target.serve(bench.program())?;
    let tokens = tokens(&service, &tenants).await?;
    let (one, many) = tokens.split_first().ok_or("no organization")?;
    let create_one = requests::create(&service.process, std::slice::from_ref(one), "");
    let create_many = requests::create(&service.process, many, "");
    let baseline = Baseline::prepare(bench, &server).await?;
    bench.warm_up(&create_many, &service.process)?;
    let (mut manys, mut ones) = (Windows::default(), Windows::default());
    let (mut pgbench, mut one_by_one) = (Vec::new(), Vec::new());
    for round in 1..=bench.rounds() {
        bench.step(format_args!("postgres: round {round} of {}", bench.rounds()));
        manys.push(bench.load(&create_many, &service.process)?);
        pgbench.push(baseline.pgbench(bench.seconds())?);
        ones.push(bench.load(&create_one, &service.process)?);
        one_by_one.push(baseline.register.creations_per_second(1, bench.seconds()).await?);
    }
    let clients = ("pgbench, 32 clients, the same statements", &*pgbench);
    let singly = ("the same creation, committed one by one", &*one_by_one);
    Ok(Outcome {
        rows: vec![
            Row::ratio(
                "PostgreSQL: create in 64 organizations",
                Unit::PerSecond,
                &manys.per_second(),
                clients,
                Limit::AtLeast(1.0 / FINDING),
            )?,
            Row::ratio(
                "PostgreSQL: create in one organization",
                Unit::PerSecond,
                &ones.per_second(),
                singly,
                Limit::AtLeast(5.0 / FINDING),
            )?,
        ],
        lines: vec![
            manys.line("PostgreSQL: create in 64 organizations")?,
            ones.line("PostgreSQL: create in one organization")?,
        ],
        ..Outcome::default()
    })
}

/// One organization to be alone, and 64 more.
fn tenants(bench: &Bench, target: &Target) -> Result<Vec<Tenant>> {
    // The first one makes the schema.
    let mut all = vec![target.create_tenant(bench.program(), "bench")?];
    let names: Vec<String> = (1..=ORGANIZATIONS).map(|number| format!("bench {number}")).collect();
    for names in names.chunks(AT_ONCE) {
        let made: Vec<Result<Tenant>> = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for name in names {
                threads.push(scope.spawn(move || target.create_tenant(bench.program(), name)));
            }
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|_| Err("a panic".into())))
                .collect()
        });
        for tenant in made {
            all.push(tenant?);
        }
    }
    Ok(all)
}

async fn tokens(service: &Service, tenants: &[Tenant]) -> Result<Vec<String>> {
    let mut tokens = Vec::new();
    for tenant in tenants {
        tokens.push(service.token(tenant).await?);
    }
    Ok(tokens)
}

/// A database of the same server with 64 organizations of its own.
struct Baseline {
    url: String,
    register: Register,
}

impl Baseline {
    async fn prepare(bench: &Bench, server: &Server) -> Result<Self> {
        let url = server.database("bailiwick_baseline")?;
        let target = Target { data: bench.scratch().join("postgres-baseline"), database: Some(url.clone()) };
        let tenant = target.create_tenant(bench.program(), "bench")?;
        let register = Register::open(&target, &tenant).await?;
        // Their ids are known to the script.
        let work = async move |tx: &mut Tx| -> store::Result<()> {
            for number in 0..ORGANIZATIONS {
                tx.create_head(organization(number)).await?;
            }
            Ok(())
        };
        register.db.write_instance(work).await?;
        postgres::run_file(&url, Path::new("bench/sql/pgbench_setup.sql"))?;
        Ok(Self { url, register })
    }

    fn pgbench(&self, seconds: u64) -> Result<f64> {
        let new = requests::new_incident()?;
        let date = |date: Option<jiff::Timestamp>| date.map(|date| date.to_string()).unwrap_or_default();
        let (source, occurred) = (new.source.clone().unwrap_or_default(), date(new.occurred_date));
        let detected = date(new.detected_date);
        let payload = payload(&new.title, &new.description, &source, &occurred, &detected);
        let values = [
            ("title", &*new.title),
            ("description", &*new.description),
            ("source", &*source),
            ("occurred", &*occurred),
            ("detected", &*detected),
            ("payload", &*payload),
        ];
        let script = Path::new("bench/sql/pgbench_create.sql");
        postgres::pgbench(&self.url, script, CLIENTS, seconds, &values)
    }
}

/// The organization that the script calls by a number of two digits, from 10.
fn organization(number: u128) -> Uuid {
    let digits = number + 10;
    Uuid::from_u128(0x0000_0000_0000_4000_8000_0000_0000_0000 + digits / 10 * 16 + digits % 10)
}

/// The journal payload of a creation.
fn payload(title: &str, description: &str, source: &str, occurred: &str, detected: &str) -> String {
    store::journal::Payload::new()
        .set("title", title)
        .set("description", description)
        .set("status", "new")
        .set("source", source)
        .set("occurred_date", occurred)
        .set("detected_date", detected)
        .into_text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_finds_the_organizations() {
        assert_eq!(organization(0).to_string(), "00000000-0000-4000-8000-000000000010");
        assert_eq!(organization(63).to_string(), "00000000-0000-4000-8000-000000000073");
    }
}
