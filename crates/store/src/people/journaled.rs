//! People and memberships as they are held against the journal.

use std::collections::HashMap;

use db::Tx;
use domain::OrgId;
use serde_json::json;

use super::row::{Membership, PersonRow};
use super::{history, person_subject, subject};
use crate::ledger::error::Result;
use crate::ledger::record;
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded, Version};

/// People that are read at a time.
const PAGE: i64 = 200;

/// The next memberships, those of removed members too.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<Membership>::read(tx, organization, after, PAGE).await?;
    let people: Vec<_> = page.records.iter().map(|row| row.person).collect();
    let mut earlier = match people.is_empty() {
        false => history::earlier(tx, organization, Some(&people)).await?,
        true => HashMap::new(),
    };
    Ok(page.map(|row| {
        let earlier = earlier.remove(&row.person).unwrap_or_default();
        let past = earlier.iter().map(|(state, seq_to)| version(state, Some(*seq_to)));
        let versions = past.chain([version(&row, None)]).collect();
        let recorded = Recorded::of(subject(row.person), &row).made(Made::at(row.created_date));
        Recorded { seq_from: Some(row.seq_from), versions, ..recorded }
    }))
}

fn version(row: &Membership, seq_to: Option<i64>) -> Version {
    Version {
        number: row.version,
        updated: row.updated_date,
        seq_from: row.seq_from,
        seq_to,
        fields: record::journaled(row).map(|(name, value)| (name.to_owned(), value)).collect(),
    }
}

/// The next people, in the instance's journal.
pub(crate) async fn recorded_persons(tx: &mut Tx, instance: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<PersonRow>::read(tx, instance, after, PAGE).await?;
    Ok(page.map(|row| {
        let mut recorded = Recorded::of(person_subject(row.id), &row).made(Made::at(row.created_date));
        // No entry tells of version 0: the password was never set.
        let version = Some(row.password_version).filter(|version| *version > 0);
        recorded.fields.insert("password_version".to_owned(), json!(version));
        let hash = row.password_hash.map(|hash| ("password_hash".to_owned(), hash.into_bytes()));
        recorded.hashed.extend(hash);
        recorded
    }))
}
