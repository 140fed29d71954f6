//! The demo as the register shows it.

use domain::document::{NextAction, StepState};
use domain::incident::{Category, Incident, Kind, Status, Viewer, warnings};
use domain::link::{LinkDirection, LinkKind};
use domain::saved_view::{ViewReader, ViewedList};
use domain::severity::{Severity, SeveritySource};
use domain::{Actor, ActorKind, OrgId, Scopes};
use jiff::{SignedDuration, Timestamp};
use store::incidents::IncidentQuery;
use store::links::{LinkEnd, LinkQuery, LinkReader};
use store::list::TimeRange;
use store::risks::RiskQuery;
use store::{Deleted, View};
use testkit::{EmptyDatabase, TestClock, TestDb, seeded};

use super::super::data::{DAYS, Data, FILE, Record};
use super::super::prepare;

fn now() -> Timestamp {
    TestClock::new().now()
}

fn options(database: &EmptyDatabase, seed: u64, clock: &TestClock) -> db::Options {
    testkit::patient(db::Options::new(database.location(), clock.handle(), seeded(seed)))
}

async fn filled(database: &EmptyDatabase) -> (OrgId, db::Db) {
    let demo = prepare(FILE, options(database, 1, &TestClock::new())).await.unwrap();
    (demo.organization, database.open(&TestClock::new(), 2).await)
}

#[testkit::both_engines]
async fn incidents_have_a_past(database: EmptyDatabase) {
    let (organization, db) = filled(&database).await;
    let mut tx = db.read().await.unwrap();
    let list = store::incidents::list(
        &mut tx,
        organization,
        &Viewer::service(),
        &IncidentQuery::of(View::now()),
        200,
    )
    .await
    .unwrap()
    .rows;
    assert!(list.len() >= 40, "{} incidents", list.len());
    let numbers: Vec<i64> = list.iter().map(|incident| incident.number.0).collect();
    assert!(numbers.is_sorted_by(|one, next| one > next), "{numbers:?}");
    assert!(list.is_sorted_by(|one, next| one.created_date > next.created_date));
    for incident in &list {
        assert!(
            now() - SignedDuration::from_hours(24 * DAYS) < incident.created_date
                && incident.updated_date < now()
        );
        assert!(incident.assigned_to.is_some() == incident.responded_date.is_some(), "{}", incident.title);
    }
    assert!(list.iter().any(|incident| !warnings(&incident.dates()).is_empty()), "some dates are odd");
    assert!(list.iter().any(|incident| incident.version > 1), "more became known later");
    let trash = View { deleted: Deleted::Only, ..View::now() };
    let trash =
        store::incidents::list(&mut tx, organization, &Viewer::service(), &IncidentQuery::of(trash), 200)
            .await
            .unwrap()
            .rows;
    assert!(!trash.is_empty());
}

#[testkit::both_engines]
async fn an_incident_is_added_by_copying_another(database: EmptyDatabase) {
    let copied = &FILE[FILE.rfind("\n[[incidents]]").unwrap()..];
    let title = copied.lines().find(|line| line.starts_with("title = ")).unwrap();
    let added = copied.replace(title, "title = \"Another one\"");
    let file = format!("{FILE}{added}");
    let demo = prepare(&file, options(&database, 1, &TestClock::new())).await.unwrap();
    let db = database.open(&TestClock::new(), 2).await;
    let (mut tx, query) = (db.read().await.unwrap(), IncidentQuery::of(View::now()));
    let list =
        store::incidents::list(&mut tx, demo.organization, &Viewer::service(), &query, 200).await.unwrap();
    assert_eq!(list.rows[0].title, "Another one");
}

#[testkit::both_engines]
async fn incidents_are_in_every_state_of_their_life(database: EmptyDatabase) {
    let (organization, db) = filled(&database).await;
    let mut tx = db.read().await.unwrap();
    let query = IncidentQuery::of(View::now());
    let list =
        store::incidents::list(&mut tx, organization, &Viewer::service(), &query, 200).await.unwrap().rows;
    let mut reviewed = 0;
    for it in &list {
        reviewed += store::reviews::count_editions(&mut tx, organization, it.number).await.unwrap();
    }
    assert!(reviewed >= 3, "{reviewed} published reviews");
    let some = |what: &str, is_so: &dyn Fn(&Incident) -> bool| assert!(list.iter().any(is_so), "{what}");
    for status in Status::ALL {
        some(status.as_str(), &|it| it.status == *status);
    }
    for kind in Kind::ALL {
        some(kind.as_str(), &|it| it.kind == *kind);
    }
    for severity in Severity::ALL {
        some(severity.as_str(), &|it| it.severity == *severity);
    }
    some("computed", &|it| it.severity_source == Some(SeveritySource::Computed));
    some("stated", &|it| it.severity_source == Some(SeveritySource::Manual));
    some("reopened", &|it| it.reopen_count > 0);
    some("on hold", &|it| it.hold.is_some());
    some("restricted", &|it| it.restricted && !it.readers.is_empty());
    some("a duplicate", &|it| it.duplicate_of.is_some());
    some("closed with something missing", &|it| !it.overridden.is_empty());
    some("a running major incident", &|it| it.severity == Severity::Critical && it.contained_date.is_none());
    let open = list.iter().filter(|it| it.status.category() == Category::Open).count();
    assert!((5..25).contains(&open), "{open} open");
}

#[testkit::both_engines]
async fn incidents_are_linked_to_everything(database: EmptyDatabase) {
    let (organization, db) = filled(&database).await;
    let mut tx = db.read().await.unwrap();
    let query = IncidentQuery::of(View::now());
    let list =
        store::incidents::list(&mut tx, organization, &Viewer::service(), &query, 200).await.unwrap().rows;
    let reader = LinkReader::new(Viewer::service(), Scopes::all());
    let mut linked = Vec::new();
    for incident in list {
        let end = LinkEnd::Incident(incident.number);
        let query = LinkQuery { end, detected: TimeRange::default(), after: None };
        let links = store::links::list(&mut tx, organization, &reader, &query, 200).await.unwrap().rows;
        let own = links.into_iter().filter(|it| it.direction == LinkDirection::Outgoing);
        linked.extend(own.map(|it| (it.link.kind, it.other.title.unwrap())));
    }
    linked.sort_by(|(_, one), (_, other)| one.cmp(other));
    let expected = [
        (LinkKind::Materialised, "Medicines outside 2 to 8 °C in storage"),
        (LinkKind::Materialised, "Patient data in private chat groups"),
        (LinkKind::CausedBy, "Phishing wave posing as hospital purchase orders"),
        (LinkKind::Related, "Storage full, warehouse system read-only"),
        (LinkKind::Ticket, "Vendor case 88-1407"),
    ];
    assert_eq!(linked, expected.map(|(kind, title)| (kind, title.to_owned())));
}

#[testkit::both_engines]
async fn risks_are_evaluated_week_after_week(database: EmptyDatabase) {
    let (organization, db) = filled(&database).await;
    let mut tx = db.read().await.unwrap();
    let list =
        store::risks::list(&mut tx, organization, &RiskQuery::of(View::now()), 200).await.unwrap().rows;
    let data = toml::from_str::<Data>(FILE).unwrap();
    assert_eq!(list.len(), data.risks.iter().filter(|risk| !risk.is_deleted()).count());
    let reviews = 52;
    let mut weekly = 0;
    for risk in &list {
        let told = data.risks.iter().find(|told| risk.title == told.name()).unwrap();
        assert_eq!(
            risk.tags.len(),
            told.body.get("tags").map_or(0, |tags| tags.as_array().unwrap().len()),
            "{}",
            risk.title
        );
        let last = told.judgements.last().unwrap();
        let current = risk.current.unwrap();
        assert_eq!(
            (current.rating.likelihood, current.rating.impact),
            (last.body["likelihood"].as_i64().unwrap(), last.body["impact"].as_i64().unwrap()),
            "{}",
            risk.title
        );
        let evaluations =
            store::evaluations::list(&mut tx, organization, risk.number, None, 200).await.unwrap().rows;
        assert!(evaluations.iter().all(|it| it.evaluated_at <= it.created_date));
        weekly += usize::from(evaluations.len() >= reviews);
    }
    assert!(weekly >= 25, "{weekly} risks with an evaluation a week");
    assert!(list.iter().any(|risk| risk.status == domain::risk::RiskStatus::Closed));
}

#[testkit::both_engines]
async fn the_figure_moves_with_the_period(database: EmptyDatabase) {
    let (organization, db) = filled(&database).await;
    let mut tx = db.read().await.unwrap();
    let mut evaluated = Vec::new();
    for days in [1, 30, 90] {
        let figure = store::performance::get(&mut tx, organization, days).await.unwrap();
        assert!((0..=100).contains(&figure.average_performance_percentage));
        evaluated.push(figure.total_risks_evaluated);
    }
    assert_eq!(evaluated[0], 0, "the latest review was two days ago");
    assert!(evaluated[1] >= 25 && evaluated[2] > evaluated[1], "{evaluated:?}");
}

#[testkit::both_engines]
async fn documents_are_published_wait_for_approval_or_are_in_conflict(database: EmptyDatabase) {
    let (organization, db) = filled(&database).await;
    let mut tx = db.read().await.unwrap();
    let (mut published, mut next) = (Vec::new(), Vec::new());
    let data = toml::from_str::<Data>(FILE).unwrap();
    for slug in data.documents.iter().map(Record::name) {
        let document = store::documents::read(&mut tx, organization, slug).await.unwrap().document;
        published.push((slug, document.published_version));
        let Some(number) = document.open_proposal else { continue };
        let draft = store::proposals::draft(&mut tx, organization, slug, number, None).await.unwrap();
        assert!(draft.proposal.change_sets.len() >= 2, "{slug} has more than one author");
        let is_own = draft.proposal.change_sets.iter().any(|set| set.author.name == "Marta Lindqvist");
        let comments = store::proposals::count_comments(&mut tx, organization, number).await.unwrap();
        let steps: Vec<_> = draft.proposal.steps.iter().map(|it| it.state).collect();
        next.extend(draft.proposal.next.map(|next| (next.action, is_own, comments, steps)));
    }
    let expected = [
        ("access-control", None),
        ("backup-and-recovery", None),
        ("incident-response", Some(2)),
        ("information-security", Some(1)),
        ("data-protection", Some(2)),
        ("supplier-security", Some(1)),
        ("secure-development", Some(2)),
    ];
    assert_eq!(published, expected);
    // Who looks at the demo is no author of what waits for approval.
    let expected = [
        (NextAction::Resolve, true, 1, vec![StepState::Waiting]),
        (NextAction::Approve, false, 2, vec![StepState::Pending]),
        (NextAction::Approve, false, 0, vec![StepState::Done, StepState::Pending]),
    ];
    assert_eq!(next, expected);
}

#[testkit::both_engines]
async fn documents_hold_later_are_reviewed_too_late_and_acknowledged_by_half(database: EmptyDatabase) {
    let (organization, db) = filled(&database).await;
    let mut tx = db.read().await.unwrap();
    let (mut later, mut overdue, mut acknowledged, mut tags) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let data = toml::from_str::<Data>(FILE).unwrap();
    for slug in data.documents.iter().map(Record::name) {
        let document = store::documents::read(&mut tx, organization, slug).await.unwrap().document;
        let in_force = store::documents::in_force(&mut tx, organization, slug, now()).await.unwrap();
        let in_force = in_force.map(|it| it.version.number);
        later.extend((in_force != document.published_version).then_some((slug, in_force)));
        overdue.extend(document.is_review_overdue(now()).then_some(slug));
        tags.push(document.tags.len());
        let at = Some(now());
        let coverage = store::acknowledgements::coverage(&mut tx, organization, slug, at).await.unwrap();
        let totals = coverage.totals;
        acknowledged.extend((totals.asked > 0).then_some((slug, totals.covered, totals.asked)));
    }
    assert_eq!(later, [("data-protection", Some(1))]);
    assert_eq!(overdue, ["supplier-security"]);
    assert_eq!(tags, [1, 1, 1, 2, 1, 1, 0]);
    let expected = [
        ("incident-response", 3, 8),
        ("information-security", 4, 8),
        ("data-protection", 2, 3),
        ("secure-development", 1, 3),
    ];
    assert_eq!(acknowledged, expected);
}

#[testkit::both_engines]
async fn the_journal_of_the_demo_is_in_order_and_verifies(database: EmptyDatabase) {
    let (organization, db) = filled(&database).await;
    let mut tx = db.read().await.unwrap();
    for chain in [OrgId::INSTANCE, organization] {
        let report = store::verify::verify(&mut tx, chain, None).await.unwrap();
        assert_eq!(report.faults, vec![], "{chain:?}");
        assert!(report.entries > 0);
    }
    let head = store::journal::head(&mut tx, organization).await.unwrap();
    assert!(head.last_at.unwrap() < now(), "nothing was written at the time of the demo");
    let half = now() - SignedDuration::from_hours(24 * 60);
    let past = store::journal::resolve(&mut tx, organization, Some(half), None).await.unwrap();
    let then = store::incidents::list(
        &mut tx,
        organization,
        &Viewer::service(),
        &IncidentQuery::of(View::as_of(past.unwrap().seq)),
        200,
    )
    .await
    .unwrap();
    let today = store::incidents::list(
        &mut tx,
        organization,
        &Viewer::service(),
        &IncidentQuery::of(View::now()),
        200,
    )
    .await
    .unwrap();
    assert!((10..today.rows.len() - 10).contains(&then.rows.len()), "{} then", then.rows.len());
}

#[testkit::both_engines]
async fn a_restart_finds_what_is_there(database: EmptyDatabase) {
    let (organization, db) = filled(&database).await;
    let head = store::journal::head(&mut db.read().await.unwrap(), organization).await.unwrap();
    let later = TestClock::new();
    later.advance_days(2);
    assert_eq!(prepare(FILE, options(&database, 3, &later)).await.unwrap().organization, organization);
    let after = store::journal::head(&mut db.read().await.unwrap(), organization).await.unwrap();
    assert_eq!(after, head);
}

#[testkit::both_engines]
async fn an_interrupted_demo_is_made_again(database: EmptyDatabase) {
    let (half, db) = filled(&database).await;
    db.write_instance(async move |tx: &mut db::Tx| {
        tx.execute("UPDATE demo_mark SET organization = NULL, client = NULL", &[]).await?;
        Ok::<_, db::Error>(())
    })
    .await
    .unwrap();
    let whole = prepare(FILE, options(&database, 3, &TestClock::new())).await.unwrap().organization;
    assert_ne!(half, whole);
    let list = store::incidents::list(
        &mut db.read().await.unwrap(),
        whole,
        &Viewer::service(),
        &IncidentQuery::of(View::now()),
        200,
    )
    .await;
    assert!(list.unwrap().rows.len() >= 40);
}

#[testkit::both_engines]
async fn an_existing_register_is_refused(db: TestDb) {
    let organization = db.organization("Real").await;
    let refused = prepare(FILE, options(db.database(), 2, &db.clock)).await;
    assert!(refused.as_ref().is_err_and(|error| error.to_string().contains("not a demo's")), "{refused:?}");
    let mut tx = db.read().await.unwrap();
    let list = store::organizations::list(&mut tx).await.unwrap();
    assert_eq!(list.iter().map(|it| it.id).collect::<Vec<_>>(), [organization]);
    assert_eq!(store::demo::mark(&mut tx).await.unwrap(), None);
}

#[testkit::both_engines]
async fn views_are_such_that_their_lists_show_them(database: EmptyDatabase) {
    let (organization, db) = filled(&database).await;
    let mut tx = db.read().await.unwrap();
    let actor = Actor { kind: ActorKind::User, id: "none".to_owned(), name: String::new() };
    let reader = ViewReader { actor, lists: ViewedList::ALL.to_vec() };
    let filter = store::saved_views::SavedViewFilter::default();
    let views = store::saved_views::list(&mut tx, organization, &reader, &filter, None, 100).await.unwrap();
    let names: Vec<&str> = views.rows.iter().map(|view| view.name.as_str()).collect();
    assert_eq!(names, ["Cold room", "Cyber", "Open high/critical"]);
    for view in &views.rows {
        assert!(lists::input::saved_views::check(view).is_empty(), "{}", view.name);
    }
}
