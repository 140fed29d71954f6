//! People's passwords, as hashes; `auth` computes and checks them.

use db::{FromRow, Param, Row, Tx};
use domain::person::folded_email;
use domain::{Author, Error, ErrorCode, OrgId, ResourceKind, SessionId, UserId};
use jiff::Timestamp;
use macros::boxed;

use super::person_subject;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, Payload, salted_hash};
use crate::ledger::record::Reader;

/// The data of a person that signing in and accepting an invitation need.
#[derive(Clone)]
pub struct Credentials {
    /// The person.
    pub person: UserId,
    /// The password's hash, if there is a password.
    pub hash: Option<String>,
    /// Counts how often the password was set.
    pub version: i64,
    /// Whether they are a member of the organization in question, and may sign in to it.
    pub is_active_here: bool,
}

impl FromRow for Credentials {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let row = &mut Reader::new(row);
        Ok(Self {
            person: UserId(row.next()?),
            hash: row.next()?,
            version: row.next()?,
            is_active_here: row.next::<Option<Timestamp>>()?.is_some(),
        })
    }
}

/// The person with this address, seen from an organization.
#[boxed]
pub async fn credentials(tx: &mut Tx, organization: OrgId, email: &str) -> Result<Option<Credentials>> {
    let sql = "SELECT person.id, person.password_hash, person.password_version, membership.activated_date
               FROM person LEFT JOIN membership ON membership.organization = $1
                    AND membership.person = person.id AND membership.removed_date IS NULL
               WHERE person.email_folded = $2";
    Ok(tx.query_opt(sql, &[&organization.uuid(), &folded_email(email)]).await?)
}

/// Gives a person another password. That ends their sessions in every organization. For
/// [`db::Db::write_instance`].
#[boxed]
pub async fn set_password(tx: &mut Tx, author: &Author, id: UserId, hash: &str) -> Result<()> {
    let found = tx.query_opt("SELECT password_version FROM person WHERE id = $1", &[&id.uuid()]).await?;
    let (before,): (i64,) = found.ok_or(Error::NotFound(ResourceKind::User))?;
    let sql = "UPDATE person SET password_hash = $2, password_version = $3 WHERE id = $1";
    tx.send(sql, &[&id.uuid(), &hash, &(before + 1)]).await?;
    let known = Some(before).filter(|version| *version > 0);
    let payload = Payload::new()
        .change("password_version", known, before + 1)
        .set("password_hash", salted_hash(tx, hash.as_bytes()));
    journal::append(tx, OrgId::INSTANCE, author, "user.password_set", person_subject(id), payload).await?;
    Ok(())
}

/// Changes the password of a signed-in person, after the one of this version was verified. Their other sessions end, in
/// every organization; the current one continues. For [`db::Db::write_instance`].
#[boxed]
pub async fn change_own_password(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    person: &Credentials,
    session: SessionId,
    hash: &str,
) -> Result<()> {
    tx.lock_head(organization).await?;
    let sql = "SELECT password_version FROM person WHERE id = $1";
    let found: Option<(i64,)> = tx.query_opt(sql, &[&person.person.uuid()]).await?;
    if found != Some((person.version,)) {
        return Err(password_changed().into());
    }
    set_password(tx, author, person.person, hash).await?;
    let sql = "UPDATE session SET password_version = $5
               WHERE organization = $1 AND id = $2 AND person = $3 AND password_version = $4";
    let (id, after) = (person.person.uuid(), person.version + 1);
    let params: [&dyn Param; 5] = [&organization.uuid(), &session.uuid(), &id, &person.version, &after];
    match tx.execute(sql, &params).await? {
        0 => Err(Error::Unauthenticated("the session ended meanwhile").into()),
        _ => Ok(()),
    }
}

/// The conflict that a password was checked and is another one now.
pub(crate) fn password_changed() -> Error {
    Error::Conflict(ErrorCode::PasswordChanged)
}

/// Stores the same password under another hash, unless another one was set meanwhile. For [`db::Db::write_instance`].
#[boxed]
pub async fn rehash(tx: &mut Tx, author: &Author, person: &Credentials, hash: &str) -> Result<()> {
    let sql = "UPDATE person SET password_hash = $3 WHERE id = $1 AND password_version = $2";
    let id = person.person;
    if tx.execute(sql, &[&id.uuid(), &person.version, &hash]).await? > 0 {
        let payload = Payload::new().set("password_hash", salted_hash(tx, hash.as_bytes()));
        let subject = person_subject(id);
        journal::append(tx, OrgId::INSTANCE, author, "user.password_rehashed", subject, payload).await?;
    }
    Ok(())
}
