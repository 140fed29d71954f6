//! Changing many risks by one operation.

use db::Tx;
use domain::bulk::ItemResult;
use domain::person::Person;
use domain::risk::{Risk, RiskPatch};
use domain::{Author, OrgId, RiskNumber};
use macros::boxed;

use super::list::{RiskFilter, numbers};
use crate::bulk::{self, Changeable};
use crate::error::Result;
use crate::people;

/// Which risks are changed.
pub type Target = bulk::Target<RiskNumber, RiskFilter>;

/// A change of many risks.
pub type BulkChange = bulk::BulkChange<RiskNumber, RiskFilter, RiskPatch>;

/// Changes risks; what became of each, in the order of the ids or of the numbers. The number of statements grows with each
/// batch of 200, not with each risk. Belongs into `Db::write_alone`.
#[boxed]
pub async fn change_many(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    bulk: &BulkChange,
) -> Result<Vec<ItemResult<RiskNumber>>> {
    bulk::change_many::<Risk>(tx, organization, author, bulk).await
}

impl Changeable for Risk {
    type Number = RiskNumber;
    type Filter = RiskFilter;
    type Patch = RiskPatch;
    /// The owner that the patch names.
    type Facts = Option<Person>;
    const PLURAL: &'static str = "risks";

    fn is_seen(&self, _: &Author) -> bool {
        true
    }

    async fn numbers(
        tx: &mut Tx,
        organization: OrgId,
        _: &Author,
        filter: &RiskFilter,
        limit: i64,
    ) -> Result<Vec<i64>> {
        numbers(tx, organization, filter, limit).await
    }

    async fn facts(
        tx: &mut Tx,
        organization: OrgId,
        _: &Author,
        patch: &RiskPatch,
    ) -> Result<Option<Person>> {
        people::person(tx, organization, patch.owner.flatten()).await
    }

    async fn apply(
        tx: &mut Tx,
        _: OrgId,
        found: &[Self],
        patch: &RiskPatch,
        owner: &Option<Person>,
    ) -> Result<Vec<domain::Result<Option<Self>>>> {
        Ok(found.iter().map(|before| patch.apply(before, owner.clone(), tx.at())).collect())
    }
}
