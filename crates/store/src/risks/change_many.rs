//! Changing many risks by one operation.

use db::Tx;
use domain::bulk::ItemResult;
use domain::person::Person;
use domain::risk::{Risk, RiskPatch};
use domain::{Author, OrgId, RiskNumber};

use super::list::{RiskFilter, RiskSort, count, list};
use crate::bulk::{self, Changeable};
use crate::error::Result;
use crate::list::{Direction, ListQuery, Position, Sort};
use crate::page::Page;
use crate::people;
use crate::view::View;

/// Which risks are changed.
pub type Target = bulk::Target<RiskNumber, RiskFilter>;

/// A change of many risks.
pub type BulkChange = bulk::BulkChange<RiskNumber, RiskFilter, RiskPatch>;

/// Changes risks; what became of each, in the order of the ids or of the numbers. The number of statements grows with each
/// batch of 200, not with each risk. Belongs into `Db::write_alone`.
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

    async fn count(tx: &mut Tx, organization: OrgId, _: &Author, filter: &RiskFilter) -> Result<i64> {
        count(tx, organization, View::now(), filter).await
    }

    async fn list(
        tx: &mut Tx,
        organization: OrgId,
        _: &Author,
        filter: &RiskFilter,
        after: Option<Position>,
        limit: i64,
    ) -> Result<Page<Self>> {
        let sort = Sort { by: RiskSort::Number, direction: Direction::Ascending };
        let asked = ListQuery { view: View::now(), filter: filter.clone(), sort, after };
        list(tx, organization, &asked, limit).await
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
