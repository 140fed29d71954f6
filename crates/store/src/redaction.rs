//! Redaction: a text is taken out of an incident for good, from the present, from every earlier state and from the
//! journal.
//!
//! The rows are rewritten as if the text had never been in them. The payloads of the journal's entries that had it are
//! erased, and the entry `incident.redacted` says what else they told, so that the journal still tells everything but the
//! text. The incident and the parts that had the text get a new version: a form that still shows the text cannot be saved over
//! it.

use std::collections::BTreeSet;

use db::{Param, Tx};
use domain::incident::{Incident, Viewer};
use domain::redaction::Redaction;
use domain::search::SearchKind;
use domain::{Author, Error, ExpectedVersion, FaultCode, IncidentNumber, OrgId};
use macros::boxed;
use serde_json::{Map, Value as Json, json};

use crate::incidents::{self, subject};
use crate::ledger::error::Result;
use crate::ledger::idempotency;
use crate::ledger::journal::{self, Payload};
use crate::ledger::record;
use crate::ledger::redaction::{entries, rows, tables, versions};
use crate::ledger::search::{self, Unit};
use crate::ledger::view::View;

/// Every column of text that redactions know of, with its table: those that they change, and those that they need not.
pub fn known_columns() -> impl Iterator<Item = (&'static str, &'static str)> {
    incidents::TEXTS.iter().flat_map(|table| (table.columns)().iter().map(|column| (table.name, column.name)))
}

/// Takes a text out of an incident that the author sees, and returns the incident. Fails if the text occurs nowhere there.
/// What the database file still has of it is removed by [`db::Db::scrub`], after the write.
#[boxed]
pub async fn redact(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: IncidentNumber,
    expected: &ExpectedVersion,
    redaction: &Redaction,
) -> Result<Incident> {
    let viewer = Viewer::of(author);
    let incident = incidents::get(tx, organization, &viewer, number, View::now()).await?;
    expected.check(incident.version)?;
    let of = tables::Texts { subject: subject(number), number: number.number(), tables: incidents::TEXTS };
    let rows = rows::find(tx, organization, &of, redaction).await?;
    let entries = entries::find(tx, organization, &of, redaction).await?;
    if rows.is_empty() && entries.is_empty() {
        let (pointer, detail) = match redaction.text {
            Some(_) => ("#/text", "does not occur there, now or earlier"),
            None => ("#/target", "has nothing to take out, now or earlier"),
        };
        return Err(Error::invalid(pointer, FaultCode::NothingToRedact, detail).into());
    }
    let numbers: Vec<i64> = entries.iter().map(|entry| entry.seq).collect();
    journal::erase_entries(tx, organization, &numbers).await?;
    let parts = versions::parts(tx, organization, of.number, &rows).await?;
    let told = told(redaction, &parts, entries);
    let seq = journal::append(tx, organization, author, KIND, subject(number), told).await?;
    rows::write(tx, organization, &of, &rows, tables::When::Now).await?;
    record::keep_history(tx, organization, &incident, seq).await?;
    versions::begin(tx, organization, of.number, &parts, seq).await?;
    rows::write(tx, organization, &of, &rows, tables::When::Earlier).await?;
    begin_version(tx, organization, &incident, seq).await?;
    search::refresh(tx, organization, SearchKind::Incident, &searched(number, &rows)).await?;
    idempotency::forget(tx, organization, number).await?;
    incidents::get(tx, organization, &viewer, number, View::now()).await
}

/// The units of the index that these rows are in: parts of the incident, or the incident itself.
fn searched(incident: IncidentNumber, rows: &[rows::Found]) -> BTreeSet<Unit> {
    let own = Unit::own(incident.number());
    let present = rows.iter().filter(|row| row.when == tables::When::Now);
    present.map(|row| Unit::of_row(row.table.name, incident, row.number).unwrap_or(own)).collect()
}

/// The kind of the entry that tells of a redaction.
pub(crate) const KIND: &str = "incident.redacted";

/// What the entry tells: what was redacted and why, the parts that got a new version, and what the erased entries told
/// beside that.
fn told(redaction: &Redaction, parts: &[versions::Part], entries: Vec<entries::Redacted>) -> Payload {
    let entries: Map<String, Json> = entries.into_iter().flat_map(entries::Redacted::told).collect();
    let parts: Vec<String> = parts.iter().map(versions::Part::name).collect();
    let said =
        json!({"field": redaction.field(), "reason": redaction.reason, "parts": parts, "entries": entries});
    Payload::new().set(journal::REDACTION, said)
}

/// Makes the stored row of an incident its next version.
async fn begin_version(tx: &mut Tx, organization: OrgId, before: &Incident, seq: i64) -> Result<()> {
    let sql = "UPDATE incident SET version = version + 1, updated_date = $3, seq_from = $4
               WHERE organization = $1 AND number = $2";
    let (number, at) = (before.number.number(), tx.at());
    let params: [&dyn Param; 4] = [&organization.uuid(), &number, &at, &seq];
    tx.send(sql, &params).await?;
    Ok(())
}
