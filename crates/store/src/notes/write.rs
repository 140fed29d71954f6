//! Writing notes. The version and the dates of the incident stay.

use db::{Param, Tx};
use domain::incident::{Incident, Viewer};
use domain::note::{Comment, Entry};
use domain::redaction::Part;
use domain::search::SearchKind;
use domain::{Author, ExpectedVersion, IncidentNumber, OrgId};

use super::{NoteId, NoteKind, read};
use crate::error::Result;
use crate::incidents::subject;
use crate::record::Record as _;
use crate::view::{Deleted, View};
use crate::{journal, part, record, search};

/// Adds a note that was made with the next number.
pub(super) async fn add<N: NoteKind>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    mut new: N,
) -> Result<N> {
    let (kind, payload) = (N::ENTRIES.added, part::changes(None, &new));
    let subject = subject(new.note().incident);
    let seq = journal::append(tx, organization, author, kind, subject, payload).await?;
    let note = new.note_mut();
    (note.seq, note.seq_from) = (seq, seq);
    record::insert(tx, organization, &new).await?;
    Ok(new)
}

/// The note that a change is made to, if it has an `expected` version, and its incident.
pub(super) async fn find<N: NoteKind>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    expected: &ExpectedVersion,
    deleted: Deleted,
) -> Result<(Incident, N)> {
    let view = View { deleted, ..View::now() };
    let (incident, note) = read::get::<N>(tx, organization, &Viewer::of(author), id, view).await?;
    expected.check(note.note().version)?;
    Ok((incident, note))
}

/// Replaces a note by its next state.
pub(super) async fn replace<N: NoteKind>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    before: &N,
    mut after: N,
) -> Result<N> {
    let kind = match (before.note().deleted_date, after.note().deleted_date) {
        (None, Some(_)) => N::ENTRIES.deleted,
        (Some(_), None) => N::ENTRIES.restored,
        _ => N::ENTRIES.updated,
    };
    let (subject, payload) = (subject(after.note().incident), part::changes(Some(before), &after));
    let seq = journal::append(tx, organization, author, kind, subject, payload).await?;
    after.note_mut().seq_from = seq;
    record::keep_history(tx, organization, &after, seq).await?;
    record::replace(tx, organization, &after).await?;
    Ok(after)
}

/// Deletes a note softly, if it has an `expected` version. Only its author and holders of `incidents:delete` may.
pub(super) async fn delete<N: NoteKind>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    expected: &ExpectedVersion,
) -> Result<()> {
    let (_, before) = find::<N>(tx, organization, author, id, expected, Deleted::Without).await?;
    before.note().check_author(author)?;
    replace(tx, organization, author, &before, deleted_or_restored(tx, &before)).await?;
    search::take_out(tx, organization, SearchKind::Incident, &[id.incident.number()]).await
}

/// Restores a deleted note, if it has an `expected` version. One that is not deleted is not found.
pub(super) async fn restore<N: NoteKind>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    expected: &ExpectedVersion,
) -> Result<(Incident, N)> {
    let (incident, before) = find::<N>(tx, organization, author, id, expected, Deleted::Only).await?;
    let after = deleted_or_restored(tx, &before);
    Ok((incident, replace(tx, organization, author, &before, after).await?))
}

fn deleted_or_restored<N: NoteKind>(tx: &Tx, before: &N) -> N {
    let mut after = before.clone();
    *after.note_mut() = before.note().deleted_or_restored(tx.at());
    after
}

/// Copies the stored row of a note to its history, where it ends with the entry `seq_to`. Other parts have no history.
pub(crate) async fn keep_state(
    tx: &mut Tx,
    organization: OrgId,
    part: Part,
    incident: IncidentNumber,
    number: i64,
    seq_to: i64,
) -> Result<()> {
    let statements = match part {
        Part::Comment => Comment::statements(),
        Part::Entry => Entry::statements(),
        Part::Incident | Part::Task | Part::Review => return Ok(()),
    };
    let params: [&dyn Param; 4] = [&organization.uuid(), &incident.number(), &number, &seq_to];
    tx.send(&statements.keep_history, &params).await?;
    Ok(())
}
