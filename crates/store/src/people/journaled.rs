//! People and memberships as they are held against the journal.

use db::Tx;
use domain::OrgId;
use serde_json::json;

use super::row::{Membership, PersonRow};
use super::{person_subject, subject};
use crate::ledger::error::Result;
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded};

/// People that are read at a time.
const PAGE: i64 = 200;

/// The next memberships, those of removed members too.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<Membership>::read(tx, organization, after, PAGE).await?;
    Ok(page.map(|row| Recorded::of(subject(row.person), &row).made(Made::at(row.created_date))))
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
