//! Deleting the proposals of a document that is deleted.

use db::{Param, Tx};
use domain::{Actor, OrgId};
use macros::boxed;

use super::{subject, waivers};
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

/// Whether a proposal of a document is submitted, or has changes, comments or approvals by others than the actor, or a way out
/// that anybody took, which stays in the list of those.
#[boxed]
pub async fn are_worked_on(tx: &mut Tx, organization: OrgId, slug: &str, actor: &Actor) -> Result<bool> {
    let by_others = |table: &str, by: &str| {
        format!(
            "EXISTS (SELECT 1 FROM {table} AS it WHERE it.organization = p.organization AND it.proposal = p.number
                 AND (it.{by}_kind <> $3 OR it.{by}_id <> $4))"
        )
    };
    let sql = format!(
        "SELECT p.number FROM proposal AS p WHERE p.organization = $1 AND p.document = $2 AND (
             p.status = 'submitted' OR {} OR {}
             OR EXISTS (SELECT 1 FROM change_set AS it WHERE it.organization = p.organization AND it.proposal = p.number
                 AND (it.author_kind <> $3 OR it.author_id <> $4)
                 AND (it.fields IS NOT NULL OR EXISTS (SELECT 1 FROM change_set_edit AS edit
                     WHERE edit.organization = it.organization AND edit.change_set = it.number)))
             OR EXISTS (SELECT 1 FROM journal_entry AS e WHERE e.organization = p.organization
                 AND e.subject_kind = 'proposal' AND e.subject_id = CAST(p.number AS TEXT)
                 AND e.kind IN ('{}'))) LIMIT 1",
        by_others("proposal_comment", "author"),
        by_others("proposal_approval", "by"),
        waivers::KINDS.join("', '")
    );
    let params: [&dyn Param; 4] = [&organization.uuid(), &slug, &actor.kind.as_str(), &actor.id];
    let found: Option<(i64,)> = tx.query_opt(&sql, &params).await?;
    Ok(found.is_some())
}

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
