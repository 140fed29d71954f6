//! Creating a client: its id and its first secret, which is shown only once.

use db::{Db, Tx};
use domain::client::{Client, NewClient};
use domain::{Author, ClientId, OrgId};
use macros::boxed;
use store::revocations::Revoked;

use super::id::generate_client_id;
use crate::secret::ClientSecret;

/// An id and a secret for a client to create. They are generated before the write, which may run twice.
#[derive(Debug, Clone)]
pub struct NewCredentials {
    /// The client's public id.
    pub id: ClientId,
    /// Its secret.
    pub secret: ClientSecret,
}

impl NewCredentials {
    /// Generates an id and a secret with the database's random source.
    pub fn draw(db: &Db) -> Self {
        let random = &**db.random();
        Self { id: generate_client_id(random), secret: ClientSecret::generate(random) }
    }

    /// Creates the client, inside a write that holds the lock on its organization's head.
    #[boxed]
    pub async fn register(
        &self,
        tx: &mut Tx,
        org: OrgId,
        author: &Author,
        new: &NewClient,
    ) -> store::Result<Client> {
        store::clients::create(tx, org, author, &self.id, new, &self.secret.hash()).await
    }
}

/// A new client with its secret.
#[derive(Debug, Clone)]
pub struct Registered {
    /// The client.
    pub client: Client,
    /// Its secret, to be shown only once.
    pub secret: ClientSecret,
}

impl Registered {
    /// Creates a client of an organization in one durable write.
    #[boxed]
    pub async fn create(db: &Db, org: OrgId, author: Author, new: NewClient) -> store::Result<Self> {
        let credentials = NewCredentials::draw(db);
        let secret = credentials.secret.clone();
        let client = db
            .write(org, async move |tx: &mut Tx| credentials.register(tx, org, &author, &new).await)
            .await?;
        Ok(Self { client, secret })
    }
}

/// Replaces all secrets of a client with a new one, in one durable write. Pass the returned entries to
/// [`crate::DenyList::add`], if the service runs in this process.
#[boxed]
pub async fn replace_secret(
    db: &Db,
    org: OrgId,
    author: Author,
    client: ClientId,
) -> store::Result<(ClientSecret, Vec<Revoked>)> {
    let secret = ClientSecret::generate(&**db.random());
    let hash = secret.hash();
    let revoked = db
        .write(org, async move |tx: &mut Tx| {
            store::clients::replace_secrets(tx, org, &author, &client, &hash).await
        })
        .await?;
    Ok((secret, revoked))
}
