//! Where the values of a text come from: who set each, in which proposal, and who approved that.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use db::{Tx, Value};
use domain::document::{GivenApproval, Item, ProposedChanges, in_force};
use domain::{Actor, Error, Faults, OrgId, ResourceKind};
use jiff::Timestamp;
use macros::boxed;

use super::{ChangeSetRow, Draft, read, with_approvals};
use crate::documents;
use crate::ledger::dialect::items_of_changes;
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
    /// The author of the change set.
    pub set_by: Actor,
    /// When it was set.
    pub set_date: Timestamp,
    /// The number of the proposal.
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

/// A value, change set, time, proposal and version.
type Set = (String, i64, Timestamp, i64, Option<i64>);

/// Where the values of a published version come from. A value that is set again as it was comes from where it was set first.
#[boxed]
pub async fn provenance(tx: &mut Tx, organization: OrgId, slug: &str, number: i64) -> Result<Provenance> {
    let document = documents::get(tx, organization, slug).await?;
    let latest = document.document.published_version.filter(|latest| number <= *latest);
    let latest = latest.ok_or(Error::NotFound(ResourceKind::DocumentVersion))?;
    let mut set = published(tx, organization, slug, number).await?;
    if number == latest {
        let values = document.items.iter().map(|it| (it.item.id.as_str(), it.value.as_deref()));
        let values: HashMap<_, _> = values.collect();
        set.retain(|item, set| values.get(item.as_str()).is_some_and(|value| *value == Some(&set.0)));
    }
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
    let mut set = published(tx, organization, slug, latest).await?;
    let edits = read::edits(tx, organization, number, None).await?;
    for (item, edit) in in_force(&edits) {
        let is_same = set.get(item).is_some_and(|(value, ..)| *value == edit.value);
        if !is_same {
            let of_edit = (edit.value.clone(), edit.change_set, edit.set_date, number, None);
            set.insert(item.to_owned(), of_edit);
        }
    }
    set.retain(|item, set| draft.values.get(item) == Some(&set.0));
    of_items(tx, organization, draft.document.items.iter().map(|placed| &placed.item), set).await
}

/// By item, which change set has set the value that the versions up to this one publish.
async fn published(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    number: i64,
) -> Result<HashMap<String, Set>> {
    // Of each version the edit that counts (as in `domain::document::in_force`), of these the ones with another value than
    // the one before, and of each item the last of those. What was set before an item was removed does not count.
    let engine = tx.engine();
    let ids = |place| {
        let (items, id) = items_of_changes(engine, place);
        format!(
            "SELECT published.number AS version, {id} AS item FROM document_version AS published
             JOIN proposal ON proposal.organization = published.organization
                 AND proposal.number = published.proposal {items}
             WHERE published.organization = $1 AND published.document = $2 AND published.number <= $3"
        )
    };
    let sql = format!(
        "WITH removed AS ({} EXCEPT {})
    SELECT item, value, change_set, set_date, proposal, version FROM (
        SELECT item, value, change_set, set_date, proposal, version,
               row_number() OVER (PARTITION BY item ORDER BY version DESC) AS place
        FROM (
            SELECT item, value, change_set, set_date, proposal, version,
                   lag(value) OVER (PARTITION BY item ORDER BY version) AS earlier
            FROM (
                SELECT edit.item, edit.value, edit.change_set, edit.set_date, published.proposal,
                       published.number AS version,
                       row_number() OVER (PARTITION BY published.number, edit.item
                           ORDER BY edit.is_adopted DESC, edit.set_date DESC, edit.change_set DESC) AS place
                FROM document_version AS published
                JOIN change_set ON change_set.organization = published.organization
                    AND change_set.proposal = published.proposal
                JOIN change_set_edit AS edit ON edit.organization = change_set.organization
                    AND edit.change_set = change_set.number
                WHERE published.organization = $1 AND published.document = $2 AND published.number <= $3
                  AND NOT EXISTS (SELECT 1 FROM removed
                      WHERE removed.item = edit.item AND removed.version >= published.number)
            ) AS edits WHERE place = 1
        ) AS counted WHERE earlier IS NULL OR earlier <> value
    ) AS changed WHERE place = 1",
        ids(0),
        ids(1)
    );
    let rows: Vec<(String, String, i64, Timestamp, i64, i64)> =
        tx.query(&sql, &[&organization.uuid(), &slug, &number]).await?;
    let set = |(item, value, change_set, at, proposal, version)| {
        (item, (value, change_set, at, proposal, Some(version)))
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
          AND proposal.changes LIKE '%\"items\":%' ORDER BY later.number LIMIT 1";
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
        .filter(|(it, set)| prints(it, &set.0))
        .collect();
    let change_sets: BTreeSet<i64> = printed.iter().map(|(_, set)| set.1).collect();
    let of_these = Filter::any_of("number", change_sets.into_iter().map(Value::from));
    let Some(of_these) = of_these else { return Ok(Provenance::default()) };
    let select = Select::<ChangeSetRow>::of(organization, View::with_deleted()).filter(of_these);
    let rows: Vec<Stored<ChangeSetRow>> = select.all(tx).await?;
    let authors: HashMap<i64, Actor> = rows.into_iter().map(|Stored(it)| (it.number, it.author)).collect();
    let versions: BTreeMap<i64, i64> = printed.iter().filter_map(|(_, set)| Some((set.4?, set.3))).collect();
    let proposals: Vec<i64> = versions.values().copied().collect();
    let proposals = with_approvals(tx, organization, &proposals).await?;
    let values =
        printed.into_iter().filter_map(|(item, (value, change_set, set_date, proposal, version))| {
            Some(SetValue {
                node_id: item.id.clone(),
                label: item.label.clone(),
                option_label: item.kind.option(&value).map(|option| option.label.clone()),
                value,
                set_by: authors.get(&change_set)?.clone(),
                set_date,
                proposal,
                version,
            })
        });
    let versions = versions.into_iter().map(|(number, proposal)| {
        let approvals = proposals.get(&proposal).map(|it| it.final_approvals()).unwrap_or_default();
        ApprovedVersion { number, proposal, approvals: approvals.into_iter().cloned().collect() }
    });
    Ok(Provenance { values: values.collect(), versions: versions.collect() })
}

/// Whether an item takes a value and prints something.
fn prints(item: &Item, value: &str) -> bool {
    let mut faults = Faults::new();
    item.kind.check_value(value, "", &mut faults);
    !value.is_empty() && faults.is_empty()
}
