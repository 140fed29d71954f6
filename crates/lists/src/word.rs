//! Texts of documents as Word files, for who has to give them to somebody in that form.

use axum::response::Response;
use domain::document::{DocumentVersion, PublishedText, body_of, property_of};
use http::download;
use http::error::{Error, Result};
use render::{Paper, Table};

/// The media type of Word's files.
pub const MEDIA_TYPE: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/// The most versions that the history on the first page has.
pub const MOST_VERSIONS: i64 = 50;

/// A published version as a file. Its first page has the `history` until then, the latest version first.
pub fn published(it: &PublishedText, history: &[DocumentVersion]) -> Result<Response> {
    let version = &it.version;
    let row = |it: &DocumentVersion| {
        let summary = it.summary.as_ref().map(|it| render::plain(it)).unwrap_or_default();
        vec![it.number.to_string(), it.effective_date.to_string(), it.approved_by.name.clone(), summary]
    };
    let tables = vec![Table {
        title: "History",
        head: vec!["Version", "In force from", "Approved by", "What changed"],
        rows: history.iter().map(row).collect(),
    }];
    let mut facts = vec![
        ("Version", version.number.to_string()),
        ("In force from", version.effective_date.to_string()),
        ("Approved by", version.approved_by.name.clone()),
        ("Approved", version.approved_date.strftime("%Y-%m-%d %H:%M UTC").to_string()),
    ];
    facts.extend(of_text(&it.markdown));
    facts.push(("SHA-256", version.sha256.clone()));
    let name = format!("{}-{}", version.document, version.number);
    let foot = foot(&it.markdown, &format!("Version {}", version.number));
    file(&name, &it.markdown, Paper { facts, tables, foot: &foot, ..Paper::default() })
}

/// The text of a proposal as a file, marked on each page as not approved.
pub fn proposed(document: &str, proposal: i64, markdown: &str) -> Result<Response> {
    let mut facts = vec![("Proposal", proposal.to_string())];
    facts.extend(of_text(markdown));
    let foot = foot(markdown, &format!("Proposal {proposal}"));
    let paper = Paper { facts, foot: &foot, draft: Some("Draft, not approved"), ..Paper::default() };
    file(&format!("{document}-proposal-{proposal}"), markdown, paper)
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

fn file(name: &str, markdown: &str, paper: Paper<'_>) -> Result<Response> {
    let title = property_of(markdown, "title").unwrap_or_default();
    let mut classification = property_of(markdown, "classification").unwrap_or_default();
    if let Some(first) = classification.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let paper = Paper { title: &title, head: &classification, markdown: body_of(markdown), ..paper };
    let file = render::docx(&paper).map_err(|error| Error::internal(format!("a Word file: {error}")))?;
    Ok(download::whole(&format!("{name}.docx"), MEDIA_TYPE, file))
}
