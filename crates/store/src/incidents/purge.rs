//! Purging incidents from the trash.

use db::Tx;
use domain::time::format;
use domain::{Author, IncidentNumber, OrgId};
use jiff::Timestamp;

use super::subject;
use crate::error::Result;
use crate::housekeeping::{MOST_RECORDS, PurgePlan, Purgeable, Taken, purge_records};
use crate::journal::Payload;
use crate::organizations;

const PLAN: PurgePlan = PurgePlan {
    kind: "incident.purged",
    deletes: &[
        "DELETE FROM incident_history WHERE organization = $1 AND number = $2",
        "DELETE FROM incident WHERE organization = $1 AND number = $2",
    ],
};

/// Number, version, and created, occurred, detected, responded, contained and deleted date.
type Row =
    (i64, i64, Timestamp, Option<Timestamp>, Timestamp, Option<Timestamp>, Option<Timestamp>, Timestamp);

/// See [`crate::housekeeping::purge`].
pub(crate) async fn purge(tx: &mut Tx, organization: OrgId, author: &Author) -> Result<Taken> {
    let Some(before) = organizations::purged_before_now(tx, organization).await? else {
        return Ok(Taken::default());
    };
    let sql = "SELECT number, version, created_date, occurred_date, detected_date, responded_date,
                      contained_date, deleted_date
               FROM incident WHERE organization = $1 AND deleted_date IS NOT NULL AND deleted_date <= $2
               ORDER BY deleted_date, number LIMIT $3";
    let rows: Vec<Row> = tx.query(sql, &[&organization.uuid(), &before, &(MOST_RECORDS + 1)]).await?;
    purge_records(tx, organization, author, &PLAN, rows.into_iter().map(purgeable).collect()).await
}

fn purgeable(
    (number, version, created, occurred, detected, responded, contained, deleted): Row,
) -> Purgeable {
    let dates = [
        ("created_date", Some(created)),
        ("occurred_date", occurred),
        ("detected_date", Some(detected)),
        ("responded_date", responded),
        ("contained_date", contained),
        ("deleted_date", Some(deleted)),
    ];
    let remains =
        dates.into_iter().fold(Payload::new(), |remains, (name, date)| remains.gone(name, date.map(format)));
    // Each version has its entry.
    Purgeable { number, entries: version, subject: subject(IncidentNumber(number)), remains }
}
