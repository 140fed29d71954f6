//! Pseudonyms of people who have left: what acknowledgements show instead of their names, a time after that.

use std::collections::HashMap;

use db::Tx;
use domain::organization::purged_before;
use domain::person::Person;
use domain::{OrgId, UserId};
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use uuid::{Builder, Uuid};

use crate::ledger::error::Result;

/// Those who left so long ago that they are shown by a pseudonym, each with that.
pub(super) async fn pseudonyms(tx: &mut Tx, organization: OrgId) -> Result<HashMap<UserId, Person>> {
    let sql = "SELECT member.person, member.removed_date, owner.pseudonym_days, owner.pseudonym_key
        FROM organization AS owner JOIN membership AS member ON member.organization = owner.id
        WHERE owner.id = $1 AND owner.pseudonym_days IS NOT NULL AND owner.pseudonym_key IS NOT NULL
            AND member.removed_date IS NOT NULL";
    let rows: Vec<(Uuid, Timestamp, i64, Vec<u8>)> = tx.query(sql, &[&organization.uuid()]).await?;
    let now = tx.at();
    let gone =
        rows.into_iter().filter(|(_, left, days, _)| purged_before(now, *days).is_some_and(|it| *left <= it));
    Ok(gone.map(|(person, _, _, key)| (UserId(person), pseudonym(&key, person))).collect())
}

/// The same for the same person and key. Only the key tells whose it is.
fn pseudonym(key: &[u8], person: Uuid) -> Person {
    let hash: [u8; 32] = Sha256::new().chain_update(key).chain_update(person.as_bytes()).finalize().into();
    let mut id = [0; 16];
    id.iter_mut().zip(hash).for_each(|(byte, hashed)| *byte = hashed);
    let id = Builder::from_random_bytes(id).into_uuid();
    let short = hash.get(..4).map(hex::encode).unwrap_or_default();
    let (name, email) = (format!("Former member {short}"), format!("{short}@former.invalid"));
    Person { id: UserId(id), name, email }
}
