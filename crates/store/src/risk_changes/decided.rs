//! What was decided between two entries about acceptances of risks, and about exceptions that lead to risks.

use db::{FromRow, Row, Tx};
use domain::decision::DecisionState;
use domain::risk_change::RiskChangeKind;
use domain::{OrgId, RiskNumber};
use jiff::Timestamp;

use super::{Cause, RiskChange};
use crate::ledger::error::Result;
use crate::ledger::record::names::{self, Joined};
use crate::ledger::record::{APerson, AWord, AnActor, Kind as _, Plain, Reader};

/// A decision about a risk.
pub(super) struct Decided {
    number: RiskNumber,
    title: String,
    /// Whether the risk is deleted at the later end.
    pub(super) is_deleted: bool,
    state: DecisionState,
    cause: Cause,
}

impl Decided {
    /// As a change of its risk.
    pub(super) fn change(self, kind: fn(DecisionState) -> Option<RiskChangeKind>) -> Option<RiskChange> {
        Some(RiskChange::of(kind(self.state)?, Some((self.number, self.title)), self.cause))
    }

    /// The risk that it is about.
    pub(super) fn risk(&self) -> i64 {
        self.number.number()
    }
}

/// The risks as they were at the entry `$3`.
const RISKS: &str = "(SELECT r.organization, r.number, r.title, r.deleted_date FROM risk AS r
      WHERE r.organization = $1 AND r.seq_from <= $3
      UNION ALL SELECT r.organization, r.number, r.title, r.deleted_date FROM risk_history AS r
      WHERE r.organization = $1 AND r.seq_from <= $3 AND r.seq_to > $3)";

/// The decisions about acceptances. What follows from closing a risk is one too; what follows from an evaluation is none.
pub(super) async fn acceptances(tx: &mut Tx, organization: OrgId, ends: (i64, i64)) -> Result<Vec<Decided>> {
    let decided = "'risk.acceptance_decided', 'risk.acceptance_recorded'";
    of(tx, organization, ends, ("risk_acceptance", decided)).await
}

/// The decisions about exceptions that lead to a risk.
pub(super) async fn exceptions(tx: &mut Tx, organization: OrgId, ends: (i64, i64)) -> Result<Vec<Decided>> {
    let decided = "'exception.decided', 'exception.decision_recorded'";
    of(tx, organization, ends, ("policy_exception", decided)).await
}

/// The decisions in a table with a history; entries of the kinds `decided` tell of those that are not an end.
async fn of(
    tx: &mut Tx,
    organization: OrgId,
    (from, to): (i64, i64),
    (table, decided): (&str, &str),
) -> Result<Vec<Decided>> {
    let Joined { columns: actor, joins, .. } = names::actor("entry", "actor");
    let Joined { columns: person, joins: persons, .. } = names::person("r", "on_behalf_of");
    let states = "SELECT r.organization, r.risk, r.state, r.seq_from,
                         CASE WHEN r.state IN ('accepted', 'refused') THEN r.board END AS board,
                         CASE WHEN r.state IN ('accepted', 'refused') THEN r.on_behalf_of END AS on_behalf_of FROM";
    let made = "WHERE r.organization = $1 AND r.seq_from > $2 AND r.seq_from <= $3";
    let sql = format!(
        "SELECT r.risk, whole.title, whole.deleted_date, r.state, entry.seq, entry.at, {actor}, r.board, {person}
         FROM ({states} {table} AS r {made}
               UNION ALL {states} {table}_history AS r {made}) AS r
         JOIN journal_entry AS entry ON entry.organization = r.organization AND entry.seq = r.seq_from
         JOIN {RISKS} AS whole ON whole.organization = r.organization AND whole.number = r.risk{joins}{persons}
         WHERE r.state IN ('withdrawn', 'revoked') OR entry.kind IN ({decided})"
    );
    Ok(tx.query(&sql, &[&organization.uuid(), &from, &to]).await?)
}

impl FromRow for Decided {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let (number, title) = (RiskNumber(row.next()?), row.next()?);
        let is_deleted = row.next::<Option<Timestamp>>()?.is_some();
        let state = AWord::read(&mut row)?;
        let (seq, at, by) = (row.next()?, row.next()?, AnActor::read(&mut row)?);
        let cause = Cause {
            seq,
            at,
            reason: None,
            by,
            board: Plain::read(&mut row)?,
            on_behalf_of: APerson::read(&mut row)?,
        };
        Ok(Self { number, title, is_deleted, state, cause })
    }
}
