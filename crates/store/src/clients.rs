//! OAuth clients and their secrets.
//!
//! A client may have several live secrets, so that one can replace another without a gap. Secrets are stored as hashes;
//! `auth` generates them.

use db::{FromRow, Row, Tx};
use domain::client::{Client, NewClient};
use domain::{AccessChange, Author, ClientId, Error, OrgId, ResourceKind, Scope, Scopes};
use jiff::Timestamp;
use uuid::Uuid;

use crate::access;
use crate::error::Result;
use crate::journal::{self, Payload, Subject};

/// A client with its secrets, one row each; a client without a secret has one row of nulls.
macro_rules! select_client {
    ($condition:literal) => {
        select_client!("", "client", "", $condition, "c.id")
    };
    ($more:literal, $from:literal, $joins:literal, $condition:literal, $order:literal) => {
        concat!(
            "SELECT c.organization, c.id, c.name, c.scopes, c.created_date, c.disabled_date,
                    c.refresh_client_auth, c.version, s.id, s.hash, s.expires_date, s.last_used_date,
                    s.created_date, s.credential_id",
            $more,
            " FROM ",
            $from,
            " c LEFT JOIN client_secret s ON s.organization = c.organization AND s.client_id = c.id ",
            $joins,
            " WHERE ",
            $condition,
            " ORDER BY ",
            $order,
            ", s.id"
        )
    };
}

mod details;
mod secrets;
mod update;

pub(crate) use details::recorded;
pub use details::{Details, count, get, list};
pub use secrets::{MOST_SECRETS, add_secret, delete_secret, replace_secrets};
pub use update::{ClientPatch, disable, set_refresh_client_auth, update};

/// SHA-256 of a client secret.
pub type SecretHash = [u8; 32];

domain::words! {
    "RefreshClientAuth"
    /// Whether a client must authenticate itself when it refreshes.
    pub enum RefreshClientAuth {
        /// It may; what it sends is checked. The default, because the given interface shows a refresh
        /// with the refresh token alone.
        Optional = "optional",
        /// It must.
        Required = "required",
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

impl Secret {
    /// Whether it may be used at `now`.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.expires_date.is_none_or(|end| now < end)
    }
}

/// A row of `select_client!`: the client, and one of its secrets.
struct ClientAndSecret(ClientRecord, Option<Secret>);

impl FromRow for ClientAndSecret {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let scopes: String = row.get(3)?;
        let client = Client {
            id: ClientId(row.get(1)?),
            organization: OrgId(row.get(0)?),
            name: row.get(2)?,
            scopes: stored_scopes(&scopes),
            created_date: row.get(4)?,
        };
        let record = ClientRecord {
            client,
            disabled_date: row.get(5)?,
            refresh_client_auth: RefreshClientAuth::parse(&row.get::<String>(6)?)
                .ok_or_else(|| db::Error::Internal("client.refresh_client_auth is damaged".to_owned()))?,
            version: row.get(7)?,
            secrets: Vec::new(),
        };
        let secret = match row.get::<Option<Uuid>>(8)? {
            Some(id) => Some(Secret {
                id,
                credential: row.get(13)?,
                hash: row.get(9)?,
                created_date: row.get(12)?,
                expires_date: row.get(10)?,
                last_used_date: row.get(11)?,
            }),
            None => None,
        };
        Ok(Self(record, secret))
    }
}

/// Scopes as they were stored, by this release or a newer one: a scope that this one does not know
/// allows nothing here.
pub(crate) fn stored_scopes(text: &str) -> Scopes {
    text.split(' ').filter_map(Scope::parse).collect()
}

/// Rows become records: those of one client stand together.
fn gather(rows: Vec<ClientAndSecret>) -> Vec<ClientRecord> {
    let mut records: Vec<ClientRecord> = Vec::new();
    for ClientAndSecret(record, secret) in rows {
        let same = |last: &&mut ClientRecord| {
            last.client.organization == record.client.organization && last.client.id == record.client.id
        };
        match records.last_mut().filter(same) {
            Some(last) => last.secrets.extend(secret),
            None => records.push(ClientRecord { secrets: secret.into_iter().collect(), ..record }),
        }
    }
    records
}

/// Makes a client with its first secret. The author needs every scope that it gets.
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
    let at = tx.at();
    tx.send(
        "INSERT INTO client (organization, id, name, scopes, refresh_client_auth, created_by_kind, created_by_id,
                             created_date, disabled_date, version)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, NULL, 1)",
        &[
            &org.uuid(),
            &id.as_str(),
            &new.name,
            &new.scopes.to_string(),
            &RefreshClientAuth::Optional.as_str(),
            &author.actor.kind.as_str(),
            &author.actor.id,
            &at,
        ],
    )
    .await?;
    let secret_id = secrets::insert(tx, org, id, secret, None).await?;
    let payload = Payload::new()
        .set("name", &new.name)
        .set("scopes", new.scopes.to_string())
        .set("refresh_client_auth", RefreshClientAuth::Optional.as_str());
    let payload = secrets::with(payload, tx, secret_id, secret, None);
    journal::append(tx, org, author, "client.created", subject(id), payload).await?;
    Ok(Client {
        id: id.clone(),
        organization: org,
        name: new.name.clone(),
        scopes: new.scopes,
        created_date: at,
    })
}

/// One client of an organization with its secrets.
pub async fn load(tx: &mut Tx, org: OrgId, id: &ClientId) -> Result<Option<ClientRecord>> {
    let sql = select_client!("c.organization = $1 AND c.id = $2");
    let rows = tx.query(sql, &[&org.uuid(), &id.as_str()]).await?;
    Ok(gather(rows).into_iter().next())
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
pub async fn find(tx: &mut Tx, id: &ClientId) -> Result<Option<ClientRecord>> {
    let rows = tx.query(select_client!("c.id = $1"), &[&id.as_str()]).await?;
    Ok(gather(rows).into_iter().next())
}

/// Notes when secrets were last used. Not journaled: it is not a decision of an actor.
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

/// Counts a change of a client and journals it.
async fn touch(tx: &mut Tx, org: OrgId, author: &Author, id: &ClientId, payload: Payload) -> Result<()> {
    tx.send(
        "UPDATE client SET version = version + 1 WHERE organization = $1 AND id = $2",
        &[&org.uuid(), &id.as_str()],
    )
    .await?;
    journal::append(tx, org, author, "client.updated", subject(id), payload).await?;
    Ok(())
}
