//! Reading scales.

use db::Tx;
use domain::scale::{DEFAULT_VERSION, Scale, Scales};
use domain::{Error, Faults, OrgId, ResourceKind};
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{Record as _, Stored};
use crate::ledger::view::View;

/// The scales by which the ratings that a view sees are read.
#[boxed]
pub async fn known(tx: &mut Tx, organization: OrgId, view: View) -> Result<Scales> {
    let statements = Scale::statements();
    let sql = format!(
        "SELECT {} FROM scale AS r{} WHERE r.organization = $1 AND r.number IN
            (SELECT MAX(known.number) FROM scale AS known
             WHERE known.organization = $1 AND known.seq_from <= $2 GROUP BY known.generation)
         ORDER BY r.number",
        statements.columns, statements.joins
    );
    let seq = view.as_of_seq.unwrap_or(i64::MAX);
    let rows: Vec<Stored<Scale>> = tx.query(&sql, &[&organization.uuid(), &seq]).await?;
    Ok(Scales::of(rows.into_iter().map(|Stored(scale)| scale).collect()))
}

/// Refuses a rating at `pointer` that was chosen from the levels of another generation of the scale than the present one.
#[boxed]
pub async fn require_generation(
    tx: &mut Tx,
    organization: OrgId,
    generation: i64,
    pointer: &'static str,
) -> Result<()> {
    let mut faults = Faults::new();
    known(tx, organization, View::now()).await?.present().check_generation(generation, pointer, &mut faults);
    Ok(faults.or(())?)
}

/// One version.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, number: i64) -> Result<Scale> {
    if number == DEFAULT_VERSION {
        return Ok(Scale::default());
    }
    let by_number = Filter::is("number", number.into());
    let found = all(organization).filter(by_number).one(tx).await?;
    let Stored(scale) = found.ok_or(Error::NotFound(ResourceKind::ScaleVersion))?;
    Ok(scale)
}

/// Up to `limit` versions, the latest first: those before a number.
#[boxed]
pub async fn list(tx: &mut Tx, organization: OrgId, before: Option<i64>, limit: i64) -> Result<Page<Scale>> {
    let stored = all(organization).order(&["number"], Direction::Descending, before.map(Into::into));
    let rows: Vec<Stored<Scale>> = stored.first(tx, limit + 1).await?;
    let default = (before != Some(DEFAULT_VERSION)).then(Scale::default);
    let rows = rows.into_iter().map(|Stored(scale)| scale).chain(default).collect();
    Ok(Page::cut(rows, limit))
}

/// The versions that were made after the entry `from` up to the entry `to`, in order.
pub(crate) async fn changed(tx: &mut Tx, organization: OrgId, (from, to): (i64, i64)) -> Result<Vec<Scale>> {
    let made = Filter::Within("seq_from", Some((from + 1).into()), Some((to + 1).into()));
    let select = all(organization).filter(made).order(&["number"], Direction::Ascending, []);
    let rows: Vec<Stored<Scale>> = select.all(tx).await?;
    Ok(rows.into_iter().map(|Stored(scale)| scale).collect())
}

/// How many versions there are, with the default.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    Ok(all(organization).count(tx).await? + 1)
}

/// The stored versions.
fn all<'q>(organization: OrgId) -> Select<'q, Scale> {
    Select::of(organization, View::with_deleted())
}
