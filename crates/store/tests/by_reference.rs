//! Two senders and a person at work on one incident, against a model.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a panic is a test's answer")]

use std::collections::BTreeMap;

use db::Tx;
use domain::incident::{
    Category, Incident, IncidentPatch, Kind, MAX_MESSAGE_BYTES, MAX_MESSAGES, Message, NewIncident,
    Reference, ResolutionReason, Status, kept,
};
use domain::{Actor, ActorKind, Author, ExpectedVersion, IncidentNumber, OrgId, Scopes};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use store::incidents::{Kept, Reported};
use testkit::{TestDb, both_engines};

/// The fields that the test sets, by name.
type Fields = BTreeMap<&'static str, Option<&'static str>>;

const TEXTS: [&str; 3] = ["a", "b", "c"];
const KINDS: [&str; 3] = ["real", "drill", "near_miss"];

/// Something that happens to the incident.
#[derive(Debug, Clone)]
enum Event {
    /// A sender says this; what is none is not said.
    Message { sender: usize, title: usize, source: Option<usize>, kind: Option<usize>, overwrite: bool },
    /// A person writes this; a source of none is cleared.
    Patch { title: Option<usize>, source: Option<Option<usize>>, kind: Option<usize> },
    /// A person dismisses it, or reopens it.
    Turn,
    /// A person deletes it: the next message declares another one.
    Delete,
}

fn event() -> impl Strategy<Value = Event> {
    let text = || 0..3_usize;
    let maybe = || prop::option::of(0..3_usize);
    prop_oneof![
        6 => (0..2_usize, text(), maybe(), maybe(), prop::bool::weighted(0.15)).prop_map(
            |(sender, title, source, kind, overwrite)| Event::Message { sender, title, source, kind, overwrite }
        ),
        3 => (maybe(), prop::option::of(maybe()), maybe())
            .prop_map(|(title, source, kind)| Event::Patch { title, source, kind }),
        2 => Just(Event::Turn),
        1 => Just(Event::Delete),
    ]
}

/// What the incident of the reference must be.
#[derive(Debug, Clone)]
struct Model {
    number: i64,
    fields: Fields,
    /// What was sent last, by field.
    sent: Fields,
    /// What was said last while it is dismissed.
    told: Option<Fields>,
    open: bool,
    version: i64,
    reports: i64,
}

impl Model {
    fn declared(number: i64, message: &Fields) -> Self {
        let mut fields = Fields::from([("title", None), ("source", None), ("kind", Some("real"))]);
        fields.extend(message);
        let sent = message.clone();
        Self { number, fields, sent, told: None, open: true, version: 1, reports: 0 }
    }

    fn receive(&mut self, message: &Fields, overwrite: bool) {
        if !self.open {
            let is_known = match &self.told {
                Some(told) => told == message,
                None => message.iter().all(|(field, value)| self.sent.get(field) == Some(value)),
            };
            if !is_known {
                self.told = Some(message.clone());
                self.reports += 1;
            }
            return;
        }
        let before = (self.fields.clone(), self.sent.clone());
        for (field, value) in message {
            let initial = if *field == "kind" { Some("real") } else { None };
            let last = self.sent.get(field).copied().unwrap_or(initial);
            if overwrite || self.fields[field] == last {
                self.fields.insert(field, *value);
            }
            self.sent.insert(field, *value);
        }
        self.version += i64::from(before != (self.fields.clone(), self.sent.clone()));
    }

    fn kept(&self) -> Vec<&'static str> {
        let all = ["title", "kind", "source"].into_iter();
        all.filter(|field| self.sent.get(field).is_some_and(|sent| *sent != self.fields[field])).collect()
    }
}

fn by(kind: ActorKind, id: &str) -> Author {
    let actor = Actor { kind, id: id.to_owned(), name: id.to_owned() };
    Author::new(actor, "r").with(domain::Permissions::new(Scopes::all()))
}

fn said(title: usize, source: Option<usize>, kind: Option<usize>) -> Fields {
    let mut fields = Fields::from([("title", Some(TEXTS[title]))]);
    fields.extend(source.map(|source| ("source", Some(TEXTS[source]))));
    fields.extend(kind.map(|kind| ("kind", Some(KINDS[kind]))));
    fields
}

fn word(kind: usize) -> Kind {
    domain::Word::parse(KINDS[kind]).unwrap()
}

/// The register's answer to an event; none if there is nothing that it could happen to.
async fn happen(
    db: &TestDb,
    org: OrgId,
    reference: &Reference,
    event: Event,
    number: Option<(i64, bool)>,
) -> Option<Incident> {
    let reference = reference.clone();
    let person = by(ActorKind::User, "0190163d-8694-739b-aea5-966c26f8ad91");
    let work = async move |tx: &mut Tx| -> store::Result<Option<Incident>> {
        let any = ExpectedVersion::Any;
        let patch = match (&event, number) {
            (Event::Message { sender, title, source, kind, overwrite }, _) => {
                let new = NewIncident {
                    title: domain::Line::stored(TEXTS[*title]),
                    source: source.map(|source| TEXTS[source].into()),
                    kind: kind.map(word),
                    ..NewIncident::untitled()
                };
                let message = Message(new);
                let author = by(ActorKind::Client, ["bwc_a", "bwc_b"][*sender]);
                let reported =
                    store::incidents::report(tx, org, &author, &reference, &message, *overwrite, &any);
                let reported = reported.await?;
                let is_open = reported.incident().status.category() == Category::Open;
                assert_eq!(matches!(reported, Reported::NotOpen(..)), !is_open);
                return Ok(Some(reported.incident().clone()));
            }
            (_, None) => return Ok(None),
            (Event::Delete, Some((number, _))) => {
                let ids = [IncidentNumber(number)];
                store::incidents::delete_many(tx, org, &person, &ids).await?;
                return Ok(None);
            }
            (Event::Patch { title, source, kind }, Some(_)) => IncidentPatch {
                title: title.map(|title| TEXTS[title].into()),
                source: source.map(|source| source.map(|source| TEXTS[source].into())).into(),
                kind: kind.map(word),
                ..IncidentPatch::default()
            },
            (Event::Turn, Some((_, true))) => IncidentPatch {
                status: Some(Status::Dismissed),
                resolution_reason: Some(ResolutionReason::Test),
                ..IncidentPatch::default()
            },
            (Event::Turn, Some(_)) => IncidentPatch { status: Some(Status::New), ..IncidentPatch::default() },
        };
        let number = IncidentNumber(number.map_or(0, |(number, _)| number));
        store::incidents::update(tx, org, &person, number, &any, &patch).await.map(Some)
    };
    db.write(org, work).await.unwrap()
}

async fn check(db: &TestDb, org: OrgId, name: &str, events: Vec<Event>) -> Result<(), TestCaseError> {
    let reference = Reference::new("siem", name).unwrap();
    let mut model: Option<Model> = None;
    let mut head = None;
    for event in events {
        db.clock.advance_seconds(1);
        let before = model.clone();
        let answer =
            happen(db, org, &reference, event.clone(), model.as_ref().map(|it| (it.number, it.open))).await;
        match (&event, &mut model) {
            (Event::Message { title, source, kind, overwrite, .. }, Some(model)) => {
                model.receive(&said(*title, *source, *kind), *overwrite);
            }
            (Event::Message { title, source, kind, .. }, none) => {
                let number = answer.as_ref().unwrap().number.number();
                *none = Some(Model::declared(number, &said(*title, *source, *kind)));
            }
            (Event::Patch { title, source, kind }, Some(model)) => {
                let before = model.fields.clone();
                model.fields.extend(title.map(|title| ("title", Some(TEXTS[title]))));
                model.fields.extend(source.map(|it| ("source", it.map(|it| TEXTS[it]))));
                model.fields.extend(kind.map(|kind| ("kind", Some(KINDS[kind]))));
                model.version += i64::from(before != model.fields);
            }
            (Event::Turn, Some(model)) => {
                (model.open, model.told, model.version) = (!model.open, None, model.version + 1);
            }
            (Event::Delete, model) => *model = None,
            (_, None) => {}
        }
        let (Some(found), Some(model)) = (&answer, &model) else { continue };
        let shown = Fields::from([
            ("title", TEXTS.into_iter().find(|text| found.title == *text)),
            ("source", TEXTS.into_iter().find(|text| found.source.as_deref() == Some(*text))),
            ("kind", KINDS.into_iter().find(|kind| found.kind.as_str() == *kind)),
        ]);
        prop_assert_eq!(&shown, &model.fields, "{:?}", event);
        prop_assert_eq!((found.number.number(), found.version), (model.number, model.version), "{:?}", event);
        let kept: Vec<_> = kept(found).into_iter().map(domain::incident::ReportedField::as_str).collect();
        prop_assert_eq!(kept, model.kept(), "{:?}", event);
        let mut tx = db.read().await.unwrap();
        let sql = "SELECT count(*) FROM incident_report WHERE organization = $1 AND incident = $2";
        let (reports,): (i64,) = tx.query_one(sql, &[&org.uuid(), &model.number]).await.unwrap();
        prop_assert_eq!(reports, model.reports, "{:?}", event);
        // What says nothing new is not journaled.
        let seq = store::journal::head(&mut tx, org).await.unwrap().seq;
        let changes = |it: &Model| (it.version, it.reports);
        let is_same = before.as_ref().is_some_and(|before| changes(before) == changes(model));
        prop_assert_eq!(is_same && head.is_some(), head == Some(seq) && before.is_some(), "{:?}", event);
        head = Some(seq);
    }
    Ok(())
}

#[both_engines]
async fn two_senders_and_a_person_change_one_incident_as_a_model_says(db: TestDb) {
    let org = db.organization("Acme").await;
    let (handle, serial) = (tokio::runtime::Handle::current(), std::cell::Cell::new(0));
    tokio::task::block_in_place(|| {
        let config = Config { cases: 60, failure_persistence: None, ..Config::default() };
        TestRunner::new(config)
            .run(&prop::collection::vec(event(), 1..20), |events| {
                serial.set(serial.get() + 1);
                handle.block_on(check(&db, org, &format!("alert/{}", serial.get()), events))
            })
            .unwrap();
    });
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    assert_eq!(report.faults, []);
}

/// An incident that was declared under the reference and is dismissed.
async fn dismissed(db: &TestDb, org: OrgId, reference: &Reference) {
    let reference = reference.clone();
    let work = async move |tx: &mut Tx| {
        let message = Message(NewIncident::untitled());
        let sender = by(ActorKind::Client, "bwc_a");
        let any = ExpectedVersion::Any;
        let made = store::incidents::report(tx, org, &sender, &reference, &message, false, &any).await?;
        let patch = IncidentPatch {
            status: Some(Status::Dismissed),
            resolution_reason: Some(ResolutionReason::Test),
            ..IncidentPatch::default()
        };
        store::incidents::update(tx, org, &sender, made.incident().number, &any, &patch).await
    };
    db.write(org, work).await.unwrap();
}

/// Reports with these descriptions in one write; whether each was kept.
async fn report_all(db: &TestDb, org: OrgId, reference: &Reference, texts: Vec<String>) -> Vec<Kept> {
    let reference = reference.clone();
    let work = async move |tx: &mut Tx| -> store::Result<Vec<Kept>> {
        let mut all = Vec::new();
        for description in &texts {
            let new = NewIncident {
                description: domain::ProseOrEmpty::stored(description.clone()),
                ..NewIncident::untitled()
            };
            let message = Message(new);
            let (sender, any) = (by(ActorKind::Client, "bwc_a"), ExpectedVersion::Any);
            match store::incidents::report(tx, org, &sender, &reference, &message, false, &any).await? {
                Reported::NotOpen(_, kept) => all.push(kept),
                other => panic!("{other:?}"),
            }
        }
        Ok(all)
    };
    db.write(org, work).await.unwrap()
}

/// How many messages are stored, and their bytes.
async fn stored(db: &TestDb, org: OrgId) -> (i64, i64) {
    let sql = "SELECT count(*), CAST(SUM(octet_length(message)) AS BIGINT) FROM incident_report WHERE organization = $1";
    db.read().await.unwrap().query_one(sql, &[&org.uuid()]).await.unwrap()
}

async fn assert_sound(db: &TestDb, org: OrgId) {
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    assert_eq!(report.faults, []);
}

#[both_engines]
async fn messages_beyond_the_limit_are_counted_once_each(db: TestDb) {
    let org = db.organization("Acme").await;
    let reference = Reference::new("siem", "alert-7").unwrap();
    dismissed(&db, org, &reference).await;
    let texts = (0..MAX_MESSAGES).map(|it| format!("message {it}")).collect();
    let all = report_all(&db, org, &reference, texts).await;
    assert!(all.iter().all(|it| *it == Kept::Whole), "{all:?}");
    let (messages, bytes) = stored(&db, org).await;
    assert_eq!(messages, MAX_MESSAGES);
    let more = ["secret", "secret", "another", "secret"].map(str::to_owned).to_vec();
    assert_eq!(report_all(&db, org, &reference, more).await, [Kept::Counted; 4]);
    let (counted, with_them) = stored(&db, org).await;
    assert_eq!(counted, MAX_MESSAGES + 3, "the same twice in a row is one message");
    assert!(with_them - bytes < 3 * 60, "{bytes} {with_them}");
    let sql = "SELECT count(*) FROM journal_entry WHERE organization = $1 AND payload LIKE '%secret%'";
    let (told,): (i64,) = db.read().await.unwrap().query_one(sql, &[&org.uuid()]).await.unwrap();
    assert_eq!(told, 0);
    assert_sound(&db, org).await;
}

#[both_engines]
async fn messages_of_16_megabytes_are_kept_and_no_more(db: TestDb) {
    let org = db.organization("Acme").await;
    let reference = Reference::new("siem", "alert-7").unwrap();
    dismissed(&db, org, &reference).await;
    let texts = (0..260).map(|it| format!("{it} {}", "x".repeat(65_500))).collect();
    let all = report_all(&db, org, &reference, texts).await;
    let whole = all.iter().take_while(|it| **it == Kept::Whole).count();
    assert_eq!(whole, 255);
    assert!(
        all[whole..].iter().all(|it| *it == Kept::Counted),
        "a smaller one is not kept after one that was not"
    );
    assert_eq!(report_all(&db, org, &reference, vec!["short".to_owned()]).await, [Kept::Counted]);
    let (_, bytes) = stored(&db, org).await;
    assert!(bytes < MAX_MESSAGE_BYTES && bytes > MAX_MESSAGE_BYTES - 66_000, "{bytes}");
    assert_sound(&db, org).await;
}
