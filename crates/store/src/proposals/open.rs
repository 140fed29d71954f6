//! Opening a proposal without an edit: an empty one, or one with the changes of an earlier one.

use db::Tx;
use domain::document::{
    ChangeSet, DocumentWithItems, Proposal, ProposalOpening, ProposedChanges, check_copied, check_printed,
};
use domain::{Author, OrgId, RiskNumber};
use macros::boxed;

use super::change::words;
use super::{ChangeSetRow, EditRow, ProposalRow, draft, edit, read};
use crate::documents::{self, adopted_field, change_set_field, edit_field, fields_field};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Payload};
use crate::ledger::record;
use crate::ledger::view::View;
use crate::risks;

/// Opens a proposal of a document that has none, with the changes and the authors of the one that it is copied from.
#[boxed]
pub async fn open(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    opening: ProposalOpening,
) -> Result<Proposal> {
    let document = documents::get(tx, organization, slug).await?;
    opening.check(&document.document)?;
    let mut entries = Vec::new();
    let number = match opening.from {
        None => {
            let (changes, confirms) = ((ProposedChanges::default(), None), opening.confirm);
            edit::open_proposal(tx, organization, slug, 0, changes, confirms, &mut entries).await?
        }
        Some(from) => copy(tx, organization, &document, from, &mut entries).await?,
    };
    journal::append_all(tx, organization, author, entries).await?;
    Ok(draft(tx, organization, slug, number, None).await?.proposal)
}

async fn copy(
    tx: &mut Tx,
    organization: OrgId,
    document: &DocumentWithItems,
    from: i64,
    entries: &mut Vec<New>,
) -> Result<i64> {
    let slug = &document.document.slug;
    let source = read::find(tx, organization, slug, from).await?;
    check_copied(source.status)?;
    // What was published since may have a newer text of the library: then this one is not the text that it is based on.
    let source = match source.library_release < document.document.library_release {
        true => {
            ProposalRow { library_sha256: None, library_release: None, library_kept: Vec::new(), ..source }
        }
        false => source,
    };
    let items = source.changes.items()?.unwrap_or_default();
    let concerned: Vec<RiskNumber> = items.into_iter().flat_map(|item| item.risks).collect();
    let concerned = risks::existing(tx, organization, View::now(), &concerned).await?;
    let changes = source.changes.rebased(document, &concerned)?;
    let edits = read::edits(tx, organization, from, None).await?;
    let values = edits.iter().map(|edit| (&edit.node_id, &edit.value));
    check_printed(&changes.overlaid(document)?, values, "#/from")?;
    let kept = changes.fields();
    let changes = (changes, Some(&source));
    let (bytes, confirms) = (source.text_bytes, source.confirms);
    let number = edit::open_proposal(tx, organization, slug, bytes, changes, confirms, entries).await?;
    let (mut payload, at) = (Payload::new(), tx.at());
    for ChangeSet { number: old, author, fields, .. } in read::change_sets(tx, organization, from).await? {
        let set = edit::next_change_set(tx, organization)?;
        let fields: Vec<_> = fields.into_iter().filter(|field| kept.contains(field)).collect();
        payload = payload.set(&change_set_field(set), number).set(&fields_field(set), words(&fields));
        let row = ChangeSetRow {
            number: set,
            proposal: number,
            author,
            created_date: at,
            updated_date: None,
            fields,
        };
        record::insert(tx, organization, &row).await?;
        let rows: Vec<EditRow> = edits
            .iter()
            .filter(|edit| edit.change_set == old)
            .map(|edit| EditRow { change_set: set, ..EditRow::of(edit.clone()) })
            .collect();
        for row in &rows {
            payload = payload.set(&edit_field(set, &row.item), &row.value);
            payload = payload.set(&adopted_field(set, &row.item), row.is_adopted.then_some(true));
        }
        record::insert_all(tx, organization, &rows).await?;
    }
    if !payload.is_empty() {
        entries.push(New { kind: "document.edited", subject: documents::subject(slug), payload });
    }
    Ok(number)
}
