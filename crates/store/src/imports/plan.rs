//! What becomes of rows of a file, by what it is imported as.

use db::Tx;
use domain::import::{Import, ImportKind, ImportRow, PreparedRow};
use domain::{Author, OrgId};

use super::{evaluations, incidents, risks, tags};
use crate::ledger::error::Result;

/// What becomes of some rows.
pub(super) enum Plan<'p> {
    Risks(risks::Plan<'p>),
    Evaluations(evaluations::Plan<'p>),
    Incidents(incidents::Plan<'p>),
    Tags(tags::Plan<'p>),
}

impl<'p> Plan<'p> {
    /// Says what becomes of each row now.
    pub(super) async fn make(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        kind: ImportKind,
        rows: &'p [PreparedRow],
    ) -> Result<Self> {
        Ok(match kind {
            ImportKind::Risks => Self::Risks(risks::Plan::make(tx, organization, author, rows).await?),
            ImportKind::Evaluations => {
                Self::Evaluations(evaluations::Plan::make(tx, organization, author, rows).await?)
            }
            ImportKind::Incidents => {
                Self::Incidents(incidents::Plan::make(tx, organization, author, rows).await?)
            }
            ImportKind::Tags => Self::Tags(tags::Plan::make(tx, organization, rows).await?),
        })
    }

    /// What becomes of the rows, of which the first has this place.
    pub(super) fn outcomes(&self, import: &Import, first: usize) -> Vec<ImportRow> {
        match self {
            Self::Risks(plan) => plan.outcomes(import, first),
            Self::Evaluations(plan) => plan.outcomes(import, first),
            Self::Incidents(plan) => plan.outcomes(import, first),
            Self::Tags(plan) => plan.outcomes(import, first),
        }
    }

    /// Writes it.
    pub(super) async fn write(
        self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        import: &Import,
        first: usize,
    ) -> Result<Vec<ImportRow>> {
        match self {
            Self::Risks(plan) => plan.write(tx, organization, author, import, first).await,
            Self::Evaluations(plan) => plan.write(tx, organization, author, import, first).await,
            Self::Incidents(plan) => plan.write(tx, organization, author, import, first).await,
            Self::Tags(plan) => plan.write(tx, organization, author, import, first).await,
        }
    }
}
