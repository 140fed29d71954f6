//! Tasks of incidents: random histories, numbers, and what is purged.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a panic is a test's answer")]

use std::collections::BTreeMap;

use db::Tx;
use domain::incident::{NewIncident, Viewer};
use domain::task::{NewTask, Task, TaskPatch, TaskStatus};
use domain::{Author, Change, Error, ExpectedVersion, IncidentNumber, OrgId, ResourceKind};
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

async fn incidents(db: &TestDb, org: OrgId, count: usize) {
    let work = async move |tx: &mut Tx| {
        for _ in 0..count {
            store::incidents::create(tx, org, &by(), &NewIncident::untitled()).await?;
        }
        Ok::<_, store::Error>(())
    };
    db.write(org, work).await.unwrap();
}

async fn create(db: &TestDb, org: OrgId, incident: i64, new: NewTask) -> store::Result<Task> {
    let incident = IncidentNumber(incident);
    let work =
        async move |tx: &mut Tx| store::tasks::create(tx, org, &by(), incident, &new).await.map(|it| it.task);
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

/// The tasks that are not deleted, by incident and number.
type Model = BTreeMap<(i64, i64), Task>;

/// One random change of a random task, of those that are there or those that are deleted.
async fn step(db: &TestDb, org: OrgId, dice: &mut Dice, (model, deleted): (&mut Model, &mut Model)) {
    let (incident, number) = (1 + dice.below(3), 1 + dice.below(6));
    let due = (dice.below(3) > 0).then(|| db.clock.now() + jiff::SignedDuration::from_hours(dice.below(9)));
    let id = (IncidentNumber(incident), number);
    match dice.below(5) {
        0 | 1 => {
            let position = (dice.below(3) == 0).then(|| dice.below(4_000));
            let new = NewTask { due, position, ..titled(&format!("T{}", dice.below(5))) };
            let task = create(db, org, incident, new).await.unwrap();
            model.insert((incident, task.number), task);
        }
        2 => {
            let status = dice.status();
            let reason =
                if status == TaskStatus::NotDoing { Change::Set("Too late.".into()) } else { Change::Keep };
            let patch = TaskPatch { due: due.into(), status: Some(status), reason, ..TaskPatch::default() };
            let work = async move |tx: &mut Tx| store::tasks::update(tx, org, &by(), id, &ANY, &patch).await;
            let outcome = db.write(org, work).await.map(|details| details.task);
            match model.get_mut(&(incident, number)) {
                Some(task) => *task = outcome.unwrap(),
                None => assert_eq!(outcome, Err(Error::NotFound(ResourceKind::Task).into())),
            }
        }
        3 => {
            let work = async move |tx: &mut Tx| store::tasks::restore(tx, org, &by(), id, &ANY).await;
            let outcome = db.write(org, work).await.map(|details| details.task);
            match deleted.remove(&(incident, number)) {
                Some(task) => {
                    let restored = outcome.unwrap();
                    assert_eq!((&restored.title, restored.deleted_date), (&task.title, None));
                    model.insert((incident, number), restored);
                }
                None => assert_eq!(outcome, Err(Error::NotFound(ResourceKind::Task).into())),
            }
        }
        _ => {
            let work = async move |tx: &mut Tx| store::tasks::delete(tx, org, &by(), id, &ANY).await;
            let outcome = db.write(org, work).await;
            match model.remove(&(incident, number)) {
                Some(task) => {
                    outcome.unwrap();
                    deleted.insert((incident, number), task);
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
        incidents(&db, org, 3).await;
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
        for incident in 1..=3 {
            let viewer = Viewer::service();
            let number = IncidentNumber(incident);
            let page =
                store::tasks::list_of_incident(&mut tx, org, &viewer, number, None, 200).await.unwrap();
            let found: Vec<Task> = page.rows.into_iter().map(|details| details.task).collect();
            let mut own: Vec<Task> = tasks.iter().filter(|it| it.incident == number).cloned().collect();
            own.sort_by_key(|task| (task.position, task.number));
            assert_eq!(found, own, "{seed} {number}");
        }
        assert_eq!(faults(&db, org).await, [""; 0], "{seed}");
    }
}

#[both_engines]
async fn tasks_stay_in_their_organization(db: TestDb) {
    let (acme, globex) = (db.organization("Acme").await, db.organization("Globex").await);
    for org in [acme, globex] {
        incidents(&db, org, 1).await;
    }
    create(&db, acme, 1, titled("Ours")).await.unwrap();
    let other = create(&db, globex, 1, titled("Theirs")).await.unwrap();
    assert_eq!(other.number, 1);
    let of = async |org| listed(&db, org, &TaskFilter::default(), Sort::default()).await;
    assert_eq!(of(globex).await, [other]);
    assert_eq!(of(acme).await.len(), 1);
}

#[both_engines]
async fn tasks_are_purged_with_their_incident(db: TestDb) {
    let org = db.organization("Acme").await;
    incidents(&db, org, 2).await;
    for incident in [1, 2] {
        for title in ["one", "two"] {
            create(&db, org, incident, titled(title)).await.unwrap();
        }
    }
    let ids = [IncidentNumber(1)];
    let delete = async move |tx: &mut Tx| store::incidents::delete_many(tx, org, &by(), &ids).await;
    db.write(org, delete).await.unwrap();
    let count = async || {
        let mut tx = db.read().await.unwrap();
        let sql = "SELECT count(*) FROM incident_task WHERE organization = $1";
        let (count,): (i64,) = tx.query_one(sql, &[&org.uuid()]).await.unwrap();
        count
    };
    assert_eq!(count().await, 4);
    db.clock.advance_days(91);
    let trash = store::REGISTRY.trash_named("deleted_incidents").unwrap();
    let purge = async move |tx: &mut Tx| store::housekeeping::purge(tx, org, &by(), trash).await;
    assert_eq!(db.write_alone(org, purge).await.unwrap().count, 1);
    assert_eq!(count().await, 2);
    assert_eq!(faults(&db, org).await, [""; 0]);
}
