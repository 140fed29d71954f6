//! One pass over incidents that counts them by what they can be filtered by.

use std::collections::{BTreeMap, HashMap};

use db::{Row, Tx, Value};
use domain::incident::{Category, Incident, Kind, Sees, Status, Viewer};
use domain::severity::Severity;
use domain::{OrgId, TagId, UserId};
use uuid::Uuid;

use super::filter::IncidentFilter;
use super::read::{own_numbers, seen};
use super::tag_links::TAGS;
use super::tally::{StatusFacet, Tally};
use crate::ledger::dialect::{among, among_parameter};
use crate::ledger::error::Result;
use crate::ledger::list::{Filter, Index, Match, Select, Text};
use crate::ledger::search::Found;
use crate::ledger::view::View;

/// What the pass needs of an incident.
const COLUMNS: &str = "r.number, r.status, r.severity, r.kind, r.assigned_to";

/// The index that has these columns.
const INCIDENTS: Index = Index { name: "incident_by_number", condition: "r.number > 0" };

/// The filters whose counts a pass takes.
pub(super) struct Pass<'q> {
    pub(super) organization: OrgId,
    pub(super) viewer: &'q Viewer,
    pub(super) filter: &'q IncidentFilter,
    pub(super) status: StatusFacet,
    /// Whether an index has all that the filters need.
    pub(super) is_indexed: bool,
    /// So many incidents are looked up one by one; for more a whole index is read.
    pub(super) few: i64,
}

/// What incidents have in common that no facet tells apart.
#[derive(PartialEq, Eq, Hash)]
struct Group {
    status: String,
    severity: Option<String>,
    kind: Option<String>,
    assigned_to: Option<Uuid>,
}

/// The incidents of a group.
struct Members {
    /// Whether all filters but that on tags let them through.
    fit: bool,
    /// How many have the tags that are asked for.
    tagged: i64,
}

impl Pass<'_> {
    /// The counts of the incidents of the list, or of those that were found.
    pub(super) async fn over(&self, tx: &mut Tx, found: Option<&Found>) -> Result<Tally> {
        let tagged = self.tagged(tx).await?;
        let mut groups: HashMap<Group, Members> = HashMap::new();
        let mut fitting = Found::default();
        let count = |row: &Row<'_>| {
            let number: i64 = row.get(0)?;
            if found.is_some_and(|found| !found.has(number)) {
                return Ok(());
            }
            let (status, severity) = (row.get(1)?, row.get(2)?);
            let group = Group { status, severity, kind: row.get(3)?, assigned_to: row.get(4)? };
            let members = groups.entry(group).or_insert_with_key(|group| Members {
                fit: self.fits(group).iter().all(|fits| *fits),
                tagged: 0,
            });
            if tagged.as_ref().is_none_or(|tagged| tagged.has(number)) {
                members.tagged += 1;
            }
            if members.fit {
                fitting.add_number(number);
            }
            Ok(())
        };
        let index = self.is_indexed.then_some(&INCIDENTS);
        self.select(tx, found).await?.each(tx, COLUMNS, index, count).await?;
        let tag = self.tags(tx, &fitting).await?;
        Ok(Tally { tag, ..self.sums(&groups) })
    }

    /// The incidents with the filters that are on none of these columns.
    async fn select(&self, tx: &mut Tx, found: Option<&Found>) -> Result<Select<'_, Incident>> {
        let select = match (self.is_indexed, self.viewer.sees()) {
            (true, Sees::Unrestricted) => {
                let own = own_numbers(tx, self.organization, self.viewer).await?;
                let seen = Filter::unrestricted_or_among(tx.engine(), own);
                Select::of(self.organization, View::now()).filter(seen)
            }
            _ => {
                seen(self.organization, self.viewer, View::now()).filters(self.filter.filters_without_facet())
            }
        };
        let few = found.filter(|found| found.count() <= self.few);
        Ok(select.filters(few.map(|found| found.filter(tx.engine()))))
    }

    /// The incidents with the tags that are asked for; none if any will do.
    async fn tagged(&self, tx: &mut Tx) -> Result<Option<Found>> {
        let mode = self.filter.tags.mode.unwrap_or(Match::Any);
        let mut tagged: Option<Found> = None;
        for tag in &self.filter.tags.tags {
            let with = with_tag(tx, self.organization, *tag).await?;
            tagged = Some(match (tagged, mode) {
                (None, _) => with,
                (Some(tagged), Match::Any) => tagged.or(with),
                (Some(mut tagged), Match::All) => {
                    tagged.only(&with);
                    tagged
                }
            });
        }
        Ok(tagged)
    }

    /// How many of these incidents have each tag.
    async fn tags(&self, tx: &mut Tx, numbers: &Found) -> Result<BTreeMap<Uuid, i64>> {
        let (engine, mut text) = (tx.engine(), Text::of(self.organization));
        let is_few = numbers.count() <= self.few;
        let chosen = if is_few {
            let place = text.add(Value::Text(among_parameter(engine, numbers.numbers()).into()));
            among(engine, "link.incident", &place)
        } else {
            "link.incident > 0".to_owned()
        };
        let table = TAGS.link.table;
        let sql = format!(
            "SELECT link.tag, link.incident FROM {table} AS link
             WHERE link.organization = $1 AND link.seq_to IS NULL AND {chosen}"
        );
        let mut counts: BTreeMap<Uuid, i64> = BTreeMap::new();
        let count = |row: &Row<'_>| {
            if is_few || numbers.has(row.get(1)?) {
                *counts.entry(row.get(0)?).or_default() += 1;
            }
            Ok(())
        };
        tx.each(&sql, &text.params(), count).await?;
        Ok(counts)
    }

    /// Whether the filters on the status, the category, the severity, the kind and the assignee let a group through.
    fn fits(&self, group: &Group) -> [bool; 5] {
        let IncidentFilter { status, category, severity, kind, assigned_to, .. } = self.filter;
        let own_status = Status::parse(&group.status);
        let own_category: Option<Category> = own_status.map(Status::category);
        let own_severity = group.severity.as_deref().map_or(Some(Severity::default()), Severity::parse);
        let own_kind = group.kind.as_deref().map_or(Some(Kind::default()), Kind::parse);
        [
            status.is_empty() || own_status.is_some_and(|own| status.contains(&own)),
            category.is_empty() || own_category.is_some_and(|own| category.contains(&own)),
            severity.is_empty() || own_severity.is_some_and(|own| severity.contains(&own)),
            kind.is_empty() || own_kind.is_some_and(|own| kind.contains(&own)),
            assigned_to.is_empty() || assigned_to.iter().any(|it| it.map(UserId::uuid) == group.assigned_to),
        ]
    }

    /// The counts of each field, without the filter on it.
    fn sums(&self, groups: &HashMap<Group, Members>) -> Tally {
        let mut tally = Tally::default();
        for (group, Members { tagged, .. }) in groups.iter().filter(|(_, members)| members.tagged > 0) {
            let [status, category, severity, kind, assigned_to] = self.fits(group);
            let category_or_any = category || self.status == StatusFacet::WithoutCategory;
            if category_or_any && severity && kind && assigned_to {
                add(&mut tally.status, &Some(group.status.clone()), *tagged);
            }
            if status && category && kind && assigned_to {
                add(&mut tally.severity, &group.severity, *tagged);
            }
            if status && category && severity && assigned_to {
                add(&mut tally.kind, &group.kind, *tagged);
            }
            if status && category && severity && kind {
                add(&mut tally.assigned_to, &group.assigned_to, *tagged);
            }
            if status && category && severity && kind && assigned_to {
                tally.total += tagged;
            }
        }
        tally
    }
}

fn add<K: Ord + Clone>(counts: &mut BTreeMap<K, i64>, value: &K, count: i64) {
    *counts.entry(value.clone()).or_default() += count;
}

/// The incidents that have a tag.
async fn with_tag(tx: &mut Tx, organization: OrgId, tag: TagId) -> Result<Found> {
    let sql = "SELECT link.incident FROM incident_tag AS link
               WHERE link.organization = $1 AND link.tag = $2 AND link.seq_to IS NULL AND link.incident > 0";
    let mut found = Found::default();
    let add = |row: &Row<'_>| {
        found.add_number(row.get(0)?);
        Ok(())
    };
    tx.each(sql, &[&organization.uuid(), &tag.uuid()], add).await?;
    Ok(found)
}
