//! Joining an organization.

use db::Tx;
use domain::person::{Member, NewMember, folded_email};
use domain::{AccessChange, Author, Error, OrgId, Role, Scopes, UserId, time};

use super::read::{find_by_email, get, stored};
use super::{already_member, subject};
use crate::access;
use crate::error::Result;
use crate::journal::{self, Payload, Subject};

/// Adds a member to an organization. A known e-mail address adds the same person, with the same response as for a new
/// one. The author needs every scope of the role. For [`db::Db::write_instance`].
pub async fn add(tx: &mut Tx, organization: OrgId, author: &Author, new: &NewMember) -> Result<Member> {
    tx.lock_head(organization).await?;
    let gives = AccessChange::of_users(Scopes::default(), new.role.scopes());
    access::check(tx, organization, author, gives).await?;
    let id = match find_by_email(tx, &new.email).await? {
        Some(id) => id,
        None => {
            let id = UserId::random(tx.random());
            create_person(tx, author, id, &new.email).await?;
            id
        }
    };
    join(tx, organization, author, id, &new.name, new.role).await
}

/// Makes a person a member. A removed member rejoins with a new name and role, and cannot sign in before another
/// invitation was accepted.
pub(super) async fn join(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: UserId,
    name: &str,
    role: Role,
) -> Result<Member> {
    let before = stored(tx, organization, id).await?;
    let removed = before.map(|row| row.removed_date.ok_or_else(already_member)).transpose()?;
    let sql = "INSERT INTO membership
                   (organization, person, actor_id, name, role, created_date, removed_date, version)
               VALUES ($1, $2, $3, $4, $5, $6, NULL, 1)
               ON CONFLICT (organization, person) DO UPDATE
               SET name = excluded.name, role = excluded.role, removed_date = NULL, activated_date = NULL,
                   version = membership.version + 1";
    let (org, person, role_text, at) = (organization.uuid(), id.uuid(), role.as_str(), tx.at());
    tx.send(sql, &[&org, &person, &id.to_string(), &name, &role_text, &at]).await?;
    let payload = Payload::new().set("name", name).set("role", role).change(
        "removed_date",
        removed.map(time::format),
        None::<()>,
    );
    journal::append(tx, organization, author, "membership.created", subject(id), payload).await?;
    let member = get(tx, organization, id).await?;
    member.ok_or_else(|| Error::Internal("a new member is not there".to_owned()).into())
}

/// Makes a person. The address is journaled where it can be erased: in the payload.
pub(crate) async fn create_person(tx: &mut Tx, author: &Author, id: UserId, email: &str) -> Result<()> {
    let at = tx.at();
    let sql = "INSERT INTO person (id, email, email_folded, password_version, created_date) VALUES ($1, $2, $3, 0, $4)";
    tx.send(sql, &[&id.uuid(), &email, &folded_email(email), &at]).await?;
    let (subject, payload) = (Subject::new("user", id.to_string()), Payload::new().set("email", email));
    journal::append(tx, OrgId::INSTANCE, author, "user.created", subject, payload).await?;
    Ok(())
}
