//! Tasks of incidents and risks: random histories, numbers, and what is purged.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a panic is a test's answer")]

use std::collections::BTreeMap;

use db::Tx;
use domain::incident::{NewIncident, Viewer};
use domain::risk::{NewRisk, Rating};
use domain::task::{NewTask, Task, TaskOf, TaskPatch, TaskStatus};
use domain::{
    Author, Change, Error, ExpectedVersion, IncidentNumber, OrgId, ResourceKind, RiskNumber, Scope, Scopes,
};
use store::View;
use store::list::{Direction, ListQuery, Sort, TimeRange};
use store::tasks::{TaskFilter, TaskSort};
use testkit::{TestDb, both_engines};

const ANY: ExpectedVersion = ExpectedVersion::Any;

/// An operator has no name besides the id, also when read back.
fn by() -> Author {
    let mut author = testkit::author();
    author.actor.name.clone_from(&author.actor.id);
    author
}

fn titled(title: &str) -> NewTask {
    NewTask {
        title: domain::Line::stored(title),
        notes: None,
        owner: None,
        due: None,
        mandatory: false,
        position: None,
    }
}

/// Two incidents and a risk.
const RECORDS: [TaskOf; 3] =
    [TaskOf::Incident(IncidentNumber(1)), TaskOf::Incident(IncidentNumber(2)), TaskOf::Risk(RiskNumber(1))];

async fn records(db: &TestDb, org: OrgId) {
    let rating = Rating { likelihood: 2, impact: 2 };
    let risk = NewRisk::rated("Fire".into(), rating, rating);
    let work = async move |tx: &mut Tx| {
        for _ in 0..2 {
            store::incidents::create(tx, org, &by(), &NewIncident::untitled()).await?;
        }
        store::risks::create(tx, org, &by(), &risk).await
    };
    db.write(org, work).await.unwrap();
}

async fn create(db: &TestDb, org: OrgId, of: TaskOf, new: NewTask) -> store::Result<Task> {
    let work =
        async move |tx: &mut Tx| store::tasks::create(tx, org, &by(), of, &new).await.map(|it| it.task);
    db.write(org, work).await
}

async fn faults(db: &TestDb, org: OrgId) -> Vec<String> {
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    report.faults.into_iter().map(|fault| fault.detail).collect()
}

/// A generator of small numbers that repeats (Knuth's MMIX constants); its low bits are not used.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.0 >> 33) % limit).unwrap()
    }

    fn status(&mut self) -> TaskStatus {
        TaskStatus::ALL[usize::try_from(self.below(4)).unwrap()]
    }
}

/// The tasks that are not deleted, by the place of their record and number.
type Model = BTreeMap<(usize, i64), Task>;

/// One random change of a random task, of those that are there or those that are deleted.
async fn step(db: &TestDb, org: OrgId, dice: &mut Dice, (model, deleted): (&mut Model, &mut Model)) {
    let (place, number) = (usize::try_from(dice.below(3)).unwrap(), 1 + dice.below(6));
    let due = (dice.below(3) > 0).then(|| db.clock.now() + jiff::SignedDuration::from_hours(dice.below(9)));
    let id = (RECORDS[place], number);
    match dice.below(5) {
        0 | 1 => {
            let position = (dice.below(3) == 0).then(|| dice.below(4_000));
            let new = NewTask { due, position, ..titled(&format!("T{}", dice.below(5))) };
            let task = create(db, org, id.0, new).await.unwrap();
            model.insert((place, task.number), task);
        }
        2 => {
            let status = dice.status();
            let reason =
                if status == TaskStatus::NotDoing { Change::Set("Too late.".into()) } else { Change::Keep };
            let patch = TaskPatch { due: due.into(), status: Some(status), reason, ..TaskPatch::default() };
            let work = async move |tx: &mut Tx| store::tasks::update(tx, org, &by(), id, &ANY, &patch).await;
            let outcome = db.write(org, work).await.map(|details| details.task);
            match model.get_mut(&(place, number)) {
                Some(task) => *task = outcome.unwrap(),
                None => assert_eq!(outcome, Err(Error::NotFound(ResourceKind::Task).into())),
            }
        }
        3 => {
            let work = async move |tx: &mut Tx| store::tasks::restore(tx, org, &by(), id, &ANY).await;
            let outcome = db.write(org, work).await.map(|details| details.task);
            match deleted.remove(&(place, number)) {
                Some(task) => {
                    let restored = outcome.unwrap();
                    assert_eq!((&restored.title, restored.deleted_date), (&task.title, None));
                    model.insert((place, number), restored);
                }
                None => assert_eq!(outcome, Err(Error::NotFound(ResourceKind::Task).into())),
            }
        }
        _ => {
            let work = async move |tx: &mut Tx| store::tasks::delete(tx, org, &by(), id, &ANY).await;
            let outcome = db.write(org, work).await;
            match model.remove(&(place, number)) {
                Some(task) => {
                    outcome.unwrap();
                    deleted.insert((place, number), task);
                }
                None => assert_eq!(outcome, Err(Error::NotFound(ResourceKind::Task).into())),
            }
        }
    }
}

async fn listed(db: &TestDb, org: OrgId, filter: &TaskFilter, sort: Sort<TaskSort>) -> Vec<Task> {
    let mut tx = db.read().await.unwrap();
    let (viewer, mut tasks, mut after) = (Viewer::service(), Vec::new(), None);
    loop {
        let query = ListQuery { view: View::now(), filter: filter.clone(), sort, after };
        let page = store::tasks::list(&mut tx, org, &viewer, &query, 2).await.unwrap();
        tasks.extend(page.rows.into_iter().map(|details| details.task));
        if !page.has_more {
            break;
        }
        after = tasks.last().map(|task| sort.by.position(task));
    }
    let count = store::tasks::count(&mut tx, org, &viewer, filter).await.unwrap();
    assert_eq!(usize::try_from(count), Ok(tasks.len()));
    tasks
}

/// Tasks without a value last, in both directions.
fn sorted(mut tasks: Vec<Task>, sort: Sort<TaskSort>) -> Vec<Task> {
    let descends = sort.direction == Direction::Descending;
    let by_due = sort.by == TaskSort::Due;
    tasks.sort_by_key(|task| (by_due.then_some(task.due).flatten(), task.seq_from));
    if descends {
        tasks.reverse();
    }
    tasks.sort_by_key(|task| by_due && task.due.is_none());
    tasks
}

#[both_engines]
async fn the_lists_are_those_of_a_model_after_every_history(db: TestDb) {
    for seed in 0..3 {
        let org = db.organization("Acme").await;
        records(&db, org).await;
        let (mut dice, mut model, mut deleted) = (Dice(seed), Model::new(), Model::new());
        for _ in 0..40 {
            step(&db, org, &mut dice, (&mut model, &mut deleted)).await;
            db.clock.advance_seconds(600);
        }
        let tasks: Vec<Task> = model.values().cloned().collect();
        let now = db.clock.now();
        let chosen = TaskFilter {
            status: vec![TaskStatus::Open, TaskStatus::Done],
            due_status: TaskStatus::OPEN.to_vec(),
            due: TimeRange { from: None, before: Some(now) },
            ..TaskFilter::default()
        };
        let is_chosen =
            |task: &Task| task.status == TaskStatus::Open && task.due.is_some_and(|due| due < now);
        for by in [TaskSort::Due, TaskSort::CreatedDate] {
            for direction in [Direction::Ascending, Direction::Descending] {
                let sort = Sort { by, direction };
                let all = listed(&db, org, &TaskFilter::default(), sort).await;
                assert_eq!(all, sorted(tasks.clone(), sort), "{seed} {sort:?}");
                let some = tasks.iter().filter(|task| is_chosen(task)).cloned().collect();
                assert_eq!(listed(&db, org, &chosen, sort).await, sorted(some, sort), "{seed} {sort:?}");
            }
        }
        let mut tx = db.read().await.unwrap();
        for (place, of) in RECORDS.into_iter().enumerate() {
            let viewer = Viewer::service();
            let page = store::tasks::list_of(&mut tx, org, &viewer, of, None, 200).await.unwrap();
            let found: Vec<Task> = page.rows.into_iter().map(|details| details.task).collect();
            let mut own: Vec<Task> =
                model.range((place, 0)..(place + 1, 0)).map(|(_, task)| task.clone()).collect();
            own.sort_by_key(|task| (task.position, task.number));
            assert_eq!(found, own, "{seed} {of}");
        }
        assert_eq!(faults(&db, org).await, [""; 0], "{seed}");
    }
}

#[both_engines]
async fn tasks_stay_in_their_organization(db: TestDb) {
    let (acme, globex) = (db.organization("Acme").await, db.organization("Globex").await);
    for org in [acme, globex] {
        records(&db, org).await;
    }
    for of in [RECORDS[0], RECORDS[2]] {
        create(&db, acme, of, titled("Ours")).await.unwrap();
    }
    let first = create(&db, globex, RECORDS[0], titled("Theirs")).await.unwrap();
    let second = create(&db, globex, RECORDS[2], titled("Theirs too")).await.unwrap();
    assert_eq!((first.number, second.number), (1, 1));
    let of = async |org| listed(&db, org, &TaskFilter::default(), Sort::default()).await;
    assert_eq!(of(globex).await, [first, second]);
    assert_eq!(of(acme).await.len(), 2);
}

#[both_engines]
async fn the_list_has_only_tasks_of_records_that_the_caller_lists(db: TestDb) {
    let org = db.organization("Acme").await;
    records(&db, org).await;
    for (of, title) in RECORDS.into_iter().zip(["one", "two", "risk"]) {
        create(&db, org, of, titled(title)).await.unwrap();
    }
    let mut tx = db.read().await.unwrap();
    let actor = domain::Actor { kind: domain::ActorKind::Client, ..by().actor };
    for (scopes, expected) in [
        (vec![Scope::IncidentsRead], vec!["one", "two"]),
        (vec![Scope::RisksRead], vec!["risk"]),
        (vec![Scope::IncidentsRead, Scope::RisksRead], vec!["one", "two", "risk"]),
        (vec![Scope::DocumentsRead], vec![]),
    ] {
        let viewer = Viewer::new(&actor, scopes.iter().copied().collect::<Scopes>());
        let query = ListQuery::of(View::now());
        let page = store::tasks::list(&mut tx, org, &viewer, &query, 50).await.unwrap();
        let titles: Vec<_> = page.rows.iter().map(|row| row.task.title.as_str()).collect();
        assert_eq!(titles, expected, "{scopes:?}");
        let count = store::tasks::count(&mut tx, org, &viewer, &query.filter).await.unwrap();
        assert_eq!(usize::try_from(count), Ok(expected.len()), "{scopes:?}");
    }
}

#[both_engines]
async fn tasks_are_gone_with_their_record_and_purged_with_it(db: TestDb) {
    let org = db.organization("Acme").await;
    records(&db, org).await;
    for of in RECORDS {
        for title in ["one", "two"] {
            create(&db, org, of, titled(title)).await.unwrap();
        }
    }
    let delete = async move |tx: &mut Tx| {
        store::incidents::delete_many(tx, org, &by(), &[IncidentNumber(1)]).await?;
        store::risks::delete(tx, org, &by(), RiskNumber(1), &ANY).await
    };
    db.write(org, delete).await.unwrap();
    assert_eq!(listed(&db, org, &TaskFilter::default(), Sort::default()).await.len(), 2);
    let counts = async || {
        let mut tx = db.read().await.unwrap();
        let sql = "SELECT (SELECT count(*) FROM incident_task WHERE organization = $1),
                          (SELECT count(*) FROM risk_task WHERE organization = $1)";
        tx.query_one::<(i64, i64)>(sql, &[&org.uuid()]).await.unwrap()
    };
    assert_eq!(counts().await, (4, 2));
    db.clock.advance_days(91);
    for name in ["deleted_incidents", "deleted_risks"] {
        let trash = store::REGISTRY.trash_named(name).unwrap();
        let purge = async move |tx: &mut Tx| store::housekeeping::purge(tx, org, &by(), trash).await;
        assert_eq!(db.write_alone(org, purge).await.unwrap().count, 1);
    }
    assert_eq!(counts().await, (2, 0));
    assert_eq!(faults(&db, org).await, [""; 0]);
}
