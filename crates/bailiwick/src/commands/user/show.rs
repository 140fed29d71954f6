//! Members as the command line shows them: the JSON is that of the API.

use domain::person::Member;
use domain::{Role, UserId, time};
use serde::Serialize;

use crate::failure::Result;
use crate::output::Table;

/// The header of a list of members.
pub(super) fn table() -> Result<Table<5>> {
    Table::begin([("USER", 36), ("ROLE", 9), ("SIGNS IN", 8), ("E-MAIL", 28), ("NAME", 0)])
}

/// A member as a row of that list.
pub(super) fn row(table: &Table<5>, member: &Member) -> Result<()> {
    let signs_in = if member.activated_date.is_some() { "yes" } else { "not yet" };
    let person = &member.person;
    table.row([&person.id.to_string(), member.role.as_str(), signs_in, &person.email, &person.name])
}

/// As the API shows a user.
#[derive(Serialize)]
pub(crate) struct View<'a> {
    id: UserId,
    name: &'a str,
    email: &'a str,
    role: Role,
    created_date: String,
    activated_date: Option<String>,
    version: i64,
}

impl<'a> View<'a> {
    pub(crate) fn of(member: &'a Member) -> Self {
        Self {
            id: member.person.id,
            name: &member.person.name,
            email: &member.person.email,
            role: member.role,
            created_date: time::format(member.created_date),
            activated_date: member.activated_date.map(time::format),
            version: member.version,
        }
    }
}
