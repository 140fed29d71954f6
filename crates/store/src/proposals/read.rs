//! Reading proposals.

use db::{FromRow, Param, Row, Tx};
use domain::document::{ChangeSet, Proposal, RecordedEdit};
use domain::{Error, OrgId, ResourceKind};
use macros::boxed;

use super::{ChangeSetRow, EditRow, ProposalRow};
use crate::documents;
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{Columns as _, Reader, Record as _, Stored};
use crate::ledger::view::View;

/// The most change sets that are read with a proposal.
const CHANGE_SETS: i64 = 1_000;

/// One proposal of a document, with its change sets. An unknown document and an unknown proposal of a
/// known one are told apart.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, slug: &str, number: i64) -> Result<Proposal> {
    let ProposalRow { document, status, created_date, updated_date, .. } =
        find(tx, organization, slug, number).await?;
    let change_sets = change_sets(tx, organization, number).await?;
    let missing = missing(tx, organization, slug, number).await?;
    Ok(Proposal { number, document, status, created_date, updated_date, change_sets, missing })
}

async fn find(tx: &mut Tx, organization: OrgId, slug: &str, number: i64) -> Result<ProposalRow> {
    let select = Select::<ProposalRow>::of(organization, View::with_deleted());
    let by_number = select.filter(Filter::is("number", number.into()));
    let found = by_number.filter(Filter::is("document", slug.into())).one(tx).await?;
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

/// The change sets of a proposal by number. Names are today's.
async fn change_sets(tx: &mut Tx, organization: OrgId, proposal: i64) -> Result<Vec<ChangeSet>> {
    let count = ", (SELECT count(*) FROM change_set_edit AS edit
                    WHERE edit.organization = r.organization AND edit.change_set = r.number)";
    let select = Select::<ChangeSetRow>::of(organization, View::with_deleted())
        .filter(Filter::is("proposal", proposal.into()))
        .order(&["number"], Direction::Ascending, [])
        .with(count, |_| String::new());
    let page: Page<CountedChangeSet> = select.page(tx, CHANGE_SETS).await?;
    Ok(page.rows.into_iter().map(|CountedChangeSet(set)| set).collect())
}

struct CountedChangeSet(ChangeSet);

impl FromRow for CountedChangeSet {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let ChangeSetRow { number, author, created_date, updated_date, .. } = ChangeSetRow::read(&mut row)?;
        Ok(Self(ChangeSet { number, author, created: created_date, updated_date, edits_count: row.next()? }))
    }
}

/// The required items that would have no text, in the order of the text: the latest edit of an item by any caller
/// counts, otherwise the published value.
async fn missing(tx: &mut Tx, organization: OrgId, slug: &str, proposal: i64) -> Result<Vec<String>> {
    let sql = "SELECT item.id FROM document_item AS item
        WHERE item.organization = $1 AND item.document = $2 AND item.required
          AND COALESCE(
              (SELECT edit.value FROM change_set
               JOIN change_set_edit AS edit ON edit.organization = change_set.organization
                                            AND edit.change_set = change_set.number AND edit.item = item.id
               WHERE change_set.organization = $1 AND change_set.proposal = $3
               ORDER BY edit.set_date DESC, edit.change_set DESC LIMIT 1),
              item.value, '') = ''
        ORDER BY item.position";
    let rows: Vec<(String,)> = tx.query(sql, &[&organization.uuid(), &slug, &proposal]).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Up to `limit` edits of a proposal, by change set and then in the order of the text: those after the edit of this
/// change set and position. Each comes with its position.
#[boxed]
pub async fn list_edits(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    number: i64,
    after: Option<(i64, i64)>,
    limit: i64,
) -> Result<Page<(RecordedEdit, i64)>> {
    find(tx, organization, slug, number).await?;
    let sql = format!(
        "SELECT {}, item.position FROM change_set
         JOIN change_set_edit AS r ON r.organization = change_set.organization AND r.change_set = change_set.number
         JOIN document_item AS item ON item.organization = change_set.organization AND item.document = $3
                                    AND item.id = r.item
         WHERE change_set.organization = $1 AND change_set.proposal = $2
           AND (change_set.number, item.position) > ($4, $5)
         ORDER BY change_set.number, item.position LIMIT $6",
        EditRow::statements().columns
    );
    let (set, position) = after.unwrap_or((0, -1));
    let params: [&dyn Param; 6] = [&organization.uuid(), &number, &slug, &set, &position, &(limit + 1)];
    let rows: Vec<PlacedEdit> = tx.query(&sql, &params).await?;
    Ok(Page::cut(rows, limit).map(|PlacedEdit(edit, position)| (edit, position)))
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

struct PlacedEdit(RecordedEdit, i64);

impl FromRow for PlacedEdit {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let EditRow { change_set, item, kind, value, previous, set_date } = EditRow::read(&mut row)?;
        let edit = RecordedEdit { change_set, node_id: item, node_type: kind, value, previous, set_date };
        Ok(Self(edit, row.next()?))
    }
}
