//! What each risk adds to a figure, or why it adds nothing.

use db::{FromRow, Row, Tx};
use domain::OrgId;
use domain::performance::{Exclusion, exclusion};
use domain::risk::Risk;
use macros::boxed;

use super::period::Period;
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Position, SortColumn};
use crate::ledger::page::Page;
use crate::ledger::record::{Columns as _, Reader};
use crate::ledger::view::Deleted;
use crate::risks::{self, RiskFilter};

/// A risk beside a figure, without its tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The risk with its latest evaluation.
    pub risk: Risk,
    /// The inherent score that was recorded with the evaluation.
    pub inherent_score: Option<i64>,
    /// The target score that was recorded with the evaluation.
    pub target_score: Option<i64>,
    /// Why it adds nothing; none if it counts.
    pub excluded: Option<Exclusion>,
}

impl Part {
    /// Where it stands in the order of its list.
    pub fn position(&self) -> Position {
        Position::of_key(self.risk.number.number())
    }
}

/// Up to `limit` risks that the filter lets through, in the order of their numbers: those after a position. Its search does
/// not count.
#[boxed]
pub async fn parts(
    tx: &mut Tx,
    organization: OrgId,
    (period, deleted): (Period, Deleted),
    filter: &RiskFilter,
    after: Option<&Position>,
    limit: i64,
) -> Result<Page<Part>> {
    const COLUMNS: &str =
        ", e.inherent_score, e.target_score, e.number, e.rating_likelihood, e.rating_impact, e.scale_version,
        e.evaluated_at, e.evaluated_day, CASE WHEN r.target_likelihood IS NOT NULL THEN e.performance_basis_points END";
    let select = risks::with_latest(organization, period.view(deleted), filter, COLUMNS);
    let select = select.sort(SortColumn::key(), "number", Direction::Ascending, after);
    let found: Page<PartRow> = select.page(tx, limit).await?;
    Ok(found.map(|PartRow(part)| {
        let excluded = exclusion(&part.risk, period.after(), period.until);
        Part { excluded, ..part }
    }))
}

/// How many risks all pages have.
#[boxed]
pub async fn count_parts(
    tx: &mut Tx,
    organization: OrgId,
    (period, deleted): (Period, Deleted),
    filter: &RiskFilter,
) -> Result<i64> {
    risks::count(tx, organization, period.view(deleted), filter).await
}

struct PartRow(Part);

impl FromRow for PartRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let risk = Risk::read(&mut row)?;
        let (inherent_score, target_score) = (row.next()?, row.next()?);
        let risk = Risk { current: risks::current(&mut row)?, ..risk };
        Ok(Self(Part { risk, inherent_score, target_score, excluded: None }))
    }
}
