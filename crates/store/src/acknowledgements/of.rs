//! Whose documents are read.

use db::{Param, Tx};
use domain::{OrgId, UserId};
use uuid::Uuid;

use crate::ledger::error::Result;

/// What is read: of one document and everybody, or of one person and every document that anybody is asked to acknowledge.
#[derive(Clone, Copy)]
pub(super) enum Of<'o> {
    Document(&'o str),
    Person(UserId),
}

impl Of<'_> {
    /// The condition on the column `document` or `person` of a table, with what precedes the parameter `$2`.
    pub(super) fn condition(self, document: &str, person: &str) -> String {
        match self {
            Self::Document(_) if !document.is_empty() => format!(" AND {document} = $2"),
            Self::Person(_) if !person.is_empty() => format!(" AND {person} = $2"),
            _ => String::new(),
        }
    }
}

/// Runs a query whose second parameter is the document or the person, if its text has one.
pub(super) async fn query<T: db::FromRow>(
    tx: &mut Tx,
    organization: OrgId,
    of: Of<'_>,
    sql: &str,
) -> Result<Vec<T>> {
    let (organization, person) =
        (organization.uuid(), if let Of::Person(id) = of { id.uuid() } else { Uuid::nil() });
    let slug = if let Of::Document(slug) = of { slug } else { "" };
    let second: &dyn Param = if let Of::Document(_) = of { &slug } else { &person };
    let params: [&dyn Param; 2] = [&organization, second];
    let used = if sql.contains("$2") { &params[..] } else { &params[..1] };
    Ok(tx.query(sql, used).await?)
}
