//! Counts of incidents that are kept: how many there are of each status, severity, kind and assignee, of all and of those with
//! a tag. They answer filters among these without reading the incidents. The migration `0006_incidents` keeps them.

use db::{Tx, Value};
use domain::incident::{Sees, Viewer};
use domain::{OrgId, UserId, Word};
use uuid::Uuid;

use super::filter::IncidentFilter;
use super::read::seen;
use super::tally::{StatusFacet, Tally};
use crate::ledger::error::Result;
use crate::ledger::list::{Filter, TAGGED, Text};
use crate::ledger::view::View;

/// Stands for all incidents, by no column.
const TOTAL: &str = "";

/// What a list is counted by.
const PARTS: [&str; 6] = [TOTAL, "status", "severity", "kind", "assigned_to", TAGGED];

/// What a caller asks of the counts.
pub(super) struct Kept<'q> {
    organization: OrgId,
    viewer: &'q Viewer,
    filter: &'q IncidentFilter,
}

impl<'q> Kept<'q> {
    /// The counts, if they answer these filters.
    pub(super) fn of(
        organization: OrgId,
        viewer: &'q Viewer,
        view: View,
        filter: &'q IncidentFilter,
    ) -> Option<Self> {
        let IncidentFilter { status, category, severity, kind, assigned_to, tags, .. } = filter;
        let counted = IncidentFilter {
            status: status.clone(),
            category: category.clone(),
            severity: severity.clone(),
            kind: kind.clone(),
            assigned_to: assigned_to.clone(),
            tags: tags.clone(),
            ..IncidentFilter::default()
        };
        let is_answered = view == View::now()
            && viewer.sees() != Sees::Opened
            && tags.tags.len() <= 1
            && *filter == counted;
        is_answered.then_some(Self { organization, viewer, filter })
    }

    /// How many incidents there are.
    pub(super) async fn total(&self, tx: &mut Tx) -> Result<i64> {
        let own = match self.viewer.sees() {
            Sees::All => 0,
            Sees::Unrestricted | Sees::Opened => {
                let select = seen(self.organization, self.viewer, View::now());
                select.filter(Filter::Present("restricted")).filters(self.filter.filters()).count(tx).await?
            }
        };
        Ok(self.about(tx).await? + own)
    }

    /// How many incidents there are, but for restricted ones that the caller sees because of who it is.
    pub(super) async fn about(&self, tx: &mut Tx) -> Result<i64> {
        let mut text = Text::of(self.organization);
        let conditions = self.conditions(&mut text, "");
        let sql = format!(
            "SELECT CAST(COALESCE(sum(r.counted), 0) AS BIGINT) FROM incident_count AS r WHERE {conditions}"
        );
        let (kept,) = tx.query_one(&sql, &text.params()).await?;
        Ok(kept)
    }

    /// All counts of a list, but for restricted incidents that the caller sees because of who it is.
    pub(super) async fn tally(&self, tx: &mut Tx, status: StatusFacet) -> Result<Tally> {
        let any_category = IncidentFilter { category: Vec::new(), ..self.filter.clone() };
        let of_status = match status {
            StatusFacet::WithoutStatus => self.filter,
            StatusFacet::WithoutCategory => &any_category,
        };
        let mut text = Text::of(self.organization);
        let parts = (0..).zip(PARTS).map(|(part, column)| {
            let filter = if column == "status" { of_status } else { self.filter };
            Kept { filter, ..*self }.part(&mut text, part, column)
        });
        let sql = parts.collect::<Vec<_>>().join(" UNION ALL ");
        let rows: Vec<(i64, Option<String>, Option<Uuid>, i64)> = tx.query(&sql, &text.params()).await?;
        let mut tally = Tally::default();
        for (part, word, id, count) in rows {
            // What is absent is empty there.
            let word = word.filter(|word| !word.is_empty());
            let id = id.filter(|id| !id.is_nil());
            match usize::try_from(part).ok().and_then(|part| PARTS.get(part)).copied() {
                Some("status") => drop(tally.status.insert(word, count)),
                Some("severity") => drop(tally.severity.insert(word, count)),
                Some("kind") => drop(tally.kind.insert(word, count)),
                Some("assigned_to") => drop(tally.assigned_to.insert(id, count)),
                Some(TAGGED) => drop(id.map(|id| tally.tag.insert(id, count))),
                _ => tally.total = count,
            }
        }
        Ok(tally)
    }

    /// The counts by one column as a part of a statement, without the filter on it: the part, a word or an id, the count.
    fn part(&self, text: &mut Text<'static>, part: i64, column: &'static str) -> String {
        let conditions = self.conditions(text, column);
        let (no_word, no_id) = ("CAST(NULL AS TEXT)", "CAST(NULL AS UUID)");
        let by = format!("r.{column}");
        let (word, id) = match column {
            TOTAL => (no_word, no_id),
            "assigned_to" | TAGGED => (no_word, by.as_str()),
            _ => (by.as_str(), no_id),
        };
        let (of_tags, group) = match column {
            TOTAL => (String::new(), String::new()),
            TAGGED => {
                let no_tag = text.add(Value::Uuid(Uuid::nil()));
                (format!(" AND r.tag > {no_tag}"), format!(" GROUP BY {by}"))
            }
            _ => (String::new(), format!(" GROUP BY {by}")),
        };
        format!(
            "SELECT CAST({part} AS BIGINT), {word}, {id}, CAST(COALESCE(sum(r.counted), 0) AS BIGINT)
             FROM incident_count AS r WHERE {conditions}{of_tags}{group}"
        )
    }

    /// The conditions on the counts, but for the filter on a column.
    fn conditions(&self, text: &mut Text<'static>, without: &str) -> String {
        let mut sql = "r.organization = $1".to_owned();
        if self.viewer.sees() != Sees::All {
            sql.push_str(" AND NOT r.restricted");
        }
        for filter in self.filters(without) {
            sql.push_str(" AND ");
            sql.push_str(&filter.condition(text));
        }
        sql
    }

    fn filters(&self, without: &str) -> Vec<Filter<'static>> {
        let filter = self.filter;
        let severities = filter.severity.iter().map(stored_word).collect();
        let kinds = filter.kind.iter().map(stored_word).collect();
        let people =
            filter.assigned_to.iter().map(|id| id.map_or(Uuid::nil(), UserId::uuid).into()).collect();
        let tag = filter.tags.tags.first().map_or(Uuid::nil(), |tag| tag.uuid());
        let chosen = |column: &'static str, values: Vec<Value<'static>>| {
            (column != without && !values.is_empty()).then_some(Filter::OneOf(column, values))
        };
        let filters = [
            Filter::words("status", &filter.status).filter(|_| without != "status"),
            filter.of_category(),
            chosen("severity", severities),
            chosen("kind", kinds),
            chosen("assigned_to", people),
            chosen(TAGGED, vec![tag.into()]),
        ];
        filters.into_iter().flatten().collect()
    }
}

/// The greatest number of an incident.
pub(super) async fn last_number(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    let sql = "SELECT COALESCE(MAX(number), 0) FROM incident WHERE organization = $1";
    let (last,) = tx.query_one(sql, &[&organization.uuid()]).await?;
    Ok(last)
}

/// A word as the counts have it: the default one is empty.
fn stored_word<'v, W: Word + Default>(word: &W) -> Value<'v> {
    if *word == W::default() { "".into() } else { word.as_str().into() }
}
