//! Reading memberships.

use std::collections::HashMap;

use db::{Tx, Value};
use domain::organization::OrganizationName;
use domain::person::{Member, Person, folded_email};
use domain::{Error, GroupId, OrgId, Role, Scopes, UserId};
use jiff::Timestamp;
use macros::boxed;
use uuid::Uuid;

use super::row::{MemberRow, Membership};
use crate::groups;
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::record::{self, Stored};
use crate::ledger::view::View;

/// A member, by id.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, id: UserId) -> Result<Option<Member>> {
    Ok(member(tx, organization, id).await?.map(Member::from))
}

/// The person of the member with this id.
pub(crate) async fn person(tx: &mut Tx, organization: OrgId, id: Option<UserId>) -> Result<Option<Person>> {
    match id {
        Some(id) => Ok(get(tx, organization, id).await?.map(|member| member.person)),
        None => Ok(None),
    }
}

/// The same as it is stored.
pub(super) async fn member(tx: &mut Tx, organization: OrgId, id: UserId) -> Result<Option<MemberRow>> {
    let found: Option<MemberRow> = record::find(tx, organization, &[id.uuid().into()]).await?;
    Ok(found.filter(|row| row.membership.removed_date.is_none()))
}

/// The same, which must be there.
pub(super) async fn existing(tx: &mut Tx, organization: OrgId, id: UserId) -> Result<Member> {
    let member = get(tx, organization, id).await?;
    member.ok_or_else(|| Error::Internal("a new member is not there".to_owned()).into())
}

/// A membership, also of a removed member.
pub(super) async fn stored(tx: &mut Tx, organization: OrgId, id: UserId) -> Result<Option<Membership>> {
    record::find(tx, organization, &[id.uuid().into()]).await
}

/// The person with this e-mail address, be they a member of any organization or of none.
#[boxed]
pub async fn find_by_email(tx: &mut Tx, email: &str) -> Result<Option<UserId>> {
    let sql = "SELECT id FROM person WHERE email_folded = $1";
    let row: Option<(Uuid,)> = tx.query_opt(sql, &[&folded_email(email)]).await?;
    Ok(row.map(|(id,)| UserId(id)))
}

/// So many organizations of a person are told of.
pub const MOST_ORGANIZATIONS: i64 = 100;

/// The organizations that the person with this address can sign in to, by name; the first
/// [`MOST_ORGANIZATIONS`].
#[boxed]
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

/// These people by id, as the organization names them; also those who were members.
#[boxed]
pub async fn named(tx: &mut Tx, organization: OrgId, people: Vec<UserId>) -> Result<HashMap<UserId, Person>> {
    if people.is_empty() {
        return Ok(HashMap::new());
    }
    let ids = people.into_iter().map(|id| Value::Uuid(id.uuid())).collect();
    let select =
        Select::<MemberRow>::of(organization, View::with_deleted()).filter(Filter::OneOf("person", ids));
    let rows: Vec<Stored<MemberRow>> = select.all(tx).await?;
    let people = rows.into_iter().map(|Stored(row)| Member::from(row).person);
    Ok(people.map(|person| (person.id, person)).collect())
}

/// These people with what they may do, by id; without scopes those who have left.
pub async fn with_scopes(
    tx: &mut Tx,
    organization: OrgId,
    people: impl IntoIterator<Item = UserId>,
) -> Result<HashMap<UserId, (Person, Option<Scopes>)>> {
    let ids = people.into_iter().map(|id| Value::Uuid(id.uuid())).collect();
    let select =
        Select::<MemberRow>::of(organization, View::with_deleted()).filter(Filter::OneOf("person", ids));
    let rows: Vec<Stored<MemberRow>> = select.all(tx).await?;
    let people = rows.into_iter().map(|Stored(row)| {
        let is_member = row.membership.removed_date.is_none();
        let Member { person, roles, .. } = row.into();
        (person.id, (person, is_member.then(|| roles.scopes())))
    });
    Ok(people.collect())
}

/// Which members a list has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemberFilter {
    /// Those with one of these roles; with any if none is named.
    pub roles: Vec<Role>,
    /// Those with one of these e-mail addresses, without regard to case; with any if none is named.
    pub emails: Vec<String>,
    /// Those in one of these groups; in any or none if none is named.
    pub groups: Vec<GroupId>,
}

/// The members of a filter, by name: up to `limit` after the member `after` (name, id).
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    filter: &MemberFilter,
    after: Option<(String, UserId)>,
    limit: i64,
) -> Result<Vec<Member>> {
    let after = after.map(|(name, id)| [Value::from(name), id.uuid().into()]).into_iter().flatten();
    let select = members_of(organization, filter).order(&["name", "person"], Direction::Ascending, after);
    Ok(select.first(tx, limit).await?.into_iter().map(|Stored::<MemberRow>(row)| row.into()).collect())
}

/// The first `limit` of all members by name, to choose from.
#[boxed]
pub async fn first(tx: &mut Tx, organization: OrgId, limit: i64) -> Result<Vec<Member>> {
    list(tx, organization, &MemberFilter::default(), None, limit).await
}

/// Those who are members now.
fn members<'q>(organization: OrgId) -> Select<'q, MemberRow> {
    Select::of(organization, View::with_deleted()).filter(Filter::is("removed_date", Value::Null))
}

/// How many members of a filter there are.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, filter: &MemberFilter) -> Result<i64> {
    members_of(organization, filter).count(tx).await
}

fn members_of<'q>(organization: OrgId, filter: &MemberFilter) -> Select<'q, MemberRow> {
    const EMAIL: &str = "(SELECT person.email_folded FROM person WHERE person.id = r.person)";
    let emails = filter.emails.iter().map(|email| folded_email(email).into()).collect();
    let emails = (!filter.emails.is_empty()).then(|| Filter::Expression(EMAIL.to_owned(), emails));
    let groups = groups::having(groups::OF_PERSON, filter.groups.iter().map(|group| group.uuid()));
    members(organization).filters(Filter::has_word("roles", &filter.roles)).filters(emails).filters(groups)
}

/// Whether a member other than `id` can sign in and do everything.
pub(super) async fn has_other_admin(tx: &mut Tx, organization: OrgId, id: UserId) -> Result<bool> {
    let sql = "SELECT activated_date FROM membership
               WHERE organization = $1 AND person <> $2 AND ' ' || roles || ' ' LIKE '% admin %'
                 AND activated_date IS NOT NULL AND removed_date IS NULL
               LIMIT 1";
    let row: Option<(Timestamp,)> = tx.query_opt(sql, &[&organization.uuid(), &id.uuid()]).await?;
    Ok(row.is_some())
}
