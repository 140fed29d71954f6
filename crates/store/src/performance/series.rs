//! The figure at many moments of the past. Everything is read once, so the number of statements does not grow with the moments.

use std::collections::HashMap;

use db::Tx;
use domain::performance::{Judged, Span, Sweep, average_percentage};
use domain::risk::Risk;
use domain::{OrgId, TagId};
use jiff::Timestamp;
use macros::boxed;

use super::figure::Performance;
use crate::ledger::error::Result;
use crate::ledger::list::{TagFilter, Text};
use crate::ledger::record::Record as _;
use crate::risks::RiskFilter;

/// The figure at a moment, as it was known then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The moment.
    pub at: Timestamp,
    /// The figure of the period that ends then.
    pub figure: Performance,
}

/// By the number of a risk: the spans of time in which something holds of it.
type Spans = HashMap<i64, Vec<Span>>;

/// The figure of so many days until each of these moments, which are in order. Owner, category and tag are those of the
/// moment; nothing else of the filter counts, and of several tags the first.
#[boxed]
pub async fn series(
    tx: &mut Tx,
    organization: OrgId,
    period_days: i64,
    filter: &RiskFilter,
    moments: Vec<Timestamp>,
) -> Result<Vec<Point>> {
    let mut counting = states(tx, organization, filter).await?;
    if let Some(tag) = filter.tags.tags.first() {
        let tagged = tagged(tx, organization, *tag).await?;
        for (risk, spans) in &mut counting {
            let tagged = tagged.get(risk).map(Vec::as_slice).unwrap_or_default();
            let both = |span: &Span| tagged.iter().filter_map(|it| it.and(*span)).collect::<Vec<_>>();
            *spans = spans.iter().flat_map(both).collect();
        }
    }
    let mut sweep = Sweep::new(moments, period_days);
    add_evaluations(tx, organization, &counting, &mut sweep).await?;
    let point = |(at, count, sum)| {
        let average_performance_percentage = average_percentage(sum, count);
        Point { at, figure: Performance { total_risks_evaluated: count, average_performance_percentage } }
    };
    Ok(sweep.figures().map(point).collect())
}

/// When each risk was there, had a target, and passed the filter. A state begins with the time of its entry.
async fn states(tx: &mut Tx, organization: OrgId, filter: &RiskFilter) -> Result<Spans> {
    let filter = RiskFilter { tags: TagFilter::default(), q: None, ..filter.clone() };
    let mut text = Text::of(organization);
    let conditions = filter.filters().map(|it| format!(" AND {}", it.condition(&mut text)));
    let conditions: String = conditions.collect();
    let stored = &Risk::statements().stored;
    let sql = format!(
        "SELECT r.number, r.updated_date, CAST(CASE WHEN r.deleted_date IS NULL
             AND r.target_likelihood IS NOT NULL{conditions} THEN 1 ELSE 0 END AS BIGINT)
         FROM (SELECT {stored} FROM risk AS r WHERE r.organization = $1
               UNION ALL SELECT {stored} FROM risk_history AS r WHERE r.organization = $1) AS r
         ORDER BY r.number, r.version"
    );
    let rows: Vec<(i64, Timestamp, i64)> = tx.query(&sql, &text.params()).await?;
    let mut spans = Spans::new();
    for (place, (risk, from, counts)) in rows.iter().enumerate() {
        let next = rows.get(place + 1).filter(|(next, ..)| next == risk);
        let before = next.map_or(Timestamp::MAX, |(_, at, _)| *at);
        if *counts == 1 && *from < before {
            spans.entry(*risk).or_default().push(Span { from: *from, before });
        }
    }
    Ok(spans)
}

/// When each risk had the tag.
async fn tagged(tx: &mut Tx, organization: OrgId, tag: TagId) -> Result<Spans> {
    let sql = "SELECT link.risk, put.at, taken.at FROM risk_tag AS link
        JOIN journal_entry AS put ON put.organization = link.organization AND put.seq = link.seq_from
        LEFT JOIN journal_entry AS taken ON taken.organization = link.organization AND taken.seq = link.seq_to
        WHERE link.organization = $1 AND link.tag = $2";
    let rows: Vec<(i64, Timestamp, Option<Timestamp>)> =
        tx.query(sql, &[&organization.uuid(), &tag.uuid()]).await?;
    let mut spans = Spans::new();
    for (risk, from, before) in rows {
        let before = before.unwrap_or(Timestamp::MAX);
        spans.entry(risk).or_default().push(Span { from, before });
    }
    Ok(spans)
}

/// Adds the evaluations of the risks that ever count, one risk after the other.
async fn add_evaluations(
    tx: &mut Tx,
    organization: OrgId,
    counting: &Spans,
    sweep: &mut Sweep,
) -> Result<()> {
    let sql = "SELECT risk, number, evaluated_at, created_date, performance_basis_points, superseded_by
        FROM evaluation WHERE organization = $1 ORDER BY risk, number";
    let (mut of_risk, mut open): (Vec<(Judged, Option<i64>)>, i64) = (Vec::new(), 0);
    tx.each(sql, &[&organization.uuid()], |row| {
        let risk: i64 = row.get(0)?;
        if risk != open {
            add_risk(counting.get(&open), &std::mem::take(&mut of_risk), sweep);
            open = risk;
        }
        let order = (row.get(2)?, row.get(1)?);
        let counted = Span { from: row.get(3)?, before: Timestamp::MAX };
        of_risk.push((Judged { counted, order, basis_points: row.get(4)? }, row.get(5)?));
        Ok(())
    })
    .await?;
    add_risk(counting.get(&open), &of_risk, sweep);
    Ok(())
}

/// Adds the evaluations of a risk, which have the numbers from 1 on; with each the number of the one that supersedes it.
fn add_risk(counting: Option<&Vec<Span>>, evaluations: &[(Judged, Option<i64>)], sweep: &mut Sweep) {
    let Some(counting) = counting else { return };
    let recorded = |number: i64| evaluations.get(usize::try_from(number - 1).ok()?);
    let judged = evaluations.iter().map(|(it, superseded_by)| {
        let end = superseded_by.and_then(recorded).map_or(Timestamp::MAX, |(end, _)| end.counted.from);
        Judged { counted: Span { before: end, ..it.counted }, ..*it }
    });
    sweep.add(counting, &judged.collect::<Vec<_>>());
}
