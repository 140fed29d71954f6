//! `bailiwick user invite`.

use domain::invitation::Invitation;
use domain::person::NewMember;
use domain::{Actor, InvitationId, Role, time};
use serde::Serialize;
use uuid::Uuid;
use web::oauth::secret::InvitationToken;

use crate::cli;
use crate::commands::{known, operator};
use crate::config::{self, Config};
use crate::failure::{Failure, Result};
use crate::output;
use crate::place::Place;

pub(super) async fn invite(
    place: &cli::Place,
    organization: Uuid,
    new: NewMember,
    public_url: Option<String>,
    json: bool,
) -> Result<()> {
    let (config, _) = config::load(&place.0, false)?;
    let address = match public_url {
        Some(url) => config::public_url(&url).map_err(|fault| Failure(format!("--public-url: {fault}")))?,
        None => address(&config)?,
    };
    let db = Place::of(&config).open().await?;
    let organization = known(&db, organization).await?;
    let token = InvitationToken::generate(&**db.random());
    let (author, hash) = (operator(), token.hash());
    let made: store::Result<Invitation> = db
        .write(organization, async move |tx: &mut db::Tx| {
            store::invitations::create(tx, organization, &author, &new, &hash).await
        })
        .await;
    show(&made?, &web::invitation_page::link(&address, &token), json)
}

/// Where people reach the service, as far as the settings say.
fn address(config: &Config) -> Result<String> {
    match &config.public_url {
        Some(url) => Ok(url.clone()),
        None if config.listen.port() == 0 => {
            Err(Failure::new("say with --public-url by which address people reach the service"))
        }
        None => {
            let scheme = if config.tls.is_some() { "https" } else { "http" };
            Ok(format!("{scheme}://{}", config.listen))
        }
    }
}

fn show(it: &Invitation, link: &str, json: bool) -> Result<()> {
    if !json {
        return output::line(&format!(
            "{link}\n\nFor {} <{}>, until {}. It works once: send it to nobody else.",
            it.name,
            it.email,
            time::format(it.expires_date)
        ));
    }
    output::json(&View {
        id: it.id,
        name: &it.name,
        email: &it.email,
        role: it.role,
        created_date: time::format(it.created_date),
        expires_date: time::format(it.expires_date),
        invited_by: &it.invited_by,
        link,
    })
}

/// As the API shows a new invitation.
#[derive(Serialize)]
struct View<'a> {
    id: InvitationId,
    name: &'a str,
    email: &'a str,
    role: Role,
    created_date: String,
    expires_date: String,
    invited_by: &'a Actor,
    link: &'a str,
}
