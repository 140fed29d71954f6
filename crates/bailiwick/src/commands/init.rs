//! `bailiwick init`: sets up a register with its first organization and its first admin, in one write.

use std::path::Path;

use api::shown::{OrganizationView, UserView};
use auth::secret::{InvitationToken, SecretHash};
use db::{Db, Location, Tx};
use domain::organization::{self, Organization};
use domain::person::{EmailAddress, NewMember};
use domain::{Faults, Line, Role, time};
use serde::Serialize;
use store::first_run::Begun;

use crate::cli;
use crate::commands::user::invite::{Way, known_address};
use crate::commands::{operator, user};
use crate::config::{self, Config};
use crate::failure::{Failure, Result};
use crate::installation::{Installation, running_address};
use crate::output;

/// The settings of the Debian package, whose service is systemd's and whose command line is `bailiwickctl`.
const PACKAGED_SETTINGS: &str = "/etc/bailiwick/bailiwick.toml";

pub(crate) async fn run(command: cli::Init, json: bool) -> Result<()> {
    let mut faults = Faults::new();
    organization::name(&command.organization, "--organization", &mut faults);
    let name = Line::new(command.name, "--name", &mut faults);
    let email = EmailAddress::new(command.email, "--email", &mut faults);
    let (name, email) = faults.or_read(name.zip(email))?;
    let (config, _) = config::load(&command.register.0, false)?;
    let address = known_address(&config, command.public_url.as_deref())?;
    let address = address.or_else(|| address_to_be(&config));

    let db = Installation::of(&config).open_or_make().await?;
    let token = InvitationToken::generate(&**db.random());
    let admin = NewMember { name, email, job_title: None, roles: Role::Admin.into() };
    let made = make(&db, command.organization, admin, token.hash()).await?;
    let way = Way::to(address.as_deref(), &token);
    match json {
        true => output::json(&View::of(made, &way)),
        false => tell(&made, &way, &config),
    }
}

async fn make(db: &Db, name: String, admin: NewMember, token: SecretHash) -> Result<Begun> {
    let author = operator();
    let begin = async move |tx: &mut Tx| -> Result<Begun> {
        if let Some(first) = store::organizations::list(tx).await?.first() {
            return Err(begun_already(first));
        }
        Ok(store::first_run::begin(tx, &author, &name, None, &admin, &token).await?)
    };
    db.write_instance(begin).await
}

fn begun_already(first: &Organization) -> Failure {
    let refused = Failure::new("the register is already set up: it has an organization");
    refused.coded("organization_exists").with([
        format!("{}  {}", first.id, first.name),
        "Create another with `bailiwick organization create`, or invite an admin with `bailiwick user invite`.".to_owned(),
    ])
}

/// Where `bailiwick serve` with these settings will listen, if a browser on this machine finds it there.
fn address_to_be(config: &Config) -> Option<String> {
    let scheme = if config.tls.is_some() { "https" } else { "http" };
    let is_one_address = config.listen.port() != 0 && !config.listen.ip().is_unspecified();
    is_one_address.then(|| format!("{scheme}://{}", config.listen))
}

fn tell(made: &Begun, way: &Way, config: &Config) -> Result<()> {
    let Begun { organization, admin, invitation } = made;
    let person = &admin.person;
    output::line(&format!("organization  {}  {}", organization.id, organization.name))?;
    output::line(&format!("admin         {}  {} <{}>", person.id, person.name, person.email))?;
    output::line("")?;
    output::line("Next steps:")?;
    output::line("")?;
    let calls = Calls::of(config);
    match running_address(&config.data) {
        Some(address) => output::line(&format!("1. The service is running at {address}."))?,
        None => {
            output::line("1. Start the service:")?;
            output::line(&format!("     {}", calls.serve))?;
        }
    }
    let until = time::format(invitation.expires_date);
    output::line(&format!("2. Open this link and choose a password; it works once, until {until}:"))?;
    way.lines().iter().try_for_each(|text| output::line(&format!("     {text}")))?;
    output::line("3. Create an OAuth client for each program:")?;
    let scopes = "incidents:read incidents:write";
    output::line(&format!(
        "     {} client create --name NAME --scopes \"{scopes}\"{}",
        calls.program, calls.flags
    ))?;
    output::line("4. Create drafts of the policies of the library, if there are none yet:")?;
    output::line(&format!("     {} document import --library{}", calls.program, calls.flags))
}

/// How this installation is called from a shell.
struct Calls {
    program: &'static str,
    /// What follows a command.
    flags: String,
    /// What starts the service.
    serve: String,
}

impl Calls {
    fn of(config: &Config) -> Self {
        let file = config.file.as_deref();
        if file == Some(Path::new(PACKAGED_SETTINGS)) {
            let serve = "sudo systemctl start bailiwick".to_owned();
            return Self { program: "sudo bailiwickctl", flags: String::new(), serve };
        }
        let data = std::path::absolute(&config.data).unwrap_or_else(|_| config.data.clone());
        let mut flags = format!(" --data {}", data.display());
        if let Some(file) = file.filter(|file| file.parent() != Some(&config.data)) {
            flags.push_str(&format!(" --config {}", file.display()));
        }
        if let Location::Postgres(url) = &config.location {
            flags.push_str(&format!(" --database '{}'", config::without_password(url)));
        }
        Self { program: "bailiwick", serve: format!("bailiwick serve{flags}"), flags }
    }
}

#[derive(Serialize)]
struct View<'a> {
    organization: OrganizationView,
    user: UserView,
    invitation: user::invite::View<'a>,
}

impl<'a> View<'a> {
    fn of(made: Begun, way: &'a Way) -> Self {
        Self {
            organization: made.organization.into(),
            user: made.admin.into(),
            invitation: user::invite::View::of(made.invitation, way),
        }
    }
}
