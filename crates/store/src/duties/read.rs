//! Reading the duties of a member.

use std::collections::HashMap;

use db::{FromRow, Row, Tx};
use domain::document::Document;
use domain::duty::{Duty, DutyCounts};
use domain::incident::{Incident, Viewer};
use domain::person::Person;
use domain::review::{Review, ReviewState};
use domain::risk::Risk;
use domain::{Error, IncidentNumber, Line, OrgId, ResourceKind, RiskNumber, UserId};
use macros::boxed;

use super::{documents, incidents, reviews, risks, tasks};
use crate::ledger::error::Result;
use crate::ledger::list::Direction;
use crate::ledger::record::{Columns as _, Reader, Stored};
use crate::people;
use crate::tasks::{TaskDetails, first_due};

/// The most duties of each kind that are shown.
pub const DUTIES_SHOWN: i64 = 50;

/// A document by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedDocument {
    /// Its slug.
    pub slug: String,
    /// Its title.
    pub title: Line,
}

/// A review by the name of its incident.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedReview {
    /// The incident.
    pub incident: IncidentNumber,
    /// The title of the incident.
    pub incident_title: Line,
    /// The edition that is not published yet.
    pub edition: i64,
    /// Its state.
    pub state: ReviewState,
}

/// The duties of a member: how many, and the first [`DUTIES_SHOWN`] of each kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DutiesOf {
    /// The member, also one who has left.
    pub person: Person,
    /// How many, of the kinds that were asked for.
    pub counts: DutyCounts,
    /// Number and title, the latest first.
    pub incidents: Vec<(IncidentNumber, Line)>,
    /// By due date.
    pub tasks: Vec<TaskDetails>,
    /// Those of the latest incident first.
    pub reviews: Vec<NamedReview>,
    /// Number and title, the latest first.
    pub risks: Vec<(RiskNumber, Line)>,
    /// Of risks, by due date.
    pub risk_tasks: Vec<TaskDetails>,
    /// By slug.
    pub documents: Vec<NamedDocument>,
}

/// The duties of these kinds that a member has, as far as the caller sees the incidents; also of one who has left.
#[boxed]
pub async fn get(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    kinds: &[Duty],
    member: UserId,
) -> Result<DutiesOf> {
    let mut known: HashMap<UserId, Person> = people::named(tx, organization, vec![member]).await?;
    let person = known.remove(&member).ok_or(Error::NotFound(ResourceKind::User))?;
    let counts = counts(tx, organization, viewer, kinds, member).await?;
    let mut duties = DutiesOf {
        person,
        counts,
        incidents: Vec::new(),
        tasks: Vec::new(),
        reviews: Vec::new(),
        risks: Vec::new(),
        risk_tasks: Vec::new(),
        documents: Vec::new(),
    };
    let some = kinds.iter().filter(|kind| duties.counts.of(**kind) != Some(0)).copied().collect::<Vec<_>>();
    for kind in some {
        add(tx, organization, viewer, member, kind, &mut duties).await?;
    }
    Ok(duties)
}

/// How many duties of each of these kinds a member has, as far as the caller sees the incidents.
#[boxed]
pub async fn counts(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    kinds: &[Duty],
    member: UserId,
) -> Result<DutyCounts> {
    let mut counts = DutyCounts::default();
    for kind in kinds {
        let count = match kind {
            Duty::Incidents => incidents(organization, viewer, member).count(tx).await?,
            Duty::Tasks => tasks::<IncidentNumber>(organization, viewer, member).count(tx).await?,
            Duty::Reviews => reviews(organization, viewer, member).count(tx).await?,
            Duty::Risks => risks(organization, member).count(tx).await?,
            Duty::RiskTasks => tasks::<RiskNumber>(organization, viewer, member).count(tx).await?,
            Duty::Documents => documents(organization, member).count(tx).await?,
        };
        counts.0.push((*kind, count));
    }
    Ok(counts)
}

/// Refuses a member who has such duties, as far as the caller sees them: they would be left to nobody.
#[boxed]
pub async fn none_left(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    kinds: &[Duty],
    member: UserId,
) -> Result<()> {
    // Who has left can keep duties, and is not found.
    if people::person(tx, organization, Some(member)).await?.is_none() {
        return Ok(());
    }
    let counts = counts(tx, organization, viewer, kinds, member).await?;
    if counts.total() > 0 { Err(Error::MemberHasDuties(counts).into()) } else { Ok(()) }
}

async fn add(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    member: UserId,
    kind: Duty,
    duties: &mut DutiesOf,
) -> Result<()> {
    let (latest, first) = (Direction::Descending, Direction::Ascending);
    match kind {
        Duty::Incidents => {
            let select = incidents(organization, viewer, member).order(&["number"], latest, []);
            let rows: Vec<Stored<Incident>> = select.first(tx, DUTIES_SHOWN).await?;
            duties.incidents = rows.into_iter().map(|Stored(it)| (it.number, it.title)).collect();
        }
        Duty::Tasks => {
            let select = tasks::<IncidentNumber>(organization, viewer, member);
            duties.tasks = first_due(tx, select, DUTIES_SHOWN).await?;
        }
        Duty::RiskTasks => {
            let select = tasks::<RiskNumber>(organization, viewer, member);
            duties.risk_tasks = first_due(tx, select, DUTIES_SHOWN).await?;
        }
        Duty::Reviews => {
            let select = reviews(organization, viewer, member).order(&["incident"], latest, []);
            let select = select.with(", incident.title", |_| {
                " JOIN incident ON incident.organization = r.organization AND incident.number = r.incident".to_owned()
            });
            let rows: Vec<ReviewRow> = select.first(tx, DUTIES_SHOWN).await?;
            duties.reviews = rows.into_iter().map(|ReviewRow(review)| review).collect();
        }
        Duty::Risks => {
            let select = risks(organization, member).order(&["number"], latest, []);
            let rows: Vec<Stored<Risk>> = select.first(tx, DUTIES_SHOWN).await?;
            duties.risks = rows.into_iter().map(|Stored(it)| (it.number, it.title)).collect();
        }
        Duty::Documents => {
            let select = documents(organization, member).order(&["slug"], first, []);
            let rows: Vec<Stored<Document>> = select.first(tx, DUTIES_SHOWN).await?;
            let named = rows.into_iter().map(|Stored(it)| NamedDocument { slug: it.slug, title: it.title });
            duties.documents = named.collect();
        }
    }
    Ok(())
}

struct ReviewRow(NamedReview);

impl FromRow for ReviewRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let review = Review::read(&mut row)?;
        let (incident, edition, state) = (review.incident, review.edition, review.state);
        Ok(Self(NamedReview {
            incident,
            incident_title: Line::stored(row.next::<String>()?),
            edition,
            state,
        }))
    }
}
