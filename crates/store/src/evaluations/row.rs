//! How an evaluation lies in its table.

use db::{FromRow, Row};
use domain::evaluation::Evaluation;
use domain::risk::Rating;
use domain::{Actor, ActorKind, RiskNumber};

/// The columns of an [`EvaluationRow`], to be read from [`TABLE`].
pub(super) const COLUMNS: &str = "e.number, e.risk, e.likelihood, e.impact, e.inherent_score, e.target_score,
    e.basis_points, e.scale_version, e.evaluated_at, e.created_date,
    e.evaluator_kind, e.evaluator_id, COALESCE(client.name, membership.name, e.evaluator_id),
    e.note, e.supersedes, e.superseded_by, e.seq_from";

/// The table with the joins that find the evaluator's name of today.
pub(super) const TABLE: &str = "evaluation AS e
    LEFT JOIN client ON e.evaluator_kind = 'client' AND client.organization = e.organization
                     AND client.id = e.evaluator_id
    LEFT JOIN membership ON e.evaluator_kind = 'user' AND membership.organization = e.organization
                         AND membership.actor_id = e.evaluator_id";

/// An evaluation as it is read, and the journal entry that recorded it.
pub(super) struct EvaluationRow {
    pub(super) evaluation: Evaluation,
    pub(super) seq_from: i64,
}

impl FromRow for EvaluationRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let kind: String = row.get(10)?;
        let kind = ActorKind::parse(&kind)
            .ok_or_else(|| db::Error::Internal(format!("evaluation.evaluator_kind {kind} is not known")))?;
        let evaluation = Evaluation {
            number: row.get(0)?,
            risk: RiskNumber(row.get(1)?),
            rating: Rating { likelihood: row.get(2)?, impact: row.get(3)? },
            inherent_score: row.get(4)?,
            target_score: row.get(5)?,
            performance_basis_points: row.get(6)?,
            scale_version: row.get(7)?,
            evaluated_at: row.get(8)?,
            created_date: row.get(9)?,
            evaluator: Actor { kind, id: row.get(11)?, name: row.get(12)? },
            note: row.get(13)?,
            supersedes: row.get(14)?,
            superseded_by: row.get(15)?,
        };
        Ok(Self { evaluation, seq_from: row.get(16)? })
    }
}
