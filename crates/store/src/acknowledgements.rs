//! Acknowledgements of documents: who is asked for one, and who has given one.

mod changes;
mod coverage;
mod give;
mod journaled;
mod known;
mod of;
mod pseudonyms;
mod requests;

pub use coverage::{DocumentCoverage, coverage, last_acknowledged, to_acknowledge};
pub use give::give;
pub(crate) use journaled::{recorded, recorded_requests};
pub(crate) use requests::{asked_already, check_people, end_all, request_all};
pub use requests::{count_requests, end, request, requests};

use db::Tx;
use domain::acknowledgement::{Acknowledgement, AcknowledgementRequest};
use domain::document::DocumentStatus;
use domain::{Error, ErrorCode, OrgId, ResourceKind};

use crate::ledger::error::Result;
use crate::ledger::record::{record, stored_word};

record! {
    AcknowledgementRequest in "acknowledgement_request" {
        id: Plain => Key,
        document: Plain => Journaled,
        document_version: Plain => Journaled,
        who: AWord => Journaled,
        role: AWordOrNone => Journaled,
        group as "member_group": Plain => Journaled,
        users: AList => Journaled,
        due_days: Plain => Journaled,
        created_by: AnActor => Fixed,
        created_date: Plain => Fixed,
        ended_date: Plain => Journaled,
        seq_from: Plain => Counted,
    }
}

record! {
    Acknowledgement in "acknowledgement" {
        id: Plain => Key,
        document: Plain => Journaled,
        document_version: Plain => Journaled,
        sha256: Plain => Journaled,
        person: Plain => Journaled,
        on_paper: Plain => Journaled,
        recorded_by: AnActor => Fixed,
        created_date: Plain => Fixed,
    }
}

/// Fails unless the version with this number is the newest published one of a document that is not archived, and has this hash
/// if one is named.
async fn check_newest(
    tx: &mut Tx,
    organization: OrgId,
    (slug, number): (&str, i64),
    sha256: Option<&str>,
) -> Result<()> {
    let sql = "SELECT d.status, version.number, version.sha256 FROM document AS d
        LEFT JOIN document_version AS version ON version.organization = d.organization
            AND version.document = d.slug AND version.number = d.published_version
        WHERE d.organization = $1 AND d.slug = $2";
    let found: Option<(String, Option<i64>, Option<String>)> =
        tx.query_opt(sql, &[&organization.uuid(), &slug]).await?;
    let (status, newest, present) = found.ok_or(Error::NotFound(ResourceKind::Document))?;
    let (Some(newest), Some(present)) = (newest, present) else {
        return Err(Error::NotFound(ResourceKind::DocumentVersion).into());
    };
    if number > newest {
        return Err(Error::NotFound(ResourceKind::DocumentVersion).into());
    }
    if stored_word::<DocumentStatus>(&status)? == DocumentStatus::Archived {
        return Err(Error::Conflict(ErrorCode::DocumentArchived).into());
    }
    if number < newest || sha256.is_some_and(|sha256| sha256 != present) {
        return Err(Error::VersionSuperseded { sha256: present, difference: None }.into());
    }
    Ok(())
}
