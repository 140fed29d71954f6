//! Which risks the register has lost.

use std::collections::HashSet;

use db::Tx;
use domain::OrgId;
use domain::risk::Risk;
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::journal::{self, EntryFilter};
use crate::ledger::list::Direction;
use crate::ledger::trash::Deletable as _;

/// Entries that are read at a time.
const PAGE: i64 = 100;

/// The ids of the risks that were deleted for good after an entry.
#[boxed]
pub async fn purged_after(tx: &mut Tx, organization: OrgId, after: i64) -> Result<HashSet<String>> {
    let filter = EntryFilter {
        subject_kind: vec!["risk"],
        kind: vec![Risk::ENTRIES.purged],
        ..EntryFilter::default()
    };
    let (mut purged, mut after) = (HashSet::new(), Some(after));
    while after.is_some() {
        let page = journal::page(tx, organization, &filter, Direction::Ascending, after, PAGE).await?;
        after = page.rows.last().filter(|_| page.has_more).map(|entry| entry.seq);
        purged.extend(page.rows.into_iter().map(|entry| entry.subject_id));
    }
    Ok(purged)
}
