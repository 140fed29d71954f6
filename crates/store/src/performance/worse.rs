//! The risks of the figure that got worse.

use db::Tx;
use domain::performance::cutoff;
use domain::risk::Rating;
use domain::{OrgId, RiskNumber};
use macros::boxed;

use super::figure::now;
use crate::ledger::error::Result;
use crate::ledger::page::Page;

/// A risk whose current rating has a higher score than its inherent one, or than the evaluation before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worse {
    /// The risk.
    pub number: RiskNumber,
    /// Its title.
    pub title: String,
    /// The rating without controls.
    pub inherent: Rating,
    /// That of the latest evaluation.
    pub current: Rating,
    /// That of the evaluation before the latest, of those that are not superseded; none for the first.
    pub previous: Option<Rating>,
}

/// The scores are compared here, so that only risks that got worse are read.
const WORSE: &str = "SELECT r.number, r.title, r.inherent_likelihood, r.inherent_impact,
        e.rating_likelihood, e.rating_impact, p.rating_likelihood, p.rating_impact
    FROM risk_latest AS l
    JOIN risk AS r ON r.organization = l.organization AND r.number = l.risk
    JOIN evaluation AS e ON e.organization = l.organization AND e.risk = l.risk AND e.number = l.evaluation
    LEFT JOIN evaluation AS p ON p.organization = l.organization AND p.risk = l.risk AND p.number =
        (SELECT known.number FROM evaluation AS known
         WHERE known.organization = l.organization AND known.risk = l.risk AND known.superseded_by IS NULL
           AND (known.evaluated_at, known.number) < (l.evaluated_at, l.evaluation)
         ORDER BY known.evaluated_at DESC, known.number DESC LIMIT 1)
    WHERE l.organization = $1 AND NOT l.deleted AND l.basis_points IS NOT NULL AND l.evaluated_at > $2
      AND (e.rating_likelihood * e.rating_impact > r.inherent_likelihood * r.inherent_impact
        OR e.rating_likelihood * e.rating_impact > p.rating_likelihood * p.rating_impact)
    ORDER BY e.rating_likelihood * e.rating_impact DESC, r.number LIMIT $3";

/// Up to `limit` risks that count in the figure of the last `period_days` times 24 hours and got worse, those with the
/// highest scores first.
#[boxed]
pub async fn worse(tx: &mut Tx, organization: OrgId, period_days: i64, limit: i64) -> Result<Page<Worse>> {
    type Row = (i64, String, i64, i64, i64, i64, Option<i64>, Option<i64>);
    let after = cutoff(now(tx, organization).await?, period_days);
    let rows: Vec<Row> = tx.query(WORSE, &[&organization.uuid(), &after, &(limit + 1)]).await?;
    let rating = |likelihood, impact| Rating { likelihood, impact };
    Ok(Page::cut(rows, limit).map(|row| Worse {
        number: RiskNumber(row.0),
        title: row.1,
        inherent: rating(row.2, row.3),
        current: rating(row.4, row.5),
        previous: row.6.zip(row.7).map(|(likelihood, impact)| rating(likelihood, impact)),
    }))
}

impl Worse {
    /// Whether the current score is above the inherent one.
    pub fn is_above_inherent(&self) -> bool {
        self.current.score() > self.inherent.score()
    }

    /// Whether the current score is above that of the evaluation before.
    pub fn is_above_previous(&self) -> bool {
        self.previous.is_some_and(|it| self.current.score() > it.score())
    }
}
