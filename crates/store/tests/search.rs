//! The index of searches: it finds what the texts have, whoever searches, on both engines.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a panic is a test's answer")]

mod acts;
mod documents;
mod texts;

use std::collections::BTreeMap;

use db::Tx;
use domain::document::NewDocument;
use domain::incident::{IncidentPatch, NewIncident, Viewer};
use domain::note::NotePatch;
use domain::redaction::Redaction;
use domain::risk::{NewRisk, Rating};
use domain::search::{SearchKind, SearchQuery, Weight};
use domain::{Actor, ActorKind, ExpectedVersion, IncidentNumber, OrgId, Role, Scope, UserId};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use store::View;
use store::hits::HitPosition;
use store::incidents::{IncidentFilter, IncidentQuery, IncidentSort};
use store::list::{Direction, ListQuery, Sort};
use store::notes::NoteId;
use store::search::{Followed, Step};
use testkit::{TestDb, author, both_engines, comment, prose};

const ANY: ExpectedVersion = ExpectedVersion::Any;

/// Lets the index follow the journal.
async fn follow(db: &TestDb, org: OrgId, most: i64) -> Followed {
    let step = step(db, org, most).await;
    write_step(db, org, step).await
}

/// What the next entries change, found out in a read.
async fn step(db: &TestDb, org: OrgId, most: i64) -> Option<Step> {
    store::search::step(&mut db.read().await.unwrap(), org, most).await.unwrap()
}

async fn write_step(db: &TestDb, org: OrgId, step: Option<Step>) -> Followed {
    let work = async move |tx: &mut Tx| store::search::follow(tx, org, 3, step.as_ref()).await;
    db.write(org, work).await.unwrap()
}

async fn follow_all(db: &TestDb, org: OrgId) {
    while !follow(db, org, 7).await.is_done {}
    assert_eq!(
        store::search::organizations_behind(&mut db.read().await.unwrap(), None, 9).await.unwrap(),
        []
    );
}

async fn faults(db: &TestDb, org: OrgId) -> Vec<String> {
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    report.faults.into_iter().map(|fault| fault.detail).collect()
}

/// Compares what a search finds, page by page, with what the texts say.
async fn compare(db: &TestDb, org: OrgId, viewer: &Viewer, queries: &[String]) -> usize {
    let mut tx = db.read().await.unwrap();
    let texts = texts::of_all(&mut tx, org, viewer).await;
    let mut hits = 0;
    for text in queries {
        let asked = SearchQuery::parse(text);
        let found = texts.iter().filter_map(|(number, texts)| Some((asked.weight_in(texts)?, *number)));
        let mut expected: Vec<(Weight, IncidentNumber)> = found.collect();
        expected.sort_unstable_by(|one, other| other.cmp(one));
        let numbers: Vec<_> = expected.iter().map(|(_, number)| *number).collect();
        let filter = IncidentFilter { q: Some(asked.clone()), ..IncidentFilter::default() };
        let mut query: IncidentQuery = ListQuery { filter: filter.clone(), ..ListQuery::of(View::now()) };
        let mut ranked = Vec::new();
        loop {
            let (page, ranks) = store::incidents::list_ranked(&mut tx, org, viewer, &query, 3).await.unwrap();
            query.after = page.rows.last().map(|it| ranks.position(it.number.number()));
            ranked.extend(page.rows.into_iter().map(|it| it.number));
            if !page.has_more {
                break;
            }
        }
        assert_eq!(ranked, numbers, "{text}");
        let mut by_number = numbers.clone();
        by_number.sort_unstable();
        for (direction, limit) in
            [(Direction::Ascending, 3), (Direction::Descending, 4), (Direction::Descending, 200)]
        {
            let sort = Sort { by: IncidentSort::Number, direction };
            let mut query = ListQuery { after: None, sort, ..query.clone() };
            let mut listed = Vec::new();
            loop {
                let page = store::incidents::list(&mut tx, org, viewer, &query, limit).await.unwrap();
                query.after = page.rows.last().map(|it| IncidentSort::Number.position(it));
                listed.extend(page.rows.into_iter().map(|it| it.number));
                if !page.has_more {
                    break;
                }
            }
            if direction == Direction::Descending {
                listed.reverse();
            }
            assert_eq!(listed, by_number, "{text} {direction:?}");
        }
        let count = store::incidents::count(&mut tx, org, viewer, View::now(), &filter).await.unwrap();
        assert_eq!(usize::try_from(count).unwrap(), numbers.len(), "{text}");
        hits += numbers.len();
    }
    hits
}

pub(crate) fn actor(user: UserId) -> Actor {
    Actor { kind: ActorKind::User, id: user.to_string(), name: "Ada".to_owned() }
}

/// Somebody who sees everything, Ada as a reader, and Ada as one who sees what she opened.
fn viewers(ada: UserId) -> [Viewer; 3] {
    let with = |scope: Scope| Viewer::new(&actor(ada), [scope].into_iter().collect());
    [Viewer::service(), with(Scope::IncidentsRead), with(Scope::TagsRead)]
}

/// Compares the number of what is found with what the pages have: also while the index is behind, nothing deleted counts.
async fn count_only_what_is_there(db: &TestDb, org: OrgId, viewer: &Viewer) {
    let mut tx = db.read().await.unwrap();
    for text in ["mail", "x", "東京 -mail"] {
        let filter = IncidentFilter { q: Some(SearchQuery::parse(text)), ..IncidentFilter::default() };
        let count = store::incidents::count(&mut tx, org, viewer, View::now(), &filter).await.unwrap();
        let query = ListQuery { filter, ..ListQuery::of(View::now()) };
        let page = store::incidents::list(&mut tx, org, viewer, &query, 200).await.unwrap();
        assert_eq!(usize::try_from(count).unwrap(), page.rows.len(), "{text}");
    }
}

#[both_engines]
async fn a_search_finds_what_the_texts_have_after_any_changes(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    let other = db.organization("Other Ltd").await;
    let ada = db.user(org, "Ada", "ada@example.org", Role::Responder).await;
    let mut runner = TestRunner::deterministic();
    let mut hits = 0;
    for _ in 0..6 {
        let acts = prop::collection::vec(acts::act(), 40..60).new_tree(&mut runner).unwrap().current();
        let mut found = None;
        for (number, act) in acts {
            let work = async move |tx: &mut Tx| acts::apply(tx, org, ada, number, &act).await;
            // What an incident does not allow is refused.
            let _ = db.write(org, work).await;
            match number % 5 {
                0 => drop(follow(&db, org, number).await),
                1 => found = step(&db, org, number).await,
                // It may be of the past.
                2 => drop(write_step(&db, org, found.take()).await),
                _ => {}
            }
        }
        assert_eq!(faults(&db, org).await, [""; 0], "behind the journal");
        for viewer in viewers(ada) {
            count_only_what_is_there(&db, org, &viewer).await;
        }
        follow_all(&db, org).await;
        assert_eq!(faults(&db, org).await, [""; 0]);
        let queries = prop::collection::vec(acts::query(), 40).new_tree(&mut runner).unwrap().current();
        for viewer in viewers(ada) {
            hits += compare(&db, org, &viewer, &queries).await;
        }
        assert_eq!(compare(&db, other, &Viewer::service(), &queries).await, 0);
    }
    assert!(hits > 1_000, "only {hits} were found");
}

#[both_engines]
async fn the_latest_records_answer_a_page_only_if_they_have_the_best(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    let ada = db.user(org, "Ada", "ada@example.org", Role::Responder).await;
    // A block lies between two incidents, so that they fill the latest blocks, which are looked through first, and more before them.
    let texts = [("mail", ""), ("", "mail"), ("mail x", "file"), ("x", "mail file"), ("file", "x")];
    for (number, (title, description)) in texts.into_iter().cycle().take(40).enumerate() {
        let work = async move |tx: &mut Tx| {
            for _ in 0..8_191 {
                store::Counter::Incident.next(tx, org)?;
            }
            // The restricted ones are all older, and some of them have a word that one other has.
            let restricted = number % 2 == 0 && number < 20;
            let gas = if restricted && number > 9 || number == 22 { " gas" } else { "" };
            let (title, description) = (format!("{title}{gas}"), description.to_owned());
            let new = NewIncident {
                title: domain::Line::stored(title),
                description: domain::ProseOrEmpty::stored(description),
                ..NewIncident::untitled()
            };
            let declared = store::incidents::create(tx, org, &author(), &new).await?;
            let patch = IncidentPatch { restricted: restricted.then_some(true), ..IncidentPatch::default() };
            store::incidents::update(tx, org, &author(), declared.number, &ANY, &patch).await
        };
        db.write(org, work).await.unwrap();
    }
    follow_all(&db, org).await;
    let queries = [
        "mail",
        "mail x",
        "x -file",
        "-mail",
        "file",
        "\"mail x\"",
        "ma*",
        "gas",
        // Of these few blocks are left after the first word.
        "gas mail",
        "gas fi*",
        "gas -file",
    ];
    let queries = queries.map(str::to_owned);
    for viewer in viewers(ada) {
        compare(&db, org, &viewer, &queries).await;
    }
}

/// Every word of the index, with its number of rows.
async fn words(db: &TestDb) -> BTreeMap<String, i64> {
    let mut tx = db.read().await.unwrap();
    let sql = "SELECT word, count(*) FROM search_word GROUP BY word";
    let rows: Vec<(String, i64)> = tx.query(sql, &[]).await.unwrap();
    rows.into_iter().collect()
}

async fn declare(db: &TestDb, org: OrgId, title: &str, description: &str) -> IncidentNumber {
    let new = NewIncident {
        title: domain::Line::stored(title),
        description: domain::ProseOrEmpty::stored(description),
        ..NewIncident::untitled()
    };
    let work = async move |tx: &mut Tx| store::incidents::create(tx, org, &author(), &new).await;
    db.write(org, work).await.unwrap().number
}

#[both_engines]
async fn what_is_deleted_or_redacted_leaves_the_index_in_the_same_write(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    let number = declare(&db, org, "alpha", "beta hunter2").await;
    let new = comment("gamma");
    let work = async move |tx: &mut Tx| store::notes::create(tx, org, &author(), number, &new).await;
    db.write(org, work).await.unwrap();
    follow_all(&db, org).await;
    assert_eq!(words(&db).await.into_keys().collect::<Vec<_>>(), ["alpha", "beta", "gamma", "hunter2"]);
    let redaction =
        Redaction { target: None, text: Some("hunter2".to_owned()), reason: "A password.".into() };
    let work =
        async move |tx: &mut Tx| store::redaction::redact(tx, org, &author(), number, &ANY, &redaction).await;
    db.write(org, work).await.unwrap();
    assert_eq!(words(&db).await.into_keys().collect::<Vec<_>>(), ["alpha", "beta", "gamma", "redacted"]);
    let note = NoteId { incident: number, number: 1 };
    let patch = NotePatch { text: Some(prose("gamma delta")), ..NotePatch::default() };
    let work = async move |tx: &mut Tx| store::notes::update(tx, org, &author(), note, &ANY, &patch).await;
    db.write(org, work).await.unwrap();
    let patch = NotePatch { text: Some(prose("delta")), ..NotePatch::default() };
    let work = async move |tx: &mut Tx| store::notes::update(tx, org, &author(), note, &ANY, &patch).await;
    db.write(org, work).await.unwrap();
    let left = words(&db).await.into_keys().collect::<Vec<_>>();
    assert_eq!(left, ["alpha", "beta", "delta", "redacted"], "an edit takes out what the note has lost");
    let work = async move |tx: &mut Tx| store::notes::delete(tx, org, &author(), note, &ANY).await;
    db.write(org, work).await.unwrap();
    assert_eq!(words(&db).await.into_keys().collect::<Vec<_>>(), ["alpha", "beta", "redacted"]);
    let work = async move |tx: &mut Tx| store::incidents::delete_many(tx, org, &author(), &[number]).await;
    db.write(org, work).await.unwrap();
    // The words of a deleted incident are left to what follows the journal, and it is found no more.
    let filter = IncidentFilter { q: Some(SearchQuery::parse("alpha")), ..IncidentFilter::default() };
    let viewer = Viewer::service();
    let count = async |db: &TestDb| {
        let mut tx = db.read().await.unwrap();
        store::incidents::count(&mut tx, org, &viewer, View::now(), &filter).await.unwrap()
    };
    assert_eq!(count(&db).await, 0);
    assert!(!words(&db).await.is_empty());
    follow_all(&db, org).await;
    assert!(words(&db).await.is_empty());
    let (left,): (i64,) =
        db.read().await.unwrap().query_one("SELECT count(*) FROM search_record", &[]).await.unwrap();
    assert_eq!(left, 0);
    // It is found again when it is restored.
    let work = async move |tx: &mut Tx| store::incidents::restore_many(tx, org, &author(), &[number]).await;
    db.write(org, work).await.unwrap();
    follow_all(&db, org).await;
    assert_eq!(count(&db).await, 1);
    assert_eq!(words(&db).await.into_keys().collect::<Vec<_>>(), ["alpha", "beta", "redacted"]);
}

#[both_engines]
async fn what_is_redacted_does_not_come_back_with_a_step_that_was_found_out_before(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    let number = declare(&db, org, "alpha", "beta hunter2").await;
    let before = step(&db, org, 9).await;
    let redaction =
        Redaction { target: None, text: Some("hunter2".to_owned()), reason: "A password.".into() };
    let work =
        async move |tx: &mut Tx| store::redaction::redact(tx, org, &author(), number, &ANY, &redaction).await;
    db.write(org, work).await.unwrap();
    assert!(write_step(&db, org, before).await.entries > 0, "the entries are followed");
    assert_eq!(words(&db).await.into_keys().collect::<Vec<_>>(), ["alpha", "beta", "redacted"]);
    // Two steps after the same entries: one is written.
    declare(&db, org, "gamma", "").await;
    follow_all(&db, org).await;
    declare(&db, org, "delta", "").await;
    let (one, other) = (step(&db, org, 1).await, step(&db, org, 1).await);
    assert_eq!(write_step(&db, org, one).await.entries, 1);
    assert_eq!(write_step(&db, org, other).await.entries, 0);
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn a_step_waits_for_a_write_that_gives_documents_their_numbers(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    let number = declare(&db, org, "alpha", "").await;
    let new = NewDocument::new("policy", "beta".into(), Vec::new());
    let work = async move |tx: &mut Tx| store::documents::create(tx, org, &author(), &new).await;
    db.write(org, work).await.unwrap();
    assert!(step(&db, org, number.number()).await.is_some());
    assert!(step(&db, org, 9).await.is_none());
    follow_all(&db, org).await;
    assert_eq!(words(&db).await.into_keys().collect::<Vec<_>>(), ["alpha", "beta"]);
}

#[both_engines]
async fn an_index_is_made_again(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    for place in 0..5 {
        declare(&db, org, &format!("alpha w{place}"), "beta").await;
    }
    follow_all(&db, org).await;
    let before = words(&db).await;
    assert_eq!(before.len(), 7);
    let sql = "DELETE FROM search_word WHERE organization = $1 AND word = 'beta'";
    let work = async move |tx: &mut Tx| tx.execute(sql, &[&org.uuid()]).await.map_err(store::Error::from);
    db.write(org, work).await.unwrap();
    assert!(faults(&db, org).await[0].contains("bailiwick search rebuild"), "{:?}", faults(&db, org).await);
    db.write(org, async move |tx: &mut Tx| store::search::clear(tx, org).await).await.unwrap();
    // What follows the journal next removes it first, in steps between which anything may happen.
    assert!(!follow(&db, org, 100).await.is_done);
    assert!(words(&db).await.is_empty());
    assert_eq!(store::search::progress(&mut db.read().await.unwrap(), org).await.unwrap(), 0);
    assert_eq!(faults(&db, org).await, [""; 0], "it is not compared while it is made again");
    let behind = store::search::organizations_behind(&mut db.read().await.unwrap(), None, 9).await.unwrap();
    assert_eq!(behind[0].0, org);
    let later = store::search::organizations_behind(&mut db.read().await.unwrap(), Some(org), 9).await;
    assert_eq!(later.unwrap(), [], "each has its turn");
    declare(&db, org, "gamma", "").await;
    follow_all(&db, org).await;
    let mut after = words(&db).await;
    assert!(after.remove("gamma").is_some());
    assert_eq!(after, before);
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn hits_are_of_every_kind_with_the_piece_that_was_found(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    declare(&db, org, "Disk full", "").await;
    declare(&db, org, "Backup failed", "The disk of the Café was full.").await;
    let commented = declare(&db, org, "Nightly job", "").await;
    let new = comment("Again a full disk?");
    let risk = NewRisk {
        description: "A disk that is full stops everything.".into(),
        ..NewRisk::rated(
            "Full disks".into(),
            Rating { likelihood: 4, impact: 5 },
            Rating { likelihood: 2, impact: 3 },
        )
    };
    let work = async move |tx: &mut Tx| {
        store::notes::create(tx, org, &author(), commented, &new).await?;
        store::risks::create(tx, org, &author(), &risk).await
    };
    db.write(org, work).await.unwrap();
    follow_all(&db, org).await;
    let mut tx = db.read().await.unwrap();
    let (asked, mut after, mut told) = (SearchQuery::parse("disk full"), None::<HitPosition>, Vec::new());
    loop {
        let kinds = (SearchKind::ALL, &asked);
        let page = store::hits::hits(&mut tx, org, &Viewer::service(), kinds, after, 2).await.unwrap();
        let page = store::hits::with_snippets(page, &asked);
        for hit in &page.rows {
            let parts = hit.snippet.parts.iter();
            let piece: String = parts
                .map(|it| if it.is_match { format!("[{}]", it.text) } else { it.text.clone() })
                .collect();
            told.push(format!("{} {}: {piece}", hit.id, hit.title));
        }
        after = page.rows.last().map(store::hits::Hit::position);
        if !page.has_more {
            break;
        }
    }
    assert_eq!(
        told,
        [
            "INC-0001 Disk full: ",
            "INC-0002 Backup failed: The [disk] of the Café was [full].",
            "RSK-1 Full disks: A [disk] that is [full] stops everything.",
            "INC-0003 Nightly job: Again a [full] [disk]?",
        ]
    );
}
