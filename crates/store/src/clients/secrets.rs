//! The secrets of a client: one can replace another without a gap.

use db::Tx;
use domain::{Author, ClientId, Error, ErrorCode, FaultCode, OrgId, ResourceKind};
use jiff::{SignedDuration, Timestamp};
use macros::boxed;
use uuid::Uuid;

use super::secret_fields::{expiry_field, hash_field};
use super::update::refuse_own;
use super::{Secret, SecretHash, changeable, touch};
use crate::ledger::error::Result;
use crate::ledger::journal::{Payload, salted_hash};
use crate::ledger::record::{self, record};
use crate::revocations::{self, Revoked};

/// The most secrets of a client. Expired ones count until they are removed: otherwise secrets that expire at once could
/// be stored without limit.
pub const MOST_SECRETS: usize = 2;

/// An expired secret is removed when another is added, once the access tokens issued with it have expired too.
const FORGOTTEN_AFTER: SignedDuration = SignedDuration::from_mins(30);

/// Adds a secret to a client. A secret gives access to all scopes of the client, so the author needs all of them.
#[boxed]
pub async fn add_secret(
    tx: &mut Tx,
    org: OrgId,
    author: &Author,
    id: &ClientId,
    hash: &SecretHash,
    expires_date: Option<Timestamp>,
) -> Result<Secret> {
    let old = changeable(tx, org, author, id).await?;
    let at = tx.at();
    if expires_date.is_some_and(|end| end <= at) {
        return Err(Error::invalid("#/expires_date", FaultCode::Range, "must be in the future").into());
    }
    let is_over = |secret: &&Secret| {
        secret.expires_date.is_some_and(|end| end.checked_add(FORGOTTEN_AFTER).is_ok_and(|end| end <= at))
    };
    let (over, kept): (Vec<&Secret>, Vec<&Secret>) = old.secrets.iter().partition(is_over);
    if kept.len() >= MOST_SECRETS {
        return Err(Error::Conflict(ErrorCode::TooManySecrets).into());
    }
    let mut payload = Payload::new();
    for secret in over {
        remove(tx, org, secret.id).await?;
        payload = without(payload, secret);
    }
    let new = insert(tx, org, id, hash, expires_date).await?;
    touch(tx, org, author, id, with(payload, tx, new, hash, expires_date)).await?;
    let hash = hash.to_vec();
    Ok(Secret { id: new, credential: new, hash, created_date: at, expires_date, last_used_date: None })
}

/// Deletes a secret and revokes all tokens issued with it. A client cannot delete its own last live secret. The author
/// needs every scope of the client.
#[boxed]
pub async fn delete_secret(
    tx: &mut Tx,
    org: OrgId,
    author: &Author,
    id: &ClientId,
    secret: Uuid,
) -> Result<Vec<Revoked>> {
    let old = changeable(tx, org, author, id).await?;
    let gone =
        old.secrets.iter().find(|known| known.id == secret).ok_or(Error::NotFound(ResourceKind::Secret))?;
    if !old.has_live_secret_but(secret, tx.at()) {
        refuse_own(&author.actor, id)?;
    }
    remove(tx, org, secret).await?;
    let revoked = revocations::add(tx, org, Revoked::credential(gone.credential, tx.at())).await?;
    touch(tx, org, author, id, without(Payload::new(), gone)).await?;
    Ok(vec![revoked])
}

/// Replaces all secrets of a client by a new one. All tokens issued with the old ones are revoked; the returned entries
/// are for this process's deny-list.
#[boxed]
pub async fn replace_secrets(
    tx: &mut Tx,
    org: OrgId,
    author: &Author,
    id: &ClientId,
    hash: &SecretHash,
) -> Result<Vec<Revoked>> {
    let old = changeable(tx, org, author, id).await?;
    let (mut revoked, mut payload) = (Vec::with_capacity(old.secrets.len()), Payload::new());
    for secret in &old.secrets {
        remove(tx, org, secret.id).await?;
        payload = without(payload, secret);
        revoked.push(revocations::add(tx, org, Revoked::credential(secret.credential, tx.at())).await?);
    }
    let new = insert(tx, org, id, hash, None).await?;
    touch(tx, org, author, id, with(payload, tx, new, hash, None)).await?;
    Ok(revoked)
}

/// A secret as its table has it.
struct SecretRow {
    secret: Secret,
    client_id: ClientId,
}

record! {
    SecretRow in "client_secret" with secret: Secret {
        client_id: Plain => Fixed,
    }
}

/// Stores a new secret and returns its id.
pub(super) async fn insert(
    tx: &mut Tx,
    org: OrgId,
    client: &ClientId,
    hash: &SecretHash,
    expires_date: Option<Timestamp>,
) -> Result<Uuid> {
    let (id, created_date) = (tx.uuid(), tx.at());
    let hash = hash.to_vec();
    let secret = Secret { id, credential: id, hash, created_date, expires_date, last_used_date: None };
    record::insert(tx, org, &SecretRow { secret, client_id: client.clone() }).await?;
    Ok(id)
}

/// Adds a new secret to what an entry tells.
pub(super) fn with(
    payload: Payload,
    tx: &Tx,
    secret: Uuid,
    hash: &SecretHash,
    expires_date: Option<Timestamp>,
) -> Payload {
    let payload = payload.set(&hash_field(secret), salted_hash(tx, hash));
    payload.set(&expiry_field(secret), expires_date.map(domain::time::format))
}

/// Adds to what an entry tells that a secret was removed.
fn without(payload: Payload, secret: &Secret) -> Payload {
    let payload = payload.gone(&hash_field(secret.id), true);
    payload.gone(&expiry_field(secret.id), secret.expires_date.map(domain::time::format))
}

async fn remove(tx: &mut Tx, org: OrgId, secret: Uuid) -> Result<()> {
    record::delete::<Secret>(tx, org, &[secret.into()]).await
}
