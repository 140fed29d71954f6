//! Comments on proposals.

use db::{Tx, Value};
use domain::document::{
    Edit, NewProposalComment, PlacedItem, ProposalComment, Recorded, Resolution, in_force, placed,
};
use domain::{Author, Error, ExpectedVersion, OrgId, ResourceKind};
use macros::boxed;
use serde_json::json;

use super::{ProposalRow, edit, read, resolve, subject};
use crate::documents;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, Payload};
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{self, Stored, record};
use crate::ledger::view::View;

record! {
    ProposalComment in "proposal_comment" {
        proposal: Plain => Key,
        number: Plain => Key,
        reply_to: Plain => Fixed,
        node_id: Plain => Fixed,
        text: Plain => Fixed,
        suggested_item: Plain => Fixed,
        suggested_value: Plain => Fixed,
        author: AnActor => Fixed,
        created_date: Plain => Fixed,
        resolved_by: AnActor => Counted,
        resolved_date: Plain => Counted,
    }
}

/// Writes a comment on a proposal that is open or submitted.
#[boxed]
pub async fn comment(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    new: &NewProposalComment,
) -> Result<ProposalComment> {
    let proposal = resolve::open(tx, organization, (slug, number), &ExpectedVersion::Any).await?;
    let items = items(tx, organization, &proposal, &new.named()).await?;
    let replied_to = match new.reply_to {
        Some(other) => record::find(tx, organization, &[number.into(), other.into()]).await?,
        None => None,
    };
    new.check(&items, replied_to.as_ref())?;
    let suggestion = new.suggestion.clone();
    let comment = ProposalComment {
        proposal: number,
        number: of_proposals(organization, [number]).count(tx).await? + 1,
        reply_to: new.reply_to,
        node_id: new.node_id.clone(),
        text: new.text.clone(),
        suggested_item: suggestion.as_ref().map(|it| it.node_id.clone()),
        suggested_value: suggestion.map(|it| it.value),
        author: author.actor.clone(),
        created_date: tx.at(),
        resolved_by: None,
        resolved_date: None,
    };
    let payload = Payload::new().set(&field(&comment), written(&comment));
    journal::append(tx, organization, author, "proposal.commented", subject(number), payload).await?;
    record::insert(tx, organization, &comment).await?;
    Ok(comment)
}

/// Resolves a comment, whatever became of its proposal. One that is resolved stays as it is.
#[boxed]
pub async fn resolve_comment(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    comment: i64,
) -> Result<ProposalComment> {
    read::find(tx, organization, slug, number).await?;
    let before = one(tx, organization, number, comment).await?;
    if before.resolved_date.is_some() {
        return Ok(before);
    }
    let (resolved_by, resolved_date) = (Some(author.actor.clone()), Some(tx.at()));
    let after = ProposalComment { resolved_by, resolved_date, ..before };
    let payload = Payload::new().set(&resolved_field(&after), resolution(&after));
    journal::append(tx, organization, author, "proposal.comment_resolved", subject(number), payload).await?;
    record::replace(tx, organization, &after).await?;
    Ok(after)
}

/// Makes the suggestion of a comment an edit of the author, and resolves the comment. The values of the proposal have at most
/// `most_bytes` together.
#[boxed]
pub async fn adopt(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    comment: i64,
    most_bytes: i64,
) -> Result<Recorded> {
    let proposal = resolve::open(tx, organization, (slug, number), &ExpectedVersion::Any).await?;
    let found = one(tx, organization, number, comment).await?;
    let suggested: Vec<_> = found.suggested_item.as_deref().into_iter().collect();
    let edits = [found.adopted(&items(tx, organization, &proposal, &suggested).await?)?];
    let any = ExpectedVersion::Any;
    let recorded = edit(tx, organization, author, slug, &any, &edits, most_bytes).await?;
    // The author may have set this value before another one came into force.
    let [Edit { node_id, value, .. }] = &edits;
    let set = read::edits(tx, organization, number, Some(node_id)).await?;
    if in_force(&set).get(node_id.as_str()).is_some_and(|edit| edit.value != *value) {
        let resolution = Resolution { node_id: node_id.clone(), change_set: recorded.change_set };
        resolve::adopt(tx, organization, author, (slug, number), &any, &resolution).await?;
    }
    resolve_comment(tx, organization, author, (slug, number), comment).await?;
    Ok(recorded)
}

/// Up to `limit` comments of a proposal, the oldest first: those after the comment `after`.
#[boxed]
pub async fn comments(
    tx: &mut Tx,
    organization: OrgId,
    (slug, number): (&str, i64),
    after: Option<i64>,
    limit: i64,
) -> Result<Page<ProposalComment>> {
    read::find(tx, organization, slug, number).await?;
    let select = of_proposals(organization, [number]);
    let select = select.order(&["number"], Direction::Ascending, after.map(Value::from));
    Ok(select.page(tx, limit).await?.map(|Stored(comment)| comment))
}

/// How many comments a proposal has.
#[boxed]
pub async fn count_comments(tx: &mut Tx, organization: OrgId, number: i64) -> Result<i64> {
    of_proposals(organization, [number]).count(tx).await
}

/// Those of the items with these ids that the document has as the proposal changes it.
async fn items(
    tx: &mut Tx,
    organization: OrgId,
    proposal: &ProposalRow,
    ids: &[&str],
) -> Result<Vec<PlacedItem>> {
    match proposal.changes.items()? {
        Some(proposed) => Ok(placed(&proposed, &[])),
        None => {
            let ids = json!(ids).to_string();
            documents::items_among(tx, organization, &proposal.document, &ids).await
        }
    }
}

async fn one(tx: &mut Tx, organization: OrgId, proposal: i64, comment: i64) -> Result<ProposalComment> {
    let found = record::find(tx, organization, &[proposal.into(), comment.into()]).await?;
    Ok(found.ok_or(Error::NotFound(ResourceKind::Comment))?)
}

fn of_proposals<'q>(
    organization: OrgId,
    proposals: impl IntoIterator<Item = i64>,
) -> Select<'q, ProposalComment> {
    let numbers = proposals.into_iter().map(Value::from).collect();
    Select::of(organization, View::with_deleted()).filter(Filter::OneOf("proposal", numbers))
}

/// What the journal has about the comments of these proposals: the number of the proposal, the field, and its value.
pub(super) async fn journaled(
    tx: &mut Tx,
    organization: OrgId,
    proposals: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String, serde_json::Value)>> {
    let found: Vec<Stored<ProposalComment>> = of_proposals(organization, proposals).all(tx).await?;
    let fields = found.into_iter().flat_map(|Stored(it)| {
        let resolved = it.resolved_date.map(|_| (it.proposal, resolved_field(&it), resolution(&it)));
        std::iter::once((it.proposal, field(&it), written(&it))).chain(resolved)
    });
    Ok(fields.collect())
}

/// The field of a proposal's entry that has a comment.
fn field(it: &ProposalComment) -> String {
    format!("comments/{}", it.number)
}

/// The field of a proposal's entry that tells that a comment was resolved.
fn resolved_field(it: &ProposalComment) -> String {
    format!("comments/{}/resolved", it.number)
}

fn written(it: &ProposalComment) -> serde_json::Value {
    json!({
        "reply_to": it.reply_to,
        "node_id": it.node_id,
        "text": it.text,
        "suggestion": it.suggestion().map(|it| json!({"node_id": it.node_id, "value": it.value})),
        "author": {"type": it.author.kind, "id": it.author.id},
        "created_date": domain::time::format(it.created_date),
    })
}

fn resolution(it: &ProposalComment) -> serde_json::Value {
    let by = it.resolved_by.as_ref().map(|by| json!({"type": by.kind, "id": by.id}));
    json!({"by": by, "date": it.resolved_date.map(domain::time::format)})
}
