//! Making the texts of published versions again, from what the journal tells of the document, and comparing them with what was
//! approved and stored.

use std::collections::{BTreeMap, HashMap, HashSet};

use db::Tx;
use domain::OrgId;
use domain::document::{
    self, DocumentVersion, DocumentWithItems, PrintedText, Proposal, ProposedChanges, PublishedText,
    ReportSource,
};
use macros::boxed;
use serde_json::{Map, Value};

use crate::documents::{all_versions, value_field, version_field};
use crate::ledger::error::{Result, if_found};
use crate::ledger::journal::{self, Entry, EntryFilter};
use crate::ledger::list::Direction;
use crate::{documents, proposals};

/// Entries that are read at a time.
const PAGE: i64 = 100;

/// Proposals that are read at a time.
const PROPOSALS: usize = 100;

/// A published version of a document, and what is wrong with it.
#[derive(Debug, Default)]
pub struct CheckedVersion {
    /// Its number.
    pub number: i64,
    /// The version as it is stored; none if it is not.
    pub stored: Option<PublishedText>,
    /// What is wrong with it.
    pub faults: Vec<VersionFault>,
    /// What the text of a kept report was made from.
    pub report: Option<ReportSource>,
    /// Where the text of a kept report tells of what was erased from the register since, which is no fault.
    pub erased: Vec<VersionFault>,
    /// Whether the journal tells of it.
    is_told: bool,
}

/// What is wrong with a stored version, or cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionFault {
    /// The first line of the stored text that differs from the text that was made again, from 1.
    pub line: Option<usize>,
    /// A sentence for people.
    pub detail: String,
}

/// Checks every published version of a document: that its text is made again from what was published with it, and that the hash
/// of the text is the one that was approved.
#[boxed]
pub async fn check(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<Vec<CheckedVersion>> {
    let present = documents::get(tx, organization, slug).await?;
    let is_report = present.document.is_report();
    let stored = all_versions(tx, organization, slug).await?;
    let numbers: Vec<i64> = stored.iter().map(|it| it.version.proposal).collect();
    let mut proposals = Proposals::new();
    for numbers in numbers.chunks(PROPOSALS) {
        proposals.extend(proposals::with_approvals(tx, organization, numbers).await?);
    }
    let checked = stored.into_iter().map(|it| (it.version.number, CheckedVersion::of(it, &proposals)));
    let mut checked: BTreeMap<i64, CheckedVersion> = checked.collect();
    let filter = EntryFilter {
        subject_kind: vec!["document"],
        subject_id: vec![slug.to_owned()],
        kind: vec!["document.created", "document.published"],
        ..EntryFilter::default()
    };
    let (mut fields, mut after) = (Map::new(), None);
    loop {
        let page = journal::page(tx, organization, &filter, Direction::Ascending, after, PAGE).await?;
        for entry in &page.rows {
            let told = told(entry);
            let published: Vec<i64> = told.keys().filter_map(|field| published_number(field)).collect();
            if entry.kind == "document.created" {
                // An earlier document with this slug was a draft that was deleted.
                fields.clear();
            }
            fields.extend(told);
            for number in published {
                let version = checked.entry(number).or_insert_with(|| CheckedVersion::missing(number));
                version.is_told = true;
                version.compare("the journal", document_of(&fields, &present), &proposals);
            }
        }
        after = page.rows.last().filter(|_| page.has_more).map(|entry| entry.seq);
        if after.is_none() {
            break;
        }
    }
    let latest = present.document.published_version;
    if let Some(version) = latest.and_then(|number| checked.get_mut(&number)) {
        version.compare("the document as it is", Ok(present), &proposals);
    }
    for version in checked.values_mut().filter(|it| !it.is_told) {
        version.fault(None, "The journal does not tell of its publication.".to_owned());
    }
    if is_report {
        set_sources(&mut checked, &proposals);
    }
    Ok(checked.into_values().collect())
}

/// The same of a document that may have been deleted since it was listed: such a draft had no versions.
#[boxed]
pub async fn check_if_there(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<Vec<CheckedVersion>> {
    Ok(if_found(check(tx, organization, slug).await)?.unwrap_or_default())
}

/// Notes what the text of each version of a report was made from: a version whose proposal kept no report has the text before it.
fn set_sources(checked: &mut BTreeMap<i64, CheckedVersion>, proposals: &Proposals) {
    let mut source = None;
    for version in checked.values_mut() {
        let Some(stored) = &version.stored else { continue };
        let kept = proposals.get(&stored.version.proposal).and_then(|it| it.report.clone());
        source = kept.or(source);
        version.report.clone_from(&source);
        if source.is_none() {
            version.fault(None, "Nothing tells which register its text was made from.".to_owned());
        }
    }
}

/// Proposals by number, with their approvals.
type Proposals = HashMap<i64, Proposal>;

impl CheckedVersion {
    fn of(stored: PublishedText, proposals: &Proposals) -> Self {
        let DocumentVersion { number, proposal, sha256: approved, .. } = stored.version.clone();
        let hash = document::sha256(&stored.markdown);
        let mut checked = Self { number, stored: Some(stored), is_told: false, ..Self::default() };
        if hash != approved {
            checked.fault(None, format!("The SHA-256 of its text is {hash}, not {approved}."));
        }
        let submitted = proposals.get(&proposal).and_then(|it| it.sha256.as_ref());
        let steps = proposals.get(&proposal).into_iter().flat_map(|it| &it.steps);
        let valid = steps.flat_map(|it| &it.approvals).filter(|it| !it.is_void);
        let hashes: HashSet<&String> = valid.map(|it| &it.sha256).collect();
        if submitted != Some(&approved) || hashes != HashSet::from([&approved]) {
            let detail = format!("The proposal {proposal} or its approvals are of another SHA-256.");
            checked.fault(None, detail);
        }
        checked
    }

    fn missing(number: i64) -> Self {
        let mut checked = Self { number, is_told: true, ..Self::default() };
        checked.fault(None, "It was published, and is not stored.".to_owned());
        checked
    }

    /// Notes a fault, with the line of the text that it is in.
    pub fn fault(&mut self, line: Option<usize>, detail: String) {
        self.faults.push(VersionFault { line, detail });
    }

    /// Compares the stored text with the one that a document makes, which `source` tells.
    fn compare(&mut self, source: &str, document: domain::Result<DocumentWithItems>, proposals: &Proposals) {
        let Some(PublishedText { version, markdown }) = &self.stored else { return };
        let made = document.and_then(|it| made(&it, version, proposals.get(&version.proposal)));
        let difference = made.map(|made| document::first_difference(markdown, &made));
        match difference {
            Ok(None) => {}
            Ok(Some(line)) => {
                let detail = format!("Line {line} of its text is not the one that is made from {source}.");
                self.fault(Some(line), detail);
            }
            Err(error) => self.fault(None, format!("No text can be made from {source}: {error}")),
        }
    }
}

/// The text that a version of this document has.
fn made(
    document: &DocumentWithItems,
    version: &DocumentVersion,
    proposal: Option<&Proposal>,
) -> domain::Result<String> {
    let items = document.items.iter();
    let values = items.filter_map(|it| Some((it.item.id.as_str(), it.value.as_deref()?))).collect();
    let effective_date = proposal.and_then(|it| it.effective_date.as_ref());
    PrintedText::of(document, effective_date, Some(version.is_material), values).markdown()
}

/// The document that has these fields in the journal, beside what is not printed.
fn document_of(
    fields: &Map<String, Value>,
    present: &DocumentWithItems,
) -> domain::Result<DocumentWithItems> {
    let mut document = ProposedChanges::to_fields(fields).overlaid(present)?;
    for placed in &mut document.items {
        let value = fields.get(&value_field(&placed.item.id)).and_then(Value::as_str);
        placed.value = value.map(str::to_owned);
    }
    Ok(document)
}

/// The value of each field after an entry that changed it. An entry that cannot be read tells nothing.
fn told(entry: &Entry) -> Map<String, Value> {
    let payload = entry.payload.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let changes: BTreeMap<String, Vec<Value>> = payload.unwrap_or_default();
    changes.into_iter().map(|(field, mut pair)| (field, pair.pop().unwrap_or_default())).collect()
}

/// The number of the version that a field tells of, if it does.
fn published_number(field: &str) -> Option<i64> {
    let number = field.rsplit('/').next()?.parse().ok()?;
    (version_field(number) == field).then_some(number)
}
