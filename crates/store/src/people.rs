//! People and their memberships. A person stands in the instance's chain, a membership in its
//! organization's.

use db::{FromRow, Row, Tx};
use domain::person::{Member, NewMember, Person, folded_email};
use domain::{Author, Error, OrgId, Role, UserId};
use jiff::Timestamp;
use uuid::Uuid;

use crate::error::Result;
use crate::journal::{self, Payload, Subject};

const MEMBER: &str =
    "membership.person, membership.name, person.email, membership.role, membership.created_date";

/// Adds somebody to an organization. A known e-mail address joins the same person, and answers just
/// as for a new one. For [`db::Db::write_instance`].
pub async fn add(tx: &mut Tx, organization: OrgId, author: &Author, new: &NewMember) -> Result<Member> {
    tx.lock_head(organization).await?;
    let at = tx.at();
    let id = match find_by_email(tx, &new.email).await? {
        Some(id) => id,
        None => create_person(tx, author, &new.email).await?,
    };
    let subject = Subject::new("membership", id.to_string());
    let payload = Payload::new().set("name", &new.name).set("role", new.role).set("removed_date", None::<()>);
    let (org, person, role) = (organization.uuid(), id.uuid(), new.role.as_str());
    // Somebody who was removed comes back with a new name and role.
    let sql = "INSERT INTO membership (organization, person, actor_id, name, role, created_date, removed_date, version)
               VALUES ($1, $2, $3, $4, $5, $6, NULL, 1)
               ON CONFLICT (organization, person) DO UPDATE
               SET name = excluded.name, role = excluded.role, removed_date = NULL, version = membership.version + 1
               WHERE membership.removed_date IS NOT NULL";
    if tx.execute(sql, &[&org, &person, &id.to_string(), &new.name, &role, &at]).await? == 0 {
        return Err(Error::Conflict {
            code: "already_member",
            title: "Already a member of the organization",
        }
        .into());
    }
    journal::append(tx, organization, author, "membership.created", subject, payload).await?;
    let row: Option<Found> = find(tx, organization, id).await?;
    row.map(|Found(member)| member)
        .ok_or_else(|| Error::Internal("a new member is not there".to_owned()).into())
}

/// A member, by id.
pub async fn get(tx: &mut Tx, organization: OrgId, id: UserId) -> Result<Option<Member>> {
    Ok(find(tx, organization, id).await?.map(|Found(member)| member))
}

/// The members by name: up to `limit` after the member `after` (name, id).
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    after: Option<(String, UserId)>,
    limit: i64,
) -> Result<Vec<Member>> {
    let (name, id) = after.unwrap_or((String::new(), UserId(Uuid::nil())));
    let sql = format!(
        "SELECT {MEMBER} FROM membership JOIN person ON person.id = membership.person
         WHERE membership.organization = $1 AND membership.removed_date IS NULL
           AND (membership.name, membership.person) > ($2, $3)
         ORDER BY membership.name, membership.person LIMIT $4"
    );
    let rows: Vec<Found> = tx.query(&sql, &[&organization.uuid(), &name, &id.uuid(), &limit]).await?;
    Ok(rows.into_iter().map(|Found(member)| member).collect())
}

/// How many members the organization has.
pub async fn count(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    let sql = "SELECT count(*) FROM membership WHERE organization = $1 AND removed_date IS NULL";
    let (count,) = tx.query_one(sql, &[&organization.uuid()]).await?;
    Ok(count)
}

async fn find(tx: &mut Tx, organization: OrgId, id: UserId) -> Result<Option<Found>> {
    let sql = format!(
        "SELECT {MEMBER} FROM membership JOIN person ON person.id = membership.person
         WHERE membership.organization = $1 AND membership.person = $2 AND membership.removed_date IS NULL"
    );
    Ok(tx.query_opt(&sql, &[&organization.uuid(), &id.uuid()]).await?)
}

async fn find_by_email(tx: &mut Tx, email: &str) -> Result<Option<UserId>> {
    let sql = "SELECT id FROM person WHERE email_folded = $1";
    let row: Option<(Uuid,)> = tx.query_opt(sql, &[&folded_email(email)]).await?;
    Ok(row.map(|(id,)| UserId(id)))
}

/// The address is journaled where it can be erased: in the payload.
async fn create_person(tx: &mut Tx, author: &Author, email: &str) -> Result<UserId> {
    let (id, at): (_, Timestamp) = (UserId(tx.uuid()), tx.at());
    let sql = "INSERT INTO person (id, email, email_folded, created_date) VALUES ($1, $2, $3, $4)";
    tx.execute(sql, &[&id.uuid(), &email, &folded_email(email), &at]).await?;
    let (subject, payload) = (Subject::new("user", id.to_string()), Payload::new().set("email", email));
    journal::append(tx, OrgId::INSTANCE, author, "user.created", subject, payload).await?;
    Ok(id)
}

struct Found(Member);

impl FromRow for Found {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let role: String = row.get(3)?;
        let role = Role::parse(&role)
            .ok_or_else(|| db::Error::Internal(format!("membership.role {role} is not known")))?;
        Ok(Self(Member {
            person: Person { id: UserId(row.get(0)?), name: row.get(1)?, email: row.get(2)? },
            role,
            created_date: row.get(4)?,
        }))
    }
}
