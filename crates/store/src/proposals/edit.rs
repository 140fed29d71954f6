//! Recording edits in the caller's change set of a document's open proposal.

use std::collections::HashMap;

use db::{Param, Tx};
use domain::document::{
    self, DocumentStatus, Edit, PlacedItem, ProposalStatus, Recorded, RecordedEdit, values_in_force,
};
use domain::fault::Faults;
use domain::{Author, Error, ExpectedVersion, OrgId};
use jiff::Timestamp;

use super::read::{self, OfChangeSet};
use crate::Counter;
use crate::documents;
use crate::error::Result;
use crate::journal::{self, New, Payload, Subject};

/// Records all of `edits`, or none when one of them is wrong. The first edit opens the proposal. They are
/// made to an `expected` version of the document: to what is published, since edits wait in the proposal
/// and do not change the document itself.
///
/// Values that are in the caller's change set already record nothing; when that holds for all of
/// them nothing changes and nothing is journaled.
pub async fn edit(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    expected: &ExpectedVersion,
    edits: &[Edit],
) -> Result<Recorded> {
    let documents::State { status, version, proposal } = documents::state(tx, organization, slug).await?;
    expected.check(version)?;
    let items = documents::items(tx, organization, slug).await?;
    check(&items, edits)?;
    if status == DocumentStatus::Archived {
        return Err(Error::Conflict { code: "document_archived", title: "The document is archived" }.into());
    }
    let before = match proposal {
        Some(number) => Before::load(tx, organization, author, number).await?,
        None => Before::default(),
    };
    let own: Vec<RecordedEdit> = before.own_edits().cloned().collect();
    let fresh = document::fresh_edits(&own, edits);
    if let (Some(proposal), Some((change_set, created, updated_date)), []) =
        (proposal, before.own, fresh.as_slice())
    {
        return Ok(Recorded { change_set, proposal, created, updated_date });
    }
    let mut entries = Vec::new();
    let proposal = match proposal {
        Some(number) => touch_proposal(tx, organization, number).await?,
        None => open_proposal(tx, organization, slug, &mut entries).await?,
    };
    let recorded = match before.own {
        Some((number, created, _)) => touch_change_set(tx, organization, proposal, number, created).await?,
        None => open_change_set(tx, organization, author, proposal).await?,
    };
    let previous = before.values(&items);
    record(tx, organization, recorded.change_set, &fresh, &previous).await?;
    let payload = payload(&recorded, &fresh, &own);
    entries.push(New { kind: "document.edited", subject: documents::subject(slug), payload });
    journal::append_all(tx, organization, author, entries).await?;
    Ok(recorded)
}

/// Everything about the edits that needs the document.
fn check(items: &[PlacedItem], edits: &[Edit]) -> Result<(), Error> {
    let items: Vec<_> = items.iter().map(|placed| placed.item.clone()).collect();
    let mut faults = Faults::new();
    document::check_edits(&items, edits, &mut faults);
    document::ids_distinct(edits.iter().map(|edit| Some(edit.node_id.as_str())), "#", "node_id", &mut faults);
    faults.or(Some(())).map(drop)
}

/// What the proposal holds before this call.
#[derive(Default)]
struct Before {
    edits: Vec<OfChangeSet>,
    /// The caller's change set: its number, when it was made, when it was last changed.
    own: Option<(i64, Timestamp, Option<Timestamp>)>,
}

impl Before {
    async fn load(tx: &mut Tx, organization: OrgId, author: &Author, proposal: i64) -> Result<Self> {
        let sql = "SELECT number, created_date, updated_date FROM change_set
            WHERE organization = $1 AND proposal = $2 AND author_kind = $3 AND author_id = $4";
        let (kind, id) = (author.actor.kind.as_str(), &author.actor.id);
        let own = tx.query_opt(sql, &[&organization.uuid(), &proposal, &kind, id]).await?;
        Ok(Self { edits: read::edits(tx, organization, proposal).await?, own })
    }

    fn own_edits(&self) -> impl Iterator<Item = &RecordedEdit> {
        let own = self.own.map(|(number, ..)| number);
        self.edits.iter().filter(move |of| Some(of.change_set) == own).map(|of| &of.edit)
    }

    /// The values in force, by item.
    fn values<'a>(&'a self, items: &'a [PlacedItem]) -> HashMap<&'a str, &'a str> {
        values_in_force(read::published(items), self.edits.iter().map(|of| &of.edit))
    }
}

/// A number that fits into the 32 bits that the interface gives it.
async fn next(tx: &mut Tx, organization: OrgId, counter: Counter) -> Result<i64> {
    let number = counter.next(tx, organization)?;
    if number > i64::from(i32::MAX) {
        return Err(Error::Unavailable(format!("the numbers of {counter:?} are used up")).into());
    }
    Ok(number)
}

async fn open_proposal(tx: &mut Tx, organization: OrgId, slug: &str, entries: &mut Vec<New>) -> Result<i64> {
    let number = next(tx, organization, Counter::Proposal).await?;
    let (status, at) = (ProposalStatus::Open.as_str(), tx.at());
    let sql = "INSERT INTO proposal (organization, number, document, status, created_date, updated_date)
        VALUES ($1, $2, $3, $4, $5, $5)";
    tx.send(sql, &[&organization.uuid(), &number, &slug, &status, &at]).await?;
    let payload = Payload::new().set("document", slug).set("status", status);
    entries.push(New { kind: "proposal.opened", subject: subject(number), payload });
    Ok(number)
}

async fn touch_proposal(tx: &mut Tx, organization: OrgId, number: i64) -> Result<i64> {
    let sql = "UPDATE proposal SET updated_date = $3 WHERE organization = $1 AND number = $2";
    let at = tx.at();
    tx.send(sql, &[&organization.uuid(), &number, &at]).await?;
    Ok(number)
}

async fn open_change_set(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    proposal: i64,
) -> Result<Recorded> {
    let (change_set, created) = (next(tx, organization, Counter::ChangeSet).await?, tx.at());
    let sql = "INSERT INTO change_set (organization, number, proposal, author_kind, author_id, created_date,
            updated_date)
        VALUES ($1, $2, $3, $4, $5, $6, NULL)";
    let (kind, id) = (author.actor.kind.as_str(), &author.actor.id);
    tx.send(sql, &[&organization.uuid(), &change_set, &proposal, &kind, id, &created]).await?;
    Ok(Recorded { change_set, proposal, created, updated_date: None })
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

async fn record(
    tx: &mut Tx,
    organization: OrgId,
    change_set: i64,
    fresh: &[&Edit],
    previous: &HashMap<&str, &str>,
) -> Result<()> {
    let (organization, at) = (organization.uuid(), tx.at());
    let columns: Vec<_> = fresh
        .iter()
        .map(|edit| (edit, edit.node_type.as_str(), previous.get(edit.node_id.as_str()).copied()))
        .collect();
    let rows: Vec<[&dyn Param; 7]> = columns
        .iter()
        .map(|(edit, kind, previous)| {
            let row: [&dyn Param; 7] =
                [&organization, &change_set, &edit.node_id, kind, &edit.value, previous, &at];
            row
        })
        .collect();
    let sql = "INSERT INTO change_set_edit (organization, change_set, item, kind, value, previous, set_date)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (organization, change_set, item) DO UPDATE
        SET kind = excluded.kind, value = excluded.value, previous = excluded.previous,
            set_date = excluded.set_date";
    tx.send_many(sql, &rows).await?;
    Ok(())
}

/// Which change set it is, and each item's value in it before and after.
fn payload(recorded: &Recorded, fresh: &[&Edit], own: &[RecordedEdit]) -> Payload {
    let own: HashMap<_, _> = own.iter().map(|edit| (&edit.node_id, &edit.value)).collect();
    let start = Payload::new().set("proposal", recorded.proposal).set("change_set", recorded.change_set);
    fresh.iter().fold(start, |payload, edit| {
        payload.change(&documents::value_field(&edit.node_id), own.get(&edit.node_id), Some(&edit.value))
    })
}

/// The subject of a proposal's entries.
fn subject(number: i64) -> Subject {
    Subject::new("proposal", number.to_string())
}
