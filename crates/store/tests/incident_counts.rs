//! The counts of incidents after any changes, against a recount.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a panic is a test's answer")]

use db::Tx;
use domain::incident::{IncidentPatch, Kind, NewIncident, Status, Viewer};
use domain::severity::{Severity, SeveritySource, StatedSeverity};
use domain::tag::NewTag;
use domain::{ExpectedVersion, IncidentNumber, OrgId, Role, Scope, Scopes, TagId, UserId};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use store::View;
use store::incidents::{IncidentFilter, IncidentQuery};
use store::list::{ListQuery, TagFilter};
use testkit::{TestDb, author, both_engines};

const INCIDENTS: i64 = 6;
const CHANGES: usize = 60;

/// What is done to an incident. What it does not allow is refused, and changes no count.
#[derive(Debug, Clone)]
enum Change {
    Declare,
    Status(Status),
    Severity(Severity),
    Kind(Kind),
    Assign(bool),
    Restrict(bool),
    Tag(usize),
    Untag(usize),
    Delete,
    Restore,
}

fn change() -> impl Strategy<Value = (i64, Change)> {
    let change = prop_oneof![
        Just(Change::Declare),
        prop::sample::select(Status::ALL.to_vec()).prop_map(Change::Status),
        prop::sample::select(Severity::ALL.to_vec()).prop_map(Change::Severity),
        prop::sample::select(Kind::ALL.to_vec()).prop_map(Change::Kind),
        any::<bool>().prop_map(Change::Assign),
        any::<bool>().prop_map(Change::Restrict),
        (0..2_usize).prop_map(Change::Tag),
        (0..2_usize).prop_map(Change::Untag),
        Just(Change::Delete),
        Just(Change::Restore),
    ];
    (1..=INCIDENTS, change)
}

#[derive(Clone, Copy)]
struct Named {
    ada: UserId,
    tags: [TagId; 2],
}

async fn apply(tx: &mut Tx, org: OrgId, named: &Named, number: i64, change: &Change) -> store::Result<()> {
    let (number, none) = (IncidentNumber(number), IncidentPatch::default());
    let patch = match change {
        Change::Declare => {
            return store::incidents::create(tx, org, &author(), &NewIncident::untitled()).await.map(drop);
        }
        Change::Tag(tag) => {
            return store::listed::add_tag::<domain::incident::Incident>(
                tx,
                org,
                &author(),
                number,
                named.tags[*tag],
            )
            .await
            .map(drop);
        }
        Change::Untag(tag) => {
            return store::listed::remove_tag::<domain::incident::Incident>(
                tx,
                org,
                &author(),
                number,
                named.tags[*tag],
            )
            .await
            .map(drop);
        }
        Change::Delete => {
            return store::incidents::delete_many(tx, org, &author(), &[number]).await.map(drop);
        }
        Change::Restore => {
            return store::incidents::restore_many(tx, org, &author(), &[number]).await.map(drop);
        }
        Change::Status(status) => IncidentPatch { status: Some(*status), ..none },
        Change::Severity(severity) => {
            let (reasoning, source) = (Some("Known.".into()), Some(SeveritySource::Manual));
            let severity = StatedSeverity { severity: *severity, reasoning, source, answers: None };
            IncidentPatch { severity: Some(severity), ..none }
        }
        Change::Kind(kind) => IncidentPatch { kind: Some(*kind), ..none },
        Change::Assign(assigned) => {
            IncidentPatch { assigned_to: domain::Change::from(assigned.then_some(named.ada)), ..none }
        }
        Change::Restrict(restricted) => IncidentPatch { restricted: Some(*restricted), ..none },
    };
    store::incidents::update(tx, org, &author(), number, &ExpectedVersion::Any, &patch).await.map(drop)
}

/// Compares the counts with the lists that the same filters give, for somebody who sees all and for Ada.
async fn compare(db: &TestDb, org: OrgId, named: &Named) {
    let mut tx = db.read().await.unwrap();
    let report = store::verify::verify(&mut tx, org, None).await.unwrap();
    let faults: Vec<_> = report.faults.iter().map(|fault| fault.detail.as_str()).collect();
    assert_eq!(faults, [""; 0]);
    let ada =
        domain::Actor { kind: domain::ActorKind::User, id: named.ada.to_string(), name: "Ada".to_owned() };
    let ada = Viewer::new(&ada, [Scope::IncidentsRead].into_iter().collect::<Scopes>());
    let mut filters = vec![IncidentFilter::default()];
    filters.extend(
        Status::ALL.iter().map(|it| IncidentFilter { status: vec![*it], ..IncidentFilter::default() }),
    );
    filters.extend(
        Severity::ALL.iter().map(|it| IncidentFilter { severity: vec![*it], ..IncidentFilter::default() }),
    );
    for assigned in [None, Some(named.ada)] {
        let tags = TagFilter { tags: vec![named.tags[0]], mode: None };
        filters.push(IncidentFilter {
            assigned_to: vec![assigned],
            kind: vec![Kind::Real],
            ..IncidentFilter::default()
        });
        filters.push(IncidentFilter { assigned_to: vec![assigned], tags, ..IncidentFilter::default() });
    }
    for viewer in [&Viewer::service(), &ada] {
        for filter in &filters {
            let query: IncidentQuery = ListQuery { filter: filter.clone(), ..ListQuery::of(View::now()) };
            let rows = store::incidents::list(&mut tx, org, viewer, &query, 200).await.unwrap().rows;
            let count = store::incidents::count(&mut tx, org, viewer, View::now(), filter).await.unwrap();
            assert_eq!(count, i64::try_from(rows.len()).unwrap(), "{filter:?}");
        }
    }
}

#[both_engines]
async fn the_counts_are_those_of_a_recount_after_any_changes(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    let ada = db.user(org, "Ada", "ada@example.org", Role::Responder).await;
    let work = async move |tx: &mut Tx| {
        let name =
            |name: &str| NewTag { name: domain::tag::TagName::stored(name), color: None, description: None };
        let one = store::tags::create(tx, org, &author(), &name("one")).await?.id;
        let other = store::tags::create(tx, org, &author(), &name("other")).await?.id;
        for _ in 0..INCIDENTS {
            store::incidents::create(tx, org, &author(), &NewIncident::untitled()).await?;
        }
        Ok::<_, store::Error>([one, other])
    };
    let named = Named { ada, tags: db.write(org, work).await.unwrap() };
    let changes = prop::collection::vec(change(), CHANGES..=CHANGES);
    let changes = changes.new_tree(&mut TestRunner::deterministic()).unwrap().current();
    let mut done = 0;
    for (place, (number, change)) in changes.into_iter().enumerate() {
        let work = async move |tx: &mut Tx| apply(tx, org, &named, number, &change).await;
        done += usize::from(db.write(org, work).await.is_ok());
        if place % 6 == 0 {
            compare(&db, org, &named).await;
        }
    }
    compare(&db, org, &named).await;
    assert!(done > CHANGES / 2, "{done} were done");
}
