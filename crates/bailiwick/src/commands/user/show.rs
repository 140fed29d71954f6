//! Members as the command line lists them.

use domain::person::Member;

use crate::failure::Result;
use crate::output::Table;

/// The header of a list of members.
pub(super) fn table() -> Result<Table<5>> {
    Table::begin([("USER", 36), ("ROLES", 9), ("SIGNS IN", 8), ("E-MAIL", 28), ("NAME", 0)])
}

/// A member as a row of that list.
pub(super) fn row(table: &Table<5>, member: &Member) -> Result<()> {
    let signs_in = if member.activated_date.is_some() { "yes" } else { "not yet" };
    let person = &member.person;
    let roles = member.roles.to_string().replace(' ', ",");
    table.row([&person.id.to_string(), &roles, signs_in, &person.email, &person.name])
}
