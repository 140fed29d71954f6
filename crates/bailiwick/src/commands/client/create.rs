//! `bailiwick client create`.

use auth::clients::Registered;
use domain::client::NewClient;
use domain::nearest;
use domain::{ClientId, FaultCode, Faults, Line, OrgId, Scope, Scopes, time};
use serde::Serialize;

use crate::cli::InOrganization;
use crate::commands::{open, operator};
use crate::failure::Result;
use crate::output;

pub(super) async fn create(which: &InOrganization, name: String, scopes: &str, json: bool) -> Result<()> {
    let mut faults = Faults::new();
    let name = Line::new(name, "--name", &mut faults);
    let scopes = known_scopes(scopes, &mut faults);
    if faults.is_empty() && scopes.is_empty() {
        faults.add("--scopes", FaultCode::Required, "must name a scope: a client without one can do nothing");
    }
    let new = faults.or_read(name.map(|name| NewClient { name, scopes }))?;

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

/// Reads scopes with spaces or commas between them; every unknown one is named, with the one that was probably meant.
fn known_scopes(text: &str, faults: &mut Faults) -> Scopes {
    let words = || text.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty());
    for word in words().filter(|word| Scope::parse(word).is_none()) {
        let known = Scope::ALL.iter().map(|scope| scope.as_str());
        let detail = match nearest(word, known) {
            Some(scope) => format!("must not name the unknown scope {word}; did you mean {scope}?"),
            None => format!("must not name the unknown scope {word}"),
        };
        faults.add("--scopes", FaultCode::Enum, detail);
    }
    words().filter_map(Scope::parse).collect()
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
