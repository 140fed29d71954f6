//! The evaluations of the whole register, as they stood after a journal entry.

use db::Tx;
use domain::evaluation::Evaluation;
use domain::{Line, OrgId, RiskNumber};
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::list::{Direction, SEQ, Select, of_risk};
use crate::ledger::page::Page;
use crate::ledger::record::Stored;
use crate::ledger::view::View;
use crate::risks;

/// An evaluation of the register.
pub struct RegisterEvaluation {
    /// The evaluation, with what had superseded it by the entry.
    pub evaluation: Evaluation,
    /// What its risk was called after the entry; none if there was no such evaluation yet, or the risk was deleted.
    pub risk: Option<RiskName>,
}

/// What names a risk in other registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskName {
    /// Its title.
    pub title: Line,
    /// Its reference.
    pub external_ref: Option<Line>,
}

/// Up to `limit` evaluations after the one of this risk with this number, in the order of both, as they stood after the entry
/// `seq`, which the view is of. Those that are not to be seen are among them, without the name of their risk.
#[boxed]
pub async fn all(
    tx: &mut Tx,
    organization: OrgId,
    seen: (View, i64),
    after: Option<(RiskNumber, i64)>,
    limit: i64,
) -> Result<Page<RegisterEvaluation>> {
    let (view, seq) = seen;
    let after = after.map(|(risk, number)| [risk.number().into(), number.into()]).into_iter().flatten();
    let page: Page<Stored<Evaluation>> = Select::<Evaluation>::of(organization, View::with_deleted())
        .order(&["risk", "number"], Direction::Ascending, after)
        .page(tx, limit)
        .await?;
    let names = risks::names(tx, organization, view, page.rows.iter().map(|Stored(it)| it.risk)).await?;
    Ok(page.map(|Stored(mut evaluation)| {
        if evaluation.seq_to.is_some_and(|superseded| superseded > seq) {
            evaluation.superseded_by = None;
        }
        let risk = names.get(&evaluation.risk).filter(|_| evaluation.seq_from <= seq).cloned();
        let risk = risk.map(|(title, external_ref)| RiskName { title, external_ref });
        RegisterEvaluation { evaluation, risk }
    }))
}

/// How many evaluations there were after the entry `seq`, of risks that were not deleted then; those that had been superseded are
/// counted or not.
#[boxed]
pub async fn count_all(tx: &mut Tx, organization: OrgId, seq: i64, with_superseded: bool) -> Result<i64> {
    let counting = if with_superseded { "" } else { " AND (r.seq_to IS NULL OR r.seq_to > $2)" };
    let sql = format!(
        "SELECT count(*) FROM evaluation AS r
         WHERE r.organization = $1 AND r.seq_from <= $2{counting} AND {}",
        of_risk(Some(SEQ))
    );
    let (count,) = tx.query_one(&sql, &[&organization.uuid(), &seq]).await?;
    Ok(count)
}
