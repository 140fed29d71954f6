//! Changing what a proposal publishes beside the values of items.

use std::collections::BTreeSet;

use db::Tx;
use domain::document::{
    self, ChangeSet, DocumentStatus, DocumentWithItems, Proposal, ProposalField, ProposalPatch,
    ProposedChanges, check_printed,
};
use domain::{Author, Error, ErrorCode, ExpectedVersion, OrgId, RiskNumber};
use macros::boxed;

use super::{ChangeSetRow, ProposalRow, draft, edit, read, resolve};
use crate::documents::{self, change_set_field, fields_field};
use crate::ledger::error::Result;
use crate::ledger::journal::Payload;
use crate::ledger::record;
use crate::ledger::view::View;
use crate::risks;

/// Changes a proposal by a merge patch, if it has an `expected` version; the caller becomes an author. A submitted proposal is open
/// again. A patch that changes nothing is not journaled.
#[boxed]
pub async fn change(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    expected: &ExpectedVersion,
    patch: &ProposalPatch,
) -> Result<Proposal> {
    let row = resolve::open(tx, organization, (slug, number), expected).await?;
    let document = documents::get(tx, organization, slug).await?;
    document::check_written(&document.document, patch)?;
    if document.document.status == DocumentStatus::Archived {
        return Err(Error::Conflict(ErrorCode::DocumentArchived).into());
    }
    apply(tx, organization, author, &document, &row, row.clone(), patch).await?;
    Ok(draft(tx, organization, slug, number, None).await?.proposal)
}

/// Stores a proposal as `after`, with what a patch changes in it; the caller becomes an author of that. A patch that changes nothing
/// stores nothing.
pub(super) async fn apply(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    document: &DocumentWithItems,
    row: &ProposalRow,
    after: ProposalRow,
    patch: &ProposalPatch,
) -> Result<()> {
    let concerned: Vec<RiskNumber> = patch.items.iter().flatten().flat_map(|it| it.risks.clone()).collect();
    let concerned = risks::existing(tx, organization, View::now(), &concerned).await?;
    let steps = patch.approval_steps.as_deref().unwrap_or_default();
    documents::check_steps(tx, organization, steps, "#/approval_steps").await?.or(())?;
    let before = row.changes.overlaid(document)?;
    let Some(proposed) = patch.apply(&before, &concerned)? else { return Ok(()) };
    documents::check_reference(tx, organization, &proposed.document).await?;
    let changes = ProposedChanges::between(document, &proposed);
    let touched = ProposedChanges::between(&before, &proposed).fields();
    if touched.contains(&ProposalField::Template) || touched.contains(&ProposalField::Items) {
        let edits = read::edits(tx, organization, row.number, None).await?;
        let values = edits.iter().map(|edit| (&edit.node_id, &edit.value));
        check_printed(&proposed, values, patch.printed_at())?;
    }
    let payload = set_authors(tx, organization, author, row.number, &touched, &changes.fields()).await?;
    let changes_items = changes.get(ProposalField::Items).is_some();
    let after = ProposalRow { changes, changes_items, ..after };
    resolve::changed(tx, organization, author, row, after, true, payload).await
}

/// Notes in the caller's change set what they `touched`, and in every change set only what is still `changed`.
async fn set_authors(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    proposal: i64,
    touched: &BTreeSet<ProposalField>,
    changed: &BTreeSet<ProposalField>,
) -> Result<Payload> {
    let change_sets = read::change_sets(tx, organization, proposal).await?;
    let is_own = |it: &ChangeSet| (it.author.kind, &it.author.id) == (author.actor.kind, &author.actor.id);
    let (mut payload, at) = (Payload::new(), tx.at());
    let own: Vec<_> = touched.intersection(changed).copied().collect();
    if !own.is_empty() && !change_sets.iter().any(is_own) {
        let number = edit::next_change_set(tx, organization)?;
        let author = author.actor.clone();
        let set =
            ChangeSetRow { number, proposal, author, created_date: at, updated_date: None, fields: own };
        record::insert(tx, organization, &set).await?;
        payload =
            payload.set(&change_set_field(number), proposal).set(&fields_field(number), words(&set.fields));
    }
    for set in change_sets {
        let mut fields: BTreeSet<_> = set.fields.iter().copied().collect();
        fields.extend(touched.iter().filter(|_| is_own(&set)));
        let fields: Vec<_> = fields.intersection(changed).copied().collect();
        if fields == set.fields {
            continue;
        }
        payload = payload.change(&fields_field(set.number), words(&set.fields), words(&fields));
        let ChangeSet { number, author, created: created_date, .. } = set;
        let set = ChangeSetRow { number, proposal, author, created_date, updated_date: Some(at), fields };
        record::replace(tx, organization, &set).await?;
    }
    Ok(payload)
}

/// Fields as they are stored.
pub(super) fn words(fields: &[ProposalField]) -> Option<String> {
    let words: Vec<_> = fields.iter().map(|field| field.as_str()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}
