//! Taking back one's own edit of an item.

use db::{Param, Tx};
use domain::document::{RecordedEdit, in_force};
use domain::{Author, Error, ExpectedVersion, OrgId, ResourceKind};
use macros::boxed;

use super::{ProposalRow, read, resolve};
use crate::documents::{adopted_field, edit_field};
use crate::ledger::error::Result;
use crate::ledger::journal::Payload;

/// Removes the caller's edit of an item, if the proposal has an `expected` version. Who has no edit left is no author. A submitted
/// proposal whose text it changes is open again.
#[boxed]
pub async fn take_back(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    expected: &ExpectedVersion,
    item: &str,
) -> Result<()> {
    let proposal = resolve::open(tx, organization, (slug, number), expected).await?;
    let change_sets = read::change_sets(tx, organization, number).await?;
    let is_own = |it: &domain::Actor| (it.kind, &it.id) == (author.actor.kind, &author.actor.id);
    let own = change_sets.iter().find(|set| is_own(&set.author)).map(|set| set.number);
    let edits = read::edits(tx, organization, number, Some(item)).await?;
    let (own, others): (Vec<_>, Vec<_>) =
        edits.iter().cloned().partition(|edit| Some(edit.change_set) == own);
    let own = own.first().ok_or(Error::NotFound(ResourceKind::Edit))?;
    let sql = "DELETE FROM change_set_edit WHERE organization = $1 AND change_set = $2 AND item = $3";
    let params: [&dyn Param; 3] = [&organization.uuid(), &own.change_set, &item];
    tx.execute(sql, &params).await?;
    let value = |edits: &[RecordedEdit]| in_force(edits).get(item).map(|edit| edit.value.clone());
    let published =
        crate::documents::items_among(tx, organization, slug, &serde_json::json!([item]).to_string()).await?;
    let (published, item_before) = published.into_iter().next().map(|it| (it.value, it.item)).unzip();
    let proposed = match proposal.changes.items()? {
        Some(items) => items.into_iter().find(|it| it.id == item),
        None => item_before,
    };
    let unedited = published.flatten().or_else(|| proposed?.default_value().map(str::to_owned));
    // Values that were settled by this one are in conflict again.
    let conflicts = own.is_adopted && others.iter().any(|it| it.value != own.value);
    let changes =
        conflicts || value(&edits).unwrap_or_default() != value(&others).or(unedited).unwrap_or_default();
    let payload = Payload::new().gone(&edit_field(own.change_set, item), &own.value);
    let payload = match own.is_adopted {
        true => payload.gone(&adopted_field(own.change_set, item), true),
        false => payload,
    };
    let bytes = i64::try_from(own.value.len()).unwrap_or(i64::MAX);
    let after = ProposalRow { text_bytes: proposal.text_bytes - bytes, ..proposal.clone() };
    resolve::changed(tx, organization, author, &proposal, after, changes, payload).await
}
