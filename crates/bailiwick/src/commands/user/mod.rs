//! `bailiwick user`.

pub(super) mod invite;
mod member;
mod operator;
mod password;
mod show;

use domain::person::{EmailAddress, NewMember};
use domain::{FaultCode, Faults, Line, Role, UserId};

use crate::cli;
use crate::failure::Result;

pub(crate) async fn run(command: cli::User, json: bool) -> Result<()> {
    match command {
        cli::User::Create { organization, new } => member::create(&organization, checked(new)?, json).await,
        cli::User::List { organization } => member::list(&organization, json).await,
        cli::User::Invite { organization, new, public_url } => {
            invite::invite(&organization, checked(new)?, public_url.as_deref(), json).await
        }
        cli::User::Role { organization, user, role } => {
            let mut faults = Faults::new();
            let role = known_role(&role, &mut faults);
            member::set_role(&organization, UserId(user), faults.or(role)?, json).await
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
    let cli::NewUser { name, email, role } = new;
    let mut faults = Faults::new();
    let name = Line::new(name, "--name", &mut faults);
    let email = EmailAddress::new(email, "--email", &mut faults);
    let role = known_role(&role, &mut faults);
    let new = name.zip(email).map(|(name, email)| NewMember { name, email, role });
    Ok(faults.or_read(new)?)
}

/// The role of this name; another name is a fault, and then the role is of no use.
fn known_role(text: &str, faults: &mut Faults) -> Role {
    Role::parse(text).unwrap_or_else(|| {
        let names: Vec<_> = Role::ALL.iter().map(|role| role.as_str()).collect();
        faults.add("--role", FaultCode::Enum, format!("Must be one of {}.", names.join(", ")));
        Role::Viewer
    })
}
