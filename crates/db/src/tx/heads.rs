//! The heads of organizations: a write holds those that it has locked, and what it changes of them is stored with its batch.

use jiff::SignedDuration;
use uuid::Uuid;

use super::Tx;
use crate::error::{Error, Result};
use crate::head::{self, COUNTERS, Head, Held};
use crate::options::Engine;

impl Tx {
    /// The head of an organization that this write has locked.
    pub fn head(&self, organization: impl Into<Uuid>) -> Result<&Head> {
        let organization = organization.into();
        let held = self.held.iter().find(|held| held.organization == organization);
        held.map(|held| &held.head).ok_or_else(|| Error::internal("the head is not held by this write"))
    }

    /// The head of an organization as a read sees it.
    pub async fn read_head(&mut self, organization: impl Into<Uuid>) -> Result<Option<Head>> {
        self.query_opt(head::LOAD, &[&organization.into()]).await
    }

    /// Notes that the journal has grown by one entry. Only the journal calls this.
    pub fn advance_head(&mut self, organization: impl Into<Uuid>, seq: i64, hash: [u8; 32]) -> Result<()> {
        let at = self.at;
        let held = self.held_mut(organization.into())?;
        (held.head.seq, held.head.hash, held.head.last_at, held.moved) = (seq, hash, Some(at), true);
        Ok(())
    }

    /// The next number of one of an organization's counters, from 1.
    pub fn next_number(&mut self, organization: impl Into<Uuid>, counter: usize) -> Result<i64> {
        let held = self.held_mut(organization.into())?;
        let number = held.head.counters.get_mut(counter).ok_or_else(|| Error::internal("no such counter"))?;
        *number += 1;
        let number = *number;
        held.moved = true;
        Ok(number)
    }

    /// Locks the head of one more organization, in a write of the instance. Call it before anything
    /// that depends on [`Tx::at`].
    pub async fn lock_head(&mut self, organization: impl Into<Uuid>) -> Result<()> {
        let organization = organization.into();
        if self.held.iter().all(|held| held.organization != organization) {
            let held = self.load_head(organization).await?;
            self.hold(held);
        }
        Ok(())
    }

    /// Makes and holds the head of a new organization.
    pub async fn create_head(&mut self, organization: impl Into<Uuid>) -> Result<()> {
        let organization = organization.into();
        self.insert_head(organization).await?;
        self.hold(Held { organization, head: Head::empty(), moved: false });
        Ok(())
    }

    pub(crate) async fn insert_head(&mut self, organization: Uuid) -> Result<()> {
        let zeros = [0_u8; 32];
        let counters = [0; COUNTERS].map(|zero: i64| zero.to_string()).join(" ");
        self.execute(head::CREATE, &[&organization, &zeros.as_slice(), &counters]).await?;
        Ok(())
    }

    /// The heads that the batch moved, to be stored with it.
    pub(crate) fn moved_heads(&self) -> Vec<Held> {
        self.batch.values().filter(|held| held.moved).cloned().collect()
    }

    pub(super) async fn load_head(&mut self, organization: Uuid) -> Result<Held> {
        if let Some(held) = self.batch.get(&organization) {
            return Ok(held.clone());
        }
        let sql = match self.engine() {
            Engine::Sqlite => head::LOAD,
            Engine::Postgres => head::LOAD_AND_LOCK,
        };
        let head = self.query_opt(sql, &[&organization]).await?;
        if let Some(acknowledged) = self.acknowledged.clone() {
            self.expect(&acknowledged, organization, head.as_ref()).await?;
        }
        let head = head.ok_or(Error::UnknownOrganization)?;
        Ok(Held { organization, head, moved: false })
    }

    pub(super) fn hold(&mut self, held: Held) {
        if let Some(last) = held.head.last_at {
            // Time never stands still or goes back within an organization, whatever the clock says.
            let next = last.saturating_add(SignedDuration::from_micros(1)).unwrap_or(last);
            self.at = self.at.max(next);
        }
        self.held.push(held);
    }

    pub(super) fn held_mut(&mut self, organization: Uuid) -> Result<&mut Held> {
        let held = self.held.iter_mut().find(|held| held.organization == organization);
        held.ok_or_else(|| Error::internal("the head is not held by this write"))
    }
}
