//! `bailiwick user invite`.

use api::shown::InvitationView;
use auth::PublicUrl;
use auth::secret::InvitationToken;
use domain::invitation::Invitation;
use domain::person::NewMember;
use domain::time;
use serde::Serialize;

use crate::cli::InOrganization;
use crate::commands::{find_organization, operator};
use crate::config::{self, Config};
use crate::failure::{Failure, Result};
use crate::installation::{Installation, running_address};
use crate::output;

pub(super) async fn invite(
    which: &InOrganization,
    new: NewMember,
    public_url: Option<&str>,
    json: bool,
) -> Result<()> {
    let (config, _) = config::load(&which.register.0, false)?;
    let address = known_address(&config, public_url)?;
    let db = Installation::of(&config).open().await?;
    let organization = find_organization(&db, which.organization).await?;
    let token = InvitationToken::generate(&**db.random());
    let (author, hash) = (operator(), token.hash());
    let made: store::Result<Invitation> = db
        .write(organization, async move |tx: &mut db::Tx| {
            store::invitations::create(tx, organization, &author, &new, &hash).await
        })
        .await;
    let (made, way) = (made?, Way::to(address.as_deref(), &token));
    match json {
        true => output::json(&View::of(made, &way)),
        false => tell(&made, &way),
    }
}

/// The address of the service, if it is known: from the flag, the settings, or the running service.
pub(crate) fn known_address(config: &Config, said: Option<&str>) -> Result<Option<String>> {
    if let Some(url) = said {
        let url = config::public_url(url).map_err(|fault| Failure::new(format!("--public-url: {fault}")))?;
        return Ok(Some(url));
    }
    Ok(config.public_url.clone().or_else(|| running_address(&config.data)))
}

/// The link of an invitation.
pub(crate) struct Way {
    /// None if the service's address is not known.
    pub(crate) link: Option<String>,
    /// The same without the service's address.
    pub(crate) path: String,
}

impl Way {
    pub(crate) fn to(address: Option<&str>, token: &InvitationToken) -> Self {
        let link = |address: &str| auth::secret_link::invitation(&PublicUrl::new(address), token);
        Self { link: address.map(link), path: link("") }
    }

    /// The link, or the path and what is missing of it.
    pub(crate) fn lines(&self) -> Vec<String> {
        match &self.link {
            Some(link) => vec![link.clone()],
            None => vec![
                self.path.clone(),
                "The address of the service is not known: it does not run on this data folder, and public_url is not \
                 set. Put the address in front of the path, or name it with --public-url."
                    .to_owned(),
            ],
        }
    }
}

fn tell(it: &Invitation, way: &Way) -> Result<()> {
    way.lines().iter().try_for_each(|text| output::line(text))?;
    output::line("")?;
    output::line(&format!(
        "For {} <{}>, until {}. It works once: send it to this person only.",
        it.name,
        it.email,
        time::format(it.expires_date)
    ))
}

/// As the API shows a new invitation, and its path.
#[derive(Serialize)]
pub(crate) struct View<'a> {
    #[serde(flatten)]
    invitation: InvitationView,
    link: Option<&'a str>,
    path: &'a str,
}

impl<'a> View<'a> {
    pub(crate) fn of(it: Invitation, way: &'a Way) -> Self {
        Self { invitation: it.into(), link: way.link.as_deref(), path: &way.path }
    }
}
