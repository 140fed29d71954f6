//! Reading proposals.

use db::{FromRow, Param, Row, Tx, Value};
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

/// The change sets of a proposal by number. Names are today's.
pub(super) async fn change_sets(tx: &mut Tx, organization: OrgId, proposal: i64) -> Result<Vec<ChangeSet>> {
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
        Ok(Self(EditRow::read(&mut row)?.into(), row.next()?))
    }
}
