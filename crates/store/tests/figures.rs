//! Figures of incidents, and the lists of the incidents behind each number, against a model.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a panic is a test's answer")]

use std::collections::{BTreeMap, BTreeSet};

use db::{Tx, Value};
use domain::figures::{Figure, GroupBy, Include, Measure, Milestones, Outcome, Period, Summaries, Tallies};
use domain::incident::{Incident, Kind, NewIncident, Status, Viewer};
use domain::organization::{Organization, zone_named};
use domain::severity::Severity;
use domain::tag::NewTag;
use domain::{IncidentNumber, OrgId};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use store::View;
use store::incidents::{FigureQuery, Figures, Group, IncidentFilter, IncidentQuery};
use store::list::{FigureFilter, ListQuery, TimeRange};
use testkit::{TestDb, author, both_engines};

const INCIDENTS: usize = 150;

/// The columns that decide about figures, with hours after the detection; many of them equal, and in every order.
#[derive(Debug, Clone)]
struct Row {
    status: Status,
    kind: Kind,
    severity: Severity,
    hours: [Option<i64>; 7],
    is_deleted: bool,
    days: i64,
}

const DATES: [&str; 7] = [
    "occurred_date",
    "responded_date",
    "contained_date",
    "first_contained_date",
    "resolved_date",
    "first_resolved_date",
    "closed_date",
];

fn rows() -> Vec<Row> {
    let row = (
        prop::sample::select(Status::ALL.to_vec()),
        prop::sample::select(Kind::ALL.to_vec()),
        prop::sample::select(Severity::ALL.to_vec()),
        prop::array::uniform7(prop::option::of(-3..4_i64)),
        prop::bool::weighted(0.1),
        0..70_i64,
    );
    let row = row.prop_map(|(status, kind, severity, hours, is_deleted, days)| Row {
        status,
        kind: if days % 3 == 0 { kind } else { Kind::Real },
        severity,
        hours,
        is_deleted,
        days,
    });
    let rows = prop::collection::vec(row, INCIDENTS..=INCIDENTS);
    rows.new_tree(&mut TestRunner::deterministic()).unwrap().current()
}

async fn fill(tx: &mut Tx, org: OrgId, start: Timestamp) -> store::Result<()> {
    let name =
        |name: &str| NewTag { name: domain::tag::TagName::stored(name), color: None, description: None };
    let tags = [
        store::tags::create(tx, org, &author(), &name("one")).await?.id,
        store::tags::create(tx, org, &author(), &name("Other")).await?.id,
    ];
    for (place, row) in rows().iter().enumerate() {
        let detected = start + SignedDuration::from_hours(24 * row.days);
        let new = NewIncident { detected_date: Some(detected), ..NewIncident::untitled() };
        let number = store::incidents::create(tx, org, &author(), &new).await?.number;
        for (tag, every) in tags.iter().zip([2, 5]) {
            if place % every == 0 {
                store::listed::add_tag::<Incident>(tx, org, &author(), number, *tag).await?;
            }
        }
        let date = |hours: Option<i64>| {
            hours.map_or(Value::Null, |hours| Value::from(detected + SignedDuration::from_hours(hours)))
        };
        let mut values = vec![Value::from(org.uuid()), number.number().into(), row.status.as_str().into()];
        values.push(if row.kind == Kind::Real { Value::Null } else { row.kind.as_str().into() });
        let is_known = row.severity != Severity::default();
        values.push(if is_known { row.severity.as_str().into() } else { Value::Null });
        values.push(date(row.is_deleted.then_some(0)));
        values.extend(row.hours.map(date));
        let dates: Vec<String> =
            DATES.iter().zip(7..).map(|(column, place)| format!("{column} = ${place}")).collect();
        // No change of an incident can bring about every combination.
        let sql = format!(
            "UPDATE incident SET status = $3, kind = $4, severity = $5, deleted_date = $6, {}
             WHERE organization = $1 AND number = $2",
            dates.join(", ")
        );
        let params: Vec<&dyn db::Param> = values.iter().map(|value| value as &dyn db::Param).collect();
        tx.execute(&sql, &params).await?;
    }
    Ok(())
}

fn milestones(it: &Incident) -> Milestones {
    Milestones {
        status: it.status,
        kind: it.kind,
        severity: it.severity,
        occurred: it.occurred_date,
        detected: it.detected_date,
        created: it.created_date,
        responded: it.responded_date,
        first_contained: it.first_contained_date(),
        first_resolved: it.first_resolved_date(),
        resolved: it.resolved_date,
        closed: it.closed_date,
        deleted: it.deleted_date,
    }
}

fn outcome(measure: Measure) -> Outcome {
    match measure {
        Measure::Took(_) => Outcome::Measured,
        Measure::Invalid => Outcome::Invalid,
        Measure::Open => Outcome::Open,
        Measure::Missing => Outcome::Missing,
    }
}

/// The register with its incidents, deleted ones too.
struct Register {
    db: TestDb,
    organization: Organization,
    start: Timestamp,
    incidents: Vec<Incident>,
}

impl Register {
    async fn new(db: TestDb) -> Self {
        let id = db.organization("Example Ltd").await;
        let start = db.clock.now() - SignedDuration::from_hours(24 * 80);
        db.write(id, async move |tx: &mut Tx| fill(tx, id, start).await).await.unwrap();
        let organization =
            store::organizations::get(&mut db.read().await.unwrap(), id).await.unwrap().unwrap();
        let organization = Organization { time_zone: Some("Europe/Berlin".to_owned()), ..organization };
        let mut register = Self { db, organization, start, incidents: Vec::new() };
        register.incidents = register.list(ListQuery::of(View::with_deleted())).await;
        register
    }

    async fn list(&self, query: IncidentQuery) -> Vec<Incident> {
        let mut tx = self.db.read().await.unwrap();
        let id = self.organization.id;
        store::incidents::list(&mut tx, id, &Viewer::service(), &query, 1_000).await.unwrap().rows
    }

    async fn figures(&self, query: &FigureQuery) -> Figures {
        let mut tx = self.db.read().await.unwrap();
        store::incidents::figures(&mut tx, &self.organization, &Viewer::service(), query).await.unwrap()
    }

    fn counted(&self, include: &[Include]) -> impl Iterator<Item = &Incident> {
        self.incidents.iter().filter(move |it| milestones(it).exclusion(include).is_none())
    }
}

fn sum<'i>(incidents: impl Iterator<Item = &'i Incident>) -> Summaries {
    let mut tallies = Tallies::default();
    incidents.for_each(|it| tallies.add(&milestones(it)));
    tallies.sum()
}

#[both_engines]
async fn a_filter_by_figure_has_exactly_what_the_rule_says(db: TestDb) {
    let register = Register::new(db).await;
    let mut seen = BTreeMap::new();
    for figure in Figure::ALL {
        for wanted in Outcome::ALL {
            let filter =
                IncidentFilter { figures: FigureFilter::of(*figure, *wanted), ..IncidentFilter::default() };
            let query = ListQuery { filter, ..ListQuery::of(View::now()) };
            let found: BTreeSet<IncidentNumber> =
                register.list(query).await.iter().map(|it| it.number).collect();
            let counted = register.counted(Include::ALL);
            let expected: BTreeSet<IncidentNumber> = counted
                .filter(|it| outcome(figure.of(&milestones(it))) == *wanted)
                .map(|it| it.number)
                .collect();
            assert_eq!(found, expected, "{figure} {wanted}");
            *seen.entry(*wanted).or_insert(0) += found.len();
        }
    }
    assert!(Outcome::ALL.iter().all(|wanted| seen[wanted] > 20), "every outcome occurs: {seen:?}");
}

#[both_engines]
async fn figures_are_those_of_the_incidents_one_by_one(db: TestDb) {
    let register = Register::new(db).await;
    for include in [&[][..], &[Include::NearMiss], Include::ALL] {
        let query = FigureQuery { include: include.to_vec(), ..FigureQuery::default() };
        let found = register.figures(&query).await;
        assert_eq!(found.all, sum(register.counted(include)));
        let left_out = i64::try_from(INCIDENTS - found.all.total).unwrap();
        assert_eq!(found.excluded.values().sum::<i64>(), left_out);
        assert!(found.groups.is_empty() && found.all.total > 40);
    }
    for group_by in GroupBy::ALL {
        let query = FigureQuery { group_by: Some(*group_by), ..FigureQuery::default() };
        let zone = zone_named("Europe/Berlin").unwrap();
        let belongs = |it: &Incident, group: &Group| match group {
            Group::Severity(severity) => it.severity == *severity,
            Group::Kind(kind) => it.kind == *kind,
            Group::Tag(id, name) => {
                let every = if name == "one" { 2 } else { 5 };
                !id.to_string().is_empty() && (it.number.number() - 1) % every == 0
            }
            Group::Period(period) => Period::of(period.unit(), it.detected_date, &zone) == *period,
        };
        for (group, summaries) in register.figures(&query).await.groups {
            let expected = sum(register.counted(&[]).filter(|it| belongs(it, &group)));
            assert_eq!(summaries, expected, "{group:?}");
        }
    }
}

#[both_engines]
async fn groups_without_incidents_are_there(db: TestDb) {
    let register = Register::new(db).await;
    let day = |days: i64| Some(register.start + SignedDuration::from_hours(24 * days));
    let figures = async |group_by, from, before| {
        let detected = TimeRange { from, before };
        let filter = IncidentFilter { detected, ..IncidentFilter::default() };
        let query = FigureQuery { filter, group_by: Some(group_by), ..FigureQuery::default() };
        register.figures(&query).await.groups
    };
    let before_all = figures(GroupBy::Severity, None, day(0)).await;
    assert_eq!(before_all.len(), Severity::ALL.len());
    assert!(before_all.iter().all(|(_, summaries)| summaries.total == 0));
    let all = figures(GroupBy::Month, day(-400), None).await;
    let (first, last) = (&all.first().unwrap().1, &all.last().unwrap().1);
    assert_eq!((first.total, first.figures[0].1.status().as_str()), (0, "no_data"));
    assert!(all.len() >= 15 && last.total < INCIDENTS, "{}", all.len());
    let names: Vec<String> = figures(GroupBy::Tag, None, None)
        .await
        .into_iter()
        .map(|(group, _)| match group {
            Group::Tag(_, name) => name,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(names, ["one", "Other"]);
    // A period that ends with a month does not begin the next one.
    let months = figures(
        GroupBy::Month,
        Some("2026-01-01T00:00:00+01:00".parse().unwrap()),
        Some("2026-02-01T00:00:00+01:00".parse().unwrap()),
    )
    .await;
    assert_eq!(months.len(), 1);
    // From a Thursday to the end of the Sunday after the next.
    let weeks = figures(
        GroupBy::Week,
        Some("2026-01-01T00:00:00+01:00".parse().unwrap()),
        Some("2026-01-12T00:00:00+01:00".parse().unwrap()),
    )
    .await;
    let names: Vec<String> = weeks
        .into_iter()
        .map(|(group, _)| match group {
            Group::Period(period) => period.to_string(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(names, ["2026-W01", "2026-W02"]);
}
