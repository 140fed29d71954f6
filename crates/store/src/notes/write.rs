//! Writing notes. The version and the dates of the incident stay.

use db::{Param, Tx};
use domain::incident::{Incident, Viewer};
use domain::note::{NewNote, Note, NotePatch, NoteTotal};
use domain::{Author, ExpectedVersion, Faults, IncidentNumber, OrgId};
use jiff::Timestamp;
use macros::boxed;

use super::mentions::{WithMentions, members, people_of};
use super::{IncidentNote, NoteId, read};
use crate::incidents::subject;
use crate::ledger::error::{Result, faults_of, if_found};
use crate::ledger::view::{Deleted, View};
use crate::ledger::{journal, part, record, search};

/// Writes a note about an incident.
#[boxed]
pub async fn create(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    incident: IncidentNumber,
    new: &NewNote,
) -> Result<WithMentions<Note>> {
    let viewer = Viewer::of(author);
    let incident = read::incident(tx, organization, &viewer, incident, View::now()).await?;
    new.kind.check_incident(author, &incident)?;
    let named = new.mentions.iter().flatten().copied();
    let mentions = people_of(tx, organization, named).await?;
    let (number, total) = next_number_and_total(tx, organization, incident.number).await?;
    let note = new.write(number, &members(&mentions), author, tx.at())?;
    total.check_another(&note.text)?;
    let mut new = IncidentNote { note, incident: incident.number };
    let (subject, payload) = (subject(incident.number), part::changes(None, &new));
    let seq = journal::append(tx, organization, author, "incident.note_added", subject, payload).await?;
    (new.note.seq, new.note.seq_from) = (seq, seq);
    record::insert(tx, organization, &new).await?;
    Ok(WithMentions { value: new.note, incident, mentions })
}

/// Edits, pins or unpins a note, if it has an `expected` version. A patch that changes nothing is not journaled.
#[boxed]
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    expected: &ExpectedVersion,
    patch: &NotePatch,
) -> Result<WithMentions<Note>> {
    let (incident, before) = find(tx, organization, author, id, expected, Deleted::Without).await?;
    before.kind.check_incident(author, &incident)?;
    let named = before.mentions.iter().chain(patch.mentions.iter().flatten()).copied();
    let mentions = people_of(tx, organization, named).await?;
    let value = match patch.apply(&before, &members(&mentions), author, tx.at())? {
        Some(after) => {
            if after.text.len() > before.text.len() {
                let (_, total) = next_number_and_total(tx, organization, id.incident).await?;
                total.check_edit(&before.text, &after.text)?;
            }
            replace(tx, organization, author, id.incident, before, after).await?
        }
        None => before,
    };
    Ok(WithMentions { value, incident, mentions })
}

/// What is wrong with a patch beside the note as it is at `now`; nothing if there is no such note. For a patch that is
/// refused anyway, so that all faults are reported at once.
#[boxed]
pub async fn patch_faults(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    patch: &NotePatch,
    now: Timestamp,
) -> Result<Faults> {
    let viewer = Viewer::of(author);
    let Some((_, before)) = if_found(read::find(tx, organization, &viewer, id, View::now()).await)? else {
        return Ok(Faults::new());
    };
    let mentions = people_of(tx, organization, patch.mentions.iter().flatten().copied()).await?;
    Ok(faults_of(patch.apply(&before, &members(&mentions), author, now)))
}

/// Deletes a note softly, if it has an `expected` version. Only its author and holders of `incidents:delete` may.
#[boxed]
pub async fn delete(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    expected: &ExpectedVersion,
) -> Result<()> {
    let (incident, before) = find(tx, organization, author, id, expected, Deleted::Without).await?;
    before.check_author(author)?;
    before.kind.check_incident(author, &incident)?;
    let after = before.deleted_or_restored(tx.at());
    replace(tx, organization, author, id.incident, before, after).await.map(drop)
}

/// Restores a deleted note, if it has an `expected` version. One that is not deleted is not found.
#[boxed]
pub async fn restore(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    expected: &ExpectedVersion,
) -> Result<WithMentions<Note>> {
    let (incident, before) = find(tx, organization, author, id, expected, Deleted::Only).await?;
    let (_, total) = next_number_and_total(tx, organization, id.incident).await?;
    total.check_another(&before.text)?;
    let after = before.deleted_or_restored(tx.at());
    let value = replace(tx, organization, author, id.incident, before, after).await?;
    let mentions = people_of(tx, organization, value.mentions.iter().copied()).await?;
    Ok(WithMentions { value, incident, mentions })
}

/// The number of the next note about an incident, and how much the others are, in one statement. Deleted notes keep their row and
/// the head is held, so no number is used twice.
async fn next_number_and_total(
    tx: &mut Tx,
    organization: OrgId,
    incident: IncidentNumber,
) -> Result<(i64, NoteTotal)> {
    let sql = "SELECT COALESCE(MAX(number), 0) + 1,
            COALESCE((SELECT notes FROM incident_note_total WHERE organization = $1 AND incident = $2), 0),
            COALESCE((SELECT bytes FROM incident_note_total WHERE organization = $1 AND incident = $2), 0)
        FROM incident_note WHERE organization = $1 AND incident = $2";
    let params: [&dyn Param; 2] = [&organization.uuid(), &incident.number()];
    let (number, notes, bytes) = tx.query_one(sql, &params).await?;
    Ok((number, NoteTotal { notes, bytes }))
}

/// The note that a change is made to, if it has an `expected` version, and its incident.
async fn find(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    expected: &ExpectedVersion,
    deleted: Deleted,
) -> Result<(Incident, Note)> {
    let view = View { deleted, ..View::now() };
    let (incident, note) = read::find(tx, organization, &Viewer::of(author), id, view).await?;
    expected.check(note.version)?;
    Ok((incident, note))
}

/// Replaces a note by its next state.
async fn replace(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    incident: IncidentNumber,
    before: Note,
    after: Note,
) -> Result<Note> {
    let kind = match (before.deleted_date, after.deleted_date) {
        (None, Some(_)) => "incident.note_deleted",
        (Some(_), None) => "incident.note_restored",
        _ => "incident.note_updated",
    };
    let of_incident = |note| IncidentNote { note, incident };
    let (before, mut after) = (of_incident(before), of_incident(after));
    let (subject, payload) = (subject(incident), part::changes(Some(&before), &after));
    let seq = journal::append(tx, organization, author, kind, subject, payload).await?;
    after.note.seq_from = seq;
    record::keep_history(tx, organization, &after, seq).await?;
    record::replace(tx, organization, &after).await?;
    search::refresh_part(tx, organization, (incident, after.note.number), &before, &after).await?;
    Ok(after.note)
}
