//! Sessions of people. A session gives access to one organization with the member's current roles, and is looked up at
//! every request, so it ends at once in every process.
//! Start and end are journaled, expiry and last use are not.

mod console;

use std::sync::LazyLock;

use db::{FromRow, Param, Row, Tx};
use domain::person::Member;
use domain::{Author, OrgId, SessionId, UserId, time};
use jiff::{SignedDuration, Timestamp};
use macros::boxed;
use uuid::Uuid;

use crate::ledger::error::Result;
use crate::ledger::housekeeping::Expiry;
use crate::ledger::journal::{self, Payload, Subject};
use crate::ledger::record::{self, Columns as _, Reader, Record as _, record};
use crate::people::{Credentials, MemberRow};

pub use console::{
    ConsoleOrganization, ConsoleSession, find_console, of_person, opened, organizations_of, start_console,
};

/// A session ends when it was not used for this long.
pub const IDLE: SignedDuration = SignedDuration::from_hours(12);

/// A session ends this long after signing in, however it is used.
pub const LONGEST: SignedDuration = SignedDuration::from_hours(30 * 24);

/// SHA-256 of a session's token.
pub type TokenHash = [u8; 32];

/// A session that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// The organization that it opens.
    pub organization: OrgId,
    /// The member who signed in, with their current data.
    pub member: Member,
    /// When they signed in.
    pub created_date: Timestamp,
    /// When it was last used, to within two minutes.
    pub last_used_date: Timestamp,
    /// When it ends however it is used.
    pub expires_date: Timestamp,
}

impl Session {
    /// When it ends if it is not used after `last_used`.
    pub fn ends(&self, last_used: Timestamp) -> Timestamp {
        last_used.saturating_add(IDLE).unwrap_or(Timestamp::MAX).min(self.expires_date)
    }
}

/// A session as its table has it.
struct SessionRow {
    id: SessionId,
    organization: OrgId,
    person: UserId,
    token_hash: Vec<u8>,
    password_version: i64,
    created_date: Timestamp,
    last_used_date: Timestamp,
    expires_date: Timestamp,
    device: Option<String>,
}

record! {
    SessionRow in "session" {
        id: Plain => Key,
        organization: OwnOrganization => Fixed,
        person: Plain => Fixed,
        token_hash: Plain => Fixed,
        password_version: Plain => Counted,
        created_date: Plain => Fixed,
        last_used_date: Plain => Counted,
        expires_date: Plain => Fixed,
        device: Plain => Fixed,
    }
}

impl FromRow for Session {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let row = &mut Reader::new(row);
        let SessionRow { id, organization, created_date, last_used_date, expires_date, .. } =
            SessionRow::read(row)?;
        let member = MemberRow::read(row)?.into();
        Ok(Self { id, organization, member, created_date, last_used_date, expires_date })
    }
}

/// Starts a session of a person whose password was just verified; `None` if meanwhile they may not sign in any more or
/// the password was changed.
#[boxed]
pub async fn start(
    tx: &mut Tx,
    organization: OrgId,
    request_id: &str,
    person: &Credentials,
    token: &TokenHash,
) -> Result<Option<Session>> {
    let at = tx.at();
    let row = insert(tx, organization, person, token, None).await?;
    let Some(session) = find(tx, token, at).await? else { return Ok(None) };
    let author = Author::new(session.member.actor(), request_id);
    tell_start(tx, organization, &author, &row).await?;
    Ok(Some(session))
}

async fn insert(
    tx: &mut Tx,
    organization: OrgId,
    person: &Credentials,
    token: &TokenHash,
    device: Option<String>,
) -> Result<SessionRow> {
    let at = tx.at();
    let row = SessionRow {
        id: SessionId(tx.uuid()),
        organization,
        person: person.person,
        token_hash: token.to_vec(),
        password_version: person.version,
        created_date: at,
        last_used_date: at,
        expires_date: at.saturating_add(LONGEST).unwrap_or(Timestamp::MAX),
        device,
    };
    record::insert(tx, organization, &row).await?;
    Ok(row)
}

async fn tell_start(tx: &mut Tx, organization: OrgId, author: &Author, row: &SessionRow) -> Result<()> {
    let payload = Payload::new().set("user", row.person).set("expires_date", time::format(row.expires_date));
    journal::append(tx, organization, author, "session.started", subject(row.id), payload).await?;
    Ok(())
}

/// The session of this id, if it lives.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, id: SessionId, now: Timestamp) -> Result<Option<Session>> {
    static GET: LazyLock<String> = LazyLock::new(|| living("r.id = $3 AND r.organization = $4"));
    let params: [&dyn Param; 4] = [&now, &idle_since(now), &id.uuid(), &organization.uuid()];
    Ok(tx.query_opt(&GET, &params).await?)
}

/// The session with this token, if it lives: the one lookup without an organization, because it finds the caller's
/// organization.
#[boxed]
pub async fn find(tx: &mut Tx, token: &TokenHash, now: Timestamp) -> Result<Option<Session>> {
    static FIND: LazyLock<String> = LazyLock::new(|| living("r.token_hash = $3"));
    Ok(tx.query_opt(&FIND, &[&now, &idle_since(now), &token.as_slice()]).await?)
}

/// Sessions that live now (`$1`) and were used since `$2`, with one more condition.
fn living(condition: &str) -> String {
    let (session, member) = (SessionRow::statements(), MemberRow::joined("r", "person"));
    format!(
        "SELECT {}, {} FROM session AS r{}
         WHERE {condition} AND r.expires_date > $1 AND r.last_used_date > $2
           AND member.removed_date IS NULL AND member.activated_date IS NOT NULL
           AND person_person.password_version = r.password_version",
        session.columns, member.columns, member.joins
    )
}

/// Ends one session; whether it was there.
#[boxed]
pub async fn end(tx: &mut Tx, organization: OrgId, author: &Author, id: SessionId) -> Result<bool> {
    let sql = "DELETE FROM session WHERE organization = $1 AND id = $2";
    let was_there = tx.execute(sql, &[&organization.uuid(), &id.uuid()]).await? > 0;
    if was_there {
        tell_end(tx, organization, author, id).await?;
    }
    Ok(was_there)
}

/// Ends all sessions of a person in one organization.
pub(crate) async fn end_all(tx: &mut Tx, organization: OrgId, author: &Author, person: UserId) -> Result<()> {
    let sql = "SELECT id FROM session WHERE organization = $1 AND person = $2 ORDER BY id";
    let rows: Vec<(Uuid,)> = tx.query(sql, &[&organization.uuid(), &person.uuid()]).await?;
    for (id,) in rows {
        end(tx, organization, author, SessionId(id)).await?;
    }
    Ok(())
}

/// Notes when sessions were last used.
#[boxed]
pub async fn note_use(tx: &mut Tx, organization: OrgId, uses: &[(Uuid, Timestamp)]) -> Result<()> {
    let sql = "UPDATE session SET last_used_date = $3
               WHERE organization = $1 AND id = $2 AND last_used_date < $3";
    for (session, at) in uses {
        tx.send(sql, &[&organization.uuid(), session, at]).await?;
    }
    Ok(())
}

/// When a session that reached its maximum age is removed.
pub(crate) const EXPIRY: Expiry =
    Expiry { table: "session", key: "organization, id", date: "expires_date", kept: SignedDuration::ZERO };

/// When an unused session is removed.
pub(crate) const IDLE_EXPIRY: Expiry =
    Expiry { table: "session", key: "organization, id", date: "last_used_date", kept: IDLE };

async fn tell_end(tx: &mut Tx, organization: OrgId, author: &Author, id: SessionId) -> Result<()> {
    let payload = Payload::new().set("ended_date", time::format(tx.at()));
    journal::append(tx, organization, author, "session.ended", subject(id), payload).await?;
    Ok(())
}

fn subject(id: SessionId) -> Subject {
    Subject::new("session", id.to_string())
}

fn idle_since(now: Timestamp) -> Timestamp {
    now.saturating_sub(IDLE).unwrap_or(Timestamp::MIN)
}
