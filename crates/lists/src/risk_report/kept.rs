//! The report as the text of a document that keeps it, and making that text again.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use db::Tx;
use domain::document::template::{MAX_TEMPLATE, escaped};
use domain::document::{self, ReportSource};
use domain::{Error, FaultCode, OrgId, Prose, RiskNumber};
use http::error::Result;
use store::version_check::{CheckedVersion, VersionFault};

use super::RiskReport;
use super::words::WORDING;
use crate::input::risk_span::SpanParams;
use crate::printed_file::Printed;

/// The most changes in the text.
const KEPT: usize = 200;

/// By so many the changes are reduced until the text fits.
const STEP: usize = 10;

/// The text of a report, with what it was made from.
pub async fn kept(tx: &mut Tx, organization: OrgId, days: SpanParams) -> Result<(ReportSource, Prose)> {
    let report = RiskReport::read(tx, organization, days, KEPT).await?;
    let source = ReportSource { wording: WORDING, span: report.span.clone(), names: report.names() };
    Ok((source, report.text()?))
}

/// Whether this program can make the text of a kept report again: it has the words that the report was kept with.
pub fn has_present_wording(source: &ReportSource) -> bool {
    source.wording == WORDING
}

/// Makes the text of a published version again if it is that of a report that was kept with the present wording, and compares it. Lines
/// that tell of risks that were deleted for good since are no fault.
pub async fn check(tx: &mut Tx, organization: OrgId, version: &mut CheckedVersion) -> store::Result<()> {
    let source = version.report.clone().filter(has_present_wording);
    let Some((source, stored)) = source.zip(version.stored.clone()) else { return Ok(()) };
    let report = RiskReport::of(tx, organization, source.span.clone(), KEPT).await?.renamed(&source.names);
    let made = match report.text().and_then(|text| document::rebuilt(&stored.markdown, &text)) {
        Ok(made) => made,
        Err(error) => {
            version.fault(None, format!("No text can be made from the register of risks: {error}"));
            return Ok(());
        }
    };
    let Some(first) = document::first_difference(&stored.markdown, &made) else { return Ok(()) };
    let purged = store::risks::purged_after(tx, organization, source.span.to.seq).await?;
    if purged.is_empty() {
        version
            .fault(Some(first), format!("Line {first} of its text is not what the register of risks tells."));
        return Ok(());
    }
    // How many changes fit depends on the lengths of all of them. None that was listed comes later without those that are gone.
    let whole = markdown(&report.printed_with(KEPT));
    let made = document::rebuilt(&stored.markdown, &whole).unwrap_or(made);
    let made: HashSet<&str> = made.lines().collect();
    for (line, text) in (1..).zip(stored.markdown.lines()).filter(|(_, text)| !made.contains(text)) {
        match risk_of(text) {
            Some(risk) if !purged.contains(risk) => {
                let detail = format!("Line {line} of its text is not what the register tells of {risk}.");
                version.fault(Some(line), detail);
            }
            about => version.erased.push(erased(line, about)),
        }
    }
    Ok(())
}

/// A line that tells of this risk, or else counts risks, which was deleted for good.
fn erased(line: usize, risk: Option<&str>) -> VersionFault {
    let detail = match risk {
        Some(risk) => format!("Line {line} tells of {risk}, which was deleted for good since."),
        None => format!("Line {line} counts risks that were deleted for good since."),
    };
    VersionFault { line: Some(line), detail }
}

/// The id of the risk that a line of a table is about.
fn risk_of(line: &str) -> Option<&str> {
    line.split([' ', '|']).find(|word| RiskNumber::parse_written(word).is_some())
}

/// What tells one actor from all others.
fn key(kind: &str, id: &str) -> String {
    format!("{kind}/{id}")
}

impl RiskReport {
    /// The names of all people in it.
    fn names(&self) -> BTreeMap<String, String> {
        let owners = self.worst.rows.iter().filter_map(|it| it.owner.as_ref());
        let deciders = self.changes.iter().filter_map(|it| it.cause.on_behalf_of.as_ref());
        let people = owners.chain(deciders).map(|it| (key("user", &it.id.to_string()), it.name.clone()));
        let actors = self.changes.iter().map(|it| &it.cause.by);
        people.chain(actors.map(|it| (key(it.kind.as_str(), &it.id), it.name.clone()))).collect()
    }

    /// The same with these names of people.
    fn renamed(mut self, names: &BTreeMap<String, String>) -> Self {
        let owners = self.worst.rows.iter_mut().filter_map(|it| it.owner.as_mut());
        let deciders = self.changes.iter_mut().filter_map(|it| it.cause.on_behalf_of.as_mut());
        for person in owners.chain(deciders) {
            person.name = names.get(&key("user", &person.id.to_string())).unwrap_or(&person.name).clone();
        }
        for by in self.changes.iter_mut().map(|it| &mut it.cause.by) {
            by.name = names.get(&key(by.kind.as_str(), &by.id)).unwrap_or(&by.name).clone();
        }
        self
    }

    /// The report as a template without places, with as many of the changes as fit into one.
    fn text(&self) -> domain::Result<Prose> {
        let mut texts = (0..=KEPT).rev().step_by(STEP).map(|shown| markdown(&self.printed_with(shown)));
        let fitting = texts.find(|text| text.len() <= MAX_TEMPLATE).map(Prose::stored);
        fitting.ok_or_else(|| {
            Error::invalid("#", FaultCode::TooLong, "The report has more text than a document takes.")
        })
    }
}

/// Facts and tables as Markdown, in which nothing that people wrote has a meaning.
fn markdown(printed: &Printed) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    for (name, value) in &printed.facts {
        let _ = writeln!(out, "- **{name}:** {}", cell(value));
    }
    for table in &printed.tables {
        let _ = write!(out, "\n# {}\n\n{}", table.title, row(table.head.iter().copied()));
        let _ = writeln!(out, "{}|", "| --- ".repeat(table.head.len()));
        out.extend(table.rows.iter().map(|it| row(it.iter().map(String::as_str))));
    }
    out
}

fn row<'c>(cells: impl Iterator<Item = &'c str>) -> String {
    let cells: Vec<String> = cells.map(cell).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn cell(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    escaped(&words.join(" "))
}
