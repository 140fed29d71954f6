//! Changing many risks by one operation.

use db::Tx;
use domain::person::Person;
use domain::risk::{Risk, RiskPatch};
use domain::scale::Scales;
use domain::{Author, OrgId, RiskNumber};

use super::list::{RiskFilter, numbers};
use crate::ledger::bulk::{self, Changeable, bulk};
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::{people, scales};

/// Which risks are changed.
pub type Target = bulk::Target<RiskNumber, RiskFilter>;

/// A change of many risks.
pub type BulkChange = bulk::ChangeOf<Risk>;

bulk!(Risk, RiskNumber, RiskFilter, RiskPatch);

impl Changeable for Risk {
    /// The owner that the patch names, and the scales.
    type Facts = (Option<Person>, Scales);
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

    async fn facts(tx: &mut Tx, organization: OrgId, _: &Author, patch: &RiskPatch) -> Result<Self::Facts> {
        let owner = people::person(tx, organization, patch.owner.value().copied()).await?;
        Ok((owner, scales::known(tx, organization, View::now()).await?))
    }

    async fn patched(
        tx: &mut Tx,
        _: OrgId,
        found: &[Self],
        patch: &RiskPatch,
        (owner, scales): &Self::Facts,
    ) -> Result<Vec<domain::Result<Option<Self>>>> {
        Ok(found.iter().map(|before| patch.apply(before, owner.clone(), scales, tx.at())).collect())
    }
}
