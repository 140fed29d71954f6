//! Changing a client.

use db::Tx;
use domain::client::{Client, ClientPatch, RefreshClientAuth};
use domain::{
    AccessChange, Actor, ActorKind, Author, ClientId, Error, ErrorCode, ExpectedVersion, OrgId, Scope,
};
use macros::boxed;

use super::{ClientRecord, Details, Secret, changeable, get, known, subject};
use crate::ledger::error::Result;
use crate::ledger::{access, journal, record};
use crate::revocations::{self, Revoked};

/// Changes a client. The author needs every scope that the client has or gets. A client cannot disable itself, nor
/// remove its own scope `clients:admin`.
#[boxed]
pub async fn update(
    tx: &mut Tx,
    org: OrgId,
    author: &Author,
    id: &ClientId,
    expected: &ExpectedVersion,
    patch: &ClientPatch,
) -> Result<Details> {
    let old = known(tx, org, id).await?;
    let (before, after) = (old.client.scopes, patch.scopes.unwrap_or(old.client.scopes));
    access::check(tx, org, author, AccessChange::of_clients(before, after)).await?;
    expected.check(old.version)?;
    if patch.disabled == Some(true) && old.disabled_date.is_none() {
        refuse_own(&author.actor, id)?;
    }
    if is_own(&author.actor, id) && !after.has(Scope::ClientsAdmin) {
        return Err(Error::Conflict(ErrorCode::OwnAdminScope).into());
    }
    change(tx, org, author, &old, patch).await?;
    get(tx, org, id).await
}

/// Disables a client: its refresh tokens at once, and its access tokens once every process has read the deny-list,
/// whose entries are returned. Disabling a disabled client changes nothing.
#[boxed]
pub async fn disable(tx: &mut Tx, org: OrgId, author: &Author, id: &ClientId) -> Result<Vec<Revoked>> {
    let old = changeable(tx, org, author, id).await?;
    change(tx, org, author, &old, &ClientPatch { disabled: Some(true), ..ClientPatch::default() }).await
}

/// Sets whether a client must authenticate itself when it refreshes.
#[boxed]
pub async fn set_refresh_client_auth(
    tx: &mut Tx,
    org: OrgId,
    author: &Author,
    id: &ClientId,
    value: RefreshClientAuth,
) -> Result<()> {
    let old = changeable(tx, org, author, id).await?;
    let patch = ClientPatch { refresh_client_auth: Some(value), ..ClientPatch::default() };
    change(tx, org, author, &old, &patch).await.map(drop)
}

fn is_own(actor: &Actor, id: &ClientId) -> bool {
    actor.kind == ActorKind::Client && actor.id == id.as_str()
}

/// A client that locked itself out could not undo it.
pub(super) fn refuse_own(actor: &Actor, id: &ClientId) -> Result<()> {
    if is_own(actor, id) {
        return Err(Error::Conflict(ErrorCode::OwnClient).into());
    }
    Ok(())
}

async fn change(
    tx: &mut Tx,
    org: OrgId,
    author: &Author,
    old: &ClientRecord,
    patch: &ClientPatch,
) -> Result<Vec<Revoked>> {
    let client = Client {
        name: patch.name.as_deref().unwrap_or(&old.client.name).to_owned(),
        scopes: patch.scopes.unwrap_or(old.client.scopes),
        ..old.client.clone()
    };
    let after = ClientRecord {
        client,
        refresh_client_auth: patch.refresh_client_auth.unwrap_or(old.refresh_client_auth),
        disabled_date: match patch.disabled {
            Some(true) => Some(old.disabled_date.unwrap_or(tx.at())),
            Some(false) => None,
            None => old.disabled_date,
        },
        version: old.version + 1,
        secrets: Vec::new(),
    };
    let payload = record::changes(Some(old), &after);
    if payload.is_empty() {
        return Ok(Vec::new());
    }
    record::replace(tx, org, &after).await?;
    let id = &after.client.id;
    journal::append(tx, org, author, "client.updated", subject(id), payload).await?;
    if after.client.name != old.client.name {
        revocations::add(tx, org, Revoked::renamed_client(id, tx.at())).await?;
    }
    match (old.disabled_date, after.disabled_date) {
        (None, Some(_)) => end_tokens(tx, org, old).await,
        _ => Ok(Vec::new()),
    }
}

/// Revokes all tokens issued with a client's secrets. Each secret gets a new credential id, so that tokens issued after
/// the client is enabled again are not affected and work at once.
async fn end_tokens(tx: &mut Tx, org: OrgId, client: &ClientRecord) -> Result<Vec<Revoked>> {
    let mut revoked = Vec::with_capacity(client.secrets.len());
    for secret in &client.secrets {
        let after = Secret { credential: tx.uuid(), ..secret.clone() };
        record::replace(tx, org, &after).await?;
        revoked.push(revocations::add(tx, org, Revoked::credential(secret.credential, tx.at())).await?);
    }
    Ok(revoked)
}
