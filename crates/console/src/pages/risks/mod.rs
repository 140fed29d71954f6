//! Risks: the register, one of them with its history, and evaluating it.

pub(crate) mod add;
pub(crate) mod chart;
pub(crate) mod evaluate;
pub(crate) mod list;
pub(crate) mod show;

use domain::{ResourceKind, RiskNumber, Scope};

use crate::frame::page_request::{PageRequest, Result};

/// What reading risks needs.
const READ: &[Scope] = &[Scope::RisksRead];

/// What changing them needs.
const WRITE: &[Scope] = &[Scope::RisksWrite];

/// The number in the path.
fn number(request: &PageRequest) -> Result<RiskNumber> {
    request.path(0, ResourceKind::Risk, RiskNumber::parse)
}

/// The levels of likelihood with their names, the highest first.
const LIKELIHOODS: [(i64, &str); 5] =
    [(5, "Almost certain"), (4, "Likely"), (3, "Possible"), (2, "Unlikely"), (1, "Rare")];

/// The levels of impact with their names, the highest first.
const IMPACTS: [(i64, &str); 5] =
    [(5, "Severe"), (4, "Major"), (3, "Moderate"), (2, "Minor"), (1, "Negligible")];
