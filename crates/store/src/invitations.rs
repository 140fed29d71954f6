//! Open invitations. One address has at most one in an organization: a new one replaces it.

use std::sync::LazyLock;

use db::{Tx, Value};
use domain::invitation::{Invitation, OPEN_FOR};
use domain::person::{Member, MemberPatch, NewMember, folded_email};
use domain::{
    AccessChange, Actor, ActorKind, Author, Change, Error, ExpectedVersion, InvitationId, OrgId,
    ResourceKind, Roles, Scopes, UserId, time,
};
use jiff::{SignedDuration, Timestamp};
use macros::boxed;

use crate::ledger::access;
use crate::ledger::error::Result;
use crate::ledger::housekeeping::Expiry;
use crate::ledger::journal::{self, Payload, Subject, salted_hash};
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{self, Record, Statements, Stored, record};
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded};
use crate::ledger::view::View;
use crate::people::{self, Credentials, Joining};

/// SHA-256 of the token in an invitation's link.
pub type TokenHash = [u8; 32];

record! {
    Invitation in "invitation" {
        id: Plain => Key,
        name: Plain => Journaled,
        email: Folded => Journaled,
        job_title: Plain => Journaled,
        roles: AList => Journaled,
        expires_date: Plain => Journaled,
        created_date: Plain => Fixed,
        invited_by: AnActor => Fixed,
    }
}

/// An invitation as its table has it.
struct InvitationRow {
    invitation: Invitation,
    organization: OrgId,
    token_hash: Vec<u8>,
}

record! {
    InvitationRow in "invitation" with invitation: Invitation {
        organization: OwnOrganization => Fixed,
        token_hash: Plain => Fixed,
    }
}

/// Invites a person who cannot sign in to the organization yet. A member who was not invited before gets this name,
/// these roles and this job title, if it is sent, at once; an earlier invitation is withdrawn. The author needs every scope of the roles, and of those that they
/// replace.
#[boxed]
pub async fn create(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    new: &NewMember,
    token: &TokenHash,
) -> Result<Invitation> {
    let gives = AccessChange::of_users(Scopes::default(), new.roles.scopes());
    access::check(tx, organization, author, gives).await?;
    if let Some(id) = people::find_by_email(tx, &new.email).await?
        && let Some(member) = people::get(tx, organization, id).await?
    {
        if member.activated_date.is_some() {
            return Err(people::already_member().into());
        }
        let job_title = new.job_title.clone().map_or(Change::Keep, Change::Set);
        let patch = MemberPatch { name: Some(new.name.clone()), job_title, roles: Some(new.roles.clone()) };
        people::update(tx, organization, author, id, &ExpectedVersion::Any, &patch).await?;
    }
    withdraw_for(tx, organization, author, &new.email).await?;
    let invitation = Invitation {
        id: InvitationId(tx.uuid()),
        name: new.name.to_string(),
        email: new.email.to_string(),
        job_title: new.job_title.clone(),
        roles: new.roles.clone(),
        created_date: tx.at(),
        expires_date: tx.at().saturating_add(OPEN_FOR).unwrap_or(Timestamp::MAX),
        invited_by: author.actor.clone(),
    };
    let payload = record::changes(None, &invitation).set("token_hash", salted_hash(tx, token));
    let told = subject(invitation.id);
    let row = InvitationRow { invitation, organization, token_hash: token.to_vec() };
    record::insert(tx, organization, &row).await?;
    journal::append(tx, organization, author, "invitation.created", told, payload).await?;
    Ok(row.invitation)
}

/// An open invitation, by id.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, id: InvitationId) -> Result<Invitation> {
    let found: Option<Invitation> = record::find(tx, organization, &[id.uuid().into()]).await?;
    let open = found.filter(|invitation| invitation.expires_date > tx.at());
    Ok(open.ok_or(Error::NotFound(ResourceKind::Invitation))?)
}

/// Up to `limit` open invitations, the oldest first: those after the invitation `after`.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    after: Option<InvitationId>,
    limit: i64,
) -> Result<Page<Invitation>> {
    // Ids are made in the order of time.
    let after = after.map(|id| Value::from(id.uuid()));
    let page = open(tx, organization).order(&["id"], Direction::Ascending, after).page(tx, limit).await?;
    Ok(page.map(|Stored(invitation)| invitation))
}

/// How many invitations are open.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    open(tx, organization).count(tx).await
}

fn open<'q>(tx: &Tx, organization: OrgId) -> Select<'q, Invitation> {
    let is_open = Filter::After("expires_date", tx.at().into());
    Select::of(organization, View::with_deleted()).filter(is_open)
}

/// The open invitation whose link has this token, with its organization: the request has only the token.
#[boxed]
pub async fn find(tx: &mut Tx, token: &TokenHash, now: Timestamp) -> Result<Option<(OrgId, Invitation)>> {
    static FIND: LazyLock<String> = LazyLock::new(|| {
        let Statements { columns, joins, .. } = InvitationRow::statements();
        format!(
            "SELECT {columns} FROM invitation AS r{joins} WHERE r.token_hash = $1 AND r.expires_date > $2"
        )
    });
    let found: Option<Stored<InvitationRow>> = tx.query_opt(&FIND, &[&token.as_slice(), &now]).await?;
    Ok(found.map(|Stored(row)| (row.organization, row.invitation)))
}

/// Withdraws an open invitation. The author needs every scope of its roles.
#[boxed]
pub async fn withdraw(tx: &mut Tx, organization: OrgId, author: &Author, id: InvitationId) -> Result<()> {
    let invitation = get(tx, organization, id).await?;
    check_withdrawal(tx, organization, author, &invitation.roles).await?;
    take_away(tx, organization, id).await?;
    tell_withdrawn(tx, organization, author, id).await
}

async fn check_withdrawal(tx: &mut Tx, organization: OrgId, author: &Author, roles: &Roles) -> Result<()> {
    let takes = AccessChange::of_users(roles.scopes(), Scopes::default());
    access::check(tx, organization, author, takes).await
}

/// Withdraws the invitation of an address, if there is one.
pub(crate) async fn withdraw_for(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    email: &str,
) -> Result<()> {
    let by_email = Filter::is("email_folded", folded_email(email).into());
    let select = Select::<Invitation>::of(organization, View::with_deleted()).filter(by_email);
    if let Some(Stored::<Invitation>(Invitation { id, roles, expires_date, .. })) = select.one(tx).await? {
        // An expired one grants nothing any more.
        if expires_date > tx.at() {
            check_withdrawal(tx, organization, author, &roles).await?;
        }
        take_away(tx, organization, id).await?;
        tell_withdrawn(tx, organization, author, id).await?;
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
/// invitation is no longer open, or if its creator could not grant the roles now. For [`db::Db::write_instance`].
#[boxed]
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
    let joining = Joining { name, job_title: invitation.job_title.as_ref(), roles: &invitation.roles };
    people::activate(tx, organization, &author, id, &joining).await.map(Some)
}

/// Whether the inviter has, at this moment, every scope that accepting grants: those of the member's roles, which may
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
    let scopes = member.map_or_else(|| invitation.roles.scopes(), |member| member.roles.scopes());
    let held = access::granted(tx, organization, &invitation.invited_by).await?;
    Ok(AccessChange::of_users(Scopes::default(), scopes).check(held).is_ok())
}

/// When an invitation that was not accepted is removed.
pub(crate) const EXPIRY: Expiry =
    Expiry { table: "invitation", key: "organization, id", date: "expires_date", kept: SignedDuration::ZERO };

/// Invitations that are read at a time.
const PAGE: i64 = 200;

/// The next open invitations, as they are held against the journal.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<InvitationRow>::read(tx, organization, after, PAGE).await?;
    Ok(page.map(|InvitationRow { invitation, token_hash, .. }| {
        let mut recorded = Recorded::of(subject(invitation.id), &invitation);
        recorded.hashed.insert("token_hash".to_owned(), token_hash);
        recorded.made(Made::by(invitation.created_date, &invitation.invited_by))
    }))
}

async fn take_away(tx: &mut Tx, organization: OrgId, id: InvitationId) -> Result<()> {
    record::delete::<Invitation>(tx, organization, &[id.uuid().into()]).await
}

async fn tell_withdrawn(tx: &mut Tx, organization: OrgId, author: &Author, id: InvitationId) -> Result<()> {
    let payload = Payload::new().set("withdrawn_date", time::format(tx.at()));
    journal::append(tx, organization, author, "invitation.withdrawn", subject(id), payload).await?;
    Ok(())
}

fn subject(id: InvitationId) -> Subject {
    Subject::new("invitation", id.to_string())
}
