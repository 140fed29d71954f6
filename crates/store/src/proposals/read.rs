//! Reading proposals.

use std::collections::HashMap;

use db::{FromRow, Row, Tx};
use domain::document::{
    ChangeSet, NodeType, PlacedItem, Proposal, ProposalStatus, RecordedEdit, missing, values_in_force,
};
use domain::{Actor, ActorKind, Error, Noun, OrgId};
use jiff::Timestamp;

use crate::documents;
use crate::error::Result;

/// One proposal of a document, with every change set. An unknown document and an unknown proposal of a
/// known one are told apart.
pub async fn get(tx: &mut Tx, organization: OrgId, slug: &str, number: i64) -> Result<Proposal> {
    documents::state(tx, organization, slug).await?;
    let sql = "SELECT status, created_date, updated_date FROM proposal
        WHERE organization = $1 AND document = $2 AND number = $3";
    let row: Option<(String, Timestamp, Timestamp)> =
        tx.query_opt(sql, &[&organization.uuid(), &slug, &number]).await?;
    let (status, created_date, updated_date) = row.ok_or(Error::NotFound(Noun::Proposal))?;
    let items = documents::items(tx, organization, slug).await?;
    let mut change_sets = change_sets(tx, organization, number).await?;
    let edits = edits(tx, organization, number).await?;
    let values = values_in_force(published(&items), edits.iter().map(|of| &of.edit));
    let missing = missing(&items.iter().map(|placed| placed.item.clone()).collect::<Vec<_>>(), &values);
    let places: HashMap<i64, usize> =
        change_sets.iter().enumerate().map(|(place, set)| (set.number, place)).collect();
    for OfChangeSet { change_set, edit } in edits {
        if let Some(set) = places.get(&change_set).and_then(|place| change_sets.get_mut(*place)) {
            set.edits.push(edit);
        }
    }
    let status = ProposalStatus::parse(&status)
        .ok_or_else(|| Error::Internal(format!("proposal.status {status} is not known")))?;
    let document = slug.to_owned();
    Ok(Proposal { number, document, status, created_date, updated_date, change_sets, missing })
}

/// The published values, by item.
pub(super) fn published(items: &[PlacedItem]) -> impl Iterator<Item = (&str, &str)> {
    items.iter().filter_map(|placed| Some((placed.item.id.as_str(), placed.value.as_deref()?)))
}

/// An edit, and the number of the change set that it stands in.
pub(super) struct OfChangeSet {
    pub(super) change_set: i64,
    pub(super) edit: RecordedEdit,
}

/// Every edit of a proposal, in the order of the text.
pub(super) async fn edits(tx: &mut Tx, organization: OrgId, proposal: i64) -> Result<Vec<OfChangeSet>> {
    let sql = "SELECT edit.change_set, edit.item, edit.kind, edit.value, edit.previous, edit.set_date
        FROM change_set
        JOIN proposal ON proposal.organization = change_set.organization
                      AND proposal.number = change_set.proposal
        JOIN change_set_edit AS edit ON edit.organization = change_set.organization
                                     AND edit.change_set = change_set.number
        JOIN document_item AS item ON item.organization = change_set.organization
                                   AND item.document = proposal.document AND item.id = edit.item
        WHERE change_set.organization = $1 AND change_set.proposal = $2
        ORDER BY item.position, edit.change_set";
    Ok(tx.query(sql, &[&organization.uuid(), &proposal]).await?)
}

/// The change sets of a proposal by number, still without their edits. Names are today's.
async fn change_sets(tx: &mut Tx, organization: OrgId, proposal: i64) -> Result<Vec<ChangeSet>> {
    let sql =
        "SELECT s.number, s.author_kind, s.author_id, COALESCE(client.name, membership.name, s.author_id),
            s.created_date, s.updated_date
        FROM change_set AS s
        LEFT JOIN client ON s.author_kind = 'client' AND client.organization = s.organization
                         AND client.id = s.author_id
        LEFT JOIN membership ON s.author_kind = 'user' AND membership.organization = s.organization
                             AND membership.actor_id = s.author_id
        WHERE s.organization = $1 AND s.proposal = $2 ORDER BY s.number";
    let rows: Vec<ChangeSetRow> = tx.query(sql, &[&organization.uuid(), &proposal]).await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

struct ChangeSetRow(ChangeSet);

impl FromRow for ChangeSetRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let kind: String = row.get(1)?;
        let kind = ActorKind::parse(&kind).ok_or_else(|| damaged("change_set.author_kind", &kind))?;
        Ok(Self(ChangeSet {
            number: row.get(0)?,
            author: Actor { kind, id: row.get(2)?, name: row.get(3)? },
            created: row.get(4)?,
            updated_date: row.get(5)?,
            edits: Vec::new(),
        }))
    }
}

impl FromRow for OfChangeSet {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let kind: String = row.get(2)?;
        let node_type = NodeType::parse(&kind).ok_or_else(|| damaged("change_set_edit.kind", &kind))?;
        let edit = RecordedEdit {
            node_id: row.get(1)?,
            node_type,
            value: row.get(3)?,
            previous: row.get(4)?,
            set_date: row.get(5)?,
        };
        Ok(Self { change_set: row.get(0)?, edit })
    }
}

fn damaged(column: &str, value: &str) -> db::Error {
    db::Error::Internal(format!("{column} {value} is not known"))
}
