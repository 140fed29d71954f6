//! Becoming a member who can sign in.

use db::Tx;
use domain::person::NewMember;
use domain::{Author, OrgId};
use store::invitations::{self, Proof, TokenHash};
use store::people;

/// Lets a person sign in with a password from now on, also if they were removed or have another password.
pub(crate) async fn join(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    person: &NewMember,
    token: &TokenHash,
    password_hash: &str,
) -> Result<(), store::Error> {
    let known = people::credentials(tx, organization, person.email.as_str()).await?;
    let proof = match known {
        Some(known) if known.is_active_here => {
            return people::set_password(tx, author, known.person, password_hash).await;
        }
        Some(known) if known.hash.is_some() => {
            people::set_password(tx, author, known.person, password_hash).await?;
            Proof::Right { person: known.person, version: known.version + 1 }
        }
        _ => Proof::Chosen(password_hash.to_owned()),
    };
    invitations::create(tx, organization, author, person, token).await?;
    invitations::accept(tx, organization, &author.request_id, token, None, &proof).await?;
    Ok(())
}
