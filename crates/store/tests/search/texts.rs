//! The texts of incidents as readers get them, one record after the other.
#![allow(clippy::unwrap_used, reason = "a panic is a test's answer")]

use db::Tx;
use domain::incident::{Incident, Viewer};
use domain::link::LinkDirection;
use domain::review::{Review, ReviewState};
use domain::search::{Texts, Weight};
use domain::{IncidentNumber, OrgId, Scopes};
use store::View;
use store::links::{LinkEnd, LinkQuery, LinkReader};
use store::list::{ListQuery, TimeRange};

/// The texts of every incident that a caller sees.
pub(crate) async fn of_all(tx: &mut Tx, org: OrgId, viewer: &Viewer) -> Vec<(IncidentNumber, Texts)> {
    let all = store::incidents::list(tx, org, viewer, &ListQuery::of(View::now()), 200).await.unwrap().rows;
    let mut found = Vec::new();
    for Incident { number, title, description, .. } in all {
        let mut texts = Texts::default();
        texts.add(Weight::Title, &title);
        texts.add(Weight::Description, &description);
        for text in of_parts(tx, org, viewer, number).await {
            texts.add(Weight::Rest, &text);
        }
        found.push((number, texts));
    }
    found
}

async fn of_parts(tx: &mut Tx, org: OrgId, viewer: &Viewer, incident: IncidentNumber) -> Vec<String> {
    let sql =
        "SELECT text FROM incident_note WHERE organization = $1 AND incident = $2 AND deleted_date IS NULL";
    let rows: Vec<(String,)> = tx.query(sql, &[&org.uuid(), &incident.number()]).await.unwrap();
    let mut texts: Vec<String> = rows.into_iter().map(|(text,)| text).collect();
    let tasks = store::tasks::list_of(tx, org, viewer, incident.into(), None, 200).await.unwrap();
    for task in tasks.rows.into_iter().map(|it| it.task) {
        texts.push(task.title.to_string());
        texts.extend(task.notes.map(|notes| notes.to_string()));
    }
    let query = LinkQuery { end: LinkEnd::Incident(incident), detected: TimeRange::default(), after: None };
    let reader = LinkReader::new(viewer.clone(), Scopes::default());
    let links = store::links::list(tx, org, &reader, &query, 200).await.unwrap().rows;
    for link in links.into_iter().filter(|it| it.direction == LinkDirection::Outgoing) {
        texts.extend([link.link.url, link.link.title].into_iter().flatten());
    }
    // The latest edition, and before it is published the latest one that was.
    let latest = store::reviews::get(tx, org, viewer, incident).await.ok().map(|it| it.review);
    let is_open = latest.as_ref().is_some_and(|review| review.state != ReviewState::Published);
    let published = store::reviews::editions(tx, org, viewer, incident, None, 1).await.unwrap().rows;
    let published = published.into_iter().map(|it| it.review).filter(|_| is_open);
    texts.extend(latest.into_iter().chain(published).flat_map(of_review));
    texts
}

fn of_review(review: Review) -> Vec<String> {
    let actions = review.actions.into_iter().map(|action| action.title.to_string());
    let sections = [review.summary, review.root_cause].into_iter().flatten().map(|text| text.to_string());
    sections.chain(actions).collect()
}
