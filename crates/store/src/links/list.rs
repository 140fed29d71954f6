//! Reading links from either end.

use db::{FromRow, Row, Tx, Value};
use domain::link::{IncidentLink, LinkDirection, LinkTarget, LinkedType};
use domain::severity::Severity;
use domain::{IncidentNumber, OrgId, RiskNumber};
use jiff::Timestamp;
use macros::boxed;

use super::LinkReader;
use crate::ledger::error::Result;
use crate::ledger::list::{Text, TimeRange, seen};
use crate::ledger::page::Page;
use crate::ledger::record::{Columns as _, Reader, columns_as, stored_word};

/// The record at which links are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkEnd {
    /// An incident: its own links, and those of others that lead to it.
    Incident(IncidentNumber),
    /// A risk: the incidents that lead to it.
    Risk(RiskNumber),
    /// A document, by its slug: the incidents that lead to it.
    Document(String),
}

/// Which links a list has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkQuery {
    /// Those of this record.
    pub end: LinkEnd,
    /// Those of incidents that were detected at this time; only at a risk or a document.
    pub detected: TimeRange,
    /// Those that were made after the journal entry with this number.
    pub after: Option<i64>,
}

/// A link with the record at its other end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linked {
    /// The link.
    pub link: IncidentLink,
    /// Which end was read.
    pub direction: LinkDirection,
    /// The record at the other end.
    pub other: LinkedRecord,
}

/// A record at the other end of a link, as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedRecord {
    /// What it is.
    pub linked_type: LinkedType,
    /// Its id; none for an address.
    pub id: Option<String>,
    /// Its title; none for an address without one.
    pub title: Option<String>,
    /// Its status; none for an address.
    pub status: Option<String>,
    /// The severity of an incident.
    pub severity: Option<Severity>,
    /// When an incident was detected.
    pub detected_date: Option<Timestamp>,
}

/// Up to `limit` links, in the order in which they were made.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    reader: &LinkReader,
    query: &LinkQuery,
    limit: i64,
) -> Result<Page<Linked>> {
    let mut text = Text::of(organization);
    let parts = parts(&mut text, reader, query);
    let limited = text.add(Value::Integer(limit + 1));
    let parts: Vec<String> = (0..)
        .zip(&parts)
        .map(|(place, part)| {
            format!(
                "SELECT * FROM ({} ORDER BY link.seq_from LIMIT {limited}) AS part_{place}",
                part.select()
            )
        })
        .collect();
    let sql =
        format!("SELECT * FROM ({}) AS links ORDER BY seq_from LIMIT {limited}", parts.join(" UNION ALL "));
    let rows: Vec<LinkedRow> = tx.query(&sql, &text.params()).await?;
    Ok(Page::cut(rows, limit).map(|LinkedRow(linked)| linked))
}

/// How many links there are on all pages.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, reader: &LinkReader, query: &LinkQuery) -> Result<i64> {
    let mut text = Text::of(organization);
    let counts: Vec<String> =
        parts(&mut text, reader, query).iter().map(|part| format!("({})", part.count())).collect();
    let (count,) = tx.query_one(&format!("SELECT {}", counts.join(" + ")), &text.params()).await?;
    Ok(count)
}

/// The link of an incident with this number, if the reader sees its other end.
pub(super) async fn own(
    tx: &mut Tx,
    organization: OrgId,
    reader: &LinkReader,
    incident: IncidentNumber,
    number: i64,
) -> Result<Option<Linked>> {
    let mut text = Text::of(organization);
    let mut part = outgoing(&mut text, reader, incident);
    part.conditions.push_str(&format!(" AND link.number = {}", text.add(Value::Integer(number))));
    let found: Option<LinkedRow> = tx.query_opt(&part.select(), &text.params()).await?;
    Ok(found.map(|LinkedRow(linked)| linked))
}

/// A part of a list: links with the record at their other end, whose tables are joined.
struct Part {
    direction: LinkDirection,
    joins: String,
    conditions: String,
}

impl Part {
    fn select(&self) -> String {
        let link = columns_as::<IncidentLink>("link");
        let (columns, names) = (link.columns, link.joins);
        let (direction, joins, conditions) = (self.direction, &self.joins, &self.conditions);
        format!(
            "SELECT {columns}, '{direction}' AS direction,
                 COALESCE(other.title, risk.title, document.title, link.title) AS other_title,
                 COALESCE(other.status, risk.status, document.status) AS other_status,
                 other.severity AS other_severity, other.detected_date AS other_detected
             FROM incident_link AS link{names}{joins} WHERE {conditions}"
        )
    }

    fn count(&self) -> String {
        let (joins, conditions) = (&self.joins, &self.conditions);
        format!("SELECT count(*) FROM incident_link AS link{joins} WHERE {conditions}")
    }
}

fn parts<'q>(text: &mut Text<'q>, reader: &'q LinkReader, query: &'q LinkQuery) -> Vec<Part> {
    let mut parts = match &query.end {
        LinkEnd::Incident(number) => {
            let to = ("to_incident", Value::Integer(number.number()));
            vec![outgoing(text, reader, *number), incoming(text, reader, to)]
        }
        LinkEnd::Risk(number) => vec![incoming(text, reader, ("to_risk", number.number().into()))],
        LinkEnd::Document(slug) => vec![incoming(text, reader, ("to_document", slug.as_str().into()))],
    };
    let TimeRange { from, before } = query.detected;
    let bounds = [(">=", from), ("<", before)].into_iter().filter_map(|(sign, time)| Some((sign, time?)));
    let mut further: Vec<String> = bounds
        .map(|(sign, time)| format!(" AND other.detected_date {sign} {}", text.add(time.into())))
        .collect();
    further.extend(query.after.map(|seq| format!(" AND link.seq_from > {}", text.add(Value::Integer(seq)))));
    for part in &mut parts {
        part.conditions.push_str(&further.concat());
    }
    parts
}

/// The incident's own links.
fn outgoing<'q>(text: &mut Text<'q>, reader: &'q LinkReader, incident: IncidentNumber) -> Part {
    let incident = text.add(Value::Integer(incident.number()));
    let is_seen = seen("other", &reader.viewer, text);
    let only = |sees: bool| if sees { "" } else { " AND 1 = 0" };
    Part {
        direction: LinkDirection::Outgoing,
        joins: format!(
            " LEFT JOIN incident AS other ON other.organization = link.organization
                  AND other.number = link.to_incident AND other.deleted_date IS NULL AND {is_seen}
              LEFT JOIN risk ON risk.organization = link.organization AND risk.number = link.to_risk
                  AND risk.deleted_date IS NULL{}
              LEFT JOIN document ON document.organization = link.organization AND document.slug = link.to_document{}",
            only(reader.sees_risks),
            only(reader.sees_documents),
        ),
        conditions: format!(
            "link.organization = $1 AND link.incident = {incident} AND link.removed_date IS NULL
             AND (link.url IS NOT NULL OR other.number IS NOT NULL OR risk.number IS NOT NULL
                  OR document.slug IS NOT NULL)"
        ),
    }
}

/// The links of incidents that lead to a record.
fn incoming<'q>(text: &mut Text<'q>, reader: &'q LinkReader, to: (&str, Value<'q>)) -> Part {
    let (column, target) = (to.0, text.add(to.1));
    let is_seen = seen("other", &reader.viewer, text);
    Part {
        direction: LinkDirection::Incoming,
        // No risk or document is at the other end; their tables are joined for the sake of equal columns.
        joins: format!(
            " JOIN incident AS other ON other.organization = link.organization AND other.number = link.incident
                  AND other.deleted_date IS NULL AND {is_seen}
              LEFT JOIN risk ON 1 = 0 LEFT JOIN document ON 1 = 0"
        ),
        conditions: format!(
            "link.organization = $1 AND link.{column} = {target} AND link.removed_date IS NULL"
        ),
    }
}

/// A link with what was joined to it.
struct LinkedRow(Linked);

impl FromRow for LinkedRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let link = IncidentLink::read(&mut row)?;
        let direction: LinkDirection = stored_word(&row.next::<String>()?)?;
        let (title, status) = (row.next()?, row.next()?);
        let (severity, detected_date): (Option<String>, Option<Timestamp>) = (row.next()?, row.next()?);
        let (linked_type, id) = match direction {
            LinkDirection::Incoming => (LinkedType::Incident, Some(link.incident.to_string())),
            LinkDirection::Outgoing => target(&link),
        };
        let severity = match linked_type {
            LinkedType::Incident => {
                Some(severity.map_or(Ok(Severity::default()), |word| stored_word(&word))?)
            }
            _ => None,
        };
        let other = LinkedRecord { linked_type, id, title, status, severity, detected_date };
        Ok(Self(Linked { link, direction, other }))
    }
}

/// What a link leads to, and its id.
fn target(link: &IncidentLink) -> (LinkedType, Option<String>) {
    let to = link.to();
    let id = match &to {
        LinkTarget::Incident { id: incident } => Some(incident.to_string()),
        LinkTarget::Risk { id: risk } => Some(risk.to_string()),
        LinkTarget::Document { id: slug } => Some(slug.clone()),
        LinkTarget::Url { .. } => None,
    };
    (to.linked_type(), id)
}
