//! One file per command.

pub(crate) mod backup;
pub(crate) mod client;
pub(crate) mod config;
pub(crate) mod doctor;
mod finding;
pub(crate) mod journal;
pub(crate) mod keys;
pub(crate) mod migrate;
pub(crate) mod openapi;
pub(crate) mod organization;
pub(crate) mod restore;
pub(crate) mod serve;
pub(crate) mod user;

use domain::{Actor, ActorKind, Author};
use uuid::Uuid;

/// Whoever holds the machine, in a run of the command line. Each run has a request id of its own.
pub(crate) fn operator() -> Author {
    let mut bytes = [0; 16];
    crate::place::random()(&mut bytes);
    Author {
        actor: Actor { kind: ActorKind::Operator, id: "cli".to_owned(), name: "Command line".to_owned() },
        request_id: uuid::Builder::from_random_bytes(bytes).into_uuid().to_string(),
    }
}

/// The organization, if it is there.
pub(crate) async fn known(db: &db::Db, organization: Uuid) -> crate::failure::Result<domain::OrgId> {
    let id = domain::OrgId(organization);
    match store::organizations::get(&mut db.read().await?, id).await? {
        Some(_) => Ok(id),
        None => Err(domain::Error::NotFound(domain::Noun::Organization).into()),
    }
}
