//! Deleting 10,000 incidents in one call, beside one raw UPDATE and as many journal rows in one transaction.

use std::time::Instant;

use db::{Param, Tx};
use reqwest::Method;
use serde_json::json;
use store::journal::{self, New, Payload, Subject};

use crate::Result;
use crate::bench::Bench;
use crate::case::Case;
use crate::data;
use crate::figure::{Limit, Unit};
use crate::register::Register;
use crate::service::Service;
use crate::window::{Measure, Window};

pub(super) async fn delete(bench: &Bench) -> Result<Case> {
    let many = bench.size(10_000, 1_000);
    let (target, tenant) = bench.empty("delete")?;
    let (baseline, other) = bench.empty("delete-baseline")?;
    bench.step(format_args!("delete: creating {} incidents twice", bench.rounds * many));
    data::fill(bench, &target, &tenant, bench.rounds * many).await?;
    // A comparison of builds measures no baseline.
    if !bench.fills_by_requests {
        data::fill(bench, &baseline, &other, bench.rounds * many).await?;
    }
    let register = Register::open(&baseline, &other).await?;
    let service = target.serve(&bench.program)?;
    let token = service.token(&tenant).await?;
    let count = Unit::Count.text(many as f64);
    let (work, raw) = (
        format!("delete {count} in one call"),
        format!("one UPDATE and {count} journal rows in one transaction"),
    );
    let mut case = Case::default();
    let (mut last, mut last_raw) = (0, 0);
    case.own(&work, move |_| {
        last += many;
        call(service.clone(), token.clone(), last - many + 1, last)
    });
    case.own(&raw, move |_| {
        last_raw += many;
        update(register.clone(), last_raw - many + 1, last_raw)
    });
    case.as_baseline();
    case.bar(&work, Measure::P50, &work, &[&raw], Limit::AtMost(2.0));
    Ok(case)
}

async fn call(service: Service, token: String, first: usize, last: usize) -> Result<Window> {
    let body = json!({"ids": (first..=last).collect::<Vec<_>>()});
    let (started, before) = (Instant::now(), service.process.cpu()?);
    let answer = service.send(Method::DELETE, "/v1/incidents", &token, Some(&body)).await?;
    let (took, cpu) = (started.elapsed(), service.process.cpu()? - before);
    if !answer.contains(&format!("\"deleted_count\":{}", last + 1 - first)) {
        return Err(format!("not all were deleted: {answer}").into());
    }
    Ok(Window { cpu_us: cpu.as_secs_f64() * 1e6, ..Window::took(took) })
}

/// Marks a range of incidents as deleted with one statement, and journals each.
async fn update(register: Register, first: usize, last: usize) -> Result<Window> {
    let (first, last) = (i64::try_from(first)?, i64::try_from(last)?);
    let (started, organization, author) = (Instant::now(), register.organization, register.author);
    let work = async move |tx: &mut Tx| -> store::Result<()> {
        let (at, id) = (tx.at(), organization.uuid());
        let sql = "UPDATE incident SET deleted_date = $4, updated_date = $4, version = version + 1,
                seq_from = $5 + number - $2
             WHERE organization = $1 AND number BETWEEN $2 AND $3 AND deleted_date IS NULL";
        let seq = tx.head(organization)?.seq + 1;
        let params: [&dyn Param; 5] = [&id, &first, &last, &at, &seq];
        tx.execute(sql, &params).await?;
        let deleted_date = domain::time::format(at);
        let entry = |number: i64| New {
            kind: "incident.deleted",
            subject: Subject::new("incident", domain::IncidentNumber(number).to_string()),
            payload: Payload::new().set("deleted_date", &deleted_date),
        };
        journal::append_all(tx, organization, &author, (first..=last).map(entry).collect()).await?;
        Ok(())
    };
    register.db.write_alone(organization, work).await?;
    Ok(Window::took(started.elapsed()))
}
