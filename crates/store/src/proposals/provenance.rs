//! Where the values of a text come from: who set each, in which proposal, and who approved that.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use db::{Tx, Value};
use domain::document::{GivenApproval, Item, ProposedChanges, in_force};
use domain::{Actor, Error, OrgId, ResourceKind};
use jiff::Timestamp;
use macros::boxed;

use super::{ChangeSetRow, Draft, read, with_approvals};
use crate::documents::{self, PUBLISHED_ENTRY};
use crate::ledger::dialect::fields_of_entries;
use crate::ledger::error::Result;
use crate::ledger::list::{Filter, Select};
use crate::ledger::record::Stored;
use crate::ledger::view::View;

/// Where the values of a text come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The items that have a value, in the order of the text.
    pub values: Vec<SetValue>,
    /// The versions that published those values, by number.
    pub versions: Vec<ApprovedVersion>,
}

/// The value of an item, and who set it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetValue {
    /// The item's id.
    pub node_id: String,
    /// The item's label.
    pub label: String,
    /// The value.
    pub value: String,
    /// The label of the option, if the value is one.
    pub option_label: Option<String>,
    /// The author of the change set; none if nobody set it, because it is the item's default.
    pub set_by: Option<Actor>,
    /// When it was set; none of a default.
    pub set_date: Option<Timestamp>,
    /// The number of the proposal in which it was set, or that has the default.
    pub proposal: i64,
    /// The version that published it; none if it is only proposed.
    pub version: Option<i64>,
}

/// A version with the approvals that count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovedVersion {
    /// Its number.
    pub number: i64,
    /// The number of its proposal.
    pub proposal: i64,
    /// In the order in which they were given.
    pub approvals: Vec<GivenApproval>,
}

/// A value, the change set that set it and when unless it is the item's default, and the proposal and version.
type Set = (String, Option<(i64, Timestamp)>, i64, Option<i64>);

/// An item, its value, the change set and the time that set it unless it is the default, the proposal and the version.
type PublishedRow = (String, String, Option<i64>, Option<Timestamp>, i64, i64);

/// Where the values of a published version come from. A value that is set again as it was comes from where it was set first.
#[boxed]
pub async fn provenance(tx: &mut Tx, organization: OrgId, slug: &str, number: i64) -> Result<Provenance> {
    let document = documents::get(tx, organization, slug).await?;
    if document.document.published_version.is_none_or(|latest| number > latest) {
        return Err(Error::NotFound(ResourceKind::DocumentVersion).into());
    }
    let set = published(tx, organization, slug, number).await?;
    let items = match later_changes(tx, organization, slug, number).await? {
        Some(changes) => changes.previous_items()?.unwrap_or_default(),
        None => document.items.into_iter().map(|placed| placed.item).collect(),
    };
    of_items(tx, organization, items.iter(), set).await
}

/// Where the values come from that the approval of a proposal publishes.
#[boxed]
pub async fn proposed_provenance(tx: &mut Tx, organization: OrgId, draft: &Draft) -> Result<Provenance> {
    let (slug, number) = (&draft.document.document.slug, draft.proposal.number);
    let latest = draft.published.document.published_version.unwrap_or_default();
    let mut published = published(tx, organization, slug, latest).await?;
    let edits = read::edits(tx, organization, number, None).await?;
    let edits: HashMap<_, _> = in_force(&edits).into_iter().collect();
    let set = |(item, value): (&String, &String)| {
        let edit = edits.get(item.as_str()).map(|edit| (edit.change_set, edit.set_date));
        let same = published.remove(item).filter(|it| it.0 == *value);
        (item.clone(), same.unwrap_or_else(|| (value.clone(), edit, number, None)))
    };
    let set = draft.values.iter().map(set).collect();
    of_items(tx, organization, draft.document.items.iter().map(|placed| &placed.item), set).await
}

/// By item, the value that a version has, the version that published it first, and what has set it there.
async fn published(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    number: i64,
) -> Result<HashMap<String, Set>> {
    // The journal tells of each version the values that it changed, also that one was removed. What has set a value is the edit
    // that counts in the version's proposal (as in `domain::document::in_force`); without one it is the item's default.
    let [fields, value] = fields_of_entries(tx.engine());
    let sql = format!(
        "WITH {PUBLISHED_ENTRY}, changed AS (
        SELECT substr(field.key, 8) AS item, {value} AS value, entry.version,
               row_number() OVER (PARTITION BY field.key ORDER BY entry.version DESC) AS place
        FROM entry {fields} WHERE field.key LIKE 'values/%' AND entry.version <= $3
    ), edits AS (
        SELECT edit.item, edit.change_set, edit.set_date, published.number AS version,
               row_number() OVER (PARTITION BY published.number, edit.item
                   ORDER BY edit.is_adopted DESC, edit.set_date DESC, edit.change_set DESC) AS place
        FROM document_version AS published
        JOIN change_set ON change_set.organization = published.organization
            AND change_set.proposal = published.proposal
        JOIN change_set_edit AS edit ON edit.organization = change_set.organization
            AND edit.change_set = change_set.number
        WHERE published.organization = $1 AND published.document = $2 AND published.number <= $3
    )
    SELECT changed.item, changed.value, edits.change_set, edits.set_date, published.proposal, published.number
    FROM changed
    JOIN document_version AS published ON published.organization = $1 AND published.document = $2
        AND published.number = changed.version
    LEFT JOIN edits ON edits.version = changed.version AND edits.item = changed.item AND edits.place = 1
    WHERE changed.place = 1 AND changed.value IS NOT NULL"
    );
    let rows: Vec<PublishedRow> = tx.query(&sql, &[&organization.uuid(), &slug, &number]).await?;
    let set =
        |(item, value, change_set, at, proposal, version): (_, _, Option<i64>, Option<Timestamp>, _, _)| {
            (item, (value, change_set.zip(at), proposal, Some(version)))
        };
    Ok(rows.into_iter().map(set).collect())
}

/// What the first later version with other items has changed.
async fn later_changes(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    number: i64,
) -> Result<Option<ProposedChanges>> {
    let sql = "SELECT proposal.changes FROM document_version AS later
        JOIN proposal ON proposal.organization = later.organization AND proposal.number = later.proposal
        WHERE later.organization = $1 AND later.document = $2 AND later.number > $3
          AND proposal.changes_items ORDER BY later.number LIMIT 1";
    let found: Option<(String,)> = tx.query_opt(sql, &[&organization.uuid(), &slug, &number]).await?;
    let Some((changes,)) = found else { return Ok(None) };
    let changes = ProposedChanges::from_stored(&changes);
    Ok(Some(changes.ok_or_else(|| Error::Internal("stored changes are not valid".to_owned()))?))
}

/// The values that these items take and print, with who set and approved them.
async fn of_items<'i>(
    tx: &mut Tx,
    organization: OrgId,
    items: impl Iterator<Item = &'i Item>,
    mut set: HashMap<String, Set>,
) -> Result<Provenance> {
    let printed: Vec<(&Item, Set)> = items
        .filter_map(|it| Some((it, set.remove(&it.id)?)))
        .filter(|(_, (value, ..))| !value.is_empty())
        .collect();
    let change_sets: BTreeSet<i64> = printed.iter().filter_map(|(_, set)| Some(set.1?.0)).collect();
    let select = Select::<ChangeSetRow>::of(organization, View::with_deleted());
    let rows = match Filter::any_of("number", change_sets.into_iter().map(Value::from)) {
        Some(these) => select.filter(these).all(tx).await?,
        None => Vec::new(),
    };
    let authors: HashMap<i64, Actor> =
        rows.into_iter().map(|Stored::<ChangeSetRow>(it)| (it.number, it.author)).collect();
    let versions: BTreeMap<i64, i64> = printed.iter().filter_map(|(_, set)| Some((set.3?, set.2))).collect();
    let proposals: Vec<i64> = versions.values().copied().collect();
    let proposals = with_approvals(tx, organization, &proposals).await?;
    let values = printed.into_iter().map(|(item, (value, set, proposal, version))| SetValue {
        node_id: item.id.clone(),
        label: item.label.clone(),
        option_label: item.kind.option(&value).map(|option| option.label.clone()),
        value,
        set_by: set.and_then(|(change_set, _)| authors.get(&change_set).cloned()),
        set_date: set.map(|(_, at)| at),
        proposal,
        version,
    });
    let versions = versions.into_iter().map(|(number, proposal)| {
        let approvals = proposals.get(&proposal).map(|it| it.final_approvals()).unwrap_or_default();
        ApprovedVersion { number, proposal, approvals: approvals.into_iter().cloned().collect() }
    });
    Ok(Provenance { values: values.collect(), versions: versions.collect() })
}
