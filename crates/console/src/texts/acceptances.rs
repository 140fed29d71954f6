//! Texts of the pages about acceptances of risks.

use std::fmt::Display;

pub(crate) const ACCEPTANCE: &str = "Acceptance";
pub(crate) const ACCEPTANCES: &str = "Acceptances";
pub(crate) const DECISION_MISSING: &str = "Decision missing";
pub(crate) const IN_FORCE: &str = "In force";
pub(crate) const REQUESTED: &str = "Requested";
pub(crate) const ENDING: &str = "Ending within 30 days";
pub(crate) const TO_CONFIRM: &str = "To confirm";
pub(crate) const RISK_IS_CLOSED: &str = "The risk is closed.";
pub(crate) const REQUEST_IS_OPEN: &str = "A request is already open.";
pub(crate) const EVALUATE_FIRST: &str = "Evaluate the risk by the present scale first.";
pub(crate) const BAND_NEVER_ACCEPTED: &str = "Risks in this band cannot be accepted.";
pub(crate) const ACCEPTANCE_REQUESTED: &str = "Acceptance requested.";
pub(crate) const NO_OWNER_TO_DECIDE: &str = "The owner (unassigned)";
pub(crate) const ANYONE_WHO_CAN_ACCEPT: &str = "The owner, or anyone who can accept risks";

/// What is told after so many of the selected acceptances were confirmed.
pub(crate) fn acceptances_confirmed(count: usize, selected: usize) -> String {
    match count == selected {
        true => "Acceptances confirmed.".to_owned(),
        false => format!("{count} of {selected} confirmed. The others have changed."),
    }
}

/// The title of the page of one acceptance.
pub(crate) fn acceptance_of(number: i64, risk: impl Display) -> String {
    format!("Acceptance {number} of {risk}")
}

/// The title of the page with the acceptances of a risk.
pub(crate) fn acceptances_of(risk: impl Display) -> String {
    format!("Acceptances of {risk}")
}

/// Who decides where the owner does.
pub(crate) fn owner_decides(owner: impl Display) -> String {
    format!("{owner} (owner)")
}

/// What is told after a step.
pub(crate) fn acceptance_step(step: &str, decision: &str) -> &'static str {
    match (step, decision) {
        ("revoke", _) => "Acceptance revoked.",
        ("waive", _) => "The requester can decide about this request.",
        ("decide" | "record", "refused") => "Request refused.",
        ("decide" | "record", _) => "Risk accepted.",
        _ => "Request withdrawn.",
    }
}
