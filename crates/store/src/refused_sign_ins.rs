//! Refused sign-ins of people. During an hour they are only counted, by person; afterwards each count becomes one
//! journal entry. So an attacker who guesses a person's password adds at most one entry an hour to the journal.

use db::Tx;
use domain::{Author, OrgId, UserId, time};
use jiff::Timestamp;
use macros::boxed;
use uuid::Uuid;

use crate::ledger::error::Result;
use crate::ledger::housekeeping::Taken;
use crate::ledger::journal::{self, New, Payload, Subject};

/// The kind of the entries.
pub(crate) const KIND: &str = "user.sign_ins_refused";

/// Finds a counter of an hour before `$1`. Public for the test that checks the indexes.
#[doc(hidden)]
pub const DUE: &str = "SELECT hour FROM refused_sign_in WHERE hour < $1 ORDER BY hour LIMIT 1";

/// Removes counters of hours before `$1`, the oldest first, at most `$2`.
#[doc(hidden)]
pub const TAKE: &str = "DELETE FROM refused_sign_in WHERE (hour, person) IN (
         SELECT hour, person FROM refused_sign_in WHERE hour < $1 ORDER BY hour, person LIMIT $2
     )
     RETURNING hour, person, refused_count";

/// Counts a refused sign-in of a person in the hour of this write. For [`db::Db::write_instance`]: it holds the lock on
/// the instance's head, so no process can count in an hour that was journaled.
///
/// Without a person, the refusal is counted under the nil UUID: an unknown address must cost the same as a known one,
/// or the time of the response would reveal which addresses are known.
#[boxed]
pub async fn count(tx: &mut Tx, person: Option<UserId>) -> Result<()> {
    let person = person.map_or(Uuid::nil(), UserId::uuid);
    let sql = "INSERT INTO refused_sign_in (hour, person, refused_count) VALUES ($1, $2, 1)
               ON CONFLICT (hour, person) DO UPDATE SET refused_count = refused_sign_in.refused_count + 1";
    Ok(tx.send(sql, &[&hour_of(tx.at()), &person]).await?)
}

/// Whether there are counters of an hour that is over at `now`. Only reads.
#[boxed]
pub async fn is_due(tx: &mut Tx, now: Timestamp) -> Result<bool> {
    let found: Option<(Timestamp,)> = tx.query_opt(DUE, &[&hour_of(now)]).await?;
    Ok(found.is_some())
}

/// Replaces at most `most` counters of hours that are over with their entries. For [`db::Db::write_alone`] of the
/// instance.
#[boxed]
pub async fn append_entries(tx: &mut Tx, author: &Author, most: u32) -> Result<Taken> {
    let mut taken: Vec<(Timestamp, Uuid, i64)> =
        tx.execute_returning(TAKE, &[&hour_of(tx.at()), &i64::from(most)]).await?;
    taken.sort_unstable();
    let count = u64::try_from(taken.len()).unwrap_or(u64::MAX);
    let known = taken.into_iter().filter(|(_, person, _)| !person.is_nil());
    let entries: Vec<New> = known.map(|(hour, person, count)| entry(hour, UserId(person), count)).collect();
    if !entries.is_empty() {
        journal::append_all(tx, OrgId::INSTANCE, author, entries).await?;
    }
    Ok(Taken { count, more: count >= u64::from(most) })
}

fn entry(hour: Timestamp, person: UserId, count: i64) -> New {
    let payload = Payload::new().set("hour", time::format(hour)).set("count", count);
    New { kind: KIND, subject: Subject::new("user", person.to_string()), payload }
}

/// The beginning of the hour that `at` lies in.
fn hour_of(at: Timestamp) -> Timestamp {
    time::floor(at, 3_600)
}
