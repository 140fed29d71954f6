//! How many incidents of a list have each value of a field.

use db::Tx;
use domain::OrgId;
use domain::incident::{Incident, Kind, Status, Viewer};
use domain::severity::Severity;

use super::list::{IncidentFilter, count};
use super::read::seen;
use super::tags::TAGS;
use crate::error::Result;
use crate::facets::{self, Facets};
use crate::list::{Select, TAGGED};
use crate::view::View;

/// The facets of the incidents that the caller sees.
pub async fn facets(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    view: View,
    filter: &IncidentFilter,
) -> Result<Facets> {
    let total = count(tx, organization, viewer, view, filter).await?;
    let of = |column| -> Select<'_, Incident> {
        seen(organization, viewer, view).filters(facets::without(filter.filters(), column))
    };
    // The category is a filter of statuses, but not that of this facet.
    let any_status = IncidentFilter { status: Vec::new(), ..filter.clone() };
    let by_status = seen(organization, viewer, view).filters(any_status.filters());
    Ok(Facets {
        total,
        facets: vec![
            ("status", facets::plain_words::<Status, _>(tx, by_status, "status").await?),
            ("severity", facets::words::<Severity, _>(tx, of("severity"), "severity").await?),
            ("kind", facets::words::<Kind, _>(tx, of("kind"), "kind").await?),
            ("assigned_to", facets::people(tx, organization, of("assigned_to"), "assigned_to").await?),
            ("tag", facets::tags(tx, of(TAGGED), &TAGS).await?),
        ],
    })
}
