//! What is measured.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::Result;
use crate::load::Case;
use crate::process::Process;
use crate::service::{self, Service};

/// Incidents in the register before reading is measured.
const INCIDENTS: i64 = 1_000;
const RISKS: usize = 25;
const EVALUATIONS: usize = 17;

/// A body of about 500 bytes.
fn incident() -> String {
    json!({
        "title": "Suspicious sign-ins to the ordering portal from two countries within ten minutes",
        "description": "The alert fired three times between 08:41 and 08:52. The account belongs to the night shift at \
                        the Leeds depot; the shift lead says nobody was signed in at that time. Sessions were ended, \
                        the password was reset and the logs of the last thirty days are being kept for review.",
        "source": "SIEM rule 4021",
        "occurred_date": "2026-03-01T08:41:00Z",
        "detected_date": "2026-03-01T08:52:00Z",
    })
    .to_string()
}

/// The bare handler with the same body.
pub(crate) fn echo(echo: &Process) -> Case {
    Case {
        name: "echo",
        url: format!("{}/", echo.url),
        script: post(&incident(), "application/json", None, ""),
        ratio: true,
    }
}

/// Fills the register and gives the cases in the order in which they are run.
pub(crate) async fn all(service: &Service) -> Result<Vec<Case>> {
    let token = service.token().await?;
    fill(service, &token).await?;
    let form = format!(
        "grant_type=client_credentials&client_id={}&client_secret={}",
        service.client_id, service.client_secret
    );
    let key = "i = 0\nfunction request()\n  i = i + 1\n  wrk.headers['Idempotency-Key'] = 'k' .. i\n  return wrk.format()\nend\n";
    let one = format!(
        "function request()\n  return wrk.format(nil, '/v1/incidents/INC-' .. math.random(1, {INCIDENTS}))\nend\n"
    );
    let performance = format!("/v1/organizations/{}/risk-performance", service.organization);
    let incidents = service.url("/v1/incidents");
    let case = |name, url: &str, script, ratio| Case { name, url: url.to_owned(), script, ratio };
    Ok(vec![
        case(
            "token",
            &service.url("/v1/oauth/token"),
            post(&form, "application/x-www-form-urlencoded", None, ""),
            true,
        ),
        case("create", &incidents, post(&incident(), "application/json", Some(&token), ""), true),
        case(
            "create with Idempotency-Key",
            &incidents,
            post(&incident(), "application/json", Some(&token), key),
            true,
        ),
        case("read one", &incidents, get(&token, &one), true),
        case("list of 50", &incidents, get(&token, ""), true),
        case("performance", &service.url(&performance), get(&token, ""), true),
    ])
}

async fn fill(service: &Service, token: &str) -> Result<()> {
    let body: Value = serde_json::from_str(&incident())?;
    for _ in 0..INCIDENTS {
        service.send(Method::POST, "/v1/incidents", token, &body).await?;
    }
    let risk = json!({"title": "Ransomware in the depot network", "inherent": {"likelihood": 4, "impact": 5}, "target": {"likelihood": 2, "impact": 3}});
    for _ in 0..RISKS {
        let made = service.send(Method::POST, "/v1/risks", token, &risk).await?;
        let path = format!("/v1/risks/{}/evaluations", service::text(&made, "id")?);
        for _ in 0..EVALUATIONS {
            service.send(Method::POST, &path, token, &json!({"likelihood": 3, "impact": 4})).await?;
        }
    }
    Ok(())
}

/// The median time of one call that deletes 1,000 incidents, on one connection.
pub(crate) async fn delete(service: &Service, times: usize) -> Result<Duration> {
    let token = service.token().await?;
    let newest =
        service.send(Method::POST, "/v1/incidents", &token, &serde_json::from_str(&incident())?).await?;
    let newest: i64 = service::text(&newest, "id")?.trim_start_matches("INC-").parse()?;
    let mut took = Vec::with_capacity(times);
    for round in 0..i64::try_from(times)? {
        let ids: Vec<i64> = (1..=1_000).map(|number| newest - round * 1_000 - number).collect();
        let started = Instant::now();
        let answer = service.send(Method::DELETE, "/v1/incidents", &token, &json!({"ids": ids})).await?;
        took.push(started.elapsed());
        if answer.get("deleted_count") != Some(&json!(1_000)) {
            return Err(format!("not all were deleted: {answer}").into());
        }
    }
    took.sort_unstable();
    took.get(times / 2).copied().ok_or_else(|| "nothing was measured".into())
}

fn post(body: &str, media_type: &str, token: Option<&str>, more: &str) -> String {
    let bearer =
        token.map(|token| format!("wrk.headers['Authorization'] = 'Bearer {token}'\n")).unwrap_or_default();
    format!(
        "wrk.method = 'POST'\nwrk.body = [==[{body}]==]\nwrk.headers['Content-Type'] = '{media_type}'\n{bearer}{more}"
    )
}

fn get(token: &str, more: &str) -> String {
    format!("wrk.headers['Authorization'] = 'Bearer {token}'\n{more}")
}
