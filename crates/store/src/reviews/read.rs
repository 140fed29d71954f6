//! Reading the review of an incident.

use std::collections::{HashMap, HashSet};

use db::{Tx, Value};
use domain::incident::Viewer;
use domain::person::Person;
use domain::review::{Review, ReviewState};
use domain::{Actor, Error, IncidentNumber, Line, OrgId, ResourceKind, UserId};
use jiff::Timestamp;
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::journal::{self, EntryFilter};
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::Stored;
use crate::ledger::view::View;
use crate::{incidents, people};

/// The kind of the entry of a publication.
pub(super) const PUBLISHED: &str = "incident.review_published";

/// An edition of a review with what is shown of its incident and of the owners of its actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewDetails {
    /// The edition.
    pub review: Review,
    /// The title of its incident.
    pub incident_title: Line,
    /// The owners of its actions, also those who have left.
    pub people: HashMap<UserId, Person>,
}

/// The latest edition of the review of an incident that the caller sees and that is not deleted.
#[boxed]
pub async fn get(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    incident: IncidentNumber,
) -> Result<ReviewDetails> {
    let incident = incidents::get(tx, organization, viewer, incident, View::now()).await?;
    let review = latest(tx, organization, incident.number).await?;
    let review = review.ok_or(Error::NotFound(ResourceKind::Review))?;
    details(tx, organization, incident.title, review).await
}

/// The latest edition, if there is a review.
pub(super) async fn latest(
    tx: &mut Tx,
    organization: OrgId,
    incident: IncidentNumber,
) -> Result<Option<Review>> {
    let select = of_incident(organization, incident).order(&["edition"], Direction::Descending, []);
    Ok(select.one(tx).await?.map(|Stored(review)| review))
}

/// Up to `limit` published editions of the review of an incident that the caller sees, the latest first: those before the
/// edition with this number.
#[boxed]
pub async fn editions(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    incident: IncidentNumber,
    before: Option<i64>,
    limit: i64,
) -> Result<Page<ReviewDetails>> {
    let incident = incidents::get(tx, organization, viewer, incident, View::now()).await?;
    let select = published(organization, incident.number);
    let select = select.order(&["edition"], Direction::Descending, before.map(Value::from));
    let page = select.page(tx, limit).await?.map(|Stored(review): Stored<Review>| review);
    let people = owners(tx, organization, &page.rows).await?;
    let title = incident.title;
    Ok(page.map(|review| ReviewDetails { review, incident_title: title.clone(), people: people.clone() }))
}

/// The publication of an edition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publication {
    /// The edition.
    pub edition: i64,
    /// When it was published.
    pub at: Timestamp,
    /// Who published it.
    pub by: Actor,
}

/// The latest publications of the review of an incident, whoever sees the incident: up to `limit`, the latest first.
#[boxed]
pub async fn publications(
    tx: &mut Tx,
    organization: OrgId,
    incident: IncidentNumber,
    limit: i64,
) -> Result<Vec<Publication>> {
    let editions = published(organization, incident).order(&["edition"], Direction::Descending, []);
    let editions: Vec<Stored<Review>> = editions.page(tx, limit).await?.rows;
    let subject = incidents::subject(incident);
    let filter = EntryFilter {
        subject_kind: vec![subject.kind],
        subject_id: vec![subject.id],
        kind: vec![PUBLISHED],
        ..EntryFilter::default()
    };
    let before = editions.last().map(|Stored(oldest)| oldest.seq_from - 1);
    let entries = journal::page(tx, organization, &filter, Direction::Ascending, before, limit).await?.rows;
    // The first publication since an edition was begun is its own.
    let publication = |Stored(review): Stored<Review>| {
        let entry = entries.iter().find(|entry| entry.seq >= review.seq_from)?;
        let at = review.published_date.unwrap_or(entry.at);
        Some(Publication { edition: review.edition, at, by: entry.actor.clone() })
    };
    Ok(editions.into_iter().filter_map(publication).collect())
}

/// How many editions were published, whoever sees the incident.
#[boxed]
pub async fn count_editions(tx: &mut Tx, organization: OrgId, incident: IncidentNumber) -> Result<i64> {
    published(organization, incident).count(tx).await
}

/// An edition with what is shown beside it.
pub(super) async fn details(
    tx: &mut Tx,
    organization: OrgId,
    incident_title: Line,
    review: Review,
) -> Result<ReviewDetails> {
    let people = owners(tx, organization, std::slice::from_ref(&review)).await?;
    Ok(ReviewDetails { review, incident_title, people })
}

/// The owners of the actions of these reviews.
async fn owners(tx: &mut Tx, organization: OrgId, reviews: &[Review]) -> Result<HashMap<UserId, Person>> {
    let actions = reviews.iter().flat_map(|review| &review.actions);
    let owners: HashSet<UserId> = actions.filter_map(|action| action.owner).collect();
    people::named(tx, organization, owners.into_iter().collect()).await
}

fn of_incident<'q>(organization: OrgId, incident: IncidentNumber) -> Select<'q, Review> {
    // An edition is never deleted.
    Select::of(organization, View::with_deleted()).filter(Filter::is("incident", incident.number().into()))
}

fn published<'q>(organization: OrgId, incident: IncidentNumber) -> Select<'q, Review> {
    of_incident(organization, incident).filter(Filter::is("state", ReviewState::Published.as_str().into()))
}
