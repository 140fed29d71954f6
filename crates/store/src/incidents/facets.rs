//! How many incidents of a list have each value of a field.

use std::collections::BTreeMap;

use db::Tx;
use domain::OrgId;
use domain::incident::{Kind, Status, Viewer};
use domain::severity::Severity;
use macros::boxed;
use uuid::Uuid;

use super::facet_counts::facet_counts;
use super::filter::IncidentFilter;
use super::tally::StatusFacet;
use crate::ledger::error::Result;
use crate::ledger::facets::{self, Counts, Facets};
use crate::ledger::list::TagCount;

/// The facets of the incidents that the caller sees.
#[boxed]
pub async fn facets(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    filter: &IncidentFilter,
    status: StatusFacet,
) -> Result<Facets> {
    let counted = facet_counts(tx, organization, viewer, filter, status).await?;
    let people = facets::people(tx, organization, most_frequent(counted.assigned_to)).await?;
    Ok(Facets {
        total: counted.total,
        facets: vec![
            ("status", facets::plain_words::<Status>(most_frequent(counted.status))),
            ("severity", facets::words::<Severity>(most_frequent(counted.severity))),
            ("kind", facets::words::<Kind>(most_frequent(counted.kind))),
            ("assigned_to", people),
            ("tag", facets::tags(with_names(tx, organization, counted.tag).await?)),
        ],
    })
}

/// The most frequent values.
fn most_frequent<V: Ord>(counts: BTreeMap<Option<V>, i64>) -> Counts<V> {
    let mut counts = counts.into_iter().collect();
    facets::most_frequent(&mut counts, |(_, count)| *count);
    counts
}

/// The most frequent tags with their names.
async fn with_names(
    tx: &mut Tx,
    organization: OrgId,
    mut counts: BTreeMap<Uuid, i64>,
) -> Result<Vec<TagCount>> {
    let sql = "SELECT id, name FROM tag WHERE organization = $1 ORDER BY name_folded";
    let names: Vec<(Uuid, String)> = tx.query(sql, &[&organization.uuid()]).await?;
    let with_count = |(id, name)| counts.remove(&id).map(|count| TagCount { id, name, count });
    let mut tags = names.into_iter().filter_map(with_count).collect();
    facets::most_frequent(&mut tags, |tag: &TagCount| tag.count);
    Ok(tags)
}
