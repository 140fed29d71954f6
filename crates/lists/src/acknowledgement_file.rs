//! The list of who has acknowledged a document, as a file that an auditor can be given.

use std::collections::HashMap;

use axum::response::Response;
use db::Tx;
use domain::acknowledgement::{
    Acknowledgement, AcknowledgementStatus, Coverage, Given, PersonCoverage, Totals,
};
use domain::document::{Document, PublishedText, property_of};
use domain::{Error as E, ErrorCode, OrgId, UserId, word};
use http::App;
use http::error::Result;
use jiff::Timestamp;
use render::Table;
use store::acknowledgements::DocumentCoverage;

use crate::printed_file::{Form, Printed, time};

/// The most people in such a file, which bounds its time and memory.
const MOST_PEOPLE: usize = 2_500;

/// The characters of a hash in a row. The whole hash of the newest version stands above.
const SHORT_HASH: usize = 12;

/// What such a file has.
#[derive(Debug)]
pub struct AcknowledgementList {
    document: Document,
    /// The newest version at that time.
    version: Option<PublishedText>,
    totals: Totals,
    people: Vec<PersonCoverage>,
    given: HashMap<(UserId, Given), Acknowledgement>,
    status: Vec<AcknowledgementStatus>,
    at: Timestamp,
}

impl AcknowledgementList {
    /// The people whom the caller sees, of those who were asked at this time: those with one of these statuses, all without any.
    pub async fn read(
        tx: &mut Tx,
        organization: OrgId,
        slug: &str,
        (seen, status): (DocumentCoverage, Vec<AcknowledgementStatus>),
        at: Timestamp,
    ) -> Result<Self> {
        let totals = seen.totals;
        let has_status = |it: &PersonCoverage| status.is_empty() || status.contains(&it.status);
        let people: Vec<_> = seen.people.into_iter().filter(has_status).collect();
        if people.len() > MOST_PEOPLE {
            return Err(E::Conflict(ErrorCode::ExportTooLarge).into());
        }
        let document = store::documents::get(tx, organization, slug).await?.document;
        let version = store::documents::newest(tx, organization, slug, at).await?;
        let all = store::acknowledgements::given(tx, organization, slug).await?;
        let key =
            |it: &Acknowledgement| (it.person, Given { version: it.document_version, at: it.created_date });
        let given = all.into_iter().map(|it| (key(&it), it)).collect();
        Ok(Self { document, version, totals, people, given, status, at })
    }

    /// The file.
    pub async fn file(self, app: &App, form: Form) -> Result<Response> {
        let name = format!("{}-acknowledgements", self.document.slug);
        self.printed().file(app, form, &name).await
    }

    fn printed(&self) -> Printed {
        let text = self.version.as_ref().map(|it| it.markdown.as_str()).unwrap_or_default();
        let title = property_of(text, "title").unwrap_or_else(|| self.document.title.to_string());
        let reference = property_of(text, "reference");
        let version = self.version.as_ref().map(|it| &it.version);
        let foot = [reference.clone(), version.map(|it| format!("Version {}", it.number))];
        let foot = foot.into_iter().flatten().chain([time(self.at)]).collect::<Vec<_>>().join(" · ");
        let mut facts: Vec<_> = reference.map(|it| ("Reference", it)).into_iter().collect();
        if let Some(version) = version {
            facts.push(("Version", version.number.to_string()));
            facts.push(("SHA-256", version.sha256.clone()));
        }
        facts.push(("As of", time(self.at)));
        facts.extend(self.part().map(|part| ("Listed", part)));
        Printed {
            title: format!("Acknowledgements of {title}"),
            head: word::label(&property_of(text, "classification").unwrap_or_default()),
            foot,
            facts,
            tables: vec![numbers(self.totals), self.table()],
            exact: true,
            ..Printed::default()
        }
    }

    /// Which part of those who are asked it has, if it has not all of them.
    fn part(&self) -> Option<String> {
        let (listed, asked) = (self.people.len(), self.totals.asked);
        if i64::try_from(listed) == Ok(asked) {
            return None;
        }
        let statuses = self.status.iter().map(|it| label(*it)).collect::<Vec<_>>().join(", ");
        let statuses = if statuses.is_empty() { statuses } else { format!(": {statuses}") };
        Some(format!("{listed} of the {asked} who are asked{statuses}"))
    }

    fn table(&self) -> Table<'static> {
        let head = vec!["Person", "Status", "When (UTC)", "Version", "SHA-256", "On paper"];
        Table { title: "People", head, rows: self.people.iter().map(|it| self.row(it)).collect() }
    }

    fn row(&self, it: &PersonCoverage) -> Vec<String> {
        let minute = |at: Timestamp| at.strftime("%Y-%m-%d %H:%M").to_string();
        let mut row = vec![format!("{} ({})", it.person.name, it.person.email), label(it.status)];
        match it.coverage {
            Coverage::Covered { by, .. } => {
                let given = self.given.get(&(it.person.id, by));
                row.extend([minute(by.at), by.version.to_string()]);
                row.push(given.map(|it| it.sha256.chars().take(SHORT_HASH).collect()).unwrap_or_default());
                row.push(given.and_then(on_paper).unwrap_or_default());
            }
            Coverage::Open { due: Some(due), .. } => row.push(format!("due {}", minute(due))),
            Coverage::Open { due: None, .. } | Coverage::NotAsked | Coverage::NotReached => {}
        }
        row.resize(6, String::new());
        row
    }
}

/// Where the signed paper is, and who recorded it.
fn on_paper(it: &Acknowledgement) -> Option<String> {
    it.on_paper.as_ref().map(|file| format!("{file}, recorded by {}", it.recorded_by.name))
}

fn numbers(totals: Totals) -> Table<'static> {
    let Totals { asked, covered, open, overdue, not_reached } = totals;
    let row = [asked, covered, open, overdue, not_reached].map(|it| it.to_string()).to_vec();
    Table {
        title: "Totals",
        head: vec!["Asked", "Acknowledged", "Open", "Overdue", "Not reached"],
        rows: vec![row],
    }
}

fn label(status: AcknowledgementStatus) -> String {
    match status {
        AcknowledgementStatus::Covered => "Acknowledged".to_owned(),
        other => word::label(other.as_str()),
    }
}
