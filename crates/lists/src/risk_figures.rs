//! The risk performance of the past: what cannot change any more is computed once.

use db::Tx;
use domain::OrgId;
use domain::performance::Step;
use http::app::App;
use jiff::Timestamp;
use store::performance::{Performance, Period, Point, basis, compute};
use store::risks::RiskFilter;

/// The figure of the risks that the filter lets through.
pub async fn figure(
    app: &App,
    tx: &mut Tx,
    organization: OrgId,
    period: Period,
    filter: &RiskFilter,
) -> store::Result<Performance> {
    if period.as_of_seq.is_none() {
        return Ok(compute(tx, organization, period, filter).await?.figure);
    }
    let basis = basis(tx, organization, filter, period.until).await?;
    let key = format!("{organization} {period:?} {filter:?} {basis:?}");
    if let Some(&[figure]) = app.figures().get(&key).as_deref() {
        return Ok(performance(figure));
    }
    let figure = compute(tx, organization, period, filter).await?.figure;
    app.figures().keep(key, vec![numbers(figure)]);
    Ok(figure)
}

/// The figure at each of these moments, which are that step apart.
pub async fn series(
    app: &App,
    tx: &mut Tx,
    organization: OrgId,
    (period_days, step): (i64, Step),
    filter: &RiskFilter,
    moments: Vec<Timestamp>,
) -> store::Result<Vec<Point>> {
    let (Some(first), Some(last)) = (moments.first(), moments.last()) else { return Ok(Vec::new()) };
    let basis = basis(tx, organization, filter, *last).await?;
    let key = format!("{organization} {period_days} {step:?} {first} {last} {filter:?} {basis:?}");
    if let Some(kept) = app.figures().get(&key) {
        let point = |(at, figure)| Point { at, figure: performance(figure) };
        return Ok(moments.into_iter().zip(kept).map(point).collect());
    }
    let points = store::performance::series(tx, organization, period_days, filter, moments).await?;
    app.figures().keep(key, points.iter().map(|point| numbers(point.figure)).collect());
    Ok(points)
}

fn numbers(figure: Performance) -> (i64, i64) {
    (figure.total_risks_evaluated, figure.average_performance_percentage)
}

fn performance((total_risks_evaluated, average_performance_percentage): (i64, i64)) -> Performance {
    Performance { total_risks_evaluated, average_performance_percentage }
}
