//! A redaction leaves nothing of a text in any column that people write into.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeSet;

use db::Tx;
use domain::incident::{IncidentPatch, NewIncident};
use domain::link::{LinkKind, LinkTarget, NewLink};
use domain::note::NotePatch;
use domain::redaction::{MARK, Redaction};
use domain::review::ReviewPatch;
use domain::task::NewTask;
use domain::{ExpectedVersion, IncidentNumber, OrgId};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use store::notes::NoteId;
use testkit::{TestDb, both_engines, comment, prose};

const ANY: ExpectedVersion = ExpectedVersion::Any;

/// A column that is added later must be added to the list of the redactions too, or texts would stay in it.
#[both_engines]
async fn every_column_of_text_of_incidents_is_known_to_redactions(db: TestDb) {
    let lines = crate::schema::of(&db).await;
    let column = |line: &String| {
        let (table, rest) = line.split_once(": column ")?;
        let mut words = rest.split(' ');
        let (name, kind) = (words.next()?, words.next()?);
        // Counts are of many incidents, by words of closed lists.
        let is_of_one = table.starts_with("incident") && table != "incident_count";
        (is_of_one && kind == "text").then(|| (table.to_owned(), name.to_owned()))
    };
    let (earlier, present): (BTreeSet<_>, BTreeSet<_>) =
        lines.iter().filter_map(column).partition(|(table, _)| table.ends_with("_history"));
    let known: BTreeSet<_> =
        store::redaction::known_columns().map(|(table, name)| (table.to_owned(), name.to_owned())).collect();
    assert_eq!(present, known, "store/src/incidents/texts.rs lists the columns of text");
    for (table, name) in earlier {
        let table = table.trim_end_matches("_history").to_owned();
        assert!(known.contains(&(table.clone(), name.clone())), "{table}.{name}");
    }
}

async fn faults(db: &TestDb, org: OrgId) -> Vec<String> {
    let mut tx = db.read().await.unwrap();
    let report = store::verify::verify(&mut tx, org, None).await.unwrap();
    report.faults.into_iter().map(|fault| fault.detail).collect()
}

/// The table, and that of its earlier states.
fn tables_of(table: &str) -> Vec<String> {
    let has_history =
        !["incident_task", "incident_review", "incident_report", "incident_link"].contains(&table);
    let history = has_history.then(|| format!("{table}_history"));
    [table.to_owned()].into_iter().chain(history).collect()
}

/// Everything that the tables have of incidents, and the journal.
async fn everything(db: &TestDb) -> String {
    let mut tx = db.read().await.unwrap();
    let mut texts = Vec::new();
    for (table, column) in store::redaction::known_columns() {
        for table in tables_of(table) {
            let sql = format!("SELECT {column} FROM {table}");
            let rows: Vec<(Option<String>,)> = tx.query(&sql, &[]).await.unwrap();
            texts.extend(rows.into_iter().filter_map(|(text,)| text));
        }
    }
    for sql in [
        "SELECT word FROM search_word",
        "SELECT texts FROM search_record",
        "SELECT texts FROM search_part",
        "SELECT word FROM search_part_word",
    ] {
        let rows: Vec<(String,)> = tx.query(sql, &[]).await.unwrap();
        texts.extend(rows.into_iter().map(|(text,)| text));
    }
    let payloads: Vec<(Option<String>,)> = tx.query("SELECT payload FROM journal_entry", &[]).await.unwrap();
    texts.extend(payloads.into_iter().filter_map(|(text,)| text));
    texts.join("\n")
}

/// What somebody does.
#[derive(Debug, Clone)]
enum Act {
    Describe(String),
    Name(String),
    Source(String),
    Comment(String),
    Edit(String),
    DeleteComment,
    Redact(String),
    Delete,
    Task(String),
    Link(String),
    Review(String),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let text = "(zyzzy|qwert| and |x){1,4}";
    let act = prop_oneof![
        text.prop_map(Act::Describe),
        text.prop_map(|text| Act::Name(format!("{text}."))),
        text.prop_map(Act::Source),
        text.prop_map(|text| Act::Comment(format!("{text}."))),
        text.prop_map(|text| Act::Edit(format!("{text}."))),
        Just(Act::DeleteComment),
        prop_oneof!["zyzzy", "qwert"].prop_map(Act::Redact),
        Just(Act::Delete),
        text.prop_map(Act::Task),
        text.prop_map(Act::Link),
        text.prop_map(Act::Review),
    ];
    proptest::collection::vec(act, 1..15)
}

async fn act(tx: &mut Tx, org: OrgId, number: IncidentNumber, act: &Act) -> store::Result<()> {
    let by = testkit::author();
    let (none, first) = (IncidentPatch::default(), NoteId { incident: number, number: 1 });
    let patch = match act {
        Act::Describe(text) => {
            IncidentPatch { description: Some(domain::ProseOrEmpty::stored(text.clone())), ..none }
        }
        Act::Name(text) => IncidentPatch { title: Some(domain::Line::stored(text.clone())), ..none },
        Act::Source(text) => {
            IncidentPatch { source: domain::Change::Set(domain::LineOrEmpty::stored(text.clone())), ..none }
        }
        Act::Redact(text) => {
            let redaction =
                Redaction { target: None, text: Some(text.clone()), reason: "A password.".into() };
            return match store::redaction::redact(tx, org, &by, number, &ANY, &redaction).await {
                Ok(_) | Err(store::Error(domain::Error::Invalid(_))) => Ok(()),
                Err(error) => Err(error),
            };
        }
        Act::Comment(text) => {
            store::notes::create(tx, org, &by, number, &comment(text)).await?;
            return Ok(());
        }
        Act::Edit(text) => {
            let patch = NotePatch { text: Some(prose(text)), ..NotePatch::default() };
            let edited = store::notes::update(tx, org, &by, first, &ANY, &patch).await;
            return unless_missing(edited.map(drop));
        }
        Act::DeleteComment => {
            return unless_missing(store::notes::delete(tx, org, &by, first, &ANY).await);
        }
        Act::Task(text) => {
            let title = domain::Line::stored(format!("{text}."));
            let (notes, owner, due, mandatory, position) = (None, None, None, false, None);
            let new = NewTask { title, notes, owner, due, mandatory, position };
            return store::tasks::create(tx, org, &by, number.into(), &new).await.map(drop);
        }
        Act::Link(text) => {
            let to = LinkTarget::Url {
                url: format!("https://{}.example/", tx.at().as_microsecond()),
                title: Some(domain::Line::stored(format!("{text}."))),
            };
            let new = NewLink { to, kind: LinkKind::Ticket };
            return store::links::add(tx, org, &by, number, &new).await.map(drop);
        }
        Act::Review(text) => {
            let summary = domain::Change::Set(prose(&format!("{text}.")));
            let patch = ReviewPatch { summary, ..ReviewPatch::default() };
            return store::reviews::update(tx, org, &by, number, &ANY, &patch).await.map(drop);
        }
        Act::Delete => {
            store::incidents::delete_many(tx, org, &by, &[number]).await?;
            store::incidents::restore_many(tx, org, &by, &[number]).await?;
            return Ok(());
        }
    };
    store::incidents::update(tx, org, &by, number, &ANY, &patch).await?;
    Ok(())
}

/// There may be no comment yet, or it is deleted.
fn unless_missing(done: store::Result<()>) -> store::Result<()> {
    match done {
        Err(store::Error(domain::Error::NotFound(_))) => Ok(()),
        done => done,
    }
}

/// Whatever people do before and after: what was redacted is gone, everything else stays, and the journal verifies.
#[both_engines]
async fn after_any_history_a_redacted_text_is_gone_and_the_journal_verifies(db: TestDb) {
    let org = db.organization("Acme").await;
    let mut runner = TestRunner::deterministic();
    for _ in 0..24 {
        let acts = acts().new_tree(&mut runner).unwrap().current();
        let by = testkit::author();
        let new = NewIncident { description: "zyzzy".into(), ..NewIncident::untitled() };
        let create = async move |tx: &mut Tx| store::incidents::create(tx, org, &by, &new).await;
        let number = db.write(org, create).await.unwrap().number;
        for one in acts.clone() {
            db.write(org, async move |tx: &mut Tx| act(tx, org, number, &one).await).await.unwrap();
            db.write(org, async move |tx: &mut Tx| store::search::follow(tx, org, 100, None).await)
                .await
                .unwrap();
        }
        assert_eq!(faults(&db, org).await, [""; 0], "{acts:?}");
        let redact_all = async move |tx: &mut Tx| {
            for text in ["zyzzy", "qwert"] {
                act(tx, org, number, &Act::Redact(text.to_owned())).await?;
            }
            Ok::<_, store::Error>(())
        };
        db.write(org, redact_all).await.unwrap();
        let left = everything(&db).await;
        assert!(!left.contains("zyzzy") && !left.contains("qwert"), "{acts:?}: {left}");
        assert!(left.contains(MARK));
        assert_eq!(faults(&db, org).await, [""; 0], "{acts:?}");
    }
}
