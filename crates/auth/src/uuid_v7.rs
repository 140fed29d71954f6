//! Ids for what is made outside of a write; inside one, `tx.uuid()` gives them.

use db::Db;
use jiff::Timestamp;
use uuid::Uuid;

/// A new UUIDv7 at this time.
pub(crate) fn uuid_v7(db: &Db, now: Timestamp) -> Uuid {
    let mut random = [0; 10];
    db.random()(&mut random);
    let millis = u64::try_from(now.as_millisecond()).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}
