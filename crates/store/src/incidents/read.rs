//! Reading incidents, as they are and as they were.

use db::{Tx, Value};
use domain::incident::Incident;
use domain::{Error, IncidentNumber, OrgId, ResourceKind};

use crate::error::Result;
use crate::list::{Direction, Filter, Select};
use crate::page::Page;
use crate::record::{self, Stored};
use crate::view::View;

/// One incident.
pub async fn get(tx: &mut Tx, organization: OrgId, number: IncidentNumber, view: View) -> Result<Incident> {
    let number = Value::from(number.number());
    let found = match view.as_of_seq {
        // The most frequent read: its statement is made once, not for each.
        None => {
            let found: Option<Incident> = record::find(tx, organization, &[number]).await?;
            found.filter(|incident| view.deleted.sees(incident.deleted_date))
        }
        Some(_) => {
            let select = Select::<Incident>::of(organization, view).filter(Filter::is("number", number));
            select.one(tx).await?.map(|Stored(incident)| incident)
        }
    };
    Ok(found.ok_or(Error::NotFound(ResourceKind::Incident))?)
}

/// Up to `limit` incidents in descending order of number, those before the number `before`.
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    before: Option<IncidentNumber>,
    limit: i64,
) -> Result<Page<Incident>> {
    let before = before.map(|number| Value::from(number.number()));
    let select = Select::<Incident>::of(organization, view).order(&["number"], Direction::Descending, before);
    Ok(select.page(tx, limit).await?.map(|Stored(incident)| incident))
}

/// How many incidents a list of this view has on all its pages.
pub async fn count(tx: &mut Tx, organization: OrgId, view: View) -> Result<i64> {
    Select::<Incident>::of(organization, view).count(tx).await
}
