//! How many risks of a list have each value of a field.

use db::Tx;
use domain::OrgId;
use domain::risk::{Risk, RiskStatus, Treatment};
use macros::boxed;

use super::list::{RiskFilter, count};
use super::tag_links::TAGS;
use crate::ledger::error::Result;
use crate::ledger::facets::{self, Facets, MOST_VALUES};
use crate::ledger::list::{Select, TAGGED};
use crate::ledger::view::View;

/// The facets of risks.
#[boxed]
pub async fn facets(tx: &mut Tx, organization: OrgId, view: View, filter: &RiskFilter) -> Result<Facets> {
    let total = count(tx, organization, view, filter).await?;
    let searched = filter.searched(tx, organization).await?;
    let of = |column| -> Select<'_, Risk> {
        let others = facets::without(filter.filters(), column);
        Select::of(organization, view).filters(others).filters(searched.clone())
    };
    let status = of("status").counts(tx, "status", MOST_VALUES).await?;
    let category = of("category").counts(tx, "category", MOST_VALUES).await?;
    let owner = of("owner").counts(tx, "owner", MOST_VALUES).await?;
    let treatment = of("treatment").counts(tx, "treatment", MOST_VALUES).await?;
    let tags = of(TAGGED).tag_counts(tx, TAGS.link, MOST_VALUES).await?;
    Ok(Facets {
        total,
        facets: vec![
            ("status", facets::plain_words::<RiskStatus>(status)),
            ("category", facets::texts(category)),
            ("owner", facets::people(tx, organization, owner).await?),
            ("treatment", facets::plain_words::<Treatment>(treatment)),
            ("tag", facets::tags(tags)),
        ],
    })
}
