//! How many risks of a list have each value of a field.

use db::Tx;
use domain::OrgId;
use domain::risk::{Risk, RiskStatus};

use super::list::{RiskFilter, count};
use super::tags::TAGS;
use crate::error::Result;
use crate::facets::{self, Facets};
use crate::list::{Select, TAGGED};
use crate::view::View;

/// The facets of risks.
pub async fn facets(tx: &mut Tx, organization: OrgId, view: View, filter: &RiskFilter) -> Result<Facets> {
    let total = count(tx, organization, view, filter).await?;
    let of = |column| -> Select<'_, Risk> {
        Select::of(organization, view).filters(facets::without(filter.filters(), column))
    };
    Ok(Facets {
        total,
        facets: vec![
            ("status", facets::plain_words::<RiskStatus, _>(tx, of("status"), "status").await?),
            ("category", facets::texts(tx, of("category"), "category").await?),
            ("owner", facets::people(tx, organization, of("owner"), "owner").await?),
            ("tag", facets::tags(tx, of(TAGGED), &TAGS).await?),
        ],
    })
}
