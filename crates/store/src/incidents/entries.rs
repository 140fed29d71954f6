//! Journal entries about incidents that a caller does not see.

use std::collections::{HashMap, HashSet};

use db::Tx;
use domain::incident::Viewer;
use domain::{IncidentNumber, OrgId};
use macros::boxed;
use serde_json::Value;

use super::read::unseen;
use crate::error::Result;
use crate::journal::Entry;

/// Removes payload and salt from the entries about incidents that the caller does not see, and from those that name one. The
/// hashes stay, so the chain can still be verified.
#[boxed]
pub async fn hide_entries(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    entries: &mut [Entry],
) -> Result<()> {
    let numbers: Vec<Vec<i64>> = entries.iter().map(incidents).collect();
    let all: HashSet<i64> = numbers.iter().flatten().copied().collect();
    if all.is_empty() {
        return Ok(());
    }
    let all: Vec<i64> = all.into_iter().collect();
    let unseen = unseen(tx, organization, viewer, &all).await?;
    for (entry, numbers) in entries.iter_mut().zip(numbers) {
        if numbers.iter().any(|number| unseen.contains(number)) {
            (entry.payload, entry.salt) = (None, None);
        }
    }
    Ok(())
}

/// The incident that an entry is about, and those that its payload names.
fn incidents(entry: &Entry) -> Vec<i64> {
    if entry.subject_kind != "incident" {
        return Vec::new();
    }
    let subject = IncidentNumber::parse_listed(&entry.subject_id).map(IncidentNumber::number);
    let named = entry.payload.as_deref().map(named).unwrap_or_default();
    subject.into_iter().chain(named).collect()
}

/// The incidents that the values of a payload name, before and after: the original of a duplicate, and ends of links.
fn named(payload: &str) -> Vec<i64> {
    const ORIGINAL: &str = "duplicate_of";
    const END: &str = "/to_incident";
    // Most payloads name none, and need not be read.
    if !payload.contains(ORIGINAL) && !payload.contains(END) {
        return Vec::new();
    }
    let fields: HashMap<String, Value> = serde_json::from_str(payload).unwrap_or_default();
    let changes = fields.iter().filter(|(field, _)| *field == ORIGINAL || field.ends_with(END));
    changes
        .flat_map(|(_, change)| change.as_array().into_iter().flatten().filter_map(Value::as_i64))
        .collect()
}
