//! `bailiwick user`.

mod invite;
mod member;
mod password;

use domain::person::{self, Member, NewMember};
use domain::{FaultCode, Faults, Role, UserId, time};
use serde::Serialize;

use crate::cli;
use crate::failure::Result;
use crate::output;

pub(crate) async fn run(command: cli::User) -> Result<()> {
    match command {
        cli::User::Create { place, organization, name, email, role, json } => {
            let new = new_member(name, email, &role)?;
            member::create(&place, organization, new, json).await
        }
        cli::User::List { place, organization, json } => member::list(&place, organization, json).await,
        cli::User::Invite { place, organization, name, email, role, public_url, json } => {
            let new = new_member(name, email, &role)?;
            invite::invite(&place, organization, new, public_url, json).await
        }
        cli::User::Role { place, organization, user, role, json } => {
            let mut faults = Faults::new();
            let role = known_role(&role, &mut faults);
            member::set_role(&place, organization, UserId(user), faults.or(role)?, json).await
        }
        cli::User::Remove { place, organization, user } => {
            member::remove(&place, organization, UserId(user)).await
        }
        cli::User::SetPassword { place, email } => password::set(&place, &email).await,
    }
}

/// Checks who is to join.
fn new_member(name: String, email: String, role: &str) -> Result<NewMember> {
    let mut faults = Faults::new();
    person::name(&name, "--name", &mut faults);
    person::email(&email, "--email", &mut faults);
    let role = known_role(role, &mut faults);
    Ok(NewMember { name, email, role: faults.or(role)? })
}

/// The role of this name; another name is a fault, and then the role is of no use.
fn known_role(text: &str, faults: &mut Faults) -> Role {
    Role::parse(text).unwrap_or_else(|| {
        faults.add("--role", FaultCode::Enum, "Must be viewer, responder, owner, approver or admin.");
        Role::Viewer
    })
}

fn show(member: &Member, json: bool) -> Result<()> {
    let Member { person, role, created_date, activated_date, version } = member;
    if !json {
        let waiting = if activated_date.is_some() { "" } else { "  (cannot sign in yet)" };
        let role = role.as_str();
        return output::line(&format!(
            "{}  {role:<9}  {} <{}>{waiting}",
            person.id, person.name, person.email
        ));
    }
    output::json(&View {
        id: person.id,
        name: &person.name,
        email: &person.email,
        role: *role,
        created_date: time::format(*created_date),
        activated_date: activated_date.map(time::format),
        version: *version,
    })
}

/// As the API shows a user.
#[derive(Serialize)]
struct View<'a> {
    id: UserId,
    name: &'a str,
    email: &'a str,
    role: Role,
    created_date: String,
    activated_date: Option<String>,
    version: i64,
}
