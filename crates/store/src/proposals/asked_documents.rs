//! The filter of the list of documents that looks at their proposals.

use std::collections::HashMap;

use db::Tx;
use domain::document::Next;
use domain::{OrgId, UserId};
use macros::boxed;

use super::next_steps::steps;
use crate::documents::DocumentFilter;
use crate::ledger::error::Result;

/// Which documents a caller asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AskedDocuments {
    /// The filters that look at the documents.
    pub filter: DocumentFilter,
    /// Documents whose open proposal waits for one of these people; `None` is a proposal that nobody can act on.
    pub waiting_for: Vec<Option<UserId>>,
}

impl AskedDocuments {
    /// The filter of these documents.
    pub async fn filter(&self, tx: &mut Tx, organization: OrgId) -> Result<DocumentFilter> {
        let slugs = match &self.waiting_for[..] {
            [] => None,
            people => Some(waiting_for(tx, organization, people).await?),
        };
        Ok(DocumentFilter { slugs, ..self.filter.clone() })
    }
}

/// The slugs of the documents whose open proposal waits for one of these people.
#[boxed]
async fn waiting_for(tx: &mut Tx, organization: OrgId, people: &[Option<UserId>]) -> Result<Vec<String>> {
    let sql = "SELECT number FROM proposal WHERE organization = $1 AND status IN ('open', 'submitted')";
    let rows: Vec<(i64,)> = tx.query(sql, &[&organization.uuid()]).await?;
    let open: Vec<i64> = rows.into_iter().map(|(number,)| number).collect();
    let next: HashMap<String, Next> = steps(tx, organization, &open).await?;
    let waits = |next: &Next| {
        people.iter().any(|person| match person {
            Some(person) => next.who.iter().any(|it| it.id == *person),
            None => next.who.is_empty(),
        })
    };
    Ok(next.into_iter().filter(|(_, next)| waits(next)).map(|(slug, _)| slug).collect())
}
