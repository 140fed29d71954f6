//! How many documents of a list have each value of a field.

use db::Tx;
use domain::OrgId;
use domain::document::{Classification, DocumentStatus, ReviewStatus};
use macros::boxed;

use super::read::{DocumentFilter, count, of_organization};
use super::tag_links::TAGS;
use crate::ledger::error::Result;
use crate::ledger::facets::{self, FacetCount, Facets, MOST_VALUES};
use crate::ledger::list::{Filter, REVIEWED, TAGGED};

/// The facets of documents.
#[boxed]
pub async fn facets(tx: &mut Tx, organization: OrgId, filter: &DocumentFilter) -> Result<Facets> {
    let (at, total) = (tx.at(), count(tx, organization, filter).await?);
    let searched = filter.searched(tx, organization).await?;
    let of = |column| {
        let others = facets::without(filter.filters(at), column);
        of_organization(organization).filters(others).filters(searched.clone())
    };
    let status = of("status").counts(tx, "status", MOST_VALUES).await?;
    let classification = of("classification").counts(tx, "classification", MOST_VALUES).await?;
    let owner = of("owner").counts(tx, "owner", MOST_VALUES).await?;
    let tags = of(TAGGED).tag_counts(tx, TAGS.link, MOST_VALUES).await?;
    let mut review = Vec::new();
    for status in ReviewStatus::ALL {
        let count = of(REVIEWED).filter(Filter::Reviewed(vec![*status], at)).count(tx).await?;
        review.push(FacetCount { value: Some(status.as_str().to_owned()), label: None, count });
    }
    review.retain(|it| it.count > 0);
    Ok(Facets {
        total,
        facets: vec![
            ("status", facets::plain_words::<DocumentStatus>(status)),
            ("classification", facets::plain_words::<Classification>(classification)),
            ("owner", facets::people(tx, organization, owner).await?),
            ("tag", facets::tags(tags)),
            ("review", review),
        ],
    })
}
