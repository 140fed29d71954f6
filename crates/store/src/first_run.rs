//! The beginning of a register: its first organization, and the first admin, who is an operator of the service.

use db::Tx;
use domain::invitation::Invitation;
use domain::organization::{Organization, OrganizationPatch};
use domain::person::{Member, NewMember};
use domain::{Author, Error, ErrorCode, ExpectedVersion};
use macros::boxed;

use crate::ledger::error::Result;
use crate::sessions::TokenHash;
use crate::{invitations, organizations, people};

/// What a register begins with.
pub struct Begun {
    /// The organization.
    pub organization: Organization,
    /// Its admin, who cannot sign in before the invitation is accepted.
    pub admin: Member,
    /// The admin's invitation.
    pub invitation: Invitation,
}

/// Makes all three, unless there is an organization. For [`db::Db::write_instance`].
#[boxed]
pub async fn begin(
    tx: &mut Tx,
    author: &Author,
    name: &str,
    time_zone: Option<&str>,
    admin: &NewMember,
    token: &TokenHash,
) -> Result<Begun> {
    tx.lock_head(domain::OrgId::INSTANCE).await?;
    if !organizations::list(tx).await?.is_empty() {
        return Err(has_begun().into());
    }
    let mut organization = organizations::create(tx, author, name).await?;
    if let Some(zone) = time_zone {
        let patch = OrganizationPatch { time_zone: Some(zone.to_owned()), ..OrganizationPatch::default() };
        organization =
            organizations::update(tx, organization.id, author, &ExpectedVersion::Any, &patch).await?;
    }
    let member = people::add(tx, organization.id, author, admin).await?;
    people::set_operator(tx, author, member.person.id, true).await?;
    let invitation = invitations::create(tx, organization.id, author, admin, token).await?;
    Ok(Begun { organization, admin: member, invitation })
}

fn has_begun() -> Error {
    Error::Conflict(ErrorCode::OrganizationExists)
}
