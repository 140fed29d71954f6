//! The findings of a check of an installation or a backup.

use serde::Serialize;

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

    pub(crate) fn lines(&self) -> Vec<String> {
        let line = |finding: &Finding| {
            let status = match finding.status {
                Status::Ok => "ok",
                Status::Warning => "warning",
                Status::Fault => "FAULT",
            };
            let advice = finding.advice.map(|advice| format!(". {advice}")).unwrap_or_default();
            format!("{status:<8} {:<12} {}{advice}", finding.check, finding.detail)
        };
        self.0.iter().map(line).collect()
    }
}
