//! The review of an incident as a file.

use axum::response::Response;
use db::Tx;
use domain::incident::{Incident, Viewer};
use domain::record::Record as _;
use domain::review::{Action, Review, ReviewState};
use domain::{IncidentNumber, OrgId, word};
use http::App;
use http::error::Result;
use jiff::Timestamp;
use render::Table;
use store::View;
use store::reviews::{Publication, ReviewDetails};

use crate::printed_file::{Form, Printed, time};

/// The most editions that are named.
const MOST_EDITIONS: i64 = 50;

/// What such a file has.
#[derive(Debug)]
pub struct ReviewFile {
    incident: Incident,
    /// The latest edition.
    details: ReviewDetails,
    /// The published editions, the latest first.
    editions: Vec<Publication>,
}

impl ReviewFile {
    /// The latest edition of the review of an incident that the caller sees and that is not deleted.
    pub async fn read(
        tx: &mut Tx,
        organization: OrgId,
        viewer: &Viewer,
        incident: IncidentNumber,
    ) -> Result<Self> {
        let details = store::reviews::get(tx, organization, viewer, incident).await?;
        let incident = store::incidents::get(tx, organization, viewer, incident, View::now()).await?;
        let editions = store::reviews::publications(tx, organization, incident.number, MOST_EDITIONS).await?;
        Ok(Self { incident, details, editions })
    }

    /// The file. The texts of sections that have nothing in them are left out.
    pub async fn file(self, app: &App, form: Form) -> Result<Response> {
        let name = format!("{}-review", self.incident.number);
        self.printed().file(app, form, &name).await
    }

    fn printed(&self) -> Printed {
        let (incident, review) = (&self.incident, &self.details.review);
        let tables = [dates(incident), self.actions(), self.editions()];
        Printed {
            title: format!("Review: {}", incident.title),
            head: if incident.restricted { "Restricted" } else { "" }.to_owned(),
            foot: format!("{} · Edition {}", incident.number, review.edition),
            draft: match review.state {
                ReviewState::Draft => Some("Draft, not published"),
                ReviewState::InReview => Some("In review, not published"),
                ReviewState::Published => None,
            },
            facts: self.facts(),
            tables: tables.into_iter().filter(|it| !it.rows.is_empty()).collect(),
            sections: sections(review),
            exact: true,
            ..Printed::default()
        }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let (incident, review) = (&self.incident, &self.details.review);
        let mut facts = vec![
            ("Incident", incident.number.to_string()),
            ("Severity", word::label(incident.severity.as_str())),
            ("Status", word::label(incident.status.as_str())),
            ("Edition", review.edition.to_string()),
        ];
        facts.extend(review.owner.as_ref().map(|owner| ("Review owner", owner.name.clone())));
        let published = self.editions.iter().find(|it| it.edition == review.edition);
        facts.extend(published.map(|it| ("Published", format!("{}, by {}", time(it.at), it.by.name))));
        facts
    }

    fn actions(&self) -> Table<'static> {
        let owner = |it: &Action| it.owner.and_then(|owner| self.details.people.get(&owner));
        let row = |(number, it): (i64, &Action)| {
            vec![
                number.to_string(),
                it.title.to_string(),
                owner(it).map(|person| person.name.clone()).unwrap_or_default(),
                it.due.map(time).unwrap_or_default(),
                it.task.map(|task| task.to_string()).unwrap_or_default(),
            ]
        };
        let rows = (1..).zip(&self.details.review.actions).map(row).collect();
        Table { title: "Actions", head: vec!["No.", "Action", "Owner", "Due", "Task"], rows }
    }

    fn editions(&self) -> Table<'static> {
        let row = |it: &Publication| vec![it.edition.to_string(), time(it.at), it.by.name.clone()];
        let rows = self.editions.iter().map(row).collect();
        Table { title: "Published editions", head: vec!["Edition", "When", "By"], rows }
    }
}

fn dates(it: &Incident) -> Table<'static> {
    let dates: [(&str, Option<Timestamp>); 6] = [
        ("occurred_date", it.occurred_date),
        ("detected_date", Some(it.detected_date)),
        ("responded_date", it.responded_date),
        ("contained_date", it.contained_date),
        ("resolved_date", it.resolved_date),
        ("closed_date", it.closed_date),
    ];
    let label = |name| Incident::field(name).map_or("", |field| field.label).to_owned();
    let rows = dates.into_iter().filter_map(|(name, at)| Some(vec![label(name), time(at?)])).collect();
    Table { title: "Timeline", head: vec!["What", "When"], rows }
}

fn sections(review: &Review) -> Vec<(&'static str, String)> {
    let texts = [
        ("summary", &review.summary),
        ("root_cause", &review.root_cause),
        ("contributing_factors", &review.contributing_factors),
        ("impact", &review.impact),
        ("went_well", &review.went_well),
        ("lessons", &review.lessons),
    ];
    let label = |name| Review::field(name).map_or("", |field| field.label);
    texts.into_iter().filter_map(|(name, text)| Some((label(name), text.as_ref()?.to_string()))).collect()
}
