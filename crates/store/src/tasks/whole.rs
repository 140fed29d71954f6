//! The record that a task belongs to, as far as its tasks depend on it.

use db::Tx;
use domain::incident::{self, Incident, Viewer};
use domain::task::{Task, TaskOf};
use domain::{Line, OrgId};

use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::{incidents, risks};

/// The record.
pub(super) enum Whole {
    /// An incident.
    Incident(Box<Incident>),
    /// A risk with this title.
    Risk(Line),
}

impl Whole {
    /// The record, if the caller sees it.
    pub(super) async fn seen(tx: &mut Tx, organization: OrgId, viewer: &Viewer, of: TaskOf) -> Result<Self> {
        match of {
            TaskOf::Incident(number) => {
                let incident = incidents::get(tx, organization, viewer, number, View::now()).await?;
                Ok(Self::Incident(Box::new(incident)))
            }
            TaskOf::Risk(number) => {
                Ok(Self::Risk(risks::get_without_tags(tx, organization, number, View::now()).await?.title))
            }
        }
    }

    /// Refuses a change of a task that the record does not allow.
    pub(super) fn check(&self, before: Option<&Task>, after: &Task) -> Result<()> {
        match self {
            Self::Incident(incident) => Ok(incident::check_task(incident, before, after)?),
            Self::Risk(_) => Ok(()),
        }
    }

    /// Its title.
    pub(super) fn into_title(self) -> Line {
        match self {
            Self::Incident(incident) => incident.title,
            Self::Risk(title) => title,
        }
    }
}
