//! Journal entries about incidents that a caller does not see.

use std::collections::HashSet;

use db::Tx;
use domain::incident::Viewer;
use domain::{IncidentNumber, OrgId};
use macros::boxed;
use serde_json::Value;

use super::read::unseen;
use crate::ledger::error::Result;
use crate::ledger::journal::Entry;

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
    let subject = (entry.subject_kind == "incident").then(|| IncidentNumber::parse_listed(&entry.subject_id));
    let mut numbers: Vec<i64> = subject.flatten().map(IncidentNumber::number).into_iter().collect();
    // Most payloads name none, and need not be read.
    let payload = entry.payload.as_deref().filter(|text| NAMING.iter().any(|field| text.contains(field)));
    if let Some(payload) = payload.and_then(|text| serde_json::from_str(text).ok()) {
        collect_named(&payload, &mut numbers);
    }
    numbers
}

/// How the fields end whose values are numbers of other incidents: the original of a duplicate, and the end of a link.
const NAMING: [&str; 2] = ["duplicate_of", "/to_incident"];

/// Finds these fields however deep: a redaction repeats what the entries told that it erased.
fn collect_named(value: &Value, numbers: &mut Vec<i64>) {
    let Value::Object(fields) = value else {
        value.as_array().into_iter().flatten().for_each(|element| collect_named(element, numbers));
        return;
    };
    for (field, value) in fields {
        if NAMING.iter().any(|end| field.ends_with(end)) {
            numbers.extend(value.as_array().into_iter().flatten().filter_map(Value::as_i64));
        } else {
            collect_named(value, numbers);
        }
    }
}
