//! What open proposals waited for when they were last listed.

use db::Tx;
use domain::OrgId;
use domain::document::{Day, Next};
use quick_cache::sync::Cache;

use crate::ledger::error::Result;
use crate::ledger::journal;

/// So many proposals are kept.
const KEPT: usize = 2_000;

/// What open proposals wait for, kept in the memory of one process. It follows from the organization's records, each change of
/// which has an entry in the journal, and from the day, which ends the time of deputies: it holds while both are the same.
pub struct KeptNext(Cache<(OrgId, i64), (State, Next)>);

/// What the proposals of an organization wait for as of: the hash of its latest entry, and the day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    hash: [u8; 32],
    today: Day,
}

impl Default for KeptNext {
    fn default() -> Self {
        Self(Cache::new(KEPT))
    }
}

impl State {
    /// The present one.
    pub(super) async fn read(tx: &mut Tx, organization: OrgId) -> Result<Self> {
        let hash = journal::head(tx, organization).await?.hash;
        Ok(Self { hash, today: Day::of(tx.at()) })
    }
}

impl KeptNext {
    pub(super) fn get(&self, organization: OrgId, proposal: i64, state: &State) -> Option<Next> {
        let (at, next) = self.0.get(&(organization, proposal))?;
        (at == *state).then_some(next)
    }

    pub(super) fn keep(&self, organization: OrgId, proposal: i64, state: State, next: Next) {
        self.0.insert((organization, proposal), (state, next));
    }
}
