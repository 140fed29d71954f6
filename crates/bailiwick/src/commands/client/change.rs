//! `bailiwick client rotate`, `delete-secret`, `disable` and `enable`.
//!
//! A running service follows within two seconds: it reads in the database what was ended.

use auth::clients::parse_client_id;
use auth::secret::ClientSecret;
use db::{Db, Tx};
use domain::client::ClientPatch;
use domain::{ClientId, Error, ExpectedVersion, OrgId, ResourceKind};
use serde_json::json;
use store::clients::{self, Secret};
use uuid::Uuid;

use super::show;
use crate::cli::WhichClient;
use crate::commands::{open, operator};
use crate::failure::Result;
use crate::output;

/// Another secret; the old ones work on unless they are to end.
pub(super) async fn rotate(which: &WhichClient, end_others: bool, json: bool) -> Result<()> {
    let (db, organization, id) = open_client(which).await?;
    let shown = ClientSecret::generate(&**db.random());
    let (author, hash, client) = (operator(), shown.hash(), id.clone());
    let made: store::Result<Secret> = db
        .write(organization, async move |tx: &mut Tx| {
            if !end_others {
                return clients::add_secret(tx, organization, &author, &client, &hash, None).await;
            }
            clients::replace_secrets(tx, organization, &author, &client, &hash).await?;
            let secrets = clients::get(tx, organization, &client).await?.record.secrets;
            let secret = secrets.into_iter().next();
            Ok(secret.ok_or_else(|| Error::Internal("the new secret is not there".to_owned()))?)
        })
        .await;
    show::new_secret(&id, &made?, &shown, json)
}

pub(super) async fn delete_secret(which: &WhichClient, secret: Uuid, json: bool) -> Result<()> {
    let (db, organization, id) = open_client(which).await?;
    let author = operator();
    let done: store::Result<_> = db
        .write(organization, async move |tx: &mut Tx| {
            clients::delete_secret(tx, organization, &author, &id, secret).await
        })
        .await;
    done?;
    match json {
        true => output::json(&json!({ "id": secret, "deleted": true })),
        false => Ok(()),
    }
}

pub(super) async fn disable(which: &WhichClient, disabled: bool, json: bool) -> Result<()> {
    let (db, organization, id) = open_client(which).await?;
    let author = operator();
    let patch = ClientPatch { disabled: Some(disabled), ..ClientPatch::default() };
    let changed: store::Result<_> = db
        .write(organization, async move |tx: &mut Tx| {
            let any = ExpectedVersion::Any;
            clients::update(tx, organization, &author, &id, &any, &patch).await
        })
        .await;
    show::client(changed?, json)
}

async fn open_client(which: &WhichClient) -> Result<(Db, OrgId, ClientId)> {
    let (db, organization) = open(&which.organization).await?;
    let id = parse_client_id(&which.client).ok_or(Error::NotFound(ResourceKind::Client))?;
    Ok((db, organization, id))
}
