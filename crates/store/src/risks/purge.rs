//! Purging risks from the trash, with their evaluations and links. They have been out of the figure
//! since they were deleted.

use db::Tx;
use domain::time::format;
use domain::{Author, OrgId, RiskNumber};
use jiff::Timestamp;

use super::subject;
use crate::error::Result;
use crate::housekeeping::{MOST_RECORDS, PurgePlan, Purgeable, Taken, purge_records};
use crate::journal::Payload;
use crate::organizations;

const PLAN: PurgePlan = PurgePlan {
    kind: "risk.purged",
    deletes: &[
        "DELETE FROM evaluation WHERE organization = $1 AND risk = $2",
        "DELETE FROM risk_latest WHERE organization = $1 AND risk = $2",
        "DELETE FROM risk_tag WHERE organization = $1 AND risk = $2",
        "DELETE FROM risk_history WHERE organization = $1 AND number = $2",
        "DELETE FROM risk WHERE organization = $1 AND number = $2",
    ],
};

/// Number, journal entries, and created and deleted date.
type Row = (i64, i64, Timestamp, Timestamp);

/// See [`crate::housekeeping::purge`].
pub(crate) async fn purge(tx: &mut Tx, organization: OrgId, author: &Author) -> Result<Taken> {
    let Some(before) = organizations::purged_before_now(tx, organization).await? else {
        return Ok(Taken::default());
    };
    // Each version, each evaluation and each tag that was put on has its entry.
    let sql = "SELECT number, version
                   + (SELECT count(*) FROM evaluation AS e
                      WHERE e.organization = risk.organization AND e.risk = risk.number)
                   + (SELECT count(*) FROM risk_tag AS t
                      WHERE t.organization = risk.organization AND t.risk = risk.number),
                   created_date, deleted_date
               FROM risk WHERE organization = $1 AND deleted_date IS NOT NULL AND deleted_date <= $2
               ORDER BY deleted_date, number LIMIT $3";
    let rows: Vec<Row> = tx.query(sql, &[&organization.uuid(), &before, &(MOST_RECORDS + 1)]).await?;
    purge_records(tx, organization, author, &PLAN, rows.into_iter().map(purgeable).collect()).await
}

fn purgeable((number, entries, created, deleted): Row) -> Purgeable {
    let remains = Payload::new().gone("created_date", format(created)).gone("deleted_date", format(deleted));
    Purgeable { number, entries, subject: subject(RiskNumber(number)), remains }
}
