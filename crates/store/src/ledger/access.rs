//! The check for changes of access, with the caller's current scopes.
//!
//! A token lives for minutes, and its client may have lost scopes meanwhile. So a write that changes access reads the
//! caller's current scopes from the register, under the organization's head.

use db::Tx;
use domain::{AccessChange, Actor, ActorKind, Author, OrgId, Scopes};
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::record::{stored_roles, stored_scopes};

/// Refuses a change of access by an author who lacks a scope that it grants or revokes.
pub(crate) async fn check(tx: &mut Tx, org: OrgId, author: &Author, change: AccessChange) -> Result<()> {
    author.permissions.note_required(change.required());
    Ok(change.check(held(tx, org, author).await?)?)
}

/// Refuses an author who lacks one of these scopes now.
pub(crate) async fn require(tx: &mut Tx, org: OrgId, author: &Author, scopes: Scopes) -> Result<()> {
    author.permissions.note_required(scopes);
    Ok(held(tx, org, author).await?.require_all(scopes)?)
}

/// The scopes of the author's request now: those of its token that the register still grants.
#[boxed]
pub async fn held(tx: &mut Tx, org: OrgId, author: &Author) -> Result<Scopes> {
    let granted = granted(tx, org, &author.actor).await?;
    Ok(match author.actor.kind {
        ActorKind::Operator => granted,
        ActorKind::Client | ActorKind::User => granted.intersection(author.permissions.scopes()),
    })
}

/// The scopes that the register grants an actor now: to a client its scopes unless it is disabled, to a member who can
/// sign in those of the roles, to an operator all.
pub(crate) async fn granted(tx: &mut Tx, org: OrgId, actor: &Actor) -> Result<Scopes> {
    let sql = match actor.kind {
        ActorKind::Operator => return Ok(Scopes::all()),
        ActorKind::Client => {
            "SELECT scopes FROM client WHERE organization = $1 AND id = $2 AND disabled_date IS NULL"
        }
        ActorKind::User => {
            "SELECT roles FROM membership WHERE organization = $1 AND actor_id = $2
                AND removed_date IS NULL AND activated_date IS NOT NULL"
        }
    };
    let found: Option<(String,)> = tx.query_opt(sql, &[&org.uuid(), &actor.id]).await?;
    let Some((text,)) = found else { return Ok(Scopes::default()) };
    Ok(match actor.kind {
        ActorKind::User => stored_roles(&text)?.scopes(),
        ActorKind::Client | ActorKind::Operator => stored_scopes(&text),
    })
}
