//! What the open proposals of a page of documents wait for.

use std::collections::HashMap;

use db::Tx;
use domain::document::{
    self, ApprovalFacts, ChangeSet, Document, DocumentWithItems, Next, Proposal, ProposalStatus,
};
use domain::{GroupId, OrgId};
use macros::boxed;
use uuid::Uuid;

use super::draft::{approved, with_edits};
use super::{ProposalRow, approvals, read};
use crate::documents;
use crate::ledger::error::Result;
use crate::ledger::list::{Filter, Select};
use crate::ledger::record::Stored;
use crate::ledger::view::View;

/// What the open proposal of each of these documents waits for, and who can do it, by slug. The statements are the same
/// whichever documents these are.
#[boxed]
pub async fn next_steps(
    tx: &mut Tx,
    organization: OrgId,
    documents: &[Document],
) -> Result<HashMap<String, Next>> {
    steps(tx, organization, documents, document::next).await
}

/// The same, as `next` says it of each proposal.
pub(super) async fn steps(
    tx: &mut Tx,
    organization: OrgId,
    documents: &[Document],
    next: fn(&Proposal, bool, &ApprovalFacts) -> Option<Next>,
) -> Result<HashMap<String, Next>> {
    let numbers: Vec<i64> = documents.iter().filter_map(|it| it.open_proposal).collect();
    let of_these = Filter::among(tx.engine(), numbers.iter().copied());
    let rows = Select::<ProposalRow>::of(organization, View::with_deleted()).filter(of_these).all(tx).await?;
    let rows: Vec<ProposalRow> = rows.into_iter().map(|Stored(row)| row).collect();
    let mut change_sets: HashMap<i64, Vec<ChangeSet>> = HashMap::new();
    for (proposal, set) in read::change_sets_of(tx, organization, &numbers).await? {
        change_sets.entry(proposal).or_default().push(set);
    }
    // Items and their values decide what an open proposal lacks; a submitted one is complete.
    let open = || rows.iter().filter(|it| it.status == ProposalStatus::Open);
    let edits = read::edits_of(tx, organization, &open().map(|it| it.number).collect::<Vec<_>>()).await?;
    let slugs: Vec<&str> = open().map(|it| it.document.as_str()).collect();
    let mut items = documents::items_of(tx, organization, &slugs).await?;
    // There is no proposal 0 and no group without an id: each statement is made, also of nothing.
    let approvals = approvals::given(tx, organization, numbers.iter().copied().chain([0])).await?;
    let clients = approvals::clients(change_sets.values().flatten());
    let creators = approvals::creators(tx, organization, &clients).await?;
    let mut groups = approvals::group_ids(rows.iter().flat_map(|it| &it.approval_steps));
    groups.insert(GroupId(Uuid::nil()));
    let groups = approvals::group_members(tx, organization, groups).await?;
    let mut facts = ApprovalFacts { groups, ..approvals::common(tx, organization).await? };
    let of_slug: HashMap<&str, &Document> = documents.iter().map(|it| (it.slug.as_str(), it)).collect();
    let mut found = HashMap::with_capacity(rows.len());
    for row in &rows {
        let Some(document) = of_slug.get(row.document.as_str()).map(|it| Document::clone(it)) else {
            continue;
        };
        let sets = change_sets.remove(&row.number).unwrap_or_default();
        let its = approvals::clients(&sets);
        facts.creators = its.iter().filter_map(|client| creators.get(client).cloned()).collect();
        let items = items.remove(&row.document).unwrap_or_default();
        let published = DocumentWithItems { document, template: None, approval_steps: Vec::new(), items };
        let proposed = row.changes.overlaid(&published)?;
        let is_of_it = |change_set: i64| sets.iter().any(|set| set.number == change_set);
        let of_it = edits.iter().filter(|it| is_of_it(it.change_set)).cloned().collect();
        let (mut proposal, values) = with_edits(row, (&published, &proposed), sets, of_it);
        let given: Vec<_> = approvals.iter().filter(|it| it.proposal == row.number).cloned().collect();
        proposal.steps = proposal.steps_with(&given, &facts);
        let changes = row.confirms
            || published.document.published_version.is_none()
            || !row.changes.fields().is_empty()
            || approved(&proposed, &values) != published;
        found.extend(next(&proposal, changes, &facts).map(|next| (row.document.clone(), next)));
    }
    Ok(found)
}
