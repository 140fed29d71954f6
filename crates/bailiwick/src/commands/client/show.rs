//! Clients and their secrets as the command line shows them: the JSON is that of the API.

use auth::secret::ClientSecret;
use domain::{Actor, ClientId, OrgId, time};
use jiff::Timestamp;
use serde::Serialize;
use store::clients::{Details, Secret};
use uuid::Uuid;

use crate::cli::InOrganization;
use crate::commands::open;
use crate::failure::Result;
use crate::output::{self, Table};

/// Clients that are read at a time.
const PAGE: i64 = 200;

pub(super) async fn list(which: &InOrganization, json: bool) -> Result<()> {
    let (db, organization) = open(which).await?;
    let mut read = db.read().await?;
    let table = if json { None } else { Some(table()?) };
    let mut after = None;
    loop {
        let page = store::clients::list(&mut read, organization, after, PAGE).await?;
        page.rows.iter().try_for_each(|it| match &table {
            Some(table) => rows(table, it),
            None => output::json(&ClientView::of(it)),
        })?;
        let last =
            page.rows.last().map(|it| (it.record.client.created_date, it.record.client.id.to_string()));
        if !page.has_more || last.is_none() {
            return Ok(());
        }
        after = last;
    }
}

/// A client that was changed.
pub(super) fn client(it: &Details, json: bool) -> Result<()> {
    match json {
        true => output::json(&ClientView::of(it)),
        false => rows(&table()?, it),
    }
}

fn table() -> Result<Table<4>> {
    Table::begin([("CLIENT", 28), ("STATE", 8), ("NAME", 20), ("SCOPES", 0)])
}

/// A client, and its secrets a line each.
fn rows(table: &Table<4>, it: &Details) -> Result<()> {
    let client = &it.record.client;
    let state = if it.record.disabled_date.is_some() { "disabled" } else { "enabled" };
    table.row([client.id.as_str(), state, &client.name, &client.scopes.to_string()])?;
    it.record.secrets.iter().try_for_each(|secret| {
        let used =
            date(secret.last_used_date).map_or_else(|| "never used".to_owned(), |at| format!("used {at}"));
        let ends = date(secret.expires_date).map(|at| format!("  ends {at}")).unwrap_or_default();
        output::line(&format!(
            "    secret {}  made {}  {used}{ends}",
            secret.id,
            time::format(secret.created_date)
        ))
    })
}

/// A secret that was just made, this once.
pub(super) fn new_secret(client: &ClientId, secret: &Secret, shown: &ClientSecret, json: bool) -> Result<()> {
    if !json {
        output::line(&format!("client_id      {client}"))?;
        output::line(&format!("client_secret  {}", shown.expose()))?;
        return output::line(&format!("secret id      {}", secret.id));
    }
    output::json(&NewSecretView {
        client_id: client,
        client_secret: shown.expose(),
        secret: SecretView::of(secret),
    })
}

fn date(at: Option<Timestamp>) -> Option<String> {
    at.map(time::format)
}

#[derive(Serialize)]
struct NewSecretView<'a> {
    client_id: &'a ClientId,
    client_secret: &'a str,
    #[serde(flatten)]
    secret: SecretView,
}

#[derive(Serialize)]
struct SecretView {
    id: Uuid,
    created_date: String,
    expires_date: Option<String>,
    last_used_date: Option<String>,
}

impl SecretView {
    fn of(it: &Secret) -> Self {
        Self {
            id: it.id,
            created_date: time::format(it.created_date),
            expires_date: date(it.expires_date),
            last_used_date: date(it.last_used_date),
        }
    }
}

#[derive(Serialize)]
struct ClientView<'a> {
    client_id: &'a ClientId,
    name: &'a str,
    scopes: String,
    organization_id: OrgId,
    created_date: String,
    created_by: &'a Actor,
    refresh_client_auth: &'static str,
    disabled_date: Option<String>,
    last_used_date: Option<String>,
    secrets: Vec<SecretView>,
    version: i64,
}

impl<'a> ClientView<'a> {
    fn of(it: &'a Details) -> Self {
        let record = &it.record;
        Self {
            client_id: &record.client.id,
            name: &record.client.name,
            scopes: record.client.scopes.to_string(),
            organization_id: record.client.organization,
            created_date: time::format(record.client.created_date),
            created_by: &it.created_by,
            refresh_client_auth: record.refresh_client_auth.as_str(),
            disabled_date: date(record.disabled_date),
            last_used_date: date(it.last_used_date()),
            secrets: record.secrets.iter().map(SecretView::of).collect(),
            version: record.version,
        }
    }
}
