//! Reading memberships.

use std::collections::HashSet;

use db::{Tx, Value};
use domain::organization::OrganizationName;
use domain::person::{Member, folded_email};
use domain::{OrgId, UserId, time};
use jiff::Timestamp;
use serde_json::json;
use uuid::Uuid;

use super::row::{MEMBER, MemberRow};
use crate::dialect::wanted_texts;
use crate::error::Result;
use crate::journal::Subject;
use crate::page::Page;
use crate::records::{Cursor, RecordPage};
use crate::verify::{Made, Recorded};

/// A member, by id.
pub async fn get(tx: &mut Tx, organization: OrgId, id: UserId) -> Result<Option<Member>> {
    let found = stored(tx, organization, id).await?;
    Ok(found.filter(|row| row.removed_date.is_none()).map(|row| row.member))
}

/// The person with this e-mail address, be they a member of any organization or of none.
pub async fn find_by_email(tx: &mut Tx, email: &str) -> Result<Option<UserId>> {
    let sql = "SELECT id FROM person WHERE email_folded = $1";
    let row: Option<(Uuid,)> = tx.query_opt(sql, &[&folded_email(email)]).await?;
    Ok(row.map(|(id,)| UserId(id)))
}

/// So many organizations of a person are told of.
pub const MOST_ORGANIZATIONS: i64 = 100;

/// The organizations that the person with this address can sign in to, by name; the first
/// [`MOST_ORGANIZATIONS`].
pub async fn organizations(tx: &mut Tx, email: &str) -> Result<Vec<OrganizationName>> {
    let sql = "SELECT organization.id, organization.name
               FROM person
               JOIN membership ON membership.person = person.id
               JOIN organization ON organization.id = membership.organization
               WHERE person.email_folded = $1
                 AND membership.removed_date IS NULL AND membership.activated_date IS NOT NULL
               ORDER BY organization.name, organization.id LIMIT $2";
    let rows: Vec<(Uuid, String)> = tx.query(sql, &[&folded_email(email), &MOST_ORGANIZATIONS]).await?;
    Ok(rows.into_iter().map(|(id, name)| OrganizationName { id: OrgId(id), name }).collect())
}

/// Those of these people who are members.
pub(crate) async fn members_among(
    tx: &mut Tx,
    organization: OrgId,
    people: &[UserId],
) -> Result<HashSet<UserId>> {
    let sql = format!(
        "SELECT (SELECT membership.person FROM membership
             WHERE membership.organization = $1 AND membership.actor_id = wanted.item
               AND membership.removed_date IS NULL)
         FROM {}",
        wanted_texts(tx.engine(), "$2")
    );
    let rows: Vec<(Option<Uuid>,)> =
        tx.query(&sql, &[&organization.uuid(), &json!(people).to_string()]).await?;
    Ok(rows.into_iter().filter_map(|(person,)| person.map(UserId)).collect())
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
        "SELECT {MEMBER}, membership.removed_date FROM membership JOIN person ON person.id = membership.person
         WHERE membership.organization = $1 AND membership.removed_date IS NULL
           AND (membership.name, membership.person) > ($2, $3)
         ORDER BY membership.name, membership.person LIMIT $4"
    );
    let rows: Vec<MemberRow> = tx.query(&sql, &[&organization.uuid(), &name, &id.uuid(), &limit]).await?;
    Ok(rows.into_iter().map(|row| row.member).collect())
}

/// How many members the organization has.
pub async fn count(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    let sql = "SELECT count(*) FROM membership WHERE organization = $1 AND removed_date IS NULL";
    let (count,) = tx.query_one(sql, &[&organization.uuid()]).await?;
    Ok(count)
}

/// A membership, be it of somebody who was removed.
pub(super) async fn stored(tx: &mut Tx, organization: OrgId, id: UserId) -> Result<Option<MemberRow>> {
    let sql = format!(
        "SELECT {MEMBER}, membership.removed_date FROM membership JOIN person ON person.id = membership.person
         WHERE membership.organization = $1 AND membership.person = $2"
    );
    Ok(tx.query_opt(&sql, &[&organization.uuid(), &id.uuid()]).await?)
}

/// People that are read at a time.
const PAGE: i64 = 200;

/// The next memberships, as they are held against the journal, those of removed members too.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let after = after.into_iter().next().unwrap_or(Value::Uuid(Uuid::nil()));
    let sql = format!(
        "SELECT {MEMBER}, membership.removed_date FROM membership JOIN person ON person.id = membership.person
         WHERE membership.organization = $1 AND membership.person > $2 ORDER BY membership.person LIMIT $3"
    );
    let rows: Vec<MemberRow> = tx.query(&sql, &[&organization.uuid(), &after, &(PAGE + 1)]).await?;
    let page = Page::cut(rows, PAGE);
    let last = page.rows.last().filter(|_| page.has_more);
    let next = last.map(|row| vec![row.member.person.id.uuid().into()]);
    let records = page.rows.iter().map(|MemberRow { member, removed_date }| {
        let fields = [
            ("name", json!(member.person.name)),
            ("role", json!(member.role)),
            ("activated_date", json!(member.activated_date.map(time::format))),
            ("removed_date", json!(removed_date.map(time::format))),
        ];
        Recorded::new(super::subject(member.person.id), fields).made(Made::at(member.created_date))
    });
    Ok(RecordPage { records: records.collect(), next })
}

/// The next people, as they are held against the instance's journal.
pub(crate) async fn recorded_persons(tx: &mut Tx, after: Cursor) -> Result<RecordPage> {
    let after = after.into_iter().next().unwrap_or(Value::Uuid(Uuid::nil()));
    let sql = "SELECT id, email, password_version, password_hash, created_date FROM person
               WHERE id > $1 ORDER BY id LIMIT $2";
    let rows: Vec<(Uuid, String, i64, Option<String>, Timestamp)> =
        tx.query(sql, &[&after, &(PAGE + 1)]).await?;
    let page = Page::cut(rows, PAGE);
    let next = page.rows.last().filter(|_| page.has_more).map(|(id, ..)| vec![(*id).into()]);
    let records = page.rows.iter().map(|(id, email, version, hash, created_date)| {
        // No entry tells of version 0: the password was never set.
        let version = Some(*version).filter(|version| *version > 0);
        let fields = [("email", json!(email)), ("password_version", json!(version))];
        let mut recorded = Recorded::new(Subject::new("user", id.to_string()), fields);
        let hash = hash.as_ref().map(|hash| ("password_hash".to_owned(), hash.clone().into_bytes()));
        recorded.hashed.extend(hash);
        recorded.made(Made::at(*created_date))
    });
    Ok(RecordPage { records: records.collect(), next })
}

/// Whether somebody other than `id` can sign in and do everything.
pub(super) async fn has_other_admin(tx: &mut Tx, organization: OrgId, id: UserId) -> Result<bool> {
    let sql = "SELECT activated_date FROM membership
               WHERE organization = $1 AND person <> $2 AND role = 'admin'
                 AND activated_date IS NOT NULL AND removed_date IS NULL
               LIMIT 1";
    let row: Option<(Timestamp,)> = tx.query_opt(sql, &[&organization.uuid(), &id.uuid()]).await?;
    Ok(row.is_some())
}
