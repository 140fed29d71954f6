//! Requests with a token that the service has seen: it counts the signatures that it checks.

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::data;
use crate::figure::{Limit, Row, Unit};
use crate::requests;

const INCIDENTS: usize = 1_000;
const CHECKS: &str = "bailiwick_token_signature_checks_total";

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let set = data::incidents(bench, INCIDENTS).await?;
    let service = set.target.serve(bench.program())?;
    let token = service.token(&set.tenant).await?;
    let before_any = service.metric(CHECKS, "").await?;
    service.send(reqwest::Method::GET, "/v1/incidents/1", &token, None).await?;
    let before = service.metric(CHECKS, "").await?;
    if before != before_any + 1.0 {
        return Err("the first request with a token should check its signature".into());
    }
    let load = requests::read_one(&service.process, &token, INCIDENTS);
    let window = bench.load(&load, &service.process)?;
    let checks = service.metric(CHECKS, "").await? - before;
    let work = format!("known token: signatures checked in {} requests", Unit::Count.text(window.requests));
    Ok(Outcome {
        rows: vec![Row::absolute(&work, Unit::Count, &[checks], Limit::AtMost(0.0))?],
        ..Outcome::default()
    })
}
