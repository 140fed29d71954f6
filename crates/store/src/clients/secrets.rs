//! The secrets of a client: one can replace another without a gap.

use db::Tx;
use domain::{Author, ClientId, Error, FaultCode, OrgId, ResourceKind};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::update::refuse_own;
use super::{Secret, SecretHash, changeable, touch};
use crate::error::Result;
use crate::journal::Payload;
use crate::revocations::{self, Revoked};

/// The most secrets of a client. Expired ones count until they are removed: otherwise secrets that expire at once could
/// be stored without limit.
pub const MOST_SECRETS: usize = 2;

/// An expired secret is removed when another is added, once the access tokens issued with it have expired too.
const FORGOTTEN_AFTER: SignedDuration = SignedDuration::from_mins(30);

/// Adds a secret to a client. A secret gives access to all scopes of the client, so the author needs all of them.
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
        return Err(Error::invalid("#/expires_date", FaultCode::Range, "must lie in the future").into());
    }
    let is_over = |secret: &&Secret| {
        secret.expires_date.is_some_and(|end| end.checked_add(FORGOTTEN_AFTER).is_ok_and(|end| end <= at))
    };
    let (over, kept): (Vec<&Secret>, Vec<&Secret>) = old.secrets.iter().partition(is_over);
    if kept.len() >= MOST_SECRETS {
        let title = "The client has two secrets.";
        return Err(Error::Conflict { code: "too_many_secrets", title }.into());
    }
    for secret in over {
        remove(tx, org, secret.id).await?;
    }
    let new = insert(tx, org, id, hash, expires_date).await?;
    let mut after: Vec<Uuid> = kept.iter().map(|secret| secret.id).chain([new]).collect();
    // As they are read: of two that were made at the same time the later one may come first.
    after.sort_unstable();
    let payload = Payload::new().change("secrets", old.secret_ids(), after);
    touch(tx, org, author, id, payload).await?;
    let hash = hash.to_vec();
    Ok(Secret { id: new, credential: new, hash, created_date: at, expires_date, last_used_date: None })
}

/// Deletes a secret and revokes all tokens issued with it. A client cannot delete its own last live secret. The author
/// needs every scope of the client.
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
    let after: Vec<Uuid> = old.secret_ids().into_iter().filter(|known| *known != secret).collect();
    touch(tx, org, author, id, Payload::new().change("secrets", old.secret_ids(), after)).await?;
    Ok(vec![revoked])
}

/// Replaces all secrets of a client by a new one. All tokens issued with the old ones are revoked; the returned entries
/// are for this process's deny-list.
pub async fn replace_secrets(
    tx: &mut Tx,
    org: OrgId,
    author: &Author,
    id: &ClientId,
    hash: &SecretHash,
) -> Result<Vec<Revoked>> {
    let old = changeable(tx, org, author, id).await?;
    let mut revoked = Vec::with_capacity(old.secrets.len());
    for secret in &old.secrets {
        remove(tx, org, secret.id).await?;
        revoked.push(revocations::add(tx, org, Revoked::credential(secret.credential, tx.at())).await?);
    }
    let new = insert(tx, org, id, hash, None).await?;
    let payload = Payload::new().change("secrets", old.secret_ids(), [new]);
    touch(tx, org, author, id, payload).await?;
    Ok(revoked)
}

/// Stores a new secret and returns its id.
pub(super) async fn insert(
    tx: &mut Tx,
    org: OrgId,
    client: &ClientId,
    hash: &SecretHash,
    expires_date: Option<Timestamp>,
) -> Result<Uuid> {
    let id = tx.uuid();
    tx.send(
        "INSERT INTO client_secret
             (organization, id, client_id, hash, created_date, expires_date, last_used_date, credential_id)
         VALUES ($1, $2, $3, $4, $5, $6, NULL, $2)",
        &[&org.uuid(), &id, &client.as_str(), &hash.as_slice(), &tx.at(), &expires_date],
    )
    .await?;
    Ok(id)
}

async fn remove(tx: &mut Tx, org: OrgId, secret: Uuid) -> Result<()> {
    tx.send("DELETE FROM client_secret WHERE organization = $1 AND id = $2", &[&org.uuid(), &secret]).await?;
    Ok(())
}
