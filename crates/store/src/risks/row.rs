//! How a risk lies in its tables.

use db::{FromRow, Row};
use domain::person::Person;
use domain::risk::{Current, Rating, Risk, RiskStatus};
use domain::{RiskNumber, UserId};
use uuid::Uuid;

/// The columns that `risk` and `risk_history` share.
pub(super) const STORED: &str =
    "organization, number, title, description, category, owner, status, status_reason,
    inherent_likelihood, inherent_impact, target_likelihood, target_impact,
    created_date, updated_date, deleted_date, version, seq_from";

/// The columns of a [`RiskRow`], to be read from [`STORED`] columns called `r` with [`OWNER`] and
/// [`LATEST`] or [`LATEST_AS_OF`].
pub(super) const COLUMNS: &str = "r.number, r.title, r.description, r.category, r.owner, membership.name, person.email,
    r.status, r.status_reason, r.inherent_likelihood, r.inherent_impact, r.target_likelihood, r.target_impact,
    r.created_date, r.updated_date, r.deleted_date, r.version, r.seq_from,
    evaluation.number, evaluation.likelihood, evaluation.impact, evaluation.evaluated_at, evaluation.basis_points";

/// Joins that find the owner's name of today.
pub(super) const OWNER: &str = "
    LEFT JOIN membership ON membership.organization = r.organization AND membership.person = r.owner
    LEFT JOIN person ON person.id = r.owner";

/// Joins that find the latest evaluation.
pub(super) const LATEST: &str = "
    LEFT JOIN risk_latest ON risk_latest.organization = r.organization AND risk_latest.risk = r.number
    LEFT JOIN evaluation ON evaluation.organization = r.organization AND evaluation.risk = r.number
                         AND evaluation.number = risk_latest.evaluation";

/// The join that finds the evaluation that was the latest after the journal entry `$4`.
pub(super) const LATEST_AS_OF: &str = "
    LEFT JOIN evaluation ON evaluation.organization = r.organization AND evaluation.risk = r.number
        AND evaluation.number =
            (SELECT e.number FROM evaluation AS e
             WHERE e.organization = r.organization AND e.risk = r.number
               AND e.seq_from <= $4 AND (e.seq_to IS NULL OR e.seq_to > $4)
             ORDER BY e.evaluated_at DESC, e.number DESC LIMIT 1)";

/// A risk as it is read, without its tags.
pub(super) struct RiskRow(pub(super) Risk);

impl FromRow for RiskRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let status: String = row.get(7)?;
        let owner = match row.get::<Option<Uuid>>(4)? {
            Some(id) => Some(Person { id: UserId(id), name: row.get(5)?, email: row.get(6)? }),
            None => None,
        };
        Ok(Self(Risk {
            number: RiskNumber(row.get(0)?),
            title: row.get(1)?,
            description: row.get(2)?,
            category: row.get(3)?,
            owner,
            status: RiskStatus::parse(&status)
                .ok_or_else(|| db::Error::Internal(format!("risk.status {status} is not known")))?,
            status_reason: row.get(8)?,
            inherent: Rating { likelihood: row.get(9)?, impact: row.get(10)? },
            target: Rating { likelihood: row.get(11)?, impact: row.get(12)? },
            current: current(row)?,
            tags: Vec::new(),
            created_date: row.get(13)?,
            updated_date: row.get(14)?,
            deleted_date: row.get(15)?,
            version: row.get(16)?,
            seq_from: row.get(17)?,
        }))
    }
}

fn current(row: &Row<'_>) -> db::Result<Option<Current>> {
    let Some(evaluation) = row.get::<Option<i64>>(18)? else { return Ok(None) };
    Ok(Some(Current {
        rating: Rating { likelihood: row.get(19)?, impact: row.get(20)? },
        evaluation,
        evaluated_at: row.get(21)?,
        performance_basis_points: row.get(22)?,
    }))
}
