//! Undoing changes of risks.

use std::collections::HashMap;

use db::Tx;
use domain::person::Person;
use domain::risk::Risk;
use domain::{Author, OrgId};

use super::references;
use super::tag_links::TAGS;
use crate::ledger::error::Result;
use crate::ledger::tag_links::TagLinks;
use crate::ledger::undo::Undoable;
use crate::{acceptances, performance};

impl Undoable for Risk {
    const TYPE: &'static str = "risk";
    const MEMBER: &'static str = "owner";
    const TAGS: TagLinks = TAGS;

    fn member(&self) -> Option<&Person> {
        self.owner.as_ref()
    }

    fn change_kind(_: &Self, _: &Self) -> &'static str {
        "risk.updated"
    }

    async fn obstacles(
        tx: &mut Tx,
        organization: OrgId,
        pairs: &[(&Self, &Self)],
    ) -> Result<HashMap<i64, &'static str>> {
        references::obstacles(tx, organization, pairs).await
    }

    async fn follow(tx: &mut Tx, organization: OrgId, author: &Author, numbers: &[i64]) -> Result<()> {
        performance::follow(tx, organization, numbers).await?;
        acceptances::follow(tx, organization, author, numbers).await
    }
}
