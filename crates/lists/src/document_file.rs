//! Texts of documents as Word and PDF files, for who has to give them to somebody in that form.

use std::collections::HashMap;

use axum::response::Response;
use db::Tx;
use domain::document::{DocumentVersion, Proposal, ProposalStatus, PublishedText, body_of, property_of};
use domain::{Line, OrgId, word};
use http::App;
use http::error::Result;
use render::Table;

use crate::approval_record::{ApprovalRecord, When, approvers};
use crate::printed_file::{Form, Printed, time};

/// The most versions that the history on the first page has.
const MOST_VERSIONS: i64 = 50;

/// What stands around the text of a published version in its file.
#[derive(Debug)]
pub struct Around {
    /// The versions until this one, the latest first.
    history: Vec<DocumentVersion>,
    /// The proposals of these versions.
    proposals: HashMap<i64, Proposal>,
    /// How this version was approved.
    record: Option<ApprovalRecord>,
    /// What was in force before the first version.
    earlier: Option<Line>,
}

impl Around {
    /// What stands around this text of the document with this slug.
    pub async fn read(tx: &mut Tx, organization: OrgId, slug: &str, it: &PublishedText) -> Result<Self> {
        let next = Some(it.version.number + 1);
        let history = store::documents::versions(tx, organization, slug, next, MOST_VERSIONS).await?.rows;
        let numbers: Vec<_> = history.iter().map(|version| version.proposal).collect();
        let proposals = store::proposals::with_approvals(tx, organization, &numbers).await?;
        let record = proposals.get(&it.version.proposal).cloned().map(ApprovalRecord::of);
        let earlier = store::documents::get(tx, organization, slug).await?.document.earlier;
        Ok(Self { history, proposals, record, earlier })
    }

    fn approvers(&self, version: &DocumentVersion) -> String {
        approvers(version, self.proposals.get(&version.proposal))
    }

    fn history(&self) -> Table<'static> {
        let row = |it: &DocumentVersion| {
            let summary = it.summary.as_ref().map(|it| render::plain(it)).unwrap_or_default();
            vec![it.number.to_string(), it.effective_date.to_string(), self.approvers(it), summary]
        };
        let mut rows: Vec<_> = self.history.iter().map(row).collect();
        let is_whole = self.history.last().is_some_and(|first| first.number == 1);
        if let Some(earlier) = self.earlier.as_ref().filter(|_| is_whole) {
            rows.push(vec!["Before".to_owned(), String::new(), String::new(), earlier.to_string()]);
        }
        Table {
            title: "History",
            head: vec!["Version", "In force from", "Approved by", "What changed"],
            rows,
        }
    }

    fn approval(&self) -> Table<'static> {
        let decisions = self.record.iter().flat_map(ApprovalRecord::decisions);
        let when = |it: When| match it {
            When::At(at) => time(at),
            When::On(day) => day.to_string(),
        };
        let rows = decisions.map(|it| vec![it.step, it.when.map(when).unwrap_or_default(), it.what]);
        Table { title: "Approval", head: vec!["Step", "When", "Decision"], rows: rows.collect() }
    }
}

/// A published version as a file. Its first page says how it was approved, and has the history until then.
pub async fn published(app: &App, form: Form, it: &PublishedText, around: &Around) -> Result<Response> {
    let version = &it.version;
    let tables = [around.approval(), around.history()].into_iter().filter(|it| !it.rows.is_empty()).collect();
    let mut facts = vec![
        ("Version", version.number.to_string()),
        ("In force from", version.effective_date.to_string()),
        ("Approved by", around.approvers(version)),
        ("Approved", time(version.approved_date)),
    ];
    facts.extend(of_text(&it.markdown));
    facts.push(("SHA-256", version.sha256.clone()));
    let name = format!("{}-{}", version.document, version.number);
    let foot = foot(&it.markdown, &format!("Version {}", version.number));
    Printed { facts, tables, foot, ..of_text_alone(&it.markdown) }.file(app, form, &name).await
}

/// The text of a proposal as a file, marked on each page unless it is approved.
pub async fn proposed(
    app: &App,
    form: Form,
    document: &str,
    (proposal, status): (i64, ProposalStatus),
    markdown: &str,
) -> Result<Response> {
    let draft = match status {
        ProposalStatus::Open | ProposalStatus::Submitted => Some("Draft, not approved"),
        ProposalStatus::Rejected => Some("Rejected"),
        ProposalStatus::Withdrawn => Some("Withdrawn"),
        ProposalStatus::Approved => None,
    };
    let mut facts = vec![("Proposal", proposal.to_string())];
    facts.extend(of_text(markdown));
    let foot = foot(markdown, &format!("Proposal {proposal}"));
    let name = format!("{document}-proposal-{proposal}");
    Printed { facts, foot, draft, ..of_text_alone(markdown) }.file(app, form, &name).await
}

/// What a text says of itself.
fn of_text(markdown: &str) -> impl Iterator<Item = (&'static str, String)> {
    let named = [("Reference", "reference"), ("Audience", "audience"), ("Language", "language")];
    let values = named.map(|(label, name)| (label, property_of(markdown, name).unwrap_or_default()));
    values.into_iter().filter(|(_, value)| !value.is_empty())
}

fn foot(markdown: &str, which: &str) -> String {
    property_of(markdown, "reference").map_or_else(|| which.to_owned(), |it| format!("{it} · {which}"))
}

/// A text with its title and the other properties that each page has.
fn of_text_alone(markdown: &str) -> Printed {
    let property = |name| property_of(markdown, name).unwrap_or_default();
    Printed {
        title: property("title"),
        language: property("language"),
        head: word::label(&property("classification")),
        contents: Some("Contents"),
        markdown: body_of(markdown).to_owned(),
        ..Printed::default()
    }
}
