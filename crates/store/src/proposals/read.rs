//! Reading proposals.

use std::collections::HashMap;

use db::{FromRow, Param, Row, Tx, Value};
use domain::document::{ChangeSet, DocumentWithItems, Item, Proposal, RecordedEdit};
use domain::{Error, OrgId, ResourceKind};
use macros::boxed;

use super::{ChangeSetRow, EditRow, ProposalRow};
use crate::documents;
use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{Columns as _, Reader, Record as _, Stored};
use crate::ledger::view::View;

/// SQL for whether an `edit` of the change set `r` only repeats: its value was in force before, and still is the published one or
/// that of another author who did not repeat it. An item without a value has its default, which counts while the proposal does not
/// change the items; an empty value repeats none. Who does no more than that is no author (docs/documents.md, "Approval").
macro_rules! only_repeats {
    () => {
        "(edit.value = COALESCE(edit.previous, '') AND (EXISTS (
             SELECT 1 FROM change_set AS other JOIN change_set_edit AS same
               ON same.organization = other.organization AND same.change_set = other.number
             WHERE other.organization = r.organization AND other.proposal = r.proposal
               AND other.number <> r.number AND same.item = edit.item AND same.value = edit.value
               AND COALESCE(same.previous, '') <> same.value)
           OR EXISTS (
             SELECT 1 FROM proposal AS its JOIN document_item AS item
               ON item.organization = its.organization AND item.document = its.document
             WHERE its.organization = r.organization AND its.number = r.proposal
               AND item.id = edit.item AND edit.value = COALESCE(
                   item.value,
                   CASE WHEN its.changes_items THEN NULL ELSE COALESCE(item.default_value, '') END))))"
    };
}
pub(super) use only_repeats;

/// The most change sets that are read with a proposal.
const CHANGE_SETS: i64 = 1_000;

/// Up to `limit` proposals of a document without their change sets, the latest first: those before the proposal `before`.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    before: Option<i64>,
    limit: i64,
) -> Result<Page<Proposal>> {
    documents::require(tx, organization, slug).await?;
    let select =
        of_document(organization, slug).order(&["number"], Direction::Descending, before.map(Value::from));
    Ok(select.page(tx, limit).await?.map(|Stored(row): Stored<ProposalRow>| row.proposal()))
}

/// How many proposals a document has.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<i64> {
    of_document(organization, slug).count(tx).await
}

fn of_document<'q>(organization: OrgId, slug: &'q str) -> Select<'q, ProposalRow> {
    Select::of(organization, View::with_deleted()).filter(Filter::is("document", slug.into()))
}

/// The row of a proposal. An unknown document and an unknown proposal of a known one are told apart.
pub(super) async fn find(tx: &mut Tx, organization: OrgId, slug: &str, number: i64) -> Result<ProposalRow> {
    let by_number = of_document(organization, slug).filter(Filter::is("number", number.into()));
    let found = by_number.one(tx).await?;
    match found {
        Some(Stored(proposal)) => Ok(proposal),
        None => {
            let noun = if documents::exists(tx, organization, slug).await? {
                ResourceKind::Proposal
            } else {
                ResourceKind::Document
            };
            Err(Error::NotFound(noun).into())
        }
    }
}

/// How many edits a change set `r` has, and how many of them do not only repeat.
const COUNTS: &str = concat!(
    ", (SELECT count(*) FROM change_set_edit AS edit
        WHERE edit.organization = r.organization AND edit.change_set = r.number),
      (SELECT count(*) FROM change_set_edit AS edit
        WHERE edit.organization = r.organization AND edit.change_set = r.number AND NOT ",
    only_repeats!(),
    ")"
);

/// The change sets of a proposal by number. Names are today's.
pub(super) async fn change_sets(tx: &mut Tx, organization: OrgId, proposal: i64) -> Result<Vec<ChangeSet>> {
    let select = Select::<ChangeSetRow>::of(organization, View::with_deleted())
        .filter(Filter::is("proposal", proposal.into()))
        .order(&["number"], Direction::Ascending, [])
        .with(COUNTS, |_| String::new());
    let page: Page<CountedChangeSet> = select.page(tx, CHANGE_SETS).await?;
    Ok(page.rows.into_iter().map(|CountedChangeSet(_, set)| set).collect())
}

/// The change sets of these proposals, each with the number of its proposal.
pub(super) async fn change_sets_of(
    tx: &mut Tx,
    organization: OrgId,
    proposals: &[i64],
) -> Result<Vec<(i64, ChangeSet)>> {
    let (statements, wanted) = (ChangeSetRow::statements(), wanted_numbers(tx.engine()));
    let sql = format!(
        "SELECT {}{COUNTS} FROM {wanted} CROSS JOIN change_set AS r{}
         WHERE r.organization = $1 AND r.proposal = wanted.number ORDER BY r.number",
        statements.columns, statements.joins
    );
    let numbers = numbers_parameter(proposals.iter().copied());
    let rows: Vec<CountedChangeSet> = tx.query(&sql, &[&organization.uuid(), &numbers]).await?;
    Ok(rows.into_iter().map(|CountedChangeSet(proposal, set)| (proposal, set)).collect())
}

/// A change set with the number of its proposal.
struct CountedChangeSet(i64, ChangeSet);

impl FromRow for CountedChangeSet {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let ChangeSetRow { number, proposal, author, created_date: created, updated_date, fields } =
            ChangeSetRow::read(&mut row)?;
        let (edits_count, changes_count) = (row.next()?, row.next()?);
        let set = ChangeSet { number, author, created, updated_date, edits_count, changes_count, fields };
        Ok(Self(proposal, set))
    }
}

/// Up to `limit` edits of a proposal, by change set and then in the order of the text, those of items that are gone last: those
/// after the edit of this item in this change set.
#[boxed]
pub async fn list_edits(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    number: i64,
    after: Option<(i64, String)>,
    limit: i64,
) -> Result<Page<RecordedEdit>> {
    let row = find(tx, organization, slug, number).await?;
    let items: Vec<Item> = match row.changes.items()? {
        Some(items) => items,
        None => {
            documents::items(tx, organization, slug).await?.into_iter().map(|placed| placed.item).collect()
        }
    };
    let places: HashMap<&str, usize> = items.iter().map(|item| item.id.as_str()).zip(0..).collect();
    let place = |item: &str| places.get(item).copied().unwrap_or(usize::MAX);
    let order = |change_set: i64, item: &str| (change_set, place(item), item.to_owned());
    let mut edits = edits(tx, organization, number, None).await?;
    edits.sort_by_cached_key(|edit| order(edit.change_set, &edit.node_id));
    if let Some((change_set, item)) = after {
        let after = order(change_set, &item);
        edits.retain(|edit| order(edit.change_set, &edit.node_id) > after);
    }
    Ok(Page::cut(edits, limit))
}

/// The edits of a proposal; of one `item` if it is named.
pub(super) async fn edits(
    tx: &mut Tx,
    organization: OrgId,
    number: i64,
    item: Option<&str>,
) -> Result<Vec<RecordedEdit>> {
    let of_item = if item.is_some() { "AND r.item = $3" } else { "" };
    let sql = format!(
        "SELECT {} FROM change_set
         JOIN change_set_edit AS r ON r.organization = change_set.organization AND r.change_set = change_set.number
         WHERE change_set.organization = $1 AND change_set.proposal = $2 {of_item}
         ORDER BY r.item, r.change_set",
        EditRow::statements().columns
    );
    let organization = organization.uuid();
    let mut params: Vec<&dyn Param> = vec![&organization, &number];
    params.extend(item.iter().map(|item| item as &dyn Param));
    let rows: Vec<Stored<EditRow>> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().map(|Stored(row)| row.into()).collect())
}

/// A document with what a proposal of it changes beside the values of its items.
#[boxed]
pub async fn proposed(
    tx: &mut Tx,
    organization: OrgId,
    document: &DocumentWithItems,
    number: i64,
) -> Result<DocumentWithItems> {
    Ok(find(tx, organization, &document.document.slug, number).await?.changes.overlaid(document)?)
}

/// How many edits a proposal has.
#[boxed]
pub async fn count_edits(tx: &mut Tx, organization: OrgId, number: i64) -> Result<i64> {
    let sql = "SELECT count(*) FROM change_set
        JOIN change_set_edit AS edit ON edit.organization = change_set.organization
                                     AND edit.change_set = change_set.number
        WHERE change_set.organization = $1 AND change_set.proposal = $2";
    let (count,) = tx.query_one(sql, &[&organization.uuid(), &number]).await?;
    Ok(count)
}
