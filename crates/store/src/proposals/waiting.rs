//! Proposals that wait for a person.

use db::{FromRow, Param, Row, Tx};
use domain::{Actor, OrgId};
use jiff::Timestamp;
use macros::boxed;

use super::approvals;
use super::read::only_repeats;
use crate::ledger::error::Result;
use crate::ledger::record::Reader;

/// A proposal that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The number of the proposal.
    pub number: i64,
    /// The document's slug.
    pub document: String,
    /// The document's title.
    pub title: String,
    /// Whether it is to be approved; else it was returned to its authors.
    pub is_submitted: bool,
    /// Why it was returned.
    pub reason: Option<String>,
    /// When it was submitted or returned.
    pub since: Timestamp,
}

impl FromRow for Waiting {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let (number, document, title) = (row.next()?, row.next()?, row.next()?);
        let status: String = row.next()?;
        let (reason, since) = (row.next()?, row.next()?);
        Ok(Self { number, document, title, is_submitted: status == "submitted", reason, since })
    }
}

/// So many proposals are looked at.
const LOOKED_AT: i64 = 500;

/// Up to `limit` proposals that wait for a person, the oldest first: if they `approve`, those whose pending step waits for them;
/// those with changes of their own that were returned.
#[boxed]
pub async fn waiting(
    tx: &mut Tx,
    organization: OrgId,
    person: &Actor,
    approve: bool,
    limit: i64,
) -> Result<Vec<Waiting>> {
    const WAITING: &str = concat!(
        "SELECT proposal.number, d.slug, d.title, proposal.status, proposal.reason, proposal.updated_date
        FROM proposal JOIN document AS d ON d.organization = proposal.organization AND d.slug = proposal.document
        JOIN organization ON organization.id = proposal.organization
        WHERE proposal.organization = $1 AND proposal.status IN ('open', 'submitted')
          AND CASE WHEN proposal.status = 'submitted' THEN $3 ELSE proposal.reason IS NOT NULL END
          AND (proposal.status = 'submitted' AND (proposal.four_eyes_waived IS NOT NULL OR NOT organization.four_eyes)
               OR (proposal.status = 'open') = EXISTS (
              SELECT 1 FROM change_set AS r
              WHERE r.organization = proposal.organization AND r.proposal = proposal.number
                AND (r.fields IS NOT NULL OR EXISTS (
                    SELECT 1 FROM change_set_edit AS edit
                    WHERE edit.organization = r.organization AND edit.change_set = r.number
                      AND NOT ",
        only_repeats!(),
        "))
                AND (r.author_kind = 'user' AND r.author_id = $2
                     OR r.author_kind = 'client' AND r.author_id IN (
                         SELECT client.id FROM client WHERE client.organization = $1
                           AND client.created_by_kind = 'user' AND client.created_by_id = $2))))
        ORDER BY proposal.updated_date, proposal.number LIMIT $4"
    );
    let params: [&dyn Param; 4] = [&organization.uuid(), &person.id, &approve, &LOOKED_AT];
    let mut found: Vec<Waiting> = tx.query(WAITING, &params).await?;
    let submitted: Vec<_> = found.iter().filter(|it| it.is_submitted).map(|it| it.number).collect();
    let approved = approvals::waiting_for(tx, organization, person, &submitted).await?;
    found.retain(|it| !it.is_submitted || approved.contains(&it.number));
    found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(found)
}
