//! Sessions in the console. One opens every organization of its person, so it belongs to the instance: the API finds no
//! member for its token.

use std::sync::LazyLock;

use db::{FromRow, Param, Row, Tx};
use domain::organization::Organization;
use domain::person::Member;
use domain::{Actor, ActorKind, Author, OrgId, SessionId, UserId};
use jiff::Timestamp;
use macros::boxed;

use super::{SessionRow, TokenHash, idle_since, insert, tell_start};
use crate::ledger::error::Result;
use crate::ledger::record::{Columns as _, Reader, Record as _, columns_as};
use crate::people::{Credentials, MOST_ORGANIZATIONS, MemberRow};

/// A session in the console that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsoleSession {
    /// Its id.
    pub id: SessionId,
    /// The person who signed in.
    pub person: UserId,
    /// Their address.
    pub email: String,
    /// When they signed in.
    pub created_date: Timestamp,
    /// When it was last used, to within two minutes.
    pub last_used_date: Timestamp,
    /// When it ends however it is used.
    pub expires_date: Timestamp,
    /// The browser, as it names itself.
    pub device: String,
    /// Whether the person is an operator of the service.
    pub is_operator: bool,
}

impl FromRow for ConsoleSession {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let row = &mut Reader::new(row);
        let SessionRow { id, person, created_date, last_used_date, expires_date, device, .. } =
            SessionRow::read(row)?;
        let (email, operator_date) = (row.next()?, row.next::<Option<Timestamp>>()?);
        let (device, is_operator) = (device.unwrap_or_default(), operator_date.is_some());
        Ok(Self { id, person, email, created_date, last_used_date, expires_date, device, is_operator })
    }
}

/// An organization that a session opens, with the person's membership.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsoleOrganization {
    /// The organization.
    pub organization: Organization,
    /// The person, as it knows them.
    pub member: Member,
}

impl FromRow for ConsoleOrganization {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let row = &mut Reader::new(row);
        Ok(Self { organization: Organization::read(row)?, member: MemberRow::read(row)?.into() })
    }
}

/// Starts a session of a person whose password was just verified; `None` if the password was changed meanwhile. For
/// [`db::Db::write_instance`].
#[boxed]
pub async fn start_console(
    tx: &mut Tx,
    request_id: &str,
    person: &Credentials,
    device: String,
    token: &TokenHash,
) -> Result<Option<ConsoleSession>> {
    let at = tx.at();
    let row = insert(tx, OrgId::INSTANCE, person, token, Some(device)).await?;
    let Some(session) = find_console(tx, token, at).await? else { return Ok(None) };
    tell_start(tx, OrgId::INSTANCE, &session.author(request_id), &row).await?;
    Ok(Some(session))
}

impl ConsoleSession {
    /// The author of what the person changes of themselves, in the instance's journal.
    pub fn author(&self, request_id: &str) -> Author {
        let (id, name) = (self.person.to_string(), self.email.clone());
        Author::new(Actor { kind: ActorKind::User, id, name }, request_id)
    }
}

/// The session with this token, if it lives.
#[boxed]
pub async fn find_console(tx: &mut Tx, token: &TokenHash, now: Timestamp) -> Result<Option<ConsoleSession>> {
    static FIND: LazyLock<String> = LazyLock::new(|| living("r.token_hash = $4"));
    let params: [&dyn Param; 4] = [&now, &idle_since(now), &OrgId::INSTANCE.uuid(), &token.as_slice()];
    Ok(tx.query_opt(&FIND, &params).await?)
}

/// The sessions of a person that live, the one used last first.
#[boxed]
pub async fn of_person(tx: &mut Tx, person: UserId, now: Timestamp) -> Result<Vec<ConsoleSession>> {
    static OF_PERSON: LazyLock<String> =
        LazyLock::new(|| living("r.person = $4") + " ORDER BY r.last_used_date DESC, r.id LIMIT 100");
    let params: [&dyn Param; 4] = [&now, &idle_since(now), &OrgId::INSTANCE.uuid(), &person.uuid()];
    Ok(tx.query(&OF_PERSON, &params).await?)
}

/// Sessions of the instance (`$3`) that live now (`$1`) and were used since `$2`, with one more condition.
fn living(condition: &str) -> String {
    format!(
        "SELECT {}, person.email, person.operator_date FROM session AS r JOIN person ON person.id = r.person
         WHERE {condition} AND r.organization = $3 AND r.expires_date > $1 AND r.last_used_date > $2
           AND person.password_version = r.password_version",
        SessionRow::statements().columns
    )
}

/// The organization with this slug, now or before, if the person can sign in to it.
#[boxed]
pub async fn opened(tx: &mut Tx, person: UserId, slug: &str) -> Result<Option<ConsoleOrganization>> {
    static NOW: LazyLock<String> = LazyLock::new(|| of_person_where("organization.slug = $2"));
    static BEFORE: LazyLock<String> =
        LazyLock::new(|| of_person_where("' ' || organization.former_slugs || ' ' LIKE '% ' || $2 || ' %'"));
    if let Some(found) = tx.query_opt(&NOW, &[&person.uuid(), &slug]).await? {
        return Ok(Some(found));
    }
    // It comes from an address, and a slug has no character that LIKE knows.
    let is_slug = slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if !is_slug {
        return Ok(None);
    }
    Ok(tx.query_opt(&BEFORE, &[&person.uuid(), &slug]).await?)
}

/// The organizations that a person can sign in to, by name; the first [`MOST_ORGANIZATIONS`].
#[boxed]
pub async fn organizations_of(tx: &mut Tx, person: UserId) -> Result<Vec<ConsoleOrganization>> {
    static ALL: LazyLock<String> = LazyLock::new(|| {
        of_person_where("organization.id = member.organization")
            + &format!(" ORDER BY organization.name, organization.id LIMIT {MOST_ORGANIZATIONS}")
    });
    Ok(tx.query(&ALL, &[&person.uuid()]).await?)
}

/// Organizations with the active membership of a person (`$1`) and one more condition.
fn of_person_where(condition: &str) -> String {
    let (organization, member) =
        (columns_as::<Organization>("organization"), columns_as::<MemberRow>("member"));
    format!(
        "SELECT {}, {} FROM membership AS member
         JOIN organization ON organization.id = member.organization{}
         WHERE member.person = $1 AND {condition}
           AND member.removed_date IS NULL AND member.activated_date IS NOT NULL",
        organization.columns, member.columns, member.joins
    )
}
