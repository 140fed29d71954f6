//! The findings of a check of an installation or a backup.

use auth::MasterKey;
use serde::Serialize;
use store::signing_keys::StoredKey;

use crate::failure::Result;
use crate::output;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Ok,
    Warning,
    Fault,
}

#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    status: Status,
    detail: String,
    advice: Option<&'static str>,
}

/// The findings, in the order of the checks.
#[derive(Debug, Default)]
pub(crate) struct Findings(Vec<Finding>);

/// The answer in JSON.
#[derive(Serialize)]
pub(crate) struct View<'f> {
    status: Status,
    checks: &'f [Finding],
}

impl Findings {
    pub(crate) fn ok(&mut self, check: &'static str, detail: impl Into<String>) {
        self.add(check, Status::Ok, detail.into(), None);
    }

    pub(crate) fn warning(&mut self, check: &'static str, detail: impl Into<String>, advice: &'static str) {
        self.add(check, Status::Warning, detail.into(), Some(advice));
    }

    pub(crate) fn fault(&mut self, check: &'static str, detail: impl Into<String>, advice: &'static str) {
        self.add(check, Status::Fault, detail.into(), Some(advice));
    }

    /// What SQLite found wrong with a file that is `sound` otherwise; whether that is nothing.
    pub(crate) fn sqlite(&mut self, faults: &[String], sound: &str, advice: &'static str) -> bool {
        let some: Vec<_> = faults.iter().take(3).map(String::as_str).collect();
        match faults.is_empty() {
            true => self.ok("database", format!("SQLite finds {sound} sound")),
            false => self.fault("database", format!("the file is damaged: {}", some.join("; ")), advice),
        }
        faults.is_empty()
    }

    /// Whether the master key opens the signing keys.
    pub(crate) fn master_key(
        &mut self,
        keys: &[StoredKey],
        master: &MasterKey,
        advice: &'static str,
    ) -> bool {
        let fault = unopened(keys, master);
        let is_right = fault.is_none();
        match fault {
            None => self.ok("keys", format!("the master key opens all {} signing keys", keys.len())),
            Some(fault) => self.fault("keys", fault, advice),
        }
        is_right
    }

    fn add(&mut self, check: &'static str, status: Status, detail: String, advice: Option<&'static str>) {
        self.0.push(Finding { check, status, detail, advice });
    }

    pub(crate) fn faults(&self) -> usize {
        self.0.iter().filter(|finding| finding.status == Status::Fault).count()
    }

    /// The gravest status and all findings.
    pub(crate) fn view(&self) -> View<'_> {
        let has = |status| self.0.iter().any(|finding| finding.status == status);
        let status = match (has(Status::Fault), has(Status::Warning)) {
            (true, _) => Status::Fault,
            (_, true) => Status::Warning,
            _ => Status::Ok,
        };
        View { status, checks: &self.0 }
    }

    /// Prints a line for each finding.
    pub(crate) fn tell(&self) -> Result<()> {
        let line = |finding: &Finding| {
            let status = match finding.status {
                Status::Ok => "ok",
                Status::Warning => "warning",
                Status::Fault => "FAULT",
            };
            let advice = finding.advice.map(|advice| format!(". {advice}")).unwrap_or_default();
            format!("{status:<8} {:<12} {}{advice}", finding.check, finding.detail)
        };
        self.0.iter().try_for_each(|finding| output::line(&line(finding)))
    }
}

/// Why this is not the master key of these signing keys.
pub(crate) fn unopened(keys: &[StoredKey], master: &MasterKey) -> Option<String> {
    let key = keys.iter().find(|key| master.unseal(&key.kid, &key.sealed).is_err())?;
    Some(format!("this is another master key: it does not open the signing key {}", key.kid))
}
