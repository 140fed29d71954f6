//! One file per command.

pub(crate) mod backup;
pub(crate) mod client;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod document;
mod finding;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod journal;
pub(crate) mod keys;
pub(crate) mod manual;
pub(crate) mod migrate;
pub(crate) mod openapi;
mod operator;
pub(crate) mod organization;
pub(crate) mod restore;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod severity;
pub(crate) mod user;

use db::Db;
use domain::OrgId;
use uuid::Uuid;

use crate::cli::InOrganization;
use crate::failure::{Failure, Result};
use crate::installation::Installation;

use operator::operator;

/// Opens the register and finds the organization in it.
async fn open(which: &InOrganization) -> Result<(Db, OrgId)> {
    let db = Installation::named(&which.register.0)?.open().await?;
    let organization = find_organization(&db, which.organization).await?;
    Ok((db, organization))
}

/// The organization that was named, or the only one.
async fn find_organization(db: &Db, named: Option<Uuid>) -> Result<OrgId> {
    let mut tx = db.read().await?;
    if let Some(id) = named.map(OrgId) {
        let found = store::organizations::get(&mut tx, id).await?;
        return found
            .map(|found| found.id)
            .ok_or_else(|| domain::Error::NotFound(domain::ResourceKind::Organization).into());
    }
    let all = store::organizations::list(&mut tx).await?;
    match all.as_slice() {
        [only] => Ok(only.id),
        [] => Err(Failure::new("there is no organization yet: create the first one with `bailiwick init`")
            .coded("no_organization")),
        several => {
            let named = several.iter().map(|it| format!("{}  {}", it.id, it.name));
            Err(Failure::new("there are several organizations: name one with --organization")
                .coded("organization_needed")
                .with(named))
        }
    }
}
