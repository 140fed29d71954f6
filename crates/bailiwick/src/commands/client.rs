//! `bailiwick client create`.

use domain::client::{self, NewClient};
use domain::{ClientId, FaultCode, Faults, OrgId, Scopes, time};
use serde::Serialize;
use web::oauth::Registered;

use crate::cli;
use crate::failure::Result;
use crate::output;
use crate::place::Place;

pub(crate) async fn run(command: cli::Client) -> Result<()> {
    let cli::Client::Create { place, organization, name, scopes, json } = command;
    let mut faults = Faults::new();
    client::name(&name, "--name", &mut faults);
    let scopes = Scopes::parse(&scopes).unwrap_or_else(|unknown| {
        faults.add("--scopes", FaultCode::Enum, format!("There is no scope {unknown}."));
        Scopes::default()
    });
    if faults.is_empty() && scopes.is_empty() {
        faults.add("--scopes", FaultCode::Required, "A client without a scope can do nothing.");
    }
    let new = faults.or(NewClient { name, scopes })?;

    let db = Place::new(&place, false)?.open().await?;
    let organization = super::known(&db, organization).await?;
    let Registered { client, secret } = Registered::create(&db, organization, super::operator(), new).await?;
    if !json {
        return output::line(&format!("client_id      {}\nclient_secret  {}", client.id, secret.expose()));
    }
    output::json(&View {
        client_id: &client.id,
        client_secret: secret.expose(),
        name: &client.name,
        scopes: client.scopes.to_string(),
        organization_id: client.organization,
        created_date: time::format(client.created_date),
    })
}

#[derive(Serialize)]
struct View<'a> {
    client_id: &'a ClientId,
    client_secret: &'a str,
    name: &'a str,
    scopes: String,
    organization_id: OrgId,
    created_date: String,
}
