//! What a verification reads is found by an index: no query passes over all rows of an organization, unless it ends after
//! a page of them.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use db::{Engine, Tx};
use domain::incident::{Category, Kind, Status, Viewer};
use domain::link::{LinkKind, LinkTarget, NewLink};
use domain::severity::Severity;
use domain::{Actor, ActorKind, ClientId, IncidentNumber, OrgId, Scope, UserId};
use jiff::tz::TimeZone;
use store::View;
use store::incidents::{IncidentFilter, IncidentQuery, IncidentSort, TimelineQuery, TimelineSort, timeline};
use store::list::{Direction, ListQuery, Sort};
use testkit::{TestDb, both_engines};
use tracing::field::{Field, Visit};
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use uuid::Uuid;

use crate::verification::filled::filled;
use crate::verification::large::enlarge;
use crate::verification::plan::Plan;

#[both_engines]
async fn a_verification_finds_by_indexes_what_it_reads(db: TestDb) {
    let org = filled(&db).await;
    let mut tx = db.read().await.unwrap();
    let (queries, recording) = Queries::record();
    for chain in [OrgId::INSTANCE, org] {
        assert_eq!(store::verify::verify(&mut tx, chain, None).await.unwrap().faults, []);
    }
    drop(recording);
    if db.engine() == Engine::Postgres {
        enlarge(&db, org).await;
    }
    assert!(queries.check(&mut tx, org).await > 20);
}

/// The token endpoint looks up one client and its secrets.
#[both_engines]
async fn a_client_is_found_by_indexes(db: TestDb) {
    let org = filled(&db).await;
    let mut tx = db.read().await.unwrap();
    let (queries, recording) = Queries::record();
    let id = ClientId("bwc_siem".to_owned());
    assert!(store::clients::find(&mut tx, &id).await.unwrap().is_some());
    drop(recording);
    assert_eq!(queries.check(&mut tx, org).await, 1);
}

/// A page of the timeline of an incident is found in the journal by the incident, in both directions.
#[both_engines]
async fn a_timeline_is_found_by_indexes(db: TestDb) {
    let org = filled(&db).await;
    let link = async move |tx: &mut Tx| {
        let to = LinkTarget::Url { url: "https://t.example/1".to_owned(), title: None };
        let new = NewLink { to, kind: LinkKind::Ticket };
        store::links::add(tx, org, &testkit::author(), IncidentNumber(1), &new).await
    };
    db.write(org, link).await.unwrap();
    let mut tx = db.read().await.unwrap();
    let (queries, recording) = Queries::record();
    for direction in [Direction::Ascending, Direction::Descending] {
        let sort = Sort { by: TimelineSort::At, direction };
        let mut query = TimelineQuery { types: Vec::new(), sort, after: None, zone: TimeZone::UTC };
        for _ in 0..2 {
            let page =
                timeline(&mut tx, org, &Viewer::service(), IncidentNumber(1), &query, 1).await.unwrap();
            query.after = page.rows.last().map(|item| item.position.clone());
            assert!(query.after.is_some());
        }
    }
    drop(recording);
    let names_links = |sql: &String| sql.contains("incident_link") && sql.contains("wanted");
    assert!(queries.0.lock().unwrap().iter().any(names_links));
    if db.engine() == Engine::Postgres {
        enlarge(&db, org).await;
    }
    assert!(queries.check(&mut tx, org).await >= 4);
}

/// A page of a filtered list is found in an index alone, in every order.
#[both_engines]
async fn a_page_of_a_filtered_list_is_found_in_an_index_alone(db: TestDb) {
    let org = filled(&db).await;
    let severe = IncidentFilter { severity: vec![Severity::High], ..IncidentFilter::default() };
    let open = IncidentFilter { category: vec![Category::Open], kind: vec![Kind::Real], ..severe.clone() };
    let taken = IncidentFilter { status: vec![Status::Investigating], ..IncidentFilter::default() };
    let lists = [
        (&open, IncidentSort::Number, "incident_by_severity"),
        (&open, IncidentSort::DetectedDate, "incident_by_detected_date"),
        (&open, IncidentSort::UpdatedDate, "incident_by_updated_date"),
        (&severe, IncidentSort::Severity, "incident_by_severity"),
        (&taken, IncidentSort::Severity, "incident_by_severity"),
        (&taken, IncidentSort::Number, "incident_by_status"),
    ];
    let mut tx = db.read().await.unwrap();
    let mut walks = Vec::new();
    for (filter, by, index) in lists {
        for direction in [Direction::Ascending, Direction::Descending] {
            let (queries, recording) = Queries::record();
            let query = IncidentQuery {
                filter: filter.clone(),
                sort: Sort { by, direction },
                ..ListQuery::of(View::now())
            };
            store::incidents::list(&mut tx, org, &Viewer::service(), &query, 50).await.unwrap();
            drop(recording);
            let queries = queries.0.lock().unwrap();
            walks.push((queries.iter().find(|sql| sql.contains("AS part")).unwrap().clone(), index));
        }
    }
    if db.engine() == Engine::Postgres {
        enlarge(&db, org).await;
    }
    for (sql, index) in walks {
        let plan = Plan::of(&mut tx, org, &sql).await;
        assert!(plan.reads_only_index(index), "{index}\n{sql}\n{plan:#?}");
    }
}

/// Whoever sees only the incidents that they opened has a list of few.
#[both_engines]
async fn what_a_person_opened_is_found_by_an_index(db: TestDb) {
    let org = filled(&db).await;
    let ada =
        Actor { kind: ActorKind::User, id: UserId(Uuid::from_u128(7)).to_string(), name: "Ada".to_owned() };
    let viewer = Viewer::new(&ada, [Scope::IncidentsDeclare].into_iter().collect());
    let mut tx = db.read().await.unwrap();
    let (queries, recording) = Queries::record();
    for by in IncidentSort::ALL {
        for direction in [Direction::Ascending, Direction::Descending] {
            let query = IncidentQuery { sort: Sort { by: *by, direction }, ..ListQuery::of(View::now()) };
            let page = store::incidents::list(&mut tx, org, &viewer, &query, 50).await.unwrap();
            assert_eq!(page.rows, []);
            store::incidents::count(&mut tx, org, &viewer, View::now(), &query.filter).await.unwrap();
        }
    }
    drop(recording);
    if db.engine() == Engine::Postgres {
        enlarge(&db, org).await;
    }
    assert!(queries.check(&mut tx, org).await > 4);
}

/// The texts of queries, from the lowest level of the log.
#[derive(Debug, Clone, Default)]
struct Queries(Arc<Mutex<BTreeSet<String>>>);

impl Queries {
    /// Collects the queries of this thread until the guard is dropped.
    fn record() -> (Self, DefaultGuard) {
        let queries = Self::default();
        let guard = testkit::log_to(tracing_subscriber::registry().with(queries.clone()));
        (queries, guard)
    }

    /// None of them passes over a table. Returns how many there are.
    async fn check(self, tx: &mut Tx, org: OrgId) -> usize {
        let queries = std::mem::take(&mut *self.0.lock().unwrap());
        for sql in &queries {
            let plan = Plan::of(tx, org, sql).await;
            assert_eq!(plan.passes(), [""; 0], "{sql}\n{plan:#?}");
        }
        queries.len()
    }
}

impl<S: tracing::Subscriber> Layer<S> for Queries {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        event.record(&mut self.clone());
    }
}

impl Visit for Queries {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "sql" {
            self.0.lock().unwrap().insert(value.to_owned());
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}
