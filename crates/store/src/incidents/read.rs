//! Reading incidents, as they are and as they were, by those who see them.

use std::collections::HashSet;

use db::{Param, Tx, Value};
use domain::incident::{Incident, Sees, Viewer};
use domain::{Error, IncidentNumber, OrgId, ResourceKind};
use macros::boxed;

use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;
use crate::ledger::list::{Filter, Select};
use crate::ledger::record::{self, Stored};
use crate::ledger::search::{Found, Seen};
use crate::ledger::view::View;

/// One incident.
#[boxed]
pub async fn get(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    number: IncidentNumber,
    view: View,
) -> Result<Incident> {
    let key = Value::from(number.number());
    let found = match view.as_of_seq {
        // The most frequent read: its statement is made once, not for each.
        None => {
            let found: Option<Incident> = record::find(tx, organization, &[key]).await?;
            found
                .filter(|incident| view.deleted.sees(incident.deleted_date) && viewer.sees_incident(incident))
        }
        Some(_) => {
            let select = Select::<Incident>::of(organization, view).filter(Filter::is("number", key));
            let found = select.filter(Filter::SeenBy(viewer)).one(tx).await?;
            found.map(|Stored(incident)| incident)
        }
    };
    Ok(found.ok_or(Error::NotFound(ResourceKind::Incident))?)
}

/// Those of these incidents that the caller sees, deleted ones too.
#[boxed]
pub async fn get_many(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    numbers: &[IncidentNumber],
) -> Result<Vec<Incident>> {
    let numbers: Vec<i64> = numbers.iter().map(|number| number.number()).collect();
    let mut found: Vec<Incident> = record::present(tx, organization, &numbers).await?;
    found.retain(|incident| viewer.sees_incident(incident));
    Ok(found)
}

/// The incidents that the caller sees.
pub(super) fn seen<'q>(organization: OrgId, viewer: &'q Viewer, view: View) -> Select<'q, Incident> {
    let select = Select::of(organization, view);
    match viewer.sees() {
        Sees::All => select,
        Sees::Unrestricted | Sees::Opened => select.filter(Filter::SeenBy(viewer)),
    }
}

/// The numbers of the incidents that a caller sees only because of who it is: of callers who see those that others opened, the
/// restricted ones. Those are few.
pub(super) async fn own_numbers(tx: &mut Tx, organization: OrgId, viewer: &Viewer) -> Result<Vec<i64>> {
    let select = seen(organization, viewer, View::now());
    let select = match viewer.sees() {
        Sees::All | Sees::Unrestricted => select.filter(Filter::Present("restricted")),
        Sees::Opened => select,
    };
    let rows: Vec<(i64,)> = select.columns(tx, "r.number", None, i64::MAX).await?;
    Ok(rows.into_iter().map(|(number,)| number).collect())
}

/// The incidents that a caller's search looks at. Of restricted ones the words are looked up only among those that the caller
/// sees.
pub(crate) async fn searched(tx: &mut Tx, organization: OrgId, viewer: &Viewer) -> Result<Seen> {
    let own = match viewer.sees() {
        Sees::All => None,
        Sees::Unrestricted | Sees::Opened => {
            Some(Found::of_numbers(own_numbers(tx, organization, viewer).await?))
        }
    };
    let open = own.clone().filter(|_| viewer.sees() == Sees::Opened);
    Ok(Seen { open, restricted: Some(own) })
}

/// Those of these incidents, deleted ones too, that the caller does not see.
pub(crate) async fn unseen(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    numbers: &[i64],
) -> Result<HashSet<i64>> {
    let candidates = match viewer.sees() {
        Sees::All => return Ok(HashSet::new()),
        Sees::Opened => numbers.to_vec(),
        Sees::Unrestricted => restricted(tx, organization, numbers).await?,
    };
    if candidates.is_empty() {
        return Ok(HashSet::new());
    }
    let all = record::present::<Incident>(tx, organization, &candidates).await?;
    let unseen = all.iter().filter(|incident| !viewer.sees_incident(incident));
    Ok(unseen.map(|incident| incident.number.number()).collect())
}

/// Those of these incidents that are restricted.
async fn restricted(tx: &mut Tx, organization: OrgId, numbers: &[i64]) -> Result<Vec<i64>> {
    let sql = format!(
        "SELECT (SELECT r.number FROM incident AS r
                 WHERE r.organization = $1 AND r.number = wanted.number AND r.restricted IS NOT NULL)
         FROM {}",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().copied());
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    let rows: Vec<(Option<i64>,)> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().filter_map(|(number,)| number).collect())
}
