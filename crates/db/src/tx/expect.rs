//! Whether the database still has what this process has acknowledged.

use uuid::Uuid;

use super::Tx;
use crate::acknowledged::{Acknowledged, Compared};
use crate::error::{Error, Result};
use crate::head::Head;

impl Tx {
    /// An error if the head that a write has locked lacks what was acknowledged; from then on nothing is written.
    pub(super) async fn expect(
        &mut self,
        acknowledged: &Acknowledged,
        organization: Uuid,
        head: Option<&Head>,
    ) -> Result<()> {
        // An organization that is gone altogether is one without an entry.
        let gone = Head::empty();
        let (head, timeline) = (head.unwrap_or(&gone), self.timeline());
        let lacks = match (acknowledged.compare(organization, head, timeline), acknowledged.entry_hash) {
            (Compared::Fits, _) | (Compared::Ask(_), None) => return Ok(()),
            (Compared::Lacks(lacks), _) => lacks,
            (Compared::Ask(entry), Some(sql)) => {
                let hash = self.query_opt::<(Vec<u8>,)>(sql, &[&organization, &entry.seq]).await?;
                if hash.is_some_and(|(hash,)| hash == entry.hash) {
                    acknowledged.found(organization, timeline);
                    return Ok(());
                }
                acknowledged.lacks(organization, head, timeline)
            }
        };
        acknowledged.stop(lacks);
        Err(Error::WentBack)
    }
}
