//! `bailiwick client create`.

use domain::client::{self, NewClient};
use domain::{ClientId, FaultCode, Faults, OrgId, Scopes, time};
use serde::Serialize;
use web::oauth::Registered;

use crate::cli::InOrganization;
use crate::commands::{open, operator};
use crate::failure::Result;
use crate::output;

pub(super) async fn create(which: &InOrganization, name: String, scopes: &str, json: bool) -> Result<()> {
    let mut faults = Faults::new();
    client::name(&name, "--name", &mut faults);
    let scopes = Scopes::parse(scopes).unwrap_or_else(|unknown| {
        faults.add("--scopes", FaultCode::Enum, format!("There is no scope {unknown}."));
        Scopes::default()
    });
    if faults.is_empty() && scopes.is_empty() {
        faults.add("--scopes", FaultCode::Required, "A client without a scope can do nothing.");
    }
    let new = faults.or(NewClient { name, scopes })?;

    let (db, organization) = open(which).await?;
    let Registered { client, secret } = Registered::create(&db, organization, operator(), new).await?;
    if !json {
        output::line(&format!("client_id      {}", client.id))?;
        return output::line(&format!("client_secret  {}", secret.expose()));
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
