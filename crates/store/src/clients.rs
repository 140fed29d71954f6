//! OAuth clients and their secrets.
//!
//! A client may have several live secrets, so that one can replace another without a gap. Secrets are stored as hashes;
//! `auth` generates them.

use std::sync::LazyLock;

use db::{FromRow, Row, Tx};
use domain::client::{Client, NewClient, RefreshClientAuth};
use domain::{AccessChange, Author, ClientId, Error, OrgId, ResourceKind, Scopes};
use jiff::Timestamp;
use macros::boxed;
use uuid::Uuid;

use crate::ledger::access;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, Payload, Subject};
use crate::ledger::record::{self, Columns as _, Reader, Record, columns_as, record};

mod details;
mod secret_fields;
mod secrets;
mod update;

pub(crate) use details::recorded;
pub use details::{Details, count, get, list};
pub use secrets::{MOST_SECRETS, add_secret, delete_secret, replace_secrets};
pub use update::{disable, set_refresh_client_auth, update};

/// SHA-256 of a client secret.
pub type SecretHash = [u8; 32];

record! {
    Client in "client" {
        id: Plain => Key,
        organization: OwnOrganization => Fixed,
        name: Plain => Journaled,
        scopes: Plain => Journaled,
        created_date: Plain => Fixed,
    }
}

/// A client with the fields that the token endpoint needs.
#[derive(Debug, Clone)]
pub struct ClientRecord {
    /// The client.
    pub client: Client,
    /// When it was disabled, if it is.
    pub disabled_date: Option<Timestamp>,
    /// Whether it must authenticate itself when it refreshes.
    pub refresh_client_auth: RefreshClientAuth,
    /// Counts its changes from 1.
    pub version: i64,
    /// Its secrets, expired ones included.
    pub secrets: Vec<Secret>,
}

record! {
    ClientRecord in "client" with client: Client {
        refresh_client_auth: AWord => Journaled,
        disabled_date: Plain => Journaled,
        version: Plain => Counted,
    }
    without { secrets: Vec::new() }
}

impl ClientRecord {
    /// Whether tokens issued with this credential may still be used at `now`.
    pub fn has_live_secret(&self, credential: Uuid, now: Timestamp) -> bool {
        self.secrets.iter().any(|secret| secret.credential == credential && secret.is_live(now))
    }

    /// Whether any secret may be used at `now` but this one.
    fn has_live_secret_but(&self, id: Uuid, now: Timestamp) -> bool {
        self.secrets.iter().any(|secret| secret.id != id && secret.is_live(now))
    }
}

/// A secret of a client.
#[derive(Debug, Clone)]
pub struct Secret {
    /// Its id.
    pub id: Uuid,
    /// Its id in tokens; replaced when the client is disabled.
    pub credential: Uuid,
    /// SHA-256 of the secret.
    pub hash: Vec<u8>,
    /// When it was made.
    pub created_date: Timestamp,
    /// When it ends, if it ever does.
    pub expires_date: Option<Timestamp>,
    /// When it was last used, to within a minute or so.
    pub last_used_date: Option<Timestamp>,
}

record! {
    Secret in "client_secret" {
        id: Plain => Key,
        credential as "credential_id": Plain => Counted,
        hash: Plain => Fixed,
        created_date: Plain => Fixed,
        expires_date: Plain => Fixed,
        last_used_date: Plain => Counted,
    }
}

impl Secret {
    /// Whether it may be used at `now`.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.expires_date.is_none_or(|end| now < end)
    }
}

/// Clients with their secrets, one row each; a client without a secret has one row of nulls. Rows of clients are called
/// `r`.
fn select<R: Record>(from: &str, condition: &str, order: &str) -> String {
    let (client, secret) = (R::statements(), columns_as::<Secret>("secret"));
    format!(
        "SELECT {}, {} FROM {from} AS r
         LEFT JOIN client_secret AS secret ON secret.organization = r.organization AND secret.client_id = r.id{}
         WHERE {condition} ORDER BY {order}, secret.id",
        client.columns, secret.columns, client.joins
    )
}

/// A row of [`select`].
struct WithSecret<R>(R, Option<Secret>);

impl<R: Record> FromRow for WithSecret<R> {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let row = &mut Reader::new(row);
        let client = R::read(row)?;
        let secret = match row.peek::<Option<Uuid>>()? {
            Some(_) => Some(Secret::read(row)?),
            None => None,
        };
        Ok(Self(client, secret))
    }
}

/// Rows become clients: those of one client stand together.
fn gather<R>(rows: Vec<WithSecret<R>>, client: fn(&mut R) -> &mut ClientRecord) -> Vec<R> {
    let mut all: Vec<R> = Vec::new();
    for WithSecret(mut next, secret) in rows {
        let this = &client(&mut next).client;
        let is_other = |last: &Client| (last.organization, &last.id) != (this.organization, &this.id);
        if all.last_mut().is_none_or(|last| is_other(&client(last).client)) {
            all.push(next);
        }
        if let Some(last) = all.last_mut() {
            client(last).secrets.extend(secret);
        }
    }
    all
}

/// Makes a client with its first secret. The author needs every scope that it gets.
#[boxed]
pub async fn create(
    tx: &mut Tx,
    org: OrgId,
    author: &Author,
    id: &ClientId,
    new: &NewClient,
    secret: &SecretHash,
) -> Result<Client> {
    let gives = AccessChange::of_clients(Scopes::default(), new.scopes);
    access::check(tx, org, author, gives).await?;
    let client = Client {
        id: id.clone(),
        organization: org,
        name: new.name.to_string(),
        scopes: new.scopes,
        created_date: tx.at(),
    };
    let refresh_client_auth = RefreshClientAuth::Optional;
    let record =
        ClientRecord { client, disabled_date: None, refresh_client_auth, version: 1, secrets: Vec::new() };
    let details = Details { record, created_by: author.actor.clone() };
    record::insert(tx, org, &details).await?;
    let secret_id = secrets::insert(tx, org, id, secret, None).await?;
    let payload = secrets::with(record::changes(None, &details), tx, secret_id, secret, None);
    journal::append(tx, org, author, "client.created", subject(id), payload).await?;
    Ok(details.record.client)
}

/// One client of an organization with its secrets.
#[boxed]
pub async fn load(tx: &mut Tx, org: OrgId, id: &ClientId) -> Result<Option<ClientRecord>> {
    static LOAD: LazyLock<String> =
        LazyLock::new(|| select::<ClientRecord>("client", "r.organization = $1 AND r.id = $2", "r.id"));
    let rows = tx.query(&LOAD, &[&org.uuid(), &id.as_str()]).await?;
    Ok(gather(rows, |record| record).into_iter().next())
}

/// The same, which must be there.
async fn known(tx: &mut Tx, org: OrgId, id: &ClientId) -> Result<ClientRecord> {
    Ok(load(tx, org, id).await?.ok_or(Error::NotFound(ResourceKind::Client))?)
}

/// The same for an author who is about to change it or its secrets: each of these changes needs all scopes of the
/// client.
async fn changeable(tx: &mut Tx, org: OrgId, author: &Author, id: &ClientId) -> Result<ClientRecord> {
    let record = known(tx, org, id).await?;
    let change = AccessChange::of_clients(record.client.scopes, record.client.scopes);
    access::check(tx, org, author, change).await?;
    Ok(record)
}

/// The client with this id, in any organization: the one lookup without an organization, because it finds the caller's
/// organization. Ids are random and unique.
#[boxed]
pub async fn find(tx: &mut Tx, id: &ClientId) -> Result<Option<ClientRecord>> {
    static FIND: LazyLock<String> = LazyLock::new(|| select::<ClientRecord>("client", "r.id = $1", "r.id"));
    let rows = tx.query(&FIND, &[&id.as_str()]).await?;
    Ok(gather(rows, |record| record).into_iter().next())
}

/// Notes when secrets were last used. Not journaled: it is not a decision of an actor.
#[boxed]
pub async fn note_use(tx: &mut Tx, org: OrgId, uses: &[(Uuid, Timestamp)]) -> Result<()> {
    for (secret, at) in uses {
        tx.send(
            "UPDATE client_secret SET last_used_date = $3
             WHERE organization = $1 AND id = $2 AND (last_used_date IS NULL OR last_used_date < $3)",
            &[&org.uuid(), secret, at],
        )
        .await?;
    }
    Ok(())
}

fn subject(id: &ClientId) -> Subject {
    Subject::new("client", id.as_str())
}

/// Counts a change of a client's secrets and journals it.
async fn touch(tx: &mut Tx, org: OrgId, author: &Author, id: &ClientId, payload: Payload) -> Result<()> {
    tx.send(
        "UPDATE client SET version = version + 1 WHERE organization = $1 AND id = $2",
        &[&org.uuid(), &id.as_str()],
    )
    .await?;
    journal::append(tx, org, author, "client.updated", subject(id), payload).await?;
    Ok(())
}
