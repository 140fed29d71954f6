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

/// Whether the journal has an entry of anybody but the actor about a document since it was created, or about its proposals, or one
/// of a way out that anybody took, which stays in the list of those. That an operator or a client created it does not count, nor do
/// its tags: who merges a tag changes those of all documents.
#[boxed]
pub async fn are_worked_on(tx: &mut Tx, organization: OrgId, slug: &str, actor: &Actor) -> Result<bool> {
    let sql = format!(
        "SELECT e.seq FROM journal_entry AS e
         WHERE e.organization = $1 AND e.subject_kind = 'document' AND e.subject_id = $2
             AND (e.actor_kind <> $3 OR e.actor_id <> $4)
             AND (e.kind <> 'document.created' OR e.actor_kind = 'user')
             AND e.kind NOT IN ('document.tag_added', 'document.tag_removed')
             AND e.seq >= (SELECT MAX(made.seq) FROM journal_entry AS made
                 WHERE made.organization = $1 AND made.subject_kind = 'document' AND made.subject_id = $2
                     AND made.kind = 'document.created')
         UNION ALL
         SELECT p.number FROM proposal AS p
         WHERE p.organization = $1 AND p.document = $2
             AND (SELECT e.seq FROM journal_entry AS e
                 WHERE e.organization = p.organization AND e.subject_kind = 'proposal'
                     AND e.subject_id = CAST(p.number AS TEXT)
                     AND (e.actor_kind <> $3 OR e.actor_id <> $4 OR e.kind IN ('{}')) LIMIT 1) IS NOT NULL
         LIMIT 1",
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
