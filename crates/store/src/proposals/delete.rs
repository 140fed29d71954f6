//! Deleting the proposals of a document that is deleted.

use db::{Param, Tx};
use domain::OrgId;

use super::subject;
use crate::ledger::error::Result;
use crate::ledger::journal::{New, Payload};

/// The kind of entry about a proposal that was deleted. Its row is gone.
pub(crate) const DELETED: &str = "proposal.deleted";

/// Which rows belong to the proposals of a document: the tables, and the condition on each.
const PARTS: [(&str, &str); 6] = [
    (
        "change_set_edit",
        "change_set IN (SELECT change_set.number FROM proposal
             JOIN change_set ON change_set.organization = proposal.organization
                             AND change_set.proposal = proposal.number
             WHERE proposal.organization = $1 AND proposal.document = $2)",
    ),
    ("change_set", OF_PROPOSAL),
    ("proposal_approval", OF_PROPOSAL),
    ("proposal_comment", OF_PROPOSAL),
    ("proposal_seen", OF_PROPOSAL),
    ("proposal", "document = $2"),
];

const OF_PROPOSAL: &str = "proposal IN (SELECT number FROM proposal AS whole WHERE whole.organization = $1 AND whole.document = $2)";

/// Deletes all proposals of a document, with their change sets, approvals and comments, and returns what is journaled.
pub(crate) async fn delete_all(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<Vec<New>> {
    let params: [&dyn Param; 2] = [&organization.uuid(), &slug];
    let sql = "SELECT number FROM proposal WHERE organization = $1 AND document = $2 ORDER BY number";
    let numbers: Vec<(i64,)> = tx.query(sql, &params).await?;
    for (table, condition) in PARTS {
        tx.send(&format!("DELETE FROM {table} WHERE organization = $1 AND {condition}"), &params).await?;
    }
    let entry = |(number,): (i64,)| {
        let payload = Payload::new().gone("document", slug);
        New { kind: DELETED, subject: subject(number), payload }
    };
    Ok(numbers.into_iter().map(entry).collect())
}
