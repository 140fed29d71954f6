//! The list of incidents with every filter and order, against a model.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a panic is a test's answer")]

use std::collections::BTreeMap;

use db::Tx;
use domain::incident::{Category, Incident, IncidentPatch, Kind, NewIncident, Status, Viewer};
use domain::search::SearchQuery;
use domain::severity::{Severity, SeveritySource, StatedSeverity};
use domain::tag::NewTag;
use domain::{Actor, ActorKind, ExpectedVersion, IncidentNumber, OrgId, Role, TagId, UserId};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use store::facets::FacetCount;
use store::incidents::{IncidentFilter, IncidentQuery, IncidentSort, StatusFacet};
use store::list::{Direction, FigureFilter, Match, Sort, TagFilter, TimeRange};
use store::{Deleted, View};
use testkit::{TestDb, author, both_engines};

const INCIDENTS: i64 = 18;

/// What the filters name.
struct Named {
    people: [Option<UserId>; 2],
    sources: [&'static str; 2],
    /// Every second incident has the first one since that moment, every third the other.
    tags: [TagId; 2],
    /// A person who does not see the restricted incidents, but for those that she is assigned to.
    ada: Viewer,
    /// A moment after which nearly everything changed.
    seq: i64,
    start: Timestamp,
}

/// Incidents of every status, severity and kind, many of them equal in what they are sorted by.
async fn fill(db: &TestDb, org: OrgId) -> Named {
    let start = db.clock.now() - SignedDuration::from_hours(100);
    let ada = db.user(org, "Ada", "ada@example.org", Role::Responder).await;
    let people = [None, Some(ada)];
    let sources = ["mail", "Monitoring, night"];
    let work = async move |tx: &mut Tx| {
        let (one, other) = (tag(tx, org, "one").await?, tag(tx, org, "other").await?);
        for number in 1..=INCIDENTS {
            let place = usize::try_from(number).unwrap();
            let new = NewIncident {
                title: domain::Line::stored(title(number)),
                source: (number % 3 > 0).then(|| sources[place % 2].into()),
                assigned_to: people[place % 2],
                detected_date: Some(start + SignedDuration::from_hours(number % 4)),
                ..NewIncident::untitled()
            };
            store::incidents::create(tx, org, &author(), &new).await?;
        }
        Ok::<_, store::Error>((tx.head(org)?.seq, [one, other]))
    };
    let (seq, tags) = db.write(org, work).await.unwrap();
    db.clock.advance_seconds(60);
    let work = async move |tx: &mut Tx| {
        for number in 1..=INCIDENTS {
            let place = usize::try_from(number).unwrap();
            let severity = Severity::ALL[place % Severity::ALL.len()];
            let status = [None, Some(Status::Investigating), Some(Status::Contained)][place % 3];
            let patch = IncidentPatch {
                severity: (severity != Severity::default()).then(|| stated(severity)),
                kind: Some(Kind::ALL[place % Kind::ALL.len()]),
                status,
                restricted: (number % 5 == 0).then_some(true),
                ..IncidentPatch::default()
            };
            change(tx, org, number, &patch).await?;
        }
        Ok::<_, store::Error>(())
    };
    db.write(org, work).await.unwrap();
    db.clock.advance_seconds(60);
    let work = async move |tx: &mut Tx| {
        let patch =
            IncidentPatch { assigned_to: domain::Change::from(people[1]), ..IncidentPatch::default() };
        change(tx, org, 4, &patch).await?;
        let ids = [IncidentNumber(3), IncidentNumber(7)];
        store::incidents::delete_many(tx, org, &author(), &ids).await?;
        for (place, every) in [(0, 2), (1, 3)] {
            for number in (every..=INCIDENTS).step_by(usize::try_from(every).unwrap()) {
                // The deleted ones are not found.
                let added = store::listed::add_tag::<Incident>(
                    tx,
                    org,
                    &author(),
                    IncidentNumber(number),
                    tags[place],
                )
                .await;
                assert_eq!(added.is_err(), [3, 7].contains(&number), "{number}");
            }
        }
        set_directly(tx, start).await?;
        Ok::<_, store::Error>(())
    };
    db.write(org, work).await.unwrap();
    let follow = async move |tx: &mut Tx| store::search::follow(tx, org, 1_000, None).await;
    while !db.write(org, follow).await.unwrap().is_done {}
    let actor = Actor { kind: ActorKind::User, id: ada.to_string(), name: "Ada".to_owned() };
    let ada = Viewer::new(&actor, Role::Responder.scopes());
    Named { people, sources, tags, ada, seq, start }
}

/// Sets what the functions of the store would need many changes for, or do not set yet.
async fn set_directly(tx: &mut Tx, start: Timestamp) -> store::Result<()> {
    let dates = [("resolved_date", 2, 102), ("closed_date", 4, 104), ("created_date", 3, 98)];
    for (column, every, hours) in dates {
        let sql = format!("UPDATE incident SET {column} = $1 WHERE number % {every} = 0");
        tx.execute(&sql, &[&(start + SignedDuration::from_hours(hours))]).await?;
    }
    let sql = "UPDATE incident SET external_source = 'siem', external_ref = 'alert/7' WHERE number = 5";
    tx.execute(sql, &[]).await?;
    Ok(())
}

/// Some words are in most titles, one in a few, and one in not quite half of them.
fn title(number: i64) -> String {
    let (often, half) =
        (if number % 4 > 0 { "common" } else { "rare" }, if number % 9 < 4 { " half" } else { "" });
    format!("mail {often}{half}")
}

async fn tag(tx: &mut Tx, org: OrgId, name: &str) -> store::Result<TagId> {
    let new = NewTag { name: domain::tag::TagName::stored(name), color: None, description: None };
    Ok(store::tags::create(tx, org, &author(), &new).await?.id)
}

fn stated(severity: Severity) -> StatedSeverity {
    let (reasoning, source) = (Some("Known.".into()), Some(SeveritySource::Manual));
    StatedSeverity { severity, reasoning, source, answers: None }
}

async fn change(tx: &mut Tx, org: OrgId, number: i64, patch: &IncidentPatch) -> store::Result<Incident> {
    store::incidents::update(tx, org, &author(), IncidentNumber(number), &ExpectedVersion::Any, patch).await
}

/// A list that is asked for: which of the named things its filters have, the order, the view and the length of a page.
#[derive(Debug, Clone)]
struct Asked {
    status: Vec<Status>,
    category: Vec<Category>,
    severity: Vec<Severity>,
    kind: Vec<Kind>,
    people: Vec<usize>,
    sources: Vec<usize>,
    external: bool,
    tags: (Vec<usize>, Option<Match>),
    hours: (Option<i64>, Option<i64>),
    /// The ends of the ranges of creation, resolution and closing, in hours after the beginning.
    ranges: [(Option<i64>, Option<i64>); 3],
    /// Of the present only.
    q: Option<&'static str>,
    by: IncidentSort,
    descends: bool,
    past: bool,
    deleted: Deleted,
    by_ada: bool,
    limit: i64,
}

fn some<T: Clone + std::fmt::Debug + 'static>(all: &[T]) -> impl Strategy<Value = Vec<T>> + use<T> {
    prop_oneof![
        3 => Just(Vec::new()),
        1 => prop::collection::vec(prop::sample::select(all.to_vec()), 1..4),
    ]
}

fn asked() -> impl Strategy<Value = Asked> {
    let of_words = (some(Status::ALL), some(Category::ALL), some(Severity::ALL), some(Kind::ALL));
    let hour = || prop::option::weighted(0.2, 0..5_i64);
    let mode = prop::sample::select(vec![None, Some(Match::Any), Some(Match::All)]);
    let tags = (some(&[0_usize, 1]), mode);
    let words = vec!["common", "rare", "half", "-rare", "mail"];
    let end = || prop::option::weighted(0.1, 96..108_i64);
    let ranges = prop::array::uniform3((end(), end()));
    let q = prop::option::of(prop::sample::select(words));
    let others = (
        some(&[0_usize, 1]),
        some(&[0_usize, 1]),
        prop::bool::weighted(0.1),
        tags,
        (hour(), hour()),
        q,
        ranges,
    );
    let deleted = prop::sample::select(vec![Deleted::Without, Deleted::Only, Deleted::With]);
    let order = (
        prop::sample::select(IncidentSort::ALL),
        any::<bool>(),
        any::<bool>(),
        deleted,
        any::<bool>(),
        1..9_i64,
    );
    (of_words, others, order).prop_map(|(words, others, order)| {
        let (status, category, severity, kind) = words;
        let (people, sources, external, tags, hours, q, ranges) = others;
        let (by, descends, past, deleted, by_ada, limit) = order;
        Asked {
            status,
            category,
            severity,
            kind,
            people,
            sources,
            external,
            tags,
            hours,
            ranges,
            q: q.filter(|_| !past && deleted == Deleted::Without),
            by,
            descends,
            past,
            deleted,
            by_ada,
            limit,
        }
    })
}

impl Asked {
    fn query(&self, named: &Named) -> IncidentQuery {
        let hour = |hour: Option<i64>| hour.map(|hour| named.start + SignedDuration::from_hours(hour));
        let range = |(from, before)| TimeRange { from: hour(from), before: hour(before) };
        let external = |text: &str| if self.external { vec![text.to_owned()] } else { Vec::new() };
        IncidentQuery {
            view: View { as_of_seq: self.past.then_some(named.seq), at: None, deleted: self.deleted },
            filter: IncidentFilter {
                status: self.status.clone(),
                category: self.category.clone(),
                severity: self.severity.clone(),
                kind: self.kind.clone(),
                assigned_to: self.people.iter().map(|place| named.people[*place]).collect(),
                texts: vec![
                    ("source", self.sources_of(named)),
                    ("external_source", external("siem")),
                    ("external_ref", external("alert/7")),
                ],
                tags: TagFilter {
                    tags: self.tags.0.iter().map(|place| named.tags[*place]).collect(),
                    mode: self.tags.1,
                },
                detected: range(self.hours),
                created: range(self.ranges[0]),
                updated: TimeRange::default(),
                resolved: range(self.ranges[1]),
                closed: range(self.ranges[2]),
                q: self.q.map(SearchQuery::parse),
                figures: FigureFilter::default(),
            },
            sort: Sort {
                by: self.by,
                direction: if self.descends { Direction::Descending } else { Direction::Ascending },
            },
            after: None,
        }
    }

    fn sources_of(&self, named: &Named) -> Vec<String> {
        self.sources.iter().map(|place| named.sources[*place].to_owned()).collect()
    }

    /// What each filter means, without SQL.
    fn lets_through(&self, it: &Incident, named: &Named) -> bool {
        fn fits<T: PartialEq>(wanted: &[T], value: &T) -> bool {
            wanted.is_empty() || wanted.contains(value)
        }
        let filter = self.query(named).filter;
        let has_tag = |place: &usize| {
            let number = it.number.number();
            !self.past && ![3, 7].contains(&number) && number % [2, 3][*place] == 0
        };
        let is_tagged = match self.tags.1 {
            _ if self.tags.0.is_empty() => true,
            Some(Match::All) => self.tags.0.iter().all(has_tag),
            _ => self.tags.0.iter().any(has_tag),
        };
        let has_source =
            it.source.as_deref().is_some_and(|source| self.sources_of(named).iter().any(|it| it == source));
        fits(&filter.status, &it.status)
            && fits(&filter.category, &it.status.category())
            && fits(&filter.severity, &it.severity)
            && fits(&filter.kind, &it.kind)
            && fits(&filter.assigned_to, &it.assigned_to.as_ref().map(|person| person.id))
            && (self.sources.is_empty() || has_source)
            && (!self.external || it.external_ref.as_deref() == Some("alert/7"))
            && is_tagged
            && self.q.is_none_or(|q| match q.strip_prefix('-') {
                Some(word) => !it.title.contains(word),
                None => it.title.contains(q),
            })
            && is_within(filter.detected, Some(it.detected_date))
            && is_within(filter.created, Some(it.created_date))
            && is_within(filter.resolved, it.resolved_date)
            && is_within(filter.closed, it.closed_date)
    }

    /// Sorts in memory: undetermined severities last in both directions, equal ones by number.
    fn sort(&self, incidents: &mut [&Incident]) {
        let value = |it: &Incident| match self.by {
            IncidentSort::Number => Some(it.number.number()),
            IncidentSort::DetectedDate => Some(it.detected_date.as_microsecond()),
            IncidentSort::UpdatedDate => Some(it.updated_date.as_microsecond()),
            IncidentSort::Severity => match it.severity {
                Severity::Undetermined => None,
                Severity::Low => Some(1),
                Severity::Medium => Some(2),
                Severity::High => Some(3),
                Severity::Critical => Some(4),
            },
        };
        let sign = if self.descends { -1 } else { 1 };
        incidents.sort_by_key(|it| {
            (value(it).is_none(), value(it).map(|value| sign * value), sign * it.number.number())
        });
    }
}

/// A date that is not there lies in no range that has an end.
fn is_within(range: TimeRange, at: Option<Timestamp>) -> bool {
    let fits = |at| range.from.is_none_or(|from| at >= from) && range.before.is_none_or(|before| at < before);
    at.map_or(range == TimeRange::default(), fits)
}

/// Compares the counts of each field with those of the incidents that the other filters let through.
async fn check_facets(
    tx: &mut Tx,
    org: OrgId,
    viewer: &Viewer,
    named: &Named,
    asked: &Asked,
    all: &[Incident],
) -> Result<(), TestCaseError> {
    let (filter, any) = (asked.query(named).filter, asked.clone());
    let any_status = Asked { status: Vec::new(), ..any.clone() };
    let any_category = Asked { category: Vec::new(), ..any_status.clone() };
    for (how, of_status) in
        [(StatusFacet::WithoutStatus, any_status), (StatusFacet::WithoutCategory, any_category)]
    {
        let facets = store::incidents::facets(tx, org, viewer, &filter, how).await.unwrap();
        let without = |asked: &Asked, values: fn(&Incident) -> Vec<String>| {
            let mut counts = BTreeMap::new();
            let fitting = all.iter().filter(|it| asked.lets_through(it, named));
            fitting.flat_map(values).for_each(|value| *counts.entry(value).or_insert(0) += 1);
            counts
        };
        let expected = [
            ("status", without(&of_status, |it| vec![it.status.to_string()])),
            (
                "severity",
                without(&Asked { severity: vec![], ..any.clone() }, |it| vec![it.severity.to_string()]),
            ),
            ("kind", without(&Asked { kind: vec![], ..any.clone() }, |it| vec![it.kind.to_string()])),
            (
                "assigned_to",
                without(&Asked { people: vec![], ..any.clone() }, |it| {
                    vec![it.assigned_to.as_ref().map_or("none".to_owned(), |person| person.id.to_string())]
                }),
            ),
            (
                "tag",
                without(&Asked { tags: (vec![], None), ..any.clone() }, |it| {
                    let tags = [(2, "one"), (3, "other")].into_iter();
                    let own = tags.filter(|(every, _)| it.number.number() % every == 0);
                    own.map(|(_, tag)| tag.to_owned()).collect()
                }),
            ),
        ];
        for ((name, counts), (expected_name, expected)) in facets.facets.iter().zip(expected) {
            prop_assert_eq!(*name, expected_name);
            let value = |it: &FacetCount| match *name {
                "tag" => it.label.clone().unwrap(),
                _ => it.value.clone().unwrap_or("none".to_owned()),
            };
            let found: BTreeMap<String, i64> = counts.iter().map(|it| (value(it), it.count)).collect();
            prop_assert_eq!(found, expected, "{}", name);
        }
        let expected = all.iter().filter(|it| asked.lets_through(it, named)).count();
        prop_assert_eq!(usize::try_from(facets.total).unwrap(), expected);
    }
    Ok(())
}

async fn check(db: &TestDb, org: OrgId, named: &Named, asked: &Asked) -> Result<(), TestCaseError> {
    let mut tx = db.read().await.unwrap();
    let viewer = if asked.by_ada { named.ada.clone() } else { Viewer::service() };
    let mut query = asked.query(named);
    let whole = IncidentQuery::of(query.view);
    let all = store::incidents::list(&mut tx, org, &viewer, &whole, 1_000).await.unwrap().rows;
    let mut expected: Vec<&Incident> = all.iter().filter(|it| asked.lets_through(it, named)).collect();
    asked.sort(&mut expected);
    let count = store::incidents::count(&mut tx, org, &viewer, query.view, &query.filter).await.unwrap();
    prop_assert_eq!(usize::try_from(count).unwrap(), expected.len());
    if query.view == View::now() {
        check_facets(&mut tx, org, &viewer, named, asked, &all).await?;
    }
    let mut found = Vec::new();
    loop {
        let page = store::incidents::list(&mut tx, org, &viewer, &query, asked.limit).await.unwrap();
        query.after = page.rows.last().map(|it| query.sort.by.position(it));
        found.extend(page.rows);
        if !page.has_more || found.len() > all.len() {
            break;
        }
    }
    prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected);
    Ok(())
}

#[both_engines]
async fn the_list_of_incidents_is_what_a_model_chooses_and_sorts(db: TestDb) {
    let org = db.organization("Acme").await;
    let named = fill(&db, org).await;
    let handle = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let config = Config { cases: 300, failure_persistence: None, ..Config::default() };
        TestRunner::new(config)
            .run(&asked(), |asked| handle.block_on(check(&db, org, &named, &asked)))
            .unwrap();
    });
}
