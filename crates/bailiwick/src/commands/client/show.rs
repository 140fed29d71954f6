//! Clients and their secrets as the command line shows them: the JSON is that of the API.

use api::shown::{ClientView, NewSecretView};
use auth::secret::ClientSecret;
use domain::{ClientId, time};
use jiff::Timestamp;
use store::clients::{Details, Secret};

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
        let last = page.rows.last().map(|it| &it.record.client);
        after = last.filter(|_| page.has_more).map(|it| (it.created_date, it.id.to_string()));
        page.rows.into_iter().try_for_each(|it| match &table {
            Some(table) => rows(table, &it),
            None => output::json(&ClientView::from(it)),
        })?;
        if after.is_none() {
            return Ok(());
        }
    }
}

/// A client that was changed.
pub(super) fn client(it: Details, json: bool) -> Result<()> {
    match json {
        true => output::json(&ClientView::from(it)),
        false => rows(&table()?, &it),
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
    output::json(&NewSecretView::new(client, secret, shown.expose()))
}

fn date(at: Option<Timestamp>) -> Option<String> {
    at.map(time::format)
}
