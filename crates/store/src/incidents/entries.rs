//! Journal entries about incidents that a caller does not see.

use std::collections::HashSet;

use db::Tx;
use domain::incident::Viewer;
use domain::{IncidentNumber, OrgId};

use super::read::unseen;
use crate::error::Result;
use crate::journal::Entry;

/// Removes payload and salt from the entries about incidents that the caller does not see. The hashes stay, so the chain
/// can still be verified.
pub async fn hide_entries(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    entries: &mut [Entry],
) -> Result<()> {
    let numbers: HashSet<i64> = entries.iter().filter_map(incident).collect();
    if numbers.is_empty() {
        return Ok(());
    }
    let numbers: Vec<i64> = numbers.into_iter().collect();
    let unseen = unseen(tx, organization, viewer, &numbers).await?;
    for entry in entries.iter_mut().filter(|entry| incident(entry).is_some_and(|it| unseen.contains(&it))) {
        (entry.payload, entry.salt) = (None, None);
    }
    Ok(())
}

/// The incident that an entry is about.
fn incident(entry: &Entry) -> Option<i64> {
    let is_one = entry.subject_kind == "incident";
    is_one.then(|| IncidentNumber::parse_prefixed(&entry.subject_id)).flatten().map(IncidentNumber::number)
}
