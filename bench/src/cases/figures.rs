//! The performance figure of a tag, at a moment of the past, and as a line: first, when the register has changed, and again.

use std::time::Instant;

use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use serde_json::json;

use crate::bench::Bench;
use crate::case::Case;
use crate::data;
use crate::figure::Limit;
use crate::service::Service;
use crate::window::{Measure, Window};
use crate::{Result, tenant};

/// Evaluations of each risk, three days apart.
const EACH: usize = 30;
/// One risk in so many has the tag.
const ONE_IN: usize = 5;

/// The address of a figure at a moment.
type Path<'p> = &'p dyn Fn(Timestamp) -> String;

/// 10,000 risks with 300,000 evaluations, and a tag on 2,000 of them.
pub(super) async fn figures(bench: &Bench) -> Result<Case> {
    let risks = bench.size(10_000, 500);
    let set = data::risks_to_change(bench, risks, EACH).await?;
    let service = set.target.serve(&bench.program)?;
    let token = service.token(&set.tenant).await?;
    let tag = tag(&service, &token, risks).await?;
    let figure = format!("/v1/organizations/{}/risk-performance", set.tenant.organization);
    let year = SignedDuration::from_hours(24 * 365);
    let line = |to: Timestamp| format!("{figure}/series?from={}&to={to}&step=week", to - year);
    let works: [(&str, Path<'_>, f64, f64); 5] = [
        ("figure of a tag", &|_| format!("{figure}?tag={tag}"), 20.0, 20.0),
        ("figure with as_of", &|at| format!("{figure}?as_of={at}"), 300.0, 50.0),
        ("figure of a tag with as_of", &|at| format!("{figure}?as_of={at}&tag={tag}"), 300.0, 50.0),
        ("line of a year", &line, 1_000.0, 50.0),
        ("line of a tag", &|at| format!("{}&tag={tag}", line(at)), 1_000.0, 50.0),
    ];
    let mut case = Case::with_rounds(5 * bench.rounds);
    let rounds = i64::try_from(5 * bench.rounds)?;
    for (work, path, first_ms, again_ms) in works {
        // Moments of which nobody has asked, or the same one.
        let paths =
            |moments| (0..=moments).map(|nth| path(now() + SignedDuration::from_micros(nth))).collect();
        side(&mut case, &format!("{work}, first"), true, (&service, &token, paths(rounds)), first_ms);
        side(&mut case, &format!("{work}, again"), false, (&service, &token, paths(0)), again_ms);
    }
    Ok(case)
}

/// Makes the tag and puts it on its risks.
async fn tag(service: &Service, token: &str, risks: usize) -> Result<String> {
    let new = json!({"name": "Depots"});
    let made = service.send(Method::POST, "/v1/tags", token, Some(&new)).await?;
    let tag = tenant::text(&serde_json::from_str(&made)?, "id")?;
    let tagged: Vec<usize> = (1..=risks).step_by(ONE_IN).collect();
    let bulk = json!({"ids": tagged, "operation": {"type": "tag", "tag_id": tag}});
    service.send(Method::POST, "/v1/risks/bulk", token, Some(&bulk)).await?;
    Ok(tag)
}

/// A request on its own, after an evaluation or after the same request; the last of the paths again and again.
fn side(
    case: &mut Case,
    work: &str,
    is_first: bool,
    (service, token, mut paths): (&Service, &str, Vec<String>),
    most_ms: f64,
) {
    let (service, token) = (service.clone(), token.to_owned());
    case.own(work, move |_| {
        let path = if paths.len() > 1 { paths.pop() } else { paths.last().cloned() };
        let (service, token, path) = (service.clone(), token.clone(), path.unwrap_or_default());
        async move {
            if is_first {
                let rating = json!({"likelihood": 3, "impact": 4});
                service.send(Method::POST, "/v1/risks/RSK-1/evaluations", &token, Some(&rating)).await?;
            } else {
                service.read_through(&path, &token).await?;
            }
            let started = Instant::now();
            service.read_through(&path, &token).await?;
            Ok(Window::took(started.elapsed()))
        }
    });
    case.bar(work, Measure::P50, work, &[], Limit::AtMost(most_ms * 1e3));
}

#[expect(clippy::disallowed_methods, reason = "the moments that are asked for are those of the run")]
fn now() -> Timestamp {
    domain::time::cut(Timestamp::now())
}
