//! The sums behind the performance figure follow from the latest evaluations: both are read in the order of time and
//! compared span by span.

use db::{Param, Tx};
use domain::OrgId;
use domain::performance::SPANS_SECONDS;
use domain::time::floor;
use jiff::Timestamp;

use crate::ledger::error::Result;
use crate::ledger::journal::Checker;

/// Rows that are read at a time.
const PAGE: i64 = 1_000;

/// Before every evaluation, and within the reach of both engines: some 2,000 years before the epoch.
const EARLIEST: Timestamp = Timestamp::constant(-63_000_000_000, 0);

/// A sum: when its span begins, how many risks, and their basis points.
type Sum = (Timestamp, i64, i64);

/// Notes every sum that is wrong, missing or too much.
pub(crate) async fn check(tx: &mut Tx, organization: OrgId, checker: &mut Checker) -> Result<()> {
    for span in SPANS_SECONDS {
        let (mut stored, mut evaluated) = (Stored::default(), Evaluated::default());
        let (mut left, mut right) =
            (stored.next(tx, organization, span).await?, evaluated.next(tx, organization, span).await?);
        while left.is_some() || right.is_some() {
            let begins = |sum: &Option<Sum>| sum.map_or(Timestamp::MAX, |(start, ..)| start);
            let start = begins(&left).min(begins(&right));
            let here = |sum: Option<Sum>| sum.filter(|(at, ..)| *at == start);
            let none = (start, 0, 0);
            if here(left).unwrap_or(none) != here(right).unwrap_or(none) {
                checker.fault(
                    0,
                    format!("The sum of the {span} seconds from {start} is not that of the evaluations."),
                );
            }
            if here(left).is_some() {
                left = stored.next(tx, organization, span).await?;
            }
            if here(right).is_some() {
                right = evaluated.next(tx, organization, span).await?;
            }
        }
    }
    Ok(())
}

/// The stored sums of one length.
#[derive(Default)]
struct Stored {
    page: std::vec::IntoIter<Sum>,
    last: Option<Timestamp>,
    is_over: bool,
}

impl Stored {
    async fn next(&mut self, tx: &mut Tx, organization: OrgId, span: i64) -> Result<Option<Sum>> {
        if self.page.len() == 0 && !self.is_over {
            let after = self.last.unwrap_or(EARLIEST);
            let sql = "SELECT start, risks, basis_points FROM performance_sum
                WHERE organization = $1 AND span_seconds = $2 AND start > $3 ORDER BY start LIMIT $4";
            let params: [&dyn Param; 4] = [&organization.uuid(), &span, &after, &PAGE];
            let rows: Vec<Sum> = tx.query(sql, &params).await?;
            self.last = rows.last().map(|(start, ..)| *start);
            self.is_over = rows.is_empty();
            self.page = rows.into_iter();
        }
        Ok(self.page.next())
    }
}

/// The latest evaluations that count, added up by spans.
#[derive(Default)]
struct Evaluated {
    page: std::vec::IntoIter<(Timestamp, i64, i64)>,
    last: Option<(Timestamp, i64, i64)>,
    is_over: bool,
    open: Option<Sum>,
}

impl Evaluated {
    async fn next(&mut self, tx: &mut Tx, organization: OrgId, span: i64) -> Result<Option<Sum>> {
        loop {
            let Some((at, basis_points, _)) = self.row(tx, organization).await? else {
                return Ok(self.open.take());
            };
            let start = floor(at, span);
            match &mut self.open {
                Some((open, risks, sum)) if *open == start => {
                    (*risks, *sum) = (*risks + 1, *sum + basis_points);
                }
                open => {
                    let before = open.replace((start, 1, basis_points));
                    if before.is_some() {
                        return Ok(before);
                    }
                }
            }
        }
    }

    /// The next one: when, its basis points, and the risk. This is the order of the index.
    async fn row(&mut self, tx: &mut Tx, organization: OrgId) -> Result<Option<(Timestamp, i64, i64)>> {
        if self.page.len() == 0 && !self.is_over {
            let (at, basis_points, risk) = self.last.unwrap_or((EARLIEST, 0, 0));
            let sql = "SELECT evaluated_at, basis_points, risk FROM risk_latest
                WHERE organization = $1 AND NOT deleted AND basis_points IS NOT NULL
                  AND (evaluated_at, basis_points, risk) > ($2, $3, $4)
                ORDER BY evaluated_at, basis_points, risk LIMIT $5";
            let params: [&dyn Param; 5] = [&organization.uuid(), &at, &basis_points, &risk, &PAGE];
            let rows: Vec<(Timestamp, i64, i64)> = tx.query(sql, &params).await?;
            self.last = rows.last().copied();
            self.is_over = rows.is_empty();
            self.page = rows.into_iter();
        }
        Ok(self.page.next())
    }
}
