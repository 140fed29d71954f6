//! `bailiwick user create`.

use domain::person::{self, NewMember};
use domain::{FaultCode, Faults, Role, UserId, time};
use serde::Serialize;

use crate::cli;
use crate::failure::Result;
use crate::output;
use crate::place::Place;

pub(crate) async fn run(command: cli::User) -> Result<()> {
    let cli::User::Create { place, organization, name, email, role, json } = command;
    let mut faults = Faults::new();
    person::name(&name, "--name", &mut faults);
    person::email(&email, "--email", &mut faults);
    let role = Role::parse(&role);
    if role.is_none() {
        faults.add("--role", FaultCode::Enum, "Must be viewer, responder, owner, approver or admin.");
    }
    let new = NewMember { name, email, role: faults.or(role)?.unwrap_or(Role::Viewer) };

    let db = Place::new(&place, false)?.open().await?;
    let organization = super::known(&db, organization).await?;
    let author = super::operator();
    let member =
        db.write_instance(async move |tx| store::people::add(tx, organization, &author, &new).await).await?;
    if !json {
        return output::line(&format!(
            "{}  {} <{}>",
            member.person.id, member.person.name, member.person.email
        ));
    }
    output::json(&View {
        id: member.person.id,
        name: &member.person.name,
        email: &member.person.email,
        role: member.role,
        created_date: time::format(member.created_date),
    })
}

#[derive(Serialize)]
struct View<'a> {
    id: UserId,
    name: &'a str,
    email: &'a str,
    role: Role,
    created_date: String,
}
