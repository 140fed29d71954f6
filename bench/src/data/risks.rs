//! Risks and their evaluations. The evaluations are made by a few statements in SQLite's own SQL; what the
//! service keeps beside them, the latest of each risk and the sums, is made to agree.

use db::{Param, Tx};
use domain::performance::{DEFAULT_PERIOD_DAYS, SPANS_SECONDS, average_percentage, cutoff};
use domain::risk::{NewRisk, Rating};
use jiff::Timestamp;

use crate::Result;
use crate::register::Register;

const INHERENT: Rating = Rating { likelihood: 4, impact: 5 };
const TARGET: Rating = Rating { likelihood: 2, impact: 3 };

/// Every risk `$2` to `$3` gets `$5` evaluations three days apart, the last of them somewhere in the 120 days before
/// `$4`. The performance is `domain::performance::performance_basis_points` of the two ratings above.
const EVALUATE: &str = "
    INSERT INTO evaluation (organization, risk, number, rating_likelihood, rating_impact, inherent_score, target_score,
        performance_basis_points, scale_version, evaluated_at, evaluated_day, created_date, evaluator_kind, evaluator_id, seq_from)
    SELECT organization, risk, number, likelihood, impact, 20, 6,
        (2 * max(0, min(14, 20 - likelihood * impact)) * 10000 + 14) / 28, 1, at, at / 86400000000, at, 'client', $6, seq_from
    FROM (
        WITH RECURSIVE e (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM e WHERE number < $5)
        SELECT risk.organization, risk.number AS risk, e.number, risk.seq_from,
            1 + (risk.number * 7 + e.number * 3) % 5 AS likelihood, 1 + (risk.number + e.number) % 5 AS impact,
            $4 - (risk.number * 2654435761 % 10368000) * 1000000 - ($5 - e.number) * 259200000000 AS at
        FROM risk CROSS JOIN e WHERE risk.organization = $1 AND risk.number BETWEEN $2 AND $3
    )";

const LATEST: &str = "
    INSERT INTO risk_latest (organization, risk, evaluation, evaluated_at, basis_points, deleted)
    SELECT organization, risk, number, evaluated_at, performance_basis_points, FALSE FROM evaluation
    WHERE organization = $1 AND number = $2";

/// `$2` are the seconds of a span.
const SUM: &str = "
    INSERT INTO performance_sum (organization, span_seconds, start, risks, basis_points)
    SELECT organization, $2, evaluated_at / ($2 * 1000000) * $2 * 1000000 AS start, count(*), sum(basis_points)
    FROM risk_latest WHERE organization = $1 GROUP BY organization, start";

/// As if each risk had been there before its evaluations: `$2` is their number.
const AGE: &str = "
    UPDATE risk SET updated_date = updated_date - ($2 + 121) * 259200000000 WHERE organization = $1";

/// Registers risks as the service does.
pub(super) async fn create(register: &Register, count: usize) -> Result<()> {
    let (organization, author) = (register.organization, register.author.clone());
    let new = NewRisk::rated("Ransomware in the depot network".into(), INHERENT, TARGET);
    let work = async move |tx: &mut Tx| -> store::Result<()> {
        for _ in 0..count {
            store::risks::create(tx, organization, &author, &new).await?;
        }
        Ok(())
    };
    Ok(register.db.write_alone(organization, work).await?)
}

/// Gives the risks of a range their evaluations.
pub(super) async fn evaluate(register: &Register, (first, last): (usize, usize), each: usize) -> Result<()> {
    let (first, last, each) = (i64::try_from(first)?, i64::try_from(last)?, i64::try_from(each)?);
    let (organization, evaluator) = (register.organization.uuid(), register.author.actor.id.clone());
    let work = async move |tx: &mut Tx| -> store::Result<()> {
        let at = tx.at().as_microsecond();
        let params: [&dyn Param; 6] = [&organization, &first, &last, &at, &each, &evaluator];
        tx.execute(EVALUATE, &params).await?;
        Ok(())
    };
    Ok(register.db.write_alone(organization, work).await?)
}

/// Makes what the service keeps beside the evaluations.
pub(super) async fn sum(register: &Register, each: usize) -> Result<()> {
    let (organization, each) = (register.organization.uuid(), i64::try_from(each)?);
    let work = async move |tx: &mut Tx| -> store::Result<()> {
        tx.execute(LATEST, &[&organization, &each]).await?;
        tx.execute(AGE, &[&organization, &each]).await?;
        for span in SPANS_SECONDS {
            tx.execute(SUM, &[&organization, &span]).await?;
        }
        Ok(())
    };
    Ok(register.db.write_alone(organization, work).await?)
}

/// The figure by its definition, from single rows: how many risks count, and the average in per cent.
pub(crate) async fn figure(register: &Register) -> Result<(i64, i64)> {
    let sql = "SELECT count(*), COALESCE(sum(basis_points), 0) FROM (
            SELECT (SELECT evaluated_at FROM evaluation AS e
                    WHERE e.organization = risk.organization AND e.risk = risk.number AND superseded_by IS NULL
                    ORDER BY evaluated_at DESC, number DESC LIMIT 1) AS latest,
                   (SELECT performance_basis_points FROM evaluation AS e
                    WHERE e.organization = risk.organization AND e.risk = risk.number AND superseded_by IS NULL
                    ORDER BY evaluated_at DESC, number DESC LIMIT 1) AS basis_points
            FROM risk WHERE organization = $1 AND deleted_date IS NULL
        ) WHERE latest > $2";
    let now: Timestamp = (register.db.clock())();
    let after = cutoff(now, DEFAULT_PERIOD_DAYS);
    let mut tx = register.db.read().await?;
    let (count, sum): (i64, i64) = tx.query_one(sql, &[&register.organization.uuid(), &after]).await?;
    Ok((count, average_percentage(sum, count)))
}
