//! Joining an organization.

use db::Tx;
use domain::person::{Member, NewMember};
use domain::{AccessChange, Author, Line, OrgId, Roles, Scopes, UserId, time};
use macros::boxed;

use super::read::find_by_email;
use super::row::{Membership, PersonRow};
use super::{already_member, person_subject, read, subject};
use crate::ledger::error::Result;
use crate::ledger::{access, journal, record};

/// Adds a member to an organization. A known e-mail address adds the same person, with the same response as for a new
/// one. The author needs every scope of the roles. For [`db::Db::write_instance`].
#[boxed]
pub async fn add(tx: &mut Tx, organization: OrgId, author: &Author, new: &NewMember) -> Result<Member> {
    tx.lock_head(organization).await?;
    let gives = AccessChange::of_users(Scopes::default(), new.roles.scopes());
    access::check(tx, organization, author, gives).await?;
    let id = match find_by_email(tx, &new.email).await? {
        Some(id) => id,
        None => {
            let id = UserId::random(tx.random());
            create_person(tx, author, id, &new.email).await?;
            id
        }
    };
    let joining = Joining { name: &new.name, job_title: new.job_title.as_ref(), roles: &new.roles };
    join(tx, organization, author, id, &joining).await?;
    read::existing(tx, organization, id).await
}

/// A person who becomes a member, unless they are one.
pub(crate) struct Joining<'j> {
    /// The name to be shown.
    pub(crate) name: &'j str,
    /// The job title.
    pub(crate) job_title: Option<&'j Line>,
    /// The roles.
    pub(crate) roles: &'j Roles,
}

/// Makes a person a member. A removed member rejoins with a new name, job title and roles, and cannot sign in before another
/// invitation was accepted.
pub(super) async fn join(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: UserId,
    &Joining { name, job_title, roles }: &Joining<'_>,
) -> Result<Membership> {
    let before = read::stored(tx, organization, id).await?;
    let removed = before.as_ref().map(|row| row.removed_date.ok_or_else(already_member)).transpose()?;
    let member = Membership {
        person: id,
        actor_id: id.to_string(),
        name: name.to_owned(),
        job_title: job_title.cloned(),
        roles: roles.clone(),
        removed_date: None,
        activated_date: None,
        created_date: before.as_ref().map_or(tx.at(), |row| row.created_date),
        deputy: None,
        deputy_until: None,
        updated_date: tx.at(),
        version: before.as_ref().map_or(0, |row| row.version) + 1,
        seq_from: 0,
    };
    let payload = record::changes(None, &member).change("removed_date", removed.map(time::format), ());
    let seq_from =
        journal::append(tx, organization, author, "membership.created", subject(id), payload).await?;
    let member = Membership { seq_from, ..member };
    if before.is_some() {
        record::keep_history(tx, organization, &member, seq_from).await?;
    }
    record::insert_or_replace_all(tx, organization, std::slice::from_ref(&member)).await?;
    Ok(member)
}

/// Makes a person. The address is journaled where it can be erased: in the payload.
pub(crate) async fn create_person(tx: &mut Tx, author: &Author, id: UserId, email: &str) -> Result<()> {
    let (email, created_date) = (email.to_owned(), tx.at());
    let person =
        PersonRow { id, email, password_hash: None, password_version: 0, created_date, operator_date: None };
    record::insert(tx, OrgId::INSTANCE, &person).await?;
    let payload = record::changes(None, &person);
    journal::append(tx, OrgId::INSTANCE, author, "user.created", person_subject(id), payload).await?;
    Ok(())
}
