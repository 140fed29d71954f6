//! How an incident lies in its tables.

use db::{FromRow, Row};
use domain::incident::{Incident, Status};
use domain::person::Person;
use domain::{Actor, ActorKind, IncidentNumber, UserId};
use uuid::Uuid;

/// The columns that `incident` and `incident_history` share.
pub(super) const STORED: &str =
    "organization, number, title, description, status, severity_reasoning, source,
    assigned_to, opened_by_kind, opened_by_id, occurred_date, detected_date, responded_date, contained_date,
    created_date, updated_date, deleted_date, version, seq_from";

/// The columns of an [`IncidentRow`], to be read from [`STORED`] columns called `i` with [`NAMES`].
pub(super) const COLUMNS: &str = "i.number, i.title, i.description, i.status, i.severity_reasoning, i.source,
    i.assigned_to, assignee.name, person.email,
    i.opened_by_kind, i.opened_by_id, COALESCE(client.name, opener.name, i.opened_by_id),
    i.occurred_date, i.detected_date, i.responded_date, i.contained_date,
    i.created_date, i.updated_date, i.deleted_date, i.version, i.seq_from";

/// Joins that find today's names.
pub(super) const NAMES: &str = "
    LEFT JOIN membership AS assignee ON assignee.organization = i.organization AND assignee.person = i.assigned_to
    LEFT JOIN person ON person.id = i.assigned_to
    LEFT JOIN client ON i.opened_by_kind = 'client' AND client.organization = i.organization
                     AND client.id = i.opened_by_id
    LEFT JOIN membership AS opener ON i.opened_by_kind = 'user' AND opener.organization = i.organization
                                   AND opener.actor_id = i.opened_by_id";

/// An incident as it is read.
pub(super) struct IncidentRow(pub(super) Incident);

impl FromRow for IncidentRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let status: String = row.get(3)?;
        let opener_kind: String = row.get(9)?;
        let assigned_to = match row.get::<Option<Uuid>>(6)? {
            Some(id) => Some(Person { id: UserId(id), name: row.get(7)?, email: row.get(8)? }),
            None => None,
        };
        Ok(Self(Incident {
            number: IncidentNumber(row.get(0)?),
            title: row.get(1)?,
            description: row.get(2)?,
            status: Status::parse(&status).ok_or_else(|| damaged("status", &status))?,
            severity_reasoning: row.get(4)?,
            source: row.get(5)?,
            assigned_to,
            opened_by: Actor {
                kind: ActorKind::parse(&opener_kind)
                    .ok_or_else(|| damaged("opened_by_kind", &opener_kind))?,
                id: row.get(10)?,
                name: row.get(11)?,
            },
            occurred_date: row.get(12)?,
            detected_date: row.get(13)?,
            responded_date: row.get(14)?,
            contained_date: row.get(15)?,
            created_date: row.get(16)?,
            updated_date: row.get(17)?,
            deleted_date: row.get(18)?,
            version: row.get(19)?,
            seq_from: row.get(20)?,
        }))
    }
}

fn damaged(column: &str, value: &str) -> db::Error {
    db::Error::Internal(format!("incident.{column} {value} is not known"))
}
