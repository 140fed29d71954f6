//! Writing, publishing and correcting the review of an incident. The incident's version and dates stay.

use std::collections::{BTreeSet, HashSet};

use db::{Param, Tx};
use domain::incident::Viewer;
use domain::review::{Review, ReviewFacts, ReviewPatch, ReviewState};
use domain::search::SearchKind;
use domain::{Author, ExpectedVersion, Faults, IncidentNumber, OrgId, UserId};
use jiff::Timestamp;
use macros::boxed;

use super::read::{self, ReviewDetails};
use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::{Result, faults_of, if_found};
use crate::ledger::record::Record as _;
use crate::ledger::search::Unit;
use crate::ledger::view::View;
use crate::ledger::{journal, members, part, record, search};
use crate::{incidents, people};

/// Changes the review of an incident by a merge patch, if it has an `expected` version; a review that was not begun has
/// version 0. A patch that changes nothing is not journaled.
#[boxed]
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    incident: IncidentNumber,
    expected: &ExpectedVersion,
    patch: &ReviewPatch,
) -> Result<ReviewDetails> {
    let viewer = Viewer::of(author);
    let incident = incidents::get(tx, organization, &viewer, incident, View::now()).await?;
    let before = read::latest(tx, organization, incident.number).await?;
    expected.check(before.as_ref().map_or(0, |review| review.version))?;
    let facts = facts(tx, organization, incident.number, patch).await?;
    let after = patch.apply(before.as_ref(), incident.number, &facts, &author.actor, tx.at())?;
    let review = match (after, before) {
        (Some(after), before) => write(tx, organization, author, before.as_ref(), after).await?,
        (None, Some(before)) => before,
        (None, None) => return Err(domain::Error::Internal("no review was begun".to_owned()).into()),
    };
    read::details(tx, organization, incident.title, review).await
}

/// Journals a change and writes it: of an edition, or a new edition.
pub(super) async fn write(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    before: Option<&Review>,
    after: Review,
) -> Result<Review> {
    let before = before.filter(|before| before.edition == after.edition);
    let publishes = after.state == ReviewState::Published
        && before.is_none_or(|before| before.state != ReviewState::Published);
    let kind = match before {
        _ if publishes => read::PUBLISHED,
        None => "incident.review_created",
        Some(_) => "incident.review_updated",
    };
    let (subject, payload) = (incidents::subject(after.incident), part::changes(before, &after));
    let seq = journal::append(tx, organization, author, kind, subject, payload).await?;
    let seq_from = before.map_or(seq, |before| before.seq_from);
    let after = Review { seq_from, seq, ..after };
    match before {
        None => record::insert(tx, organization, &after).await?,
        Some(before) => {
            record::replace(tx, organization, &after).await?;
            search::refresh_part(tx, organization, (after.incident, after.edition), before, &after).await?;
        }
    }
    let earlier = Unit::of_row(Review::TABLE, after.incident, after.edition - 1);
    if let Some(earlier) = earlier.filter(|_| publishes && after.edition > 1) {
        search::refresh(tx, organization, SearchKind::Incident, &[earlier].into()).await?;
    }
    Ok(after)
}

/// What is wrong with a patch beside the review as it is at `now`; nothing if there is no such incident. For a patch that is
/// refused anyway, so that all faults are reported at once.
#[boxed]
pub async fn patch_faults(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    incident: IncidentNumber,
    patch: &ReviewPatch,
    now: Timestamp,
) -> Result<Faults> {
    let viewer: Viewer = Viewer::of(author);
    let Some(incident) = if_found(incidents::get(tx, organization, &viewer, incident, View::now()).await)?
    else {
        return Ok(Faults::new());
    };
    let before = read::latest(tx, organization, incident.number).await?;
    let facts = facts(tx, organization, incident.number, patch).await?;
    Ok(faults_of(patch.apply(before.as_ref(), incident.number, &facts, &author.actor, now)))
}

async fn facts(
    tx: &mut Tx,
    organization: OrgId,
    incident: IncidentNumber,
    patch: &ReviewPatch,
) -> Result<ReviewFacts> {
    let actions = patch.actions.as_deref().unwrap_or_default();
    let owners: HashSet<UserId> = actions.iter().filter_map(|action| action.owner).collect();
    let owners: Vec<UserId> = owners.into_iter().collect();
    let members = match owners.is_empty() {
        true => HashSet::new(),
        false => members::among(tx, organization, &owners).await?,
    };
    let tasks: Vec<i64> = actions.iter().filter_map(|action| action.task).collect();
    let tasks = match tasks.is_empty() {
        true => BTreeSet::new(),
        false => tasks_among(tx, organization, incident, &tasks).await?,
    };
    let owner = people::person(tx, organization, patch.owner.value().copied()).await?;
    Ok(ReviewFacts { owner, members, tasks })
}

/// Those of these numbers that are numbers of the incident's tasks.
async fn tasks_among(
    tx: &mut Tx,
    organization: OrgId,
    incident: IncidentNumber,
    numbers: &[i64],
) -> Result<BTreeSet<i64>> {
    let sql = format!(
        "SELECT (SELECT task.number FROM incident_task AS task
                 WHERE task.organization = $1 AND task.incident = $3 AND task.number = wanted.number
                   AND task.deleted_date IS NULL)
         FROM {}",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().copied());
    let params: [&dyn Param; 3] = [&organization.uuid(), &numbers, &incident.number()];
    let rows: Vec<(Option<i64>,)> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().filter_map(|(number,)| number).collect())
}
