//! Texts of documents as Word and PDF files, for who has to give them to somebody in that form.

use std::collections::HashMap;

use axum::http::header::{ETAG, HeaderValue};
use axum::response::Response;
use db::Tx;
use domain::document::{
    DocumentVersion, Proposal, ProposalStatus, PublishedText, body_of, property_of, sha256,
};
use domain::{Error as E, Line, OrgId};
use http::App;
use http::download;
use http::error::{Error, Result};
use render::{Paper, Table, Unprintable};

use crate::approval_record::{ApprovalRecord, When, approvers};

/// The media type of Word's files.
pub const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/// The media type of PDF files.
pub const PDF: &str = "application/pdf";

/// The most versions that the history on the first page has.
const MOST_VERSIONS: i64 = 50;

/// The form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A Word file.
    Word,
    /// A PDF, which a program that was built without them refuses.
    Pdf,
}

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
        let record = match proposals.get(&it.version.proposal) {
            Some(proposal) => Some(ApprovalRecord::of(tx, organization, proposal.clone()).await?),
            None => None,
        };
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
            When::At(at) => at.strftime("%Y-%m-%d %H:%M UTC").to_string(),
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
        ("Approved", version.approved_date.strftime("%Y-%m-%d %H:%M UTC").to_string()),
    ];
    facts.extend(of_text(&it.markdown));
    facts.push(("SHA-256", version.sha256.clone()));
    let name = format!("{}-{}", version.document, version.number);
    let foot = foot(&it.markdown, &format!("Version {}", version.number));
    let parts = Parts { facts, tables, foot, markdown: it.markdown.clone(), draft: None };
    file(app, form, &name, parts).await
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
    let parts = Parts {
        facts,
        tables: Vec::new(),
        foot: foot(markdown, &format!("Proposal {proposal}")),
        markdown: markdown.to_owned(),
        draft,
    };
    file(app, form, &format!("{document}-proposal-{proposal}"), parts).await
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

/// All that is in a file.
#[derive(Debug)]
struct Parts {
    facts: Vec<(&'static str, String)>,
    tables: Vec<Table<'static>>,
    foot: String,
    markdown: String,
    draft: Option<&'static str>,
}

/// A file with a tag that changes with anything that it prints: who approved the text, or that nobody did.
async fn file(app: &App, form: Form, name: &str, parts: Parts) -> Result<Response> {
    let key = sha256(&format!("{form:?} {parts:?}"));
    let file = app.files().get(&key, move || parts.make(form)).await?;
    let (ending, media_type) = match form {
        Form::Word => ("docx", WORD),
        Form::Pdf => ("pdf", PDF),
    };
    let mut response = download::whole(&format!("{name}.{ending}"), media_type, file);
    response.headers_mut().extend(HeaderValue::try_from(format!("\"{key}\"")).ok().map(|tag| (ETAG, tag)));
    Ok(response)
}

impl Parts {
    fn make(self, form: Form) -> Result<Vec<u8>> {
        let title = property_of(&self.markdown, "title").unwrap_or_default();
        let language = property_of(&self.markdown, "language").unwrap_or_default();
        let mut classification = property_of(&self.markdown, "classification").unwrap_or_default();
        if let Some(first) = classification.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let paper = Paper {
            title: &title,
            language: &language,
            head: &classification,
            foot: &self.foot,
            draft: self.draft,
            facts: self.facts,
            tables: self.tables,
            contents: Some("Contents"),
            markdown: body_of(&self.markdown),
        };
        match form {
            Form::Word => {
                render::docx(&paper).map_err(|error| Error::internal(format!("a Word file: {error}")))
            }
            Form::Pdf => render::pdf(&paper).map_err(|error| match error {
                Unprintable::Characters(all) => E::NoGlyphs(all).into(),
                Unprintable::Failed(fault) => Error::internal(format!("a PDF: {fault}")),
            }),
        }
    }
}
