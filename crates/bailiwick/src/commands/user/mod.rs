//! `bailiwick user`.

pub(super) mod invite;
mod member;
mod operator;
mod password;
mod show;

use domain::person::{EmailAddress, NewMember};
use domain::{FaultCode, Faults, Line, Role, Roles, UserId};

use crate::cli;
use crate::failure::Result;

pub(crate) async fn run(command: cli::User, json: bool) -> Result<()> {
    match command {
        cli::User::Create { organization, new } => member::create(&organization, checked(new)?, json).await,
        cli::User::List { organization } => member::list(&organization, json).await,
        cli::User::Invite { organization, new, public_url } => {
            invite::invite(&organization, checked(new)?, public_url.as_deref(), json).await
        }
        cli::User::Role { organization, user, roles } => {
            let mut faults = Faults::new();
            let roles = known_roles(&roles, &mut faults);
            member::set_roles(&organization, UserId(user), faults.or_read(roles)?, json).await
        }
        cli::User::Remove { organization, user } => member::remove(&organization, UserId(user), json).await,
        cli::User::Operator { register, email, remove } => {
            operator::set(&register, &email, !remove, json).await
        }
        cli::User::SetPassword { register, email } => password::set(&register, &email, json).await,
    }
}

/// Checks the new member's data.
fn checked(new: cli::NewUser) -> Result<NewMember> {
    let cli::NewUser { name, email, job_title, roles } = new;
    let mut faults = Faults::new();
    let name = Line::new(name, "--name", &mut faults);
    let email = EmailAddress::new(email, "--email", &mut faults);
    let job_title = job_title.and_then(|title| Line::new(title, "--job-title", &mut faults));
    let roles = known_roles(&roles, &mut faults);
    let new = name.zip(email).zip(roles);
    let new = new.map(|((name, email), roles)| NewMember { name, email, job_title, roles });
    Ok(faults.or_read(new)?)
}

/// The roles of these names; another name is a fault.
fn known_roles(names: &[String], faults: &mut Faults) -> Option<Roles> {
    let roles: Option<Vec<Role>> = names.iter().map(|name| Role::parse(name)).collect();
    if roles.is_none() {
        let names: Vec<_> = Role::ALL.iter().map(|role| role.as_str()).collect();
        faults.add("--role", FaultCode::Enum, format!("Must be one of {}.", names.join(", ")));
    }
    Roles::new(roles?)
}
