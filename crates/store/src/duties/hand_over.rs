//! Handing duties over to another member.

use db::Tx;
use domain::document::Document;
use domain::duty::{Duty, DutyCounts};
use domain::incident::{Incident, Viewer};
use domain::person::Person;
use domain::review::Review;
use domain::risk::Risk;
use domain::task::Task;
use domain::{Author, Error, FaultCode, IncidentNumber, OrgId, ResourceKind, RiskNumber, UserId};
use macros::boxed;

use super::{documents, incidents, reviews, risks, tasks};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Subject};
use crate::ledger::list::{Direction, Select};
use crate::ledger::part::{self, Part};
use crate::ledger::record::{self, Record, Stored, Versioned};
use crate::ledger::trash::Deletable;
use crate::tasks::{TaskKey, TaskRow};
use crate::{documents as documents_of, incidents as incidents_of, people};

/// The kind of entries about parts, and the subject of those about the record with a number.
type EntryKind = (&'static str, fn(i64) -> Subject);

/// Records that are read and written at a time.
const BATCH: i64 = 200;

/// Moves the duties of these kinds from one member, who may have left, to another, as far as the author sees the incidents:
/// each record with its own entry. Returns how many were moved. For [`db::Db::write_alone`].
#[boxed]
pub async fn hand_over(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    kinds: &[Duty],
    (from, to): (UserId, UserId),
) -> Result<DutyCounts> {
    if people::named(tx, organization, vec![from]).await?.is_empty() {
        return Err(Error::NotFound(ResourceKind::User).into());
    }
    let Some(to) = people::person(tx, organization, Some(to)).await? else {
        let detail = "No member of the organization has this id.";
        return Err(Error::invalid("#/to", FaultCode::UnknownUser, detail).into());
    };
    let viewer = Viewer::of(author);
    let handover = Handover { organization, author, viewer: &viewer, from, to };
    let mut moved = DutyCounts::default();
    for kind in kinds {
        let count = if handover.from == handover.to.id { 0 } else { handover.of_kind(tx, *kind).await? };
        moved.0.push((*kind, count));
    }
    Ok(moved)
}

struct Handover<'a> {
    organization: OrgId,
    author: &'a Author,
    viewer: &'a Viewer,
    from: UserId,
    to: Person,
}

impl Handover<'_> {
    async fn of_kind(&self, tx: &mut Tx, kind: Duty) -> Result<i64> {
        let mut moved = 0;
        loop {
            let count = match kind {
                Duty::Incidents => self.incidents(tx).await?,
                Duty::Tasks => self.tasks::<IncidentNumber>(tx).await?,
                Duty::Reviews => self.reviews(tx).await?,
                Duty::Risks => self.risks(tx).await?,
                Duty::RiskTasks => self.tasks::<RiskNumber>(tx).await?,
                Duty::Documents => self.documents(tx).await?,
            };
            moved += count;
            if count < BATCH {
                return Ok(moved);
            }
        }
    }

    async fn incidents(&self, tx: &mut Tx) -> Result<i64> {
        let select = incidents(self.organization, self.viewer, self.from);
        let before = first::<Incident>(tx, select, &["number"]).await?;
        let after = |it: &Incident| Incident { assigned_to: Some(self.to.clone()), ..it.clone() };
        self.versioned(tx, "incident.updated", before, after).await
    }

    async fn risks(&self, tx: &mut Tx) -> Result<i64> {
        let before = first::<Risk>(tx, risks(self.organization, self.from), &["number"]).await?;
        let after = |it: &Risk| Risk { owner: Some(self.to.clone()), ..it.clone() };
        self.versioned(tx, "risk.updated", before, after).await
    }

    /// Writes the next version of records that have a history.
    async fn versioned<R: Deletable + Versioned>(
        &self,
        tx: &mut Tx,
        kind: &'static str,
        before: Vec<R>,
        after: impl Fn(&R) -> R,
    ) -> Result<i64> {
        if before.is_empty() {
            return Ok(0);
        }
        let at = tx.at();
        let pairs = before.into_iter().map(|before| {
            let after = after(&before).after(&before, at);
            (before, after)
        });
        let pairs: Vec<(R, R)> = pairs.collect();
        let entry = |(before, after): &(R, R)| New {
            kind,
            subject: R::subject(after.number()),
            payload: record::changes(Some(before), after),
        };
        let first = self.append(tx, pairs.iter().map(entry).collect()).await?;
        let rows: Vec<(R, i64)> =
            (first..).zip(pairs).map(|(seq, (_, after))| (after.begun_by(seq), seq)).collect();
        record::replace_all(tx, self.organization, &rows).await?;
        Ok(count(&rows))
    }

    async fn tasks<K: TaskKey>(&self, tx: &mut Tx) -> Result<i64> {
        let select = tasks::<K>(self.organization, self.viewer, self.from);
        let before = first::<TaskRow<K>>(tx, select, &["seq_from"]).await?;
        let at = tx.at();
        let kind: EntryKind = (K::KINDS.updated, |whole| K::of(whole).subject());
        self.parts(tx, kind, before, |TaskRow { of, task: it }, seq| {
            let (owner, version) = (Some(self.to.clone()), it.version + 1);
            TaskRow { of: *of, task: Task { owner, updated_date: at, version, seq, ..it.clone() } }
        })
        .await
    }

    async fn reviews(&self, tx: &mut Tx) -> Result<i64> {
        let select = reviews(self.organization, self.viewer, self.from);
        let before = first::<Review>(tx, select, &["incident"]).await?;
        let at = tx.at();
        let kind: EntryKind =
            ("incident.review_updated", |whole| incidents_of::subject(IncidentNumber(whole)));
        self.parts(tx, kind, before, |it, seq| Review {
            owner: Some(self.to.clone()),
            updated_date: at,
            version: it.version + 1,
            seq,
            ..it.clone()
        })
        .await
    }

    /// Writes parts, with entries of this kind about records with this subject; `after` gets the number of the entry.
    async fn parts<P: Part>(
        &self,
        tx: &mut Tx,
        (kind, subject): EntryKind,
        before: Vec<P>,
        after: impl Fn(&P, i64) -> P,
    ) -> Result<i64> {
        if before.is_empty() {
            return Ok(0);
        }
        let entry = |before: &P| New {
            kind,
            subject: subject(before.whole()),
            payload: part::changes(Some(before), &after(before, 0)),
        };
        let first = self.append(tx, before.iter().map(entry).collect()).await?;
        let rows: Vec<P> = (first..).zip(&before).map(|(seq, before)| after(before, seq)).collect();
        record::insert_or_replace_all(tx, self.organization, &rows).await?;
        Ok(count(&rows))
    }

    async fn documents(&self, tx: &mut Tx) -> Result<i64> {
        let before = first::<Document>(tx, documents(self.organization, self.from), &["slug"]).await?;
        if before.is_empty() {
            return Ok(0);
        }
        let at = tx.at();
        let after = |it: &Document| Document {
            owner: Some(self.to.clone()),
            updated_date: at,
            version: it.version + 1,
            ..it.clone()
        };
        let rows: Vec<Document> = before.iter().map(after).collect();
        let entry = |(before, after): (&Document, &Document)| -> New {
            let subject: Subject = documents_of::subject(&after.slug);
            New { kind: "document.updated", subject, payload: record::changes(Some(before), after) }
        };
        self.append(tx, before.iter().zip(&rows).map(entry).collect()).await?;
        record::insert_or_replace_all(tx, self.organization, &rows).await?;
        Ok(count(&rows))
    }

    /// Appends these entries; the number of the first.
    async fn append(&self, tx: &mut Tx, entries: Vec<New>) -> Result<i64> {
        let count = count(&entries);
        Ok(journal::append_all(tx, self.organization, self.author, entries).await? - count + 1)
    }
}

/// The first records of a batch. What was moved is no duty of the member any more, so the next batch begins at the front.
async fn first<R: Record>(tx: &mut Tx, select: Select<'_, R>, order: &[&'static str]) -> Result<Vec<R>> {
    let rows: Vec<Stored<R>> = select.order(order, Direction::Ascending, []).first(tx, BATCH).await?;
    Ok(rows.into_iter().map(|Stored(record)| record).collect())
}

fn count<T>(rows: &[T]) -> i64 {
    i64::try_from(rows.len()).unwrap_or(i64::MAX)
}
