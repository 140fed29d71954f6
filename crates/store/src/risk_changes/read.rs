//! What is read of the risks at both ends and between them: one statement for their states, one for their evaluations.

use db::{FromRow, Row, Tx};
use domain::risk_change::{RatedBy, Standing};
use domain::{OrgId, RiskNumber};
use jiff::Timestamp;

use super::Cause;
use crate::ledger::error::Result;
use crate::ledger::record::names::{self, Joined};
use crate::ledger::record::{ARating, AWord, AnActor, Kind as _, Reader};
use crate::risks::latest_known;

/// A state of a risk, with what made it.
pub(super) struct Version {
    pub(super) number: RiskNumber,
    pub(super) title: String,
    pub(super) standing: Standing,
    /// What made it.
    pub(super) cause: Cause,
}

/// The latest evaluations of a risk at both ends.
pub(super) struct Compared {
    pub(super) number: RiskNumber,
    pub(super) title: String,
    pub(super) before: Option<RatedBy>,
    pub(super) after: RatedBy,
    /// Whether they are the same evaluation.
    pub(super) is_same: bool,
    /// Who made it the latest one: by recording it, or by superseding the earlier one.
    pub(super) cause: Cause,
}

/// The states of the risks that were changed after the entry `from` up to the entry `to`: of each the one at `from`, if there was
/// one, and all later ones.
pub(super) async fn versions(
    tx: &mut Tx,
    organization: OrgId,
    (from, to): (i64, i64),
) -> Result<Vec<Version>> {
    let Joined { columns: actor, joins, .. } = names::actor("entry", "actor");
    let columns = "r.organization, r.number, r.title, r.status, r.treatment, r.inherent_likelihood,
        r.inherent_impact, r.target_likelihood, r.target_impact, r.scale_version, r.deleted_date, r.seq_from";
    let sql = format!(
        "SELECT r.number, r.title, r.status, r.treatment, r.inherent_likelihood, r.inherent_impact,
                r.target_likelihood, r.target_impact, r.scale_version, r.deleted_date, r.seq_from, entry.at, {actor}
         FROM (SELECT {columns} FROM risk AS r WHERE r.organization = $1 AND r.seq_from <= $3
               UNION ALL SELECT {columns} FROM risk_history AS r
               WHERE r.organization = $1 AND r.seq_from <= $3 AND r.seq_to > $2) AS r
         JOIN journal_entry AS entry ON entry.organization = r.organization AND entry.seq = r.seq_from{joins}
         WHERE r.number IN
             (SELECT changed.number FROM risk AS changed WHERE changed.organization = $1 AND changed.seq_from > $2
              UNION SELECT ended.number FROM risk_history AS ended
              WHERE ended.organization = $1 AND ended.seq_to > $2 AND ended.seq_to <= $3)
         ORDER BY r.number, r.seq_from"
    );
    Ok(tx.query(&sql, &[&organization.uuid(), &from, &to]).await?)
}

/// The latest evaluations, at both ends, of the risks that are not deleted at the entry `to`: where they differ, or else of all.
pub(super) async fn compared(
    tx: &mut Tx,
    organization: OrgId,
    (from, to): (i64, i64),
    is_of_all: bool,
) -> Result<Vec<Compared>> {
    let Joined { columns: evaluator, joins, .. } = names::actor("made", "evaluator");
    let differ = if is_of_all { "" } else { " WHERE earlier.number IS NULL OR earlier.number <> e.number" };
    let sql = format!(
        "SELECT r.number, r.title, earlier.number, earlier.rating_likelihood, earlier.rating_impact,
                earlier.scale_version, e.number, e.rating_likelihood, e.rating_impact, e.scale_version,
                made.seq_from, made.created_date, {evaluator}
         FROM (SELECT r.organization, r.number, r.title FROM risk AS r
               WHERE r.organization = $1 AND r.deleted_date IS NULL AND r.seq_from <= $3
               UNION ALL SELECT r.organization, r.number, r.title FROM risk_history AS r
               WHERE r.organization = $1 AND r.deleted_date IS NULL AND r.seq_from <= $3 AND r.seq_to > $3) AS r
         JOIN evaluation AS e ON e.organization = r.organization AND e.risk = r.number AND e.number = {}
         LEFT JOIN evaluation AS earlier ON earlier.organization = r.organization AND earlier.risk = r.number
              AND earlier.number = {}
         JOIN evaluation AS made ON made.organization = r.organization AND made.risk = r.number AND made.number =
              CASE WHEN e.seq_from <= $2 AND earlier.number <> e.number THEN earlier.superseded_by ELSE e.number END
         {joins}{differ}
         ORDER BY r.number",
        latest_known("known.number", "$3"),
        latest_known("known.number", "$2"),
    );
    Ok(tx.query(&sql, &[&organization.uuid(), &from, &to]).await?)
}

impl FromRow for Version {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let (number, title) = (RiskNumber(row.next()?), row.next()?);
        let (status, treatment) = (AWord::read(&mut row)?, AWord::read(&mut row)?);
        let (inherent, target) = (ARating::read(&mut row)?, ARating::read(&mut row)?);
        let scale_version = row.next()?;
        let is_deleted = row.next::<Option<Timestamp>>()?.is_some();
        let (seq, at, by) = (row.next()?, row.next()?, AnActor::read(&mut row)?);
        let standing = Standing { is_deleted, status, treatment, inherent, target, scale_version };
        Ok(Self {
            number,
            title,
            standing,
            cause: Cause { seq, at, by, reason: None, board: None, on_behalf_of: None },
        })
    }
}

impl FromRow for Compared {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let (number, title) = (RiskNumber(row.next()?), row.next()?);
        let earlier: Option<i64> = row.next()?;
        let before = (ARating::read(&mut row)?, row.next::<Option<i64>>()?);
        let later: i64 = row.next()?;
        let after = (ARating::read(&mut row)?, row.next()?);
        let (seq, at, by) = (row.next()?, row.next()?, AnActor::read(&mut row)?);
        let cause = Cause { seq, at, reason: None, by, board: None, on_behalf_of: None };
        let (before, is_same) = (Option::zip(before.0, before.1), earlier == Some(later));
        Ok(Self { number, title, before, after, is_same, cause })
    }
}
