//! Imports of incidents and tags: what the register compares a file with takes as many statements, however long the file is.
#![allow(clippy::unwrap_used, reason = "a panic is a test's answer")]

use db::Tx;
use domain::ImportId;
use domain::import::{
    Import, ImportKind, ImportState, ImportedIncident, ImportedTag, PreparedRow, RowContent, RowOutcome,
};
use domain::incident::{NewIncident, Past, Status};
use domain::tag::{NewTag, TagName};
use domain::{ExpectedVersion, Line, OrgId};
use jiff::{SignedDuration, Timestamp};
use store::imports::{NewImport, Parts, Proposed, Run};
use testkit::{TestDb, author, both_engines};

fn incident(number: usize, status: Status) -> RowContent {
    let hour = SignedDuration::from_hours(i64::try_from(number).unwrap());
    let start: Timestamp = "2026-01-05T10:00:00Z".parse().unwrap();
    let new = NewIncident {
        title: Line::stored(format!("Alert {}", number % 3)),
        detected_date: Some(start + hour),
        tags: vec![TagName::stored(format!("label {}", number % 4))],
        ..NewIncident::untitled()
    };
    RowContent::Incident(Box::new(ImportedIncident {
        new,
        reference: None,
        severity: None,
        severity_reasoning: None,
        severity_source: None,
        resolution_summary: None,
        restricted: None,
        legal_hold: None,
        legal_hold_reason: None,
        past: Past { status: Some(status), ..Past::default() },
        tasks: Vec::new(),
        original: None,
        nth: 0,
    }))
}

fn tag(number: usize) -> RowContent {
    let new = NewTag { name: TagName::stored(format!("Tag {number}")), color: None, description: None };
    let aliases = vec![TagName::stored(format!("Alias {number}"))];
    RowContent::Tag(Box::new(ImportedTag { new, aliases }))
}

fn rows(contents: impl Iterator<Item = RowContent>) -> Vec<PreparedRow> {
    let row = |(row, content)| PreparedRow {
        first_row: row,
        last_row: row,
        title: None,
        faults: Vec::new(),
        content,
    };
    (2..).zip(contents).map(row).collect()
}

fn new(kind: ImportKind) -> NewImport {
    let proposed = Proposed {
        state: ImportState::Ready,
        fingerprint: String::new(),
        proposal: "{}".to_owned(),
        choices: "{}".to_owned(),
        answers: "{}".to_owned(),
    };
    NewImport { kind, file_name: None, proposed, file: vec![1] }
}

async fn run(db: &TestDb, org: OrgId, kind: ImportKind, rows: Vec<PreparedRow>) -> Import {
    let create = async move |tx: &mut Tx| store::imports::create(tx, org, &author(), &new(kind)).await;
    let id: ImportId = db.write(org, create).await.unwrap().id;
    let parts = Parts::of(&rows, 0);
    let (expected, rows) = (ExpectedVersion::Any, rows.into());
    let run = Run { id, expected, read: 1, rows, skip_wrong: false, parts };
    let write = async move |tx: &mut Tx| store::imports::run_part(tx, org, &author(), &run, 0).await;
    db.write(org, write).await.unwrap()
}

/// What would become of these rows, and how many statements that takes.
async fn planned(
    db: &TestDb,
    org: OrgId,
    kind: ImportKind,
    rows: Vec<PreparedRow>,
) -> (Vec<RowOutcome>, u64) {
    let mut tx = db.read().await.unwrap();
    let import = store::imports::draft(&mut tx, &author(), &new(kind));
    let before = db.statements();
    let planned = store::imports::plan(&mut tx, org, &author(), &import, &rows.into()).await.unwrap();
    (planned.iter().map(|row| row.outcome).collect(), db.statements() - before)
}

#[both_engines]
async fn a_long_file_takes_as_many_statements_as_a_short_one(db: TestDb) {
    let org = db.organization("Acme").await;
    let closed = |count: usize| rows((0..count).map(|number| incident(number, Status::Closed)));
    let tags = |count: usize| rows((0..count).map(tag));
    for (kind, short, long) in
        [(ImportKind::Incidents, closed(2), closed(150)), (ImportKind::Tags, tags(2), tags(150))]
    {
        let done = run(&db, org, kind, long.clone()).await;
        assert_eq!((done.state, done.counts.created), (ImportState::Done, 150), "{kind}");
        let (few, cost) = planned(&db, org, kind, short).await;
        let (many, cost_of_many) = planned(&db, org, kind, long).await;
        assert_eq!((few, many), (vec![RowOutcome::Unchanged; 2], vec![RowOutcome::Unchanged; 150]), "{kind}");
        assert_eq!(cost, cost_of_many, "{kind}");
    }
    // The register is sound afterwards.
    let mut tx = db.read().await.unwrap();
    assert_eq!(store::verify::verify(&mut tx, org, None).await.unwrap().faults, []);
}

#[both_engines]
async fn the_second_row_about_an_incident_is_wrong(db: TestDb) {
    let org = db.organization("Acme").await;
    let dated = || incident(0, Status::New);
    run(&db, org, ImportKind::Incidents, rows([dated()].into_iter())).await;
    let RowContent::Incident(mut undated) = dated() else { unreachable!() };
    undated.new.detected_date = None;
    let both = rows([dated(), RowContent::Incident(undated)].into_iter());
    let (outcomes, _) = planned(&db, org, ImportKind::Incidents, both).await;
    assert_eq!(outcomes, [RowOutcome::Unchanged, RowOutcome::Wrong]);
}

#[both_engines]
async fn what_was_read_before_another_change_is_not_written(db: TestDb) {
    let org = db.organization("Acme").await;
    let create =
        async move |tx: &mut Tx| store::imports::create(tx, org, &author(), &new(ImportKind::Tags)).await;
    let id = db.write(org, create).await.unwrap().id;
    let change = async move |tx: &mut Tx| {
        let proposed = Proposed { answers: "[]".to_owned(), ..new(ImportKind::Tags).proposed };
        store::imports::update(tx, org, &author(), id, (&ExpectedVersion::Any, 1), &proposed).await
    };
    assert_eq!(db.write(org, change).await.unwrap().version, 2);
    let planned =
        async move |tx: &mut Tx| store::imports::keep_planned(tx, org, &author(), (id, 1), &[], 0..0).await;
    let write = async move |tx: &mut Tx| {
        let rows = rows(std::iter::once(tag(1)));
        let (expected, parts) = (ExpectedVersion::Any, Parts::of(&rows, 0));
        let run = Run { id, expected, read: 1, rows: rows.into(), skip_wrong: false, parts };
        store::imports::run_part(tx, org, &author(), &run, 0).await
    };
    for refused in [db.write(org, planned).await, db.write(org, write).await] {
        let error = format!("{:?}", refused.unwrap_err());
        assert!(error.contains("Outdated"), "{error}");
    }
}
