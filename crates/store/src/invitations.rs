//! Open invitations. One address has at most one in an organization: a new one replaces it.

use std::collections::HashMap;

use db::{FromRow, Row, Tx, Value};
use domain::invitation::{Invitation, OPEN_FOR};
use domain::person::{Member, MemberPatch, NewMember, folded_email};
use domain::{
    AccessChange, Actor, ActorKind, Author, Error, ExpectedVersion, InvitationId, OrgId, ResourceKind, Role,
    Scopes, UserId, time,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use uuid::Uuid;

use crate::access;
use crate::error::Result;
use crate::housekeeping::Expiry;
use crate::journal::{self, Payload, Subject, salted_hash};
use crate::page::Page;
use crate::people::{self, Credentials, Joining};
use crate::records::{Cursor, RecordPage};
use crate::verify::{Made, Recorded};

/// SHA-256 of the token in an invitation's link.
pub type TokenHash = [u8; 32];

/// An invitation, to be followed by conditions on `invitation`.
macro_rules! select_invitation {
    ($conditions:literal) => {
        concat!(
            "SELECT invitation.organization, invitation.id, invitation.name, invitation.email, invitation.role,
                    invitation.created_date, invitation.expires_date, invitation.invited_by_kind,
                    invitation.invited_by_id, COALESCE(client.name, inviter.name, invitation.invited_by_id)
             FROM invitation
             LEFT JOIN client ON invitation.invited_by_kind = 'client'
                  AND client.organization = invitation.organization AND client.id = invitation.invited_by_id
             LEFT JOIN membership AS inviter ON invitation.invited_by_kind = 'user'
                  AND inviter.organization = invitation.organization
                  AND inviter.actor_id = invitation.invited_by_id
             WHERE ",
            $conditions
        )
    };
}

struct Found {
    organization: OrgId,
    invitation: Invitation,
}

impl FromRow for Found {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let kind: String = row.get(7)?;
        let kind = ActorKind::parse(&kind)
            .ok_or_else(|| db::Error::Internal(format!("invitation.invited_by_kind {kind} is not known")))?;
        let invitation = Invitation {
            id: InvitationId(row.get(1)?),
            name: row.get(2)?,
            email: row.get(3)?,
            role: people::role(&row.get::<String>(4)?)?,
            created_date: row.get(5)?,
            expires_date: row.get(6)?,
            invited_by: Actor { kind, id: row.get(8)?, name: row.get(9)? },
        };
        Ok(Self { organization: OrgId(row.get(0)?), invitation })
    }
}

/// Invites a person who cannot sign in to the organization yet. A member who was not invited before gets this name and
/// role at once; an earlier invitation is withdrawn. The author needs every scope of the role, and of the role that it
/// replaces.
pub async fn create(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    new: &NewMember,
    token: &TokenHash,
) -> Result<Invitation> {
    let gives = AccessChange::of_users(Scopes::default(), new.role.scopes());
    access::check(tx, organization, author, gives).await?;
    if let Some(id) = people::find_by_email(tx, &new.email).await?
        && let Some(member) = people::get(tx, organization, id).await?
    {
        if member.activated_date.is_some() {
            return Err(people::already_member().into());
        }
        let patch = MemberPatch { name: Some(new.name.clone()), role: Some(new.role) };
        people::update(tx, organization, author, id, &ExpectedVersion::Any, &patch).await?;
    }
    withdraw_for(tx, organization, author, &new.email).await?;
    let (id, at) = (InvitationId(tx.uuid()), tx.at());
    let expires = at.saturating_add(OPEN_FOR).unwrap_or(Timestamp::MAX);
    let sql = "INSERT INTO invitation (organization, id, name, email, email_folded, role, token_hash,
                   invited_by_kind, invited_by_id, created_date, expires_date)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    let params: [&dyn db::Param; 11] = [
        &organization.uuid(),
        &id.uuid(),
        &new.name,
        &new.email,
        &folded_email(&new.email),
        &new.role.as_str(),
        &token.as_slice(),
        &author.actor.kind.as_str(),
        &author.actor.id,
        &at,
        &expires,
    ];
    tx.send(sql, &params).await?;
    let payload = Payload::new()
        .set("name", &new.name)
        .set("email", &new.email)
        .set("role", new.role)
        .set("expires_date", time::format(expires))
        .set("token_hash", salted_hash(tx, token));
    journal::append(tx, organization, author, "invitation.created", subject(id), payload).await?;
    Ok(Invitation {
        id,
        name: new.name.clone(),
        email: new.email.clone(),
        role: new.role,
        created_date: at,
        expires_date: expires,
        invited_by: author.actor.clone(),
    })
}

/// An open invitation, by id.
pub async fn get(tx: &mut Tx, organization: OrgId, id: InvitationId) -> Result<Invitation> {
    let sql = select_invitation!(
        "invitation.organization = $1 AND invitation.id = $2 AND invitation.expires_date > $3"
    );
    let now = tx.at();
    let found: Option<Found> = tx.query_opt(sql, &[&organization.uuid(), &id.uuid(), &now]).await?;
    Ok(found.ok_or(Error::NotFound(ResourceKind::Invitation))?.invitation)
}

/// Up to `limit` open invitations, the oldest first: those after the invitation `after`.
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    after: Option<InvitationId>,
    limit: i64,
) -> Result<Page<Invitation>> {
    // Ids are made in the order of time, and none is nil.
    let after = after.map_or(Uuid::nil(), InvitationId::uuid);
    let sql = select_invitation!(
        "invitation.organization = $1 AND invitation.id > $2 AND invitation.expires_date > $3
         ORDER BY invitation.id LIMIT $4"
    );
    let now = tx.at();
    let rows: Vec<Found> = tx.query(sql, &[&organization.uuid(), &after, &now, &(limit + 1)]).await?;
    Ok(Page::cut(rows.into_iter().map(|found| found.invitation).collect(), limit))
}

/// How many invitations are open.
pub async fn count(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    let sql = "SELECT count(*) FROM invitation WHERE organization = $1 AND expires_date > $2";
    let now = tx.at();
    let (count,) = tx.query_one(sql, &[&organization.uuid(), &now]).await?;
    Ok(count)
}

/// The open invitation whose link has this token, with its organization: the request has only the token.
pub async fn find(tx: &mut Tx, token: &TokenHash, now: Timestamp) -> Result<Option<(OrgId, Invitation)>> {
    let sql = select_invitation!("invitation.token_hash = $1 AND invitation.expires_date > $2");
    let found: Option<Found> = tx.query_opt(sql, &[&token.as_slice(), &now]).await?;
    Ok(found.map(|found| (found.organization, found.invitation)))
}

/// Withdraws an open invitation. The author needs every scope of its role.
pub async fn withdraw(tx: &mut Tx, organization: OrgId, author: &Author, id: InvitationId) -> Result<()> {
    let invitation = get(tx, organization, id).await?;
    check_withdrawal(tx, organization, author, invitation.role).await?;
    take_away(tx, organization, id).await?;
    tell_withdrawn(tx, organization, author, id).await
}

async fn check_withdrawal(tx: &mut Tx, organization: OrgId, author: &Author, role: Role) -> Result<()> {
    let takes = AccessChange::of_users(role.scopes(), Scopes::default());
    access::check(tx, organization, author, takes).await
}

/// Withdraws the invitation of an address, if there is one.
pub(crate) async fn withdraw_for(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    email: &str,
) -> Result<()> {
    let sql = "SELECT id, role, expires_date FROM invitation WHERE organization = $1 AND email_folded = $2";
    let found: Option<(Uuid, String, Timestamp)> =
        tx.query_opt(sql, &[&organization.uuid(), &folded_email(email)]).await?;
    if let Some((id, role, expires_date)) = found {
        // An expired one grants nothing any more.
        if expires_date > tx.at() {
            check_withdrawal(tx, organization, author, people::role(&role)?).await?;
        }
        take_away(tx, organization, InvitationId(id)).await?;
        tell_withdrawn(tx, organization, author, InvitationId(id)).await?;
    }
    Ok(())
}

/// How a person who accepts an invitation authenticates: the result of the password check, which runs outside the
/// write.
#[derive(Clone)]
pub enum Proof {
    /// There was no password, and this is the hash of the one they chose.
    Chosen(String),
    /// The password of this version was right.
    Right {
        /// The person.
        person: UserId,
        /// See [`people::Credentials::version`].
        version: i64,
    },
}

/// Accepts an invitation: the person becomes a member, if they are not one yet, and can sign in. `None` if the
/// invitation is no longer open, or if its creator could not grant the role now. For [`db::Db::write_instance`].
pub async fn accept(
    tx: &mut Tx,
    organization: OrgId,
    request_id: &str,
    token: &TokenHash,
    name: Option<&str>,
    proof: &Proof,
) -> Result<Option<Member>> {
    tx.lock_head(organization).await?;
    let now = tx.at();
    let found = find(tx, token, now).await?.filter(|(owner, _)| *owner == organization);
    let Some((_, invitation)) = found else { return Ok(None) };
    let known = people::credentials(tx, organization, &invitation.email).await?;
    let is_same = match (proof, &known) {
        (Proof::Chosen(_), known) => known.as_ref().is_none_or(|person| person.hash.is_none()),
        (Proof::Right { person, version }, Some(known)) => {
            known.person == *person && known.version == *version
        }
        (Proof::Right { .. }, None) => false,
    };
    if !is_same {
        return Err(people::password_changed().into());
    }
    if !can_still_be_given(tx, organization, &invitation, known.as_ref()).await? {
        return Ok(None);
    }
    let name = name.unwrap_or(&invitation.name);
    let id = known.as_ref().map_or_else(|| UserId::random(tx.random()), |known| known.person);
    let actor = Actor { kind: ActorKind::User, id: id.to_string(), name: name.to_owned() };
    let author = Author::new(actor, request_id);
    if known.is_none() {
        people::create_person(tx, &author, id, &invitation.email).await?;
    }
    if let Proof::Chosen(hash) = proof {
        people::set_password(tx, &author, id, hash).await?;
    }
    take_away(tx, organization, invitation.id).await?;
    let payload = Payload::new().set("accepted_date", time::format(now)).set("user", id);
    let told = subject(invitation.id);
    journal::append(tx, organization, &author, "invitation.accepted", told, payload).await?;
    let joining = Joining { name, role: invitation.role };
    people::activate(tx, organization, &author, id, &joining).await.map(Some)
}

/// Whether the inviter has, at this moment, every scope that accepting grants: those of the member's role, which may
/// have been changed since, or of the invitation's.
async fn can_still_be_given(
    tx: &mut Tx,
    organization: OrgId,
    invitation: &Invitation,
    invited: Option<&Credentials>,
) -> Result<bool> {
    let member = match invited {
        Some(person) => people::get(tx, organization, person.person).await?,
        None => None,
    };
    let role = member.map_or(invitation.role, |member| member.role);
    let held = access::granted(tx, organization, &invitation.invited_by).await?;
    Ok(AccessChange::of_users(Scopes::default(), role.scopes()).check(held).is_ok())
}

/// When an invitation that was not accepted is removed.
pub(crate) const EXPIRY: Expiry =
    Expiry { table: "invitation", key: "organization, id", date: "expires_date", kept: SignedDuration::ZERO };

/// Invitations that are read at a time.
const PAGE: i64 = 200;

/// The next open invitations, as they are held against the journal.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let after = after.into_iter().next().unwrap_or(Value::Uuid(Uuid::nil()));
    let sql = select_invitation!(
        "invitation.organization = $1 AND invitation.id > $2 ORDER BY invitation.id LIMIT $3"
    );
    let rows: Vec<Found> = tx.query(sql, &[&organization.uuid(), &after, &(PAGE + 1)]).await?;
    let page = Page::cut(rows, PAGE).map(|found| found.invitation);
    let next = page.rows.last().filter(|_| page.has_more).map(|last| vec![last.id.uuid().into()]);
    let sql =
        "SELECT id, token_hash FROM invitation WHERE organization = $1 AND id > $2 ORDER BY id LIMIT $3";
    let hashes: Vec<(Uuid, Vec<u8>)> = tx.query(sql, &[&organization.uuid(), &after, &PAGE]).await?;
    let mut hashes: HashMap<_, _> = hashes.into_iter().collect();
    let records = page.rows.iter().map(|invitation| {
        let fields = [
            ("name", json!(invitation.name)),
            ("email", json!(invitation.email)),
            ("role", json!(invitation.role)),
            ("expires_date", json!(time::format(invitation.expires_date))),
        ];
        let made = Made::by(invitation.created_date, &invitation.invited_by);
        let mut recorded = Recorded::new(subject(invitation.id), fields);
        let hash = hashes.remove(&invitation.id.uuid()).map(|hash| ("token_hash".to_owned(), hash));
        recorded.hashed.extend(hash);
        recorded.made(made)
    });
    Ok(RecordPage { records: records.collect(), next })
}

/// Whether the invitation that was made with this payload has not expired yet.
pub(crate) fn is_open(payload: Option<&str>, now: Timestamp) -> bool {
    let payload: Option<serde_json::Value> = payload.and_then(|text| serde_json::from_str(text).ok());
    let expires = payload.as_ref().and_then(|payload| payload.pointer("/expires_date/1")?.as_str());
    expires.and_then(time::parse).is_some_and(|expires| expires > now)
}

async fn take_away(tx: &mut Tx, organization: OrgId, id: InvitationId) -> Result<()> {
    let sql = "DELETE FROM invitation WHERE organization = $1 AND id = $2";
    tx.send(sql, &[&organization.uuid(), &id.uuid()]).await?;
    Ok(())
}

async fn tell_withdrawn(tx: &mut Tx, organization: OrgId, author: &Author, id: InvitationId) -> Result<()> {
    let payload = Payload::new().set("withdrawn_date", time::format(tx.at()));
    journal::append(tx, organization, author, "invitation.withdrawn", subject(id), payload).await?;
    Ok(())
}

fn subject(id: InvitationId) -> Subject {
    Subject::new("invitation", id.to_string())
}
