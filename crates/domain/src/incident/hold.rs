//! A pause in the work on an incident. It is no status, so the phase of the work is not lost.

use jiff::Timestamp;
use macros::Body;

use crate::actor::Actor;
use crate::text::Reason;

/// The pause of an incident.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// When it started.
    pub since: Timestamp,
    /// Who set it, or changed it last.
    pub by: Actor,
    /// When it is over; none: when somebody ends it.
    pub until: Option<Timestamp>,
    /// Why.
    pub reason: Reason,
}

/// A pause to set.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(read_only = &["since", "by"])]
pub struct NewHold {
    /// When it ends; absent or null: when someone ends it.
    pub until: Option<Timestamp>,
    /// Why.
    #[body(example = "The vendor needs until Friday.")]
    pub reason: Reason,
}

impl NewHold {
    /// The pause, set `at` this moment. It begins when the one that is `running` began, if there is one.
    pub fn begin(&self, running: Option<&Hold>, by: &Actor, at: Timestamp) -> Hold {
        let running = running.filter(|hold| !hold.is_over(at));
        if let Some(same) = running.filter(|hold| hold.until == self.until && hold.reason == self.reason) {
            return same.clone();
        }
        let since = running.map_or(at, |hold| hold.since);
        Hold { since, by: by.clone(), until: self.until, reason: self.reason.clone() }
    }
}

impl Hold {
    /// Whether it is over `at` this moment.
    pub fn is_over(&self, at: Timestamp) -> bool {
        self.until.is_some_and(|until| until <= at)
    }
}
