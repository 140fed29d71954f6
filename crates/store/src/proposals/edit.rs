//! Recording edits in the caller's change set of a document's open proposal. Only the items that a call names are read,
//! however large the proposal is.

use std::collections::HashMap;

use db::{FromRow, Param, Row, Tx};
use domain::document::{
    self, DocumentKind, DocumentStatus, Edit, NOT_WRITTEN, PlacedItem, ProposalField, ProposalStatus,
    ProposedChanges, Recorded, ReportSource, kept_to_stored, placed, proposal_bytes,
};
use domain::fault::Faults;
use domain::{Author, Error, ErrorCode, ExpectedVersion, FaultCode, OrgId, ResourceKind};
use jiff::Timestamp;
use macros::boxed;
use serde_json::json;

use super::{ChangeSetRow, EditRow, ProposalRow, approvals, changes_field, subject};
use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Payload};
use crate::ledger::record;
use crate::ledger::record::{AWord, Kind as _, Reader, SomeChanges};
use crate::{Counter, documents};

/// Records all of `edits`, or none when one of them is wrong. The first edit opens the proposal, whose values have at
/// most `most_bytes` together. They are made to an `expected` version of the document: to what is published, since
/// edits wait in the proposal and do not change the document itself.
///
/// Values that are in the caller's change set already record nothing; when that holds for all of
/// them nothing changes and nothing is journaled.
#[boxed]
pub async fn edit(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    expected: &ExpectedVersion,
    edits: &[Edit],
    most_bytes: i64,
) -> Result<Recorded> {
    let State { kind, status, version, template, proposal, own } =
        state(tx, organization, author, slug).await?;
    expected.check(version)?;
    if kind == DocumentKind::Report {
        return Err(Error::invalid("#", FaultCode::ReadOnly, NOT_WRITTEN).into());
    }
    let ids = json!(edits.iter().map(|edit| &edit.node_id).collect::<Vec<_>>()).to_string();
    let items = documents::items_among(tx, organization, slug, &ids).await?;
    let proposed = proposal.as_ref().map(|proposal| proposal.changes.items()).transpose()?.flatten();
    let items = match proposed {
        Some(proposed) => placed(&proposed, &items),
        None => items,
    };
    check(&items, template.as_deref(), edits)?;
    if status == DocumentStatus::Archived {
        return Err(Error::Conflict(ErrorCode::DocumentArchived).into());
    }
    let before = match &proposal {
        Some(proposal) => Before::load(tx, organization, proposal.number, own, &ids).await?,
        None => Before::default(),
    };
    let fresh: Vec<&Edit> = edits.iter().filter(|edit| before.own(edit) != Some(&edit.value)).collect();
    if let (Some(proposal), Some((change_set, created, updated_date)), []) =
        (&proposal, own, fresh.as_slice())
    {
        return Ok(Recorded { change_set, proposal: proposal.number, created, updated_date });
    }
    let held = proposal.as_ref().map_or(0, |proposal| proposal.text_bytes);
    let text_bytes = proposal_bytes(held, before.growth(&fresh), most_bytes)?;
    let mut entries = Vec::new();
    let proposal = match proposal {
        Some(proposal) => {
            let reopens = proposal.is_submitted && before.differs(&fresh, &items);
            if reopens {
                let payload =
                    approvals::make_void(tx, organization, proposal.number, reopened(&proposal)).await?;
                entries.push(New { kind: "proposal.returned", subject: subject(proposal.number), payload });
            }
            touch_proposal(tx, organization, &proposal, text_bytes, reopens).await?
        }
        None => {
            let changes = (ProposedChanges::default(), None);
            open_proposal(tx, organization, slug, text_bytes, changes, false, &mut entries).await?
        }
    };
    let recorded = match own {
        Some((number, created, _)) => touch_change_set(tx, organization, proposal, number, created).await?,
        None => open_change_set(tx, organization, author, proposal).await?,
    };
    let payload = payload(&recorded, own.is_none(), &fresh, &before);
    let payload = reopen_conflicts(tx, organization, &fresh, &before, payload).await?;
    record_edits(tx, organization, recorded.change_set, &fresh, &before, &items).await?;
    entries.push(New { kind: "document.edited", subject: documents::subject(slug), payload });
    journal::append_all(tx, organization, author, entries).await?;
    Ok(recorded)
}

/// Everything about the edits that needs the document.
fn check(items: &[PlacedItem], template: Option<&str>, edits: &[Edit]) -> Result<(), Error> {
    let items: Vec<_> = items.iter().map(|placed| placed.item.clone()).collect();
    let mut faults = Faults::new();
    document::check_edits(&items, template, edits, &mut faults);
    document::check_distinct(edits, &mut faults);
    faults.or(Some(())).map(drop)
}

/// A change set: its number, when it was made, when it was last changed.
type ChangeSet = (i64, Timestamp, Option<Timestamp>);

/// What decides whether a document takes edits, and where they go.
struct State {
    kind: DocumentKind,
    status: DocumentStatus,
    version: i64,
    /// The template that the proposal has, else the document.
    template: Option<String>,
    proposal: Option<Proposal>,
    /// The caller's change set.
    own: Option<ChangeSet>,
}

/// The open proposal of the document.
struct Proposal {
    number: i64,
    text_bytes: i64,
    is_submitted: bool,
    /// The hash that was submitted.
    sha256: Option<String>,
    changes: ProposedChanges,
}

impl FromRow for State {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let (kind, status) = (AWord::read(&mut row)?, AWord::read(&mut row)?);
        let version = row.next()?;
        let (number, text_bytes): (Option<i64>, Option<i64>) = (row.next()?, row.next()?);
        let (state, sha256): (Option<String>, Option<String>) = (row.next()?, row.next()?);
        let is_submitted = state.as_deref() == Some(ProposalStatus::Submitted.as_str());
        let (change_set, created, updated): (Option<i64>, Option<Timestamp>, Option<Timestamp>) =
            (row.next()?, row.next()?, row.next()?);
        let changes = SomeChanges::read(&mut row)?;
        let template = match (changes.get(ProposalField::Template), row.next()?) {
            (Some([_, proposed]), _) => proposed.as_str().map(str::to_owned),
            (None, template) => template,
        };
        let proposal = number.zip(text_bytes).map(|(number, text_bytes)| Proposal {
            number,
            text_bytes,
            is_submitted,
            sha256,
            changes,
        });
        let own = change_set.zip(created).map(|(number, created)| (number, created, updated));
        Ok(Self { kind, status, version, template, proposal, own })
    }
}

async fn state(tx: &mut Tx, organization: OrgId, author: &Author, slug: &str) -> Result<State> {
    let sql =
        "SELECT d.kind, d.status, d.version, proposal.number, proposal.text_bytes, proposal.status, proposal.sha256,
               own.number, own.created_date, own.updated_date, proposal.changes, d.template
        FROM document AS d
        LEFT JOIN proposal ON proposal.organization = d.organization AND proposal.document = d.slug
                           AND proposal.status IN ('open', 'submitted')
        LEFT JOIN change_set AS own ON own.organization = d.organization AND own.proposal = proposal.number
                                    AND own.author_kind = $3 AND own.author_id = $4
        WHERE d.organization = $1 AND d.slug = $2";
    let (kind, id) = (author.actor.kind.as_str(), &author.actor.id);
    let found = tx.query_opt(sql, &[&organization.uuid(), &slug, &kind, id]).await?;
    Ok(found.ok_or(Error::NotFound(ResourceKind::Document))?)
}

/// An item, its value in the caller's change set, the value in force, and the change set whose value was adopted.
type ItemBefore = (String, Option<String>, Option<String>, Option<i64>);

/// What the proposal holds of the items that a call names.
#[derive(Default)]
struct Before {
    /// The value in the caller's change set, by item.
    own: HashMap<String, String>,
    /// The value in force, set by any caller, by item.
    latest: HashMap<String, String>,
    /// The change set whose value was adopted, by item.
    adopted: HashMap<String, i64>,
}

impl Before {
    async fn load(
        tx: &mut Tx,
        organization: OrgId,
        proposal: i64,
        own: Option<ChangeSet>,
        ids: &str,
    ) -> Result<Self> {
        let sql = format!(
            "SELECT wanted.item, own.value,
                 (SELECT edit.value FROM change_set
                  JOIN change_set_edit AS edit ON edit.organization = change_set.organization
                                               AND edit.change_set = change_set.number AND edit.item = wanted.item
                  WHERE change_set.organization = $1 AND change_set.proposal = $2
                  ORDER BY edit.is_adopted DESC, edit.set_date DESC, edit.change_set DESC LIMIT 1),
                 (SELECT edit.change_set FROM change_set
                  JOIN change_set_edit AS edit ON edit.organization = change_set.organization
                                               AND edit.change_set = change_set.number AND edit.item = wanted.item
                  WHERE change_set.organization = $1 AND change_set.proposal = $2 AND edit.is_adopted)
             FROM {}
             LEFT JOIN change_set_edit AS own ON own.organization = $1 AND own.change_set = $3
                                              AND own.item = wanted.item",
            wanted_texts(tx.engine(), "$4")
        );
        let own = own.map(|(number, ..)| number);
        let params: [&dyn Param; 4] = [&organization.uuid(), &proposal, &own, &ids];
        let rows: Vec<ItemBefore> = tx.query(&sql, &params).await?;
        let mut before = Self::default();
        for (item, own, latest, adopted) in rows {
            before.adopted.extend(adopted.map(|change_set| (item.clone(), change_set)));
            before.own.extend(own.map(|value| (item.clone(), value)));
            before.latest.extend(latest.map(|value| (item, value)));
        }
        Ok(before)
    }

    fn own(&self, edit: &Edit) -> Option<&String> {
        self.own.get(&edit.node_id)
    }

    /// Whether these edits change what the proposal says. An empty value says what none does.
    fn differs(&self, fresh: &[&Edit], items: &[PlacedItem]) -> bool {
        fresh.iter().any(|edit| self.in_force(&edit.node_id, items).unwrap_or_default() != edit.value)
    }

    /// The value of an item before these edits.
    fn in_force<'b>(&'b self, id: &str, items: &'b [PlacedItem]) -> Option<&'b str> {
        let unedited = || items.iter().find(|it| it.item.id == id).and_then(PlacedItem::value_or_default);
        self.latest.get(id).map(String::as_str).or_else(unedited)
    }

    /// By how many bytes of text these edits let the proposal grow.
    fn growth(&self, fresh: &[&Edit]) -> i64 {
        let bytes = |text: &String| i64::try_from(text.len()).unwrap_or(i64::MAX);
        fresh.iter().map(|edit| bytes(&edit.value) - self.own(edit).map_or(0, bytes)).sum()
    }
}

/// A number that fits into the 32 bits that the interface gives it.
fn next(tx: &mut Tx, organization: OrgId, counter: Counter) -> Result<i64> {
    let number = counter.next(tx, organization)?;
    if number > i64::from(i32::MAX) {
        return Err(Error::Unavailable(format!("the numbers of {counter:?} are used up")).into());
    }
    Ok(number)
}

/// The number of a new change set.
pub(super) fn next_change_set(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    next(tx, organization, Counter::ChangeSet)
}

pub(super) async fn open_proposal(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    text_bytes: i64,
    (changes, source): (ProposedChanges, Option<&ProposalRow>),
    confirms: bool,
    entries: &mut Vec<New>,
) -> Result<i64> {
    let number = next(tx, organization, Counter::Proposal)?;
    let row = ProposalRow {
        confirms,
        changes_items: changes.get(ProposalField::Items).is_some(),
        changes,
        library_sha256: source.and_then(|it| it.library_sha256.clone()),
        library_release: source.and_then(|it| it.library_release),
        library_kept: source.map(|it| it.library_kept.clone()).unwrap_or_default(),
        report: source.and_then(|it| it.report.clone()),
        text_bytes,
        ..ProposalRow::opened(number, slug.to_owned(), tx.at())
    };
    record::insert(tx, organization, &row).await?;
    let payload = Payload::new().set("document", slug).set("status", row.status).set("confirms", confirms);
    let payload = payload.set("library_sha256", row.library_sha256.as_ref());
    let payload = payload.set("library_release", row.library_release);
    let payload = payload.set("library_kept", kept_to_stored(&row.library_kept));
    let payload = payload.set("report", row.report.as_ref().map(ReportSource::to_stored));
    let fields = row.changes.fields().into_iter();
    let payload = fields.fold(payload, |payload, it| payload.set(&changes_field(it), row.changes.get(it)));
    entries.push(New { kind: "proposal.opened", subject: subject(number), payload });
    Ok(number)
}

/// Notes a change of a proposal. One that changes a submitted text opens it again.
async fn touch_proposal(
    tx: &mut Tx,
    organization: OrgId,
    proposal: &Proposal,
    text_bytes: i64,
    reopens: bool,
) -> Result<i64> {
    let sql = "UPDATE proposal SET updated_date = $3, text_bytes = $4, version = version + 1,
            status = CASE WHEN $5 THEN 'open' ELSE status END, sha256 = CASE WHEN $5 THEN NULL ELSE sha256 END
        WHERE organization = $1 AND number = $2";
    let at = tx.at();
    tx.send(sql, &[&organization.uuid(), &proposal.number, &at, &text_bytes, &reopens]).await?;
    Ok(proposal.number)
}

/// What changes of a submitted proposal that an edit opens again.
fn reopened(proposal: &Proposal) -> Payload {
    let payload = Payload::new().change("status", ProposalStatus::Submitted, ProposalStatus::Open);
    payload.gone("sha256", &proposal.sha256)
}

async fn open_change_set(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    proposal: i64,
) -> Result<Recorded> {
    let (number, created) = (next_change_set(tx, organization)?, tx.at());
    let author = author.actor.clone();
    let fields = Vec::new();
    let row = ChangeSetRow { number, proposal, author, created_date: created, updated_date: None, fields };
    record::insert(tx, organization, &row).await?;
    Ok(Recorded { change_set: number, proposal, created, updated_date: None })
}

async fn touch_change_set(
    tx: &mut Tx,
    organization: OrgId,
    proposal: i64,
    change_set: i64,
    created: Timestamp,
) -> Result<Recorded> {
    let at = tx.at();
    let sql = "UPDATE change_set SET updated_date = $3 WHERE organization = $1 AND number = $2";
    tx.send(sql, &[&organization.uuid(), &change_set, &at]).await?;
    Ok(Recorded { change_set, proposal, created, updated_date: Some(at) })
}

/// A new value of an item ends the adoption of an earlier one.
async fn reopen_conflicts(
    tx: &mut Tx,
    organization: OrgId,
    fresh: &[&Edit],
    before: &Before,
    mut payload: Payload,
) -> Result<Payload> {
    let sql = "UPDATE change_set_edit SET is_adopted = FALSE
        WHERE organization = $1 AND change_set = $2 AND item = $3";
    let differ = fresh.iter().filter(|edit| before.latest.get(&edit.node_id) != Some(&edit.value));
    for (item, set) in differ.filter_map(|edit| before.adopted.get_key_value(&edit.node_id)) {
        tx.send(sql, &[&organization.uuid(), set, item]).await?;
        payload = payload.gone(&documents::adopted_field(*set, item), true);
    }
    Ok(payload)
}

async fn record_edits(
    tx: &mut Tx,
    organization: OrgId,
    change_set: i64,
    fresh: &[&Edit],
    before: &Before,
    items: &[PlacedItem],
) -> Result<()> {
    let at = tx.at();
    let rows = fresh.iter().map(|edit| EditRow {
        change_set,
        item: edit.node_id.clone(),
        kind: edit.node_type,
        value: edit.value.clone(),
        previous: before.in_force(&edit.node_id, items).map(str::to_owned),
        set_date: at,
        is_adopted: false,
    });
    record::insert_or_replace_all(tx, organization, &rows.collect::<Vec<_>>()).await
}

/// Each item's value in the change set before and after, and the proposal if the change set is new.
fn payload(recorded: &Recorded, is_new: bool, fresh: &[&Edit], before: &Before) -> Payload {
    let field = documents::change_set_field(recorded.change_set);
    let start = Payload::new().set(&field, is_new.then_some(recorded.proposal));
    fresh.iter().fold(start, |payload, edit| {
        let field = documents::edit_field(recorded.change_set, &edit.node_id);
        payload.change(&field, before.own(edit), Some(&edit.value))
    })
}
