//! What may become of an incident next, for a caller that is about to decide.

use super::life::{Need, Step};
use super::requirement::{Requirement, Surroundings, missing};
use super::status::Status;
use super::{Incident, transition};
use crate::error::Error;
use crate::scope::{Scope, Scopes};

/// Another status of an incident, and whether it can be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransitionOption {
    /// The status.
    pub to: Status,
    /// Whether reaching it is a reopening.
    pub reopens: bool,
    /// Whether nothing stands against it, if what it needs is sent.
    pub permitted: bool,
    /// The members that must be sent.
    pub needs: Vec<&'static str>,
    /// What blocks it.
    pub blocked_by: Vec<Obstacle>,
}

/// Something that blocks a transition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    /// Stable machine code.
    pub code: &'static str,
    /// A sentence for a person.
    pub detail: String,
}

/// One option for each status that the incident does not have, for a caller with these scopes.
pub fn options(incident: &Incident, around: &Surroundings, scopes: Scopes) -> Vec<TransitionOption> {
    let others = Status::ALL.iter().filter(|status| **status != incident.status);
    others.map(|to| option(incident, *to, around, scopes)).collect()
}

fn option(incident: &Incident, to: Status, around: &Surroundings, scopes: Scopes) -> TransitionOption {
    let mut blocked_by = Vec::new();
    if !scopes.has(Scope::IncidentsWrite) {
        let detail = format!("This needs the scope {}.", Scope::IncidentsWrite);
        blocked_by.push(Obstacle { code: "insufficient_scope", detail });
    }
    let step = match transition::step(incident, to) {
        Ok(step) => Some(step),
        Err(error) => {
            let detail = match error {
                Error::TransitionNotAllowed { from, to, allowed } => not_allowed(from, to, &allowed),
                other => other.to_string(),
            };
            blocked_by.push(Obstacle { code: "transition_not_allowed", detail });
            None
        }
    };
    let mut needs = Vec::new();
    if let Some(step) = step {
        needs = needed(step, incident);
        if step.needs(Need::Gate) {
            for requirement in missing(incident, around) {
                match requirement {
                    Requirement::ResolutionSummaryMissing => needs.push("resolution_summary"),
                    _ => blocked_by.push(obstacle(requirement, scopes)),
                }
            }
        }
    }
    let reopens = step.is_some_and(Step::is_reopening);
    TransitionOption { to, reopens, permitted: blocked_by.is_empty(), needs, blocked_by }
}

/// The members that a step needs.
fn needed(step: &Step, incident: &Incident) -> Vec<&'static str> {
    let is_explained = step.to == Status::Dismissed && incident.severity.is_high();
    let needs = [
        ("resolution_reason", step.needs(Need::ResolutionReason)),
        ("responded_date", step.needs(Need::RespondedDate) && incident.responded_date.is_none()),
        ("reason", step.needs(Need::Reason) || is_explained),
    ];
    needs.into_iter().filter(|(_, is_needed)| *is_needed).map(|(name, _)| name).collect()
}

fn obstacle(requirement: Requirement, scopes: Scopes) -> Obstacle {
    let mut detail = requirement.sentence().to_owned();
    if scopes.has(Scope::IncidentsOverride) {
        detail.push_str(" You can close with an override and a reason.");
    }
    Obstacle { code: requirement.as_str(), detail }
}

/// Why an incident cannot get another status, in a sentence.
pub fn not_allowed(from: Status, to: Status, allowed: &[Status]) -> String {
    let allowed: Vec<&str> = allowed.iter().map(|status| status.as_str()).collect();
    let next = match allowed.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        few => few.concat(),
    };
    format!("An incident that is {from} cannot become {to}. It can become {next}.")
}
