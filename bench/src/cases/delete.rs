//! Deleting 10,000 incidents in one call, beside one raw UPDATE and 10,000 journal rows in one transaction.

use std::time::Instant;

use db::{Param, Tx};
use reqwest::Method;
use serde_json::json;
use store::journal::{self, New, Payload, Subject};

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::figure::{Limit, Row, Unit};
use crate::register::Register;

/// Incidents in one call.
const MANY: usize = 10_000;
/// Incidents that are created in one transaction.
const IN_EACH: usize = 1_000;

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let (target, tenant) = bench.empty("delete")?;
    let filled = Register::open(&target, &tenant).await?;
    let register = bench.register("delete-baseline").await?;
    let rounds = bench.rounds();
    bench.step(format_args!("delete: creating {} incidents twice", rounds * MANY));
    for _ in 0..rounds * MANY / IN_EACH {
        filled.create(IN_EACH).await?;
        register.create(IN_EACH).await?;
    }
    filled.db.close().await;
    drop(filled);
    let service = target.serve(bench.program())?;
    let token = service.token(&tenant).await?;
    let (mut calls, mut raw) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        bench.step(format_args!("delete: round {} of {rounds}", round + 1));
        let (first, last) = (round * MANY + 1, (round + 1) * MANY);
        let body = json!({"ids": (first..=last).collect::<Vec<_>>()});
        let started = Instant::now();
        let answer = service.send(Method::DELETE, "/v1/incidents", &token, Some(&body)).await?;
        calls.push(started.elapsed().as_secs_f64() * 1e3);
        if !answer.contains(&format!("\"deleted_count\":{MANY}")) {
            return Err(format!("not all were deleted: {answer}").into());
        }
        let started = Instant::now();
        update(&register, i64::try_from(first)?, i64::try_from(last)?).await?;
        raw.push(started.elapsed().as_secs_f64() * 1e3);
    }
    let baseline = ("one UPDATE and 10,000 journal rows in one transaction", &*raw);
    Ok(Outcome {
        rows: vec![Row::ratio(
            "delete 10,000 in one call",
            Unit::Millis,
            &calls,
            baseline,
            Limit::AtMost(2.0),
        )?],
        ..Outcome::default()
    })
}

/// Marks a range of incidents as deleted with one statement, and journals each.
async fn update(register: &Register, first: i64, last: i64) -> Result<()> {
    let (organization, author) = (register.organization, register.author.clone());
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
    Ok(register.db.write_alone(organization, work).await?)
}
