//! Writing acceptances. The version and the dates of the risk stay.

use db::Tx;
use domain::acceptance::Acceptance;
use domain::{Author, Error, OrgId, RiskNumber};

use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Subject};
use crate::ledger::{part, record};

/// The next state of an acceptance, and the kind of the entry that tells of it.
pub(super) struct Change {
    pub(super) kind: &'static str,
    pub(super) before: Acceptance,
    pub(super) after: Acceptance,
}

/// The kind of the entry about what follows from something else.
pub(super) const FOLLOWED: &str = "risk.acceptance_changed";

/// Writes a new acceptance.
pub(super) async fn add(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    mut new: Acceptance,
) -> Result<Acceptance> {
    let (kind, payload) = ("risk.acceptance_requested", part::changes(None, &new));
    let seq = journal::append(tx, organization, author, kind, subject(new.risk), payload).await?;
    (new.decision.seq, new.decision.seq_from) = (seq, seq);
    record::insert(tx, organization, &new).await?;
    Ok(new)
}

/// Writes the next states of some acceptances, and returns them.
pub(super) async fn replace(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    changes: Vec<Change>,
) -> Result<Vec<Acceptance>> {
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    let entry = |it: &Change| New {
        kind: it.kind,
        subject: subject(it.after.risk),
        payload: part::changes(Some(&it.before), &it.after),
    };
    let count = i64::try_from(changes.len()).unwrap_or(i64::MAX);
    let last = journal::append_all(tx, organization, author, changes.iter().map(entry).collect()).await?;
    let with_seq = |(change, seq): (Change, i64)| {
        let mut after = change.after;
        after.decision.seq_from = seq;
        (after, seq)
    };
    let rows: Vec<_> = changes.into_iter().zip(last - count + 1..).map(with_seq).collect();
    record::replace_all(tx, organization, &rows).await?;
    Ok(rows.into_iter().map(|(after, _)| after).collect())
}

/// Writes the next state of one, and returns it.
pub(super) async fn replace_one(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    change: Change,
) -> Result<Acceptance> {
    let written = replace(tx, organization, author, vec![change]).await?.pop();
    Ok(written.ok_or_else(|| Error::Internal("what was written is not there".to_owned()))?)
}

/// The subject of the entries: the risk.
fn subject(risk: RiskNumber) -> Subject {
    Subject::new("risk", risk.to_string())
}
