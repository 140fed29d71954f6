//! Open reset links. A member has at most one in an organization: a new one replaces it.

use std::sync::LazyLock;

use db::Tx;
use domain::person::Member;
use domain::reset_link::{self, Elsewhere, OPEN_FOR, Obstacle, ResetLink};
use domain::{Actor, Author, Error, OrgId, ResetLinkId, ResourceKind, UserId, time};
use jiff::{SignedDuration, Timestamp};
use macros::boxed;

use crate::ledger::access;
use crate::ledger::error::Result;
use crate::ledger::housekeeping::Expiry;
use crate::ledger::journal::{self, Payload, Subject, salted_hash};
use crate::ledger::list::{Filter, Select};
use crate::ledger::record::{self, Record, Statements, Stored, record};
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded};
use crate::ledger::view::View;
use crate::people;

/// SHA-256 of the token in a reset link.
pub type TokenHash = [u8; 32];

record! {
    ResetLink in "reset_link" {
        id: Plain => Key,
        person: Plain => Journaled,
        password_version: Plain => Journaled,
        expires_date: Plain => Journaled,
        created_date: Plain => Fixed,
        created_by: AnActor => Fixed,
    }
}

/// A reset link as its table has it.
struct ResetLinkRow {
    link: ResetLink,
    organization: OrgId,
    token_hash: Vec<u8>,
}

record! {
    ResetLinkRow in "reset_link" with link: ResetLink {
        organization: OwnOrganization => Fixed,
        token_hash: Plain => Fixed,
    }
}

/// A link that can be used now.
pub struct Usable {
    /// The organization that made it.
    pub organization: OrgId,
    /// Whose password it replaces.
    pub member: Member,
    id: ResetLinkId,
}

/// Makes a link with which a member chooses another password; an earlier one is withdrawn. The author needs all that the
/// member may do and sees.
#[boxed]
pub async fn create(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    person: UserId,
    token: &TokenHash,
) -> Result<ResetLink> {
    let member = people::get(tx, organization, person).await?;
    let member = member.ok_or(Error::NotFound(ResourceKind::User))?;
    access::check(tx, organization, author, reset_link::access(&member)).await?;
    let (elsewhere, password_version) = outside(tx, organization, person).await?;
    refuse(reset_link::obstacle(&author.actor, &member, elsewhere))?;
    withdraw_for(tx, organization, author, person).await?;
    let link = ResetLink {
        id: ResetLinkId(tx.uuid()),
        person,
        password_version,
        created_date: tx.at(),
        expires_date: tx.at().saturating_add(OPEN_FOR).unwrap_or(Timestamp::MAX),
        created_by: author.actor.clone(),
    };
    let payload = record::changes(None, &link).set("token_hash", salted_hash(tx, token));
    let told = subject(link.id);
    let row = ResetLinkRow { link, organization, token_hash: token.to_vec() };
    record::insert(tx, organization, &row).await?;
    journal::append(tx, organization, author, "reset_link.created", told, payload).await?;
    Ok(row.link)
}

/// What prevents this actor from resetting the password of a member.
#[boxed]
pub async fn obstacle(
    tx: &mut Tx,
    organization: OrgId,
    actor: &Actor,
    member: &Member,
) -> Result<Option<Obstacle>> {
    let (elsewhere, _) = outside(tx, organization, member.person.id).await?;
    Ok(reset_link::obstacle(actor, member, elsewhere))
}

/// What a person is outside of an organization, and the version of their password.
async fn outside(tx: &mut Tx, organization: OrgId, person: UserId) -> Result<(Elsewhere, i64)> {
    let sql = "SELECT person.password_version, person.operator_date,
                   (SELECT COUNT(*) FROM membership WHERE membership.person = person.id
                        AND membership.organization <> $2 AND membership.removed_date IS NULL)
               FROM person WHERE person.id = $1";
    let (version, operator_date, memberships): (i64, Option<Timestamp>, i64) =
        tx.query_one(sql, &[&person.uuid(), &organization.uuid()]).await?;
    Ok((Elsewhere { is_member: memberships > 0, is_operator: operator_date.is_some() }, version))
}

fn refuse(obstacle: Option<Obstacle>) -> Result<()> {
    obstacle.map_or(Ok(()), |obstacle| Err(Error::from(obstacle).into()))
}

/// The link with this token; the request has only the token. `None` if it is not open, if the member was removed or has
/// another password since, or if its creator could not make it now. A conflict if the organization cannot reset the
/// password any more: the person may have joined another one.
#[boxed]
pub async fn find(tx: &mut Tx, token: &TokenHash, now: Timestamp) -> Result<Option<Usable>> {
    static FIND: LazyLock<String> = LazyLock::new(|| {
        let Statements { columns, joins, .. } = ResetLinkRow::statements();
        format!(
            "SELECT {columns} FROM reset_link AS r{joins} WHERE r.token_hash = $1 AND r.expires_date > $2"
        )
    });
    let found: Option<Stored<ResetLinkRow>> = tx.query_opt(&FIND, &[&token.as_slice(), &now]).await?;
    let Some(Stored(ResetLinkRow { link, organization, .. })) = found else { return Ok(None) };
    let Some(member) = people::get(tx, organization, link.person).await? else { return Ok(None) };
    let (elsewhere, password_version) = outside(tx, organization, link.person).await?;
    let held = access::granted(tx, organization, &link.created_by).await?;
    if password_version != link.password_version || reset_link::access(&member).check(held).is_err() {
        return Ok(None);
    }
    refuse(reset_link::obstacle(&link.created_by, &member, elsewhere))?;
    Ok(Some(Usable { organization, member, id: link.id }))
}

/// Gives the member the password with this hash, which ends their sessions in every organization, and uses the link up.
/// `None` and conflicts as [`find`]. For [`db::Db::write_instance`], in which people join organizations too.
#[boxed]
pub async fn redeem(
    tx: &mut Tx,
    organization: OrgId,
    request_id: &str,
    token: &TokenHash,
    hash: &str,
) -> Result<Option<Member>> {
    tx.lock_head(organization).await?;
    let now = tx.at();
    let found = find(tx, token, now).await?.filter(|found| found.organization == organization);
    let Some(Usable { member, id, .. }) = found else { return Ok(None) };
    let author = Author::new(member.actor(), request_id);
    people::set_password(tx, &author, member.person.id, hash).await?;
    record::delete::<ResetLink>(tx, organization, &[id.uuid().into()]).await?;
    let payload = Payload::new().set("used_date", time::format(now)).set("user", member.person.id);
    journal::append(tx, organization, &author, "reset_link.used", subject(id), payload).await?;
    Ok(Some(member))
}

/// The open link of a member, if there is one.
#[boxed]
pub async fn open(tx: &mut Tx, organization: OrgId, person: UserId) -> Result<Option<ResetLink>> {
    let link = of_person(organization, person).one(tx).await?;
    Ok(link.map(|Stored(link): Stored<ResetLink>| link).filter(|link| link.expires_date > tx.at()))
}

fn of_person<'q>(organization: OrgId, person: UserId) -> Select<'q, ResetLink> {
    let of_person = Filter::is("person", person.uuid().into());
    Select::of(organization, View::with_deleted()).filter(of_person)
}

/// Withdraws the open link of a member. That takes nothing from the member, so the author needs no scope of theirs.
#[boxed]
pub async fn withdraw(tx: &mut Tx, organization: OrgId, author: &Author, person: UserId) -> Result<()> {
    open(tx, organization, person).await?.ok_or(Error::NotFound(ResourceKind::ResetLink))?;
    withdraw_for(tx, organization, author, person).await
}

/// Withdraws the link of a member, if there is one.
pub(crate) async fn withdraw_for(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    person: UserId,
) -> Result<()> {
    let link = of_person(organization, person).one(tx).await?;
    if let Some(Stored::<ResetLink>(ResetLink { id, .. })) = link {
        record::delete::<ResetLink>(tx, organization, &[id.uuid().into()]).await?;
        let payload = Payload::new().set("withdrawn_date", time::format(tx.at()));
        journal::append(tx, organization, author, "reset_link.withdrawn", subject(id), payload).await?;
    }
    Ok(())
}

/// When a reset link that was not used is removed.
pub(crate) const EXPIRY: Expiry =
    Expiry { table: "reset_link", key: "organization, id", date: "expires_date", kept: SignedDuration::ZERO };

/// Reset links that are read at a time.
const PAGE: i64 = 200;

/// The next reset links, as they are held against the journal.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<ResetLinkRow>::read(tx, organization, after, PAGE).await?;
    Ok(page.map(|ResetLinkRow { link, token_hash, .. }| {
        let mut recorded = Recorded::of(subject(link.id), &link);
        recorded.hashed.insert("token_hash".to_owned(), token_hash);
        recorded.made(Made::by(link.created_date, &link.created_by))
    }))
}

fn subject(id: ResetLinkId) -> Subject {
    Subject::new("reset_link", id.to_string())
}
