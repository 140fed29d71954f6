//! Creating incidents on PostgreSQL: in 64 organizations beside pgbench with the same statements, and in one
//! beside the same creation committed one by one.

use std::path::Path;

use db::Tx;
use uuid::Uuid;

use super::FINDING;
use crate::Result;
use crate::bench::Bench;
use crate::case::Case;
use crate::figure::Limit;
use crate::postgres::{self, Server};
use crate::register::Register;
use crate::requests;
use crate::target::Target;
use crate::window::{Measure, Window};

const ORGANIZATIONS: u128 = 64;
const CLIENTS: u32 = 32;

pub(super) async fn postgres(bench: &Bench) -> Result<Case> {
    let server = Server::start(bench)?;
    bench.step("postgres: making 64 organizations");
    let database = Some(server.database("bailiwick_bench")?);
    let target = Target { data: bench.scratch("postgres"), database };
    // One to be alone, and 64 more.
    let mut tenants = Vec::new();
    for number in 0..=ORGANIZATIONS {
        tenants.push(target.create_tenant(&bench.program, &format!("bench {number}"))?);
    }
    let service = target.serve(&bench.program)?;
    let mut tokens = Vec::new();
    for tenant in &tenants {
        tokens.push(service.token(tenant).await?);
    }
    let (one, many) = tokens.split_first().ok_or("no organization")?;
    let one = requests::create(&service.process, std::slice::from_ref(one), "");
    let many = requests::create(&service.process, many, "");
    let (register, url) = baseline(bench, &server).await?;
    let mut case = Case::default();
    let (in_64, in_one) =
        ("PostgreSQL: create in 64 organizations", "PostgreSQL: create in one organization");
    let clients = "pgbench, 32 clients, the same statements";
    case.load(in_64, many, &service.process);
    case.own(clients, move |seconds| std::future::ready(pgbench(&url, seconds)));
    case.as_baseline();
    case.load(in_one, one, &service.process);
    let singly = "the same creation, committed one by one";
    case.own(singly, move |seconds| register.clone().creations_per_second(1, seconds));
    case.as_baseline();
    case.bar(in_64, Measure::Rate, in_64, &[clients], Limit::AtLeast(1.0 / FINDING));
    case.bar(in_one, Measure::Rate, in_one, &[singly], Limit::AtLeast(5.0 / FINDING));
    case.keeps.push(Box::new(server));
    Ok(case)
}

/// A database of the same server with 64 organizations of its own, whose ids are known to the script.
async fn baseline(bench: &Bench, server: &Server) -> Result<(Register, String)> {
    let url = server.database("bailiwick_baseline")?;
    let target = Target { data: bench.scratch("postgres-baseline"), database: Some(url.clone()) };
    let tenant = target.create_tenant(&bench.program, "bench")?;
    let register = Register::open(&target, &tenant).await?;
    let work = async move |tx: &mut Tx| -> store::Result<()> {
        for number in 0..ORGANIZATIONS {
            tx.create_head(organization(number)).await?;
        }
        Ok(())
    };
    register.db.write_instance(work).await?;
    postgres::run_file(&url, Path::new("bench/sql/pgbench_setup.sql"))?;
    Ok((register, url))
}

fn pgbench(url: &str, seconds: u64) -> Result<Window> {
    let new = requests::new_incident()?;
    let date = |date: Option<jiff::Timestamp>| date.map(|date| date.to_string()).unwrap_or_default();
    let (source, occurred) = (new.source.clone().unwrap_or_default(), date(new.occurred_date));
    let detected = date(new.detected_date);
    let payload = store::journal::Payload::new()
        .set("title", &*new.title)
        .set("description", &*new.description)
        .set("status", "new")
        .set("source", &*source)
        .set("occurred_date", &*occurred)
        .set("detected_date", &*detected)
        .into_text();
    let values = [
        ("title", &*new.title),
        ("description", &*new.description),
        ("source", &*source),
        ("occurred", &*occurred),
        ("detected", &*detected),
        ("payload", &*payload),
    ];
    let script = Path::new("bench/sql/pgbench_create.sql");
    let per_second = postgres::pgbench(url, script, CLIENTS, seconds, &values)?;
    Ok(Window { per_second, ..Window::NOTHING })
}

/// The organization that the script calls by a number of two digits, from 10.
fn organization(number: u128) -> Uuid {
    let digits = number + 10;
    Uuid::from_u128(0x0000_0000_0000_4000_8000_0000_0000_0000 + digits / 10 * 16 + digits % 10)
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
