//! What a restore or a verification found.

use domain::OrgId;
use serde::Serialize;
use store::journal::{Expected, Report as Verified};

use crate::commands::finding::{Findings, View};
use crate::failure::{Failure, Result};
use crate::output;

/// The most faults reported for one journal; a broken chain may have one for each entry.
const TOLD_FAULTS: usize = 100;
/// The same on one line of text.
const TOLD_IN_A_LINE: usize = 3;

/// The findings, and each journal's in figures.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) findings: Findings,
    organizations: Vec<Journal>,
}

/// One organization's journal.
#[derive(Debug, Serialize)]
struct Journal {
    organization: OrgId,
    name: String,
    entries: i64,
    /// Entries whose payload was erased.
    erased: i64,
    /// Records that were compared with their latest entry.
    records: i64,
    /// `SEQ:HASH`.
    head: String,
    /// Entries after the head that the manifest notes; none when it notes none.
    entries_since_manifest: Option<i64>,
    faults: Vec<JournalFault>,
}

#[derive(Debug, Serialize)]
struct JournalFault {
    entry: i64,
    detail: String,
}

#[derive(Serialize)]
struct Answer<'r> {
    #[serde(flatten)]
    findings: View<'r>,
    organizations: &'r [Journal],
}

impl Report {
    /// Notes what the verification of a journal found, and how far it goes beyond what was noted of it.
    pub(super) fn journal(
        &mut self,
        organization: OrgId,
        name: &str,
        noted: Option<&Expected>,
        found: &Verified,
    ) {
        let head = format!("{}:{}", found.head.seq, hex::encode(&found.head.hash));
        let since = noted.map(|noted| (found.head.seq - noted.seq).max(0));
        let told = format!("{organization} {name}");
        let figures = format!("{} entries, {} records compared, head {head}", found.entries, found.records);
        let faults: Vec<_> =
            found.faults.iter().map(|fault| format!("entry {}: {}", fault.seq, fault.detail)).collect();
        if faults.is_empty() {
            let since = since.filter(|since| *since > 0);
            let since = since.map(|since| format!(", {since} since the manifest")).unwrap_or_default();
            self.findings.ok("journal", format!("{told}: {figures}{since}"));
        } else {
            let some: Vec<_> = faults.iter().take(TOLD_IN_A_LINE).map(String::as_str).collect();
            let detail = format!("{told}: {} faults, {}. {figures}", faults.len(), some.join(" "));
            let advice =
                "The register was changed by hand, or the copy is damaged: compare with another backup.";
            self.findings.fault("journal", detail, advice);
        }
        self.organizations.push(Journal {
            organization,
            name: name.to_owned(),
            entries: found.entries,
            erased: found.erased,
            records: found.records,
            head,
            entries_since_manifest: since,
            faults: found
                .faults
                .iter()
                .take(TOLD_FAULTS)
                .map(|fault| JournalFault { entry: fault.seq, detail: fault.detail.clone() })
                .collect(),
        });
    }

    /// Prints it; an error when there is a fault.
    pub(super) fn finish(&self, as_json: bool) -> Result<()> {
        if as_json {
            output::json(&Answer { findings: self.findings.view(), organizations: &self.organizations })?;
        } else {
            self.findings.tell()?;
        }
        match self.findings.faults() {
            0 => Ok(()),
            _ => Err(Failure::new("there is a fault: see the report").coded("fault_found")),
        }
    }
}
