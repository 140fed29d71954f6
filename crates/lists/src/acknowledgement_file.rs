//! The list of who has acknowledged a document, as a file that an auditor can be given.

use axum::response::Response;
use db::Tx;
use domain::acknowledgement::{AcknowledgementStatus, Coverage, PersonCoverage, Totals};
use domain::document::{Document, PublishedText, property_of};
use domain::{Error as E, ErrorCode, OrgId, word};
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
    coverage: DocumentCoverage,
    status: Vec<AcknowledgementStatus>,
}

impl AcknowledgementList {
    /// The people whom the caller sees, of those who were asked then: those with one of these statuses, all without any.
    pub async fn read(
        tx: &mut Tx,
        organization: OrgId,
        slug: &str,
        (coverage, status): (DocumentCoverage, Vec<AcknowledgementStatus>),
    ) -> Result<Self> {
        if coverage.with(&status).count() > MOST_PEOPLE {
            return Err(E::Conflict(ErrorCode::ExportTooLarge).into());
        }
        let document = store::documents::get(tx, organization, slug).await?.document;
        let version = store::documents::newest(tx, organization, slug, coverage.at).await?;
        Ok(Self { document, version, coverage, status })
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
        let foot = foot.into_iter().flatten().chain([time(self.coverage.at)]).collect::<Vec<_>>().join(" · ");
        let mut facts: Vec<_> = reference.map(|it| ("Reference", it)).into_iter().collect();
        if let Some(version) = version {
            facts.push(("Version", version.number.to_string()));
            facts.push(("SHA-256", version.sha256.clone()));
        }
        facts.push(("As of", time(self.coverage.at)));
        facts.extend(self.part().map(|part| ("Listed", part)));
        Printed {
            title: format!("Acknowledgements of {title}"),
            head: word::label(&property_of(text, "classification").unwrap_or_default()),
            foot,
            facts,
            tables: vec![numbers(self.coverage.totals), self.table()],
            exact: true,
            ..Printed::default()
        }
    }

    /// Which part of those who are asked it has, if it has not all of them.
    fn part(&self) -> Option<String> {
        let (listed, asked) = (self.people().count(), self.coverage.totals.asked);
        if i64::try_from(listed) == Ok(asked) {
            return None;
        }
        let statuses = self.status.iter().map(|it| label(*it)).collect::<Vec<_>>().join(", ");
        let statuses = if statuses.is_empty() { statuses } else { format!(": {statuses}") };
        Some(format!("{listed} of the {asked} who are asked{statuses}"))
    }

    fn people(&self) -> impl Iterator<Item = &PersonCoverage> {
        self.coverage.with(&self.status)
    }

    fn table(&self) -> Table<'static> {
        let head = vec!["Person", "Status", "When (UTC)", "Version", "SHA-256", "On paper"];
        Table { title: "People", head, rows: self.people().map(row).collect() }
    }
}

fn row(it: &PersonCoverage) -> Vec<String> {
    let minute = |at: Timestamp| at.strftime("%Y-%m-%d %H:%M").to_string();
    let mut row = vec![format!("{} ({})", it.person.name, it.person.email), label(it.status)];
    match it.coverage {
        Coverage::Covered { by, .. } => {
            row.extend([minute(by.at), by.version.to_string()]);
            row.push(it.sha256.iter().flat_map(|hash| hash.chars()).take(SHORT_HASH).collect());
            row.extend(on_paper(it));
        }
        Coverage::Open { due: Some(due), .. } => row.push(format!("due {}", minute(due))),
        Coverage::Open { due: None, .. } | Coverage::NotAsked | Coverage::NotReached => {}
    }
    row.resize(6, String::new());
    row
}

/// Where the signed paper is, and who recorded it.
fn on_paper(it: &PersonCoverage) -> Option<String> {
    Some(format!("{}, recorded by {}", it.on_paper.as_ref()?, it.recorded_by.as_ref()?))
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
