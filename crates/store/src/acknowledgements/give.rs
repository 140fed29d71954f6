//! Recording an acknowledgement.

use db::Tx;
use domain::acknowledgement::{Acknowledgement, NewAcknowledgement};
use domain::{AcknowledgementId, Author, Error, FaultCode, OrgId, UserId};
use macros::boxed;

use super::check_newest;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, Subject};
use crate::ledger::record;
use crate::people;

/// Records that the author has acknowledged a version of a document, or that a member has on paper. It has to be the newest one.
#[boxed]
pub async fn give(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    new: &NewAcknowledgement,
) -> Result<Acknowledgement> {
    check_newest(tx, organization, (slug, number), Some(new.sha256.as_str())).await?;
    let person = match &new.on_paper {
        None => own_id(author)?,
        Some(paper) if people::get(tx, organization, paper.user).await?.is_some() => paper.user,
        Some(_) => {
            let detail = "No member of the organization has this id.";
            return Err(Error::invalid("#/on_paper/user", FaultCode::UnknownUser, detail).into());
        }
    };
    let given = Acknowledgement {
        id: AcknowledgementId(tx.uuid()),
        document: slug.to_owned(),
        document_version: number,
        sha256: new.sha256.to_string(),
        person,
        on_paper: new.on_paper.as_ref().map(|paper| paper.file.clone()),
        recorded_by: author.actor.clone(),
        created_date: tx.at(),
    };
    let payload = record::changes(None, &given);
    let subject = Subject::new("acknowledgement", given.id.to_string());
    journal::append(tx, organization, author, "acknowledgement.recorded", subject, payload).await?;
    record::insert(tx, organization, &given).await?;
    Ok(given)
}

/// The person that the author is. A client acknowledges nothing.
fn own_id(author: &Author) -> Result<UserId> {
    author.actor.person().ok_or_else(|| {
        let detail = "Only a person acknowledges a document; a client records what was signed on paper.";
        Error::invalid("#/on_paper", FaultCode::Required, detail).into()
    })
}
