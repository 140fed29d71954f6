//! The export of users.

use axum::response::Response;
use db::Tx;
use domain::person::Member;
use domain::{OrgId, UserId};
use http::error::Result;
use store::people::{MemberFilter, list};

use super::selection::HasColumns;
use super::{Cell, Columns, Lines, PAGE, Source, Spreadsheet, at_once};

/// The members that an export has.
pub struct Users {
    /// The organization.
    pub organization: OrgId,
    /// Which ones.
    pub filter: MemberFilter,
}

impl Users {
    /// All columns for a spreadsheet.
    pub fn for_spreadsheet(spreadsheet: Spreadsheet) -> Lines<Member> {
        Lines::for_spreadsheet(user_columns(), spreadsheet)
    }

    /// The response with all of them.
    pub async fn file(self, tx: &mut Tx, lines: &Lines<Member>) -> Result<Response> {
        at_once::file(tx, self.organization, &self, lines).await
    }
}

impl Source for Users {
    type Row = Member;
    /// The name and the id.
    type Position = (String, UserId);
    const NAME: &'static str = "users";

    async fn page(&self, tx: &mut Tx, after: Option<(String, UserId)>) -> store::Result<store::Page<Member>> {
        let rows = list(tx, self.organization, &self.filter, after, PAGE + 1).await?;
        Ok(store::Page::cut(rows, PAGE))
    }

    fn position(row: &Member) -> (String, UserId) {
        (row.person.name.clone(), row.person.id)
    }
}

impl HasColumns for Users {
    fn columns() -> Vec<String> {
        user_columns().names()
    }
}

/// The columns of their CSV file.
pub fn user_columns() -> Columns<Member> {
    Columns::<Member>::new()
        .with(("id", "ID"), |it| Cell::Ours(it.person.id.to_string()))
        .with(("name", "Name"), |it| Cell::theirs(&it.person.name))
        .with(("email", "E-mail address"), |it| Cell::theirs(&it.person.email))
        .with(("job_title", "Job title"), |it| Cell::theirs(it.job_title.as_deref().unwrap_or_default()))
        .with(("role", "Role"), |it| Cell::word(it.roles.first()))
        .with(("roles", "Roles"), |it| Cell::Word(it.roles.to_string()))
        .with_time(("created_date", "Created at"), |it| Some(it.created_date))
        .with_time(("activated_date", "Activated at"), |it| it.activated_date)
        .with(("version", "Version"), |it| Cell::number(it.version))
}
