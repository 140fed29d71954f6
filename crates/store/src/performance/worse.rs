//! The risks of the figure that got worse: by the band, and within it by the share of the highest score.

use db::{FromRow, Row, Tx};
use domain::performance::cutoff;
use domain::risk::Rating;
use domain::scale::{Grade, Scales};
use domain::{OrgId, RiskNumber};
use macros::boxed;

use super::figure::now;
use crate::ledger::error::Result;
use crate::ledger::page::Page;
use crate::ledger::record::{ARating, Kind as _, Reader};
use crate::ledger::view::View;
use crate::scales;

/// A rating with the band that it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graded {
    /// The rating.
    pub rating: Rating,
    /// Its band.
    pub grade: Option<Grade>,
}

/// A risk whose current rating is worse than its inherent score, or than the evaluation before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worse {
    /// The risk.
    pub number: RiskNumber,
    /// Its title.
    pub title: String,
    /// The score without controls that was recorded with the latest evaluation.
    pub inherent_score: i64,
    /// The rating of the latest evaluation.
    pub current: Graded,
    /// That of the evaluation before the latest, of those that are not superseded; none for the first.
    pub previous: Option<Graded>,
}

/// What is read of it: each rating with the version of the scale that it was made by.
struct Found {
    number: RiskNumber,
    title: String,
    inherent_score: i64,
    ratings: [Option<(Rating, i64)>; 2],
}

impl FromRow for Found {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let (number, title, inherent_score) = (RiskNumber(row.next()?), row.next()?, row.next()?);
        Ok(Self { number, title, inherent_score, ratings: [rated(&mut row)?, rated(&mut row)?] })
    }
}

fn rated(row: &mut Reader<'_>) -> db::Result<Option<(Rating, i64)>> {
    let rating: Option<Rating> = ARating::read(row)?;
    let version: Option<i64> = row.next()?;
    Ok(rating.zip(version))
}

/// The ratings are compared here, so that only risks that got worse are read.
fn worse_sql(scales: &Scales) -> String {
    let (current, previous) = (scales::order(scales, "e"), scales::order(scales, "p"));
    format!(
        "SELECT r.number, r.title, e.inherent_score,
            e.rating_likelihood, e.rating_impact, e.scale_version,
            p.rating_likelihood, p.rating_impact, p.scale_version
        FROM risk_latest AS l
        JOIN risk AS r ON r.organization = l.organization AND r.number = l.risk
        JOIN evaluation AS e
            ON e.organization = l.organization AND e.risk = l.risk AND e.number = l.evaluation
        LEFT JOIN evaluation AS p ON p.organization = l.organization AND p.risk = l.risk AND p.number =
            (SELECT known.number FROM evaluation AS known
             WHERE known.organization = l.organization AND known.risk = l.risk AND known.superseded_by IS NULL
               AND (known.evaluated_at, known.number) < (l.evaluated_at, l.evaluation)
             ORDER BY known.evaluated_at DESC, known.number DESC LIMIT 1)
        WHERE l.organization = $1 AND NOT l.deleted AND l.basis_points IS NOT NULL AND l.evaluated_at > $2
          AND (e.rating_likelihood * e.rating_impact > e.inherent_score OR {current} > {previous})
        ORDER BY {current} DESC, r.number LIMIT $3"
    )
}

/// Up to `limit` risks that count in the figure of the last `period_days` times 24 hours and got worse, the worst first.
#[boxed]
pub async fn worse(tx: &mut Tx, organization: OrgId, period_days: i64, limit: i64) -> Result<Page<Worse>> {
    let after = cutoff(now(tx, organization).await?, period_days);
    let scales = scales::known(tx, organization, View::now()).await?;
    let params: [&dyn db::Param; 3] = [&organization.uuid(), &after, &(limit + 1)];
    let found: Vec<Found> = tx.query(&worse_sql(&scales), &params).await?;
    let found = Page::cut(found, limit);
    let graded = |(rating, version)| Graded { rating, grade: scales.grade(rating, version) };
    let worse = |Found { number, title, inherent_score, ratings }: Found| {
        let [current, previous] = ratings.map(|rating| rating.map(graded));
        Some(Worse { number, title, inherent_score, current: current?, previous })
    };
    Ok(Page { rows: found.rows.into_iter().filter_map(worse).collect(), has_more: found.has_more })
}

impl Graded {
    fn is_worse_than(&self, other: &Self) -> bool {
        let order = |it: &Self| it.grade.as_ref().map(|grade| grade.order);
        order(self) > order(other)
    }
}

impl Worse {
    /// Whether the current score is above the inherent one.
    pub fn is_above_inherent(&self) -> bool {
        self.current.rating.score() > self.inherent_score
    }

    /// Whether the current rating is worse than that of the evaluation before.
    pub fn is_above_previous(&self) -> bool {
        self.previous.as_ref().is_some_and(|previous| self.current.is_worse_than(previous))
    }
}
