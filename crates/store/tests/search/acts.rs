//! Random texts, queries and changes, of few words.

use db::Tx;
use domain::incident::{IncidentPatch, NewIncident};
use domain::link::{LinkKind, LinkTarget, NewLink};
use domain::note::{NewNote, NoteKind, NotePatch};
use domain::redaction::Redaction;
use domain::review::{Action, ReviewPatch, ReviewState};
use domain::task::{NewTask, TaskPatch};
use domain::{Author, Change, ExpectedVersion, IncidentNumber, OrgId, UserId};
use proptest::prelude::*;
use store::notes::NoteId;
use testkit::{author, comment, prose};

use super::actor;

const ANY: ExpectedVersion = ExpectedVersion::Any;

/// Few words, so that queries meet them, in many forms.
const WORDS: &[&str] = &[
    "mail",
    "Mail",
    "mailbox",
    "MAILS",
    "Straße",
    "STRASSE",
    "café",
    "cafe\u{301}",
    "CVE-2024-17",
    "ada@example.org",
    "10.0.0.1",
    "東京",
    "京都",
    "ガス",
    "한국어",
    "-",
    "\"",
    "*",
    "🚒",
    "O'Brien",
    "ﬁle",
    "x",
    "οδός",
    "ΟΔΟΣ",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), 0..6).prop_map(|words| words.join(" "))
}

pub(crate) fn query() -> impl Strategy<Value = String> {
    let word = prop::sample::select(WORDS);
    let term = prop_oneof![
        word.clone().prop_map(str::to_owned),
        word.clone().prop_map(|word| format!("{word}*")),
        word.clone().prop_map(|word| format!("{}*", word.chars().take(2).collect::<String>())),
        (word.clone(), word.clone()).prop_map(|(one, other)| format!("\"{one} {other}\"")),
        word.clone().prop_map(|word| format!("-{word}")),
        (word.clone(), word).prop_map(|(one, other)| format!("-\"{one} {other}\"")),
        "\\PC{0,8}",
    ];
    prop::collection::vec(term, 1..4).prop_map(|terms| terms.join(" "))
}

/// What is done to an incident. What it does not allow is refused.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    Declare(String, String),
    Rename(String),
    Describe(String),
    Comment(String),
    Enter(String),
    DeleteNote(i64),
    RestoreNote(i64),
    EditNote(i64, String),
    Restrict(bool),
    Read(bool),
    Delete,
    Restore,
    Redact(&'static str),
    Task(String),
    EditTask(i64, String),
    DeleteTask(i64),
    Link(String),
    Unlink(i64),
    Review(String),
    Publish,
}

pub(crate) fn act() -> impl Strategy<Value = (i64, Act)> {
    let act = prop_oneof![
        3 => (text(), text()).prop_map(|(title, description)| Act::Declare(title, description)),
        1 => text().prop_map(Act::Rename),
        1 => text().prop_map(Act::Describe),
        2 => text().prop_map(Act::Comment),
        2 => text().prop_map(Act::Enter),
        1 => (1..=3_i64).prop_map(Act::DeleteNote),
        1 => (1..=3_i64).prop_map(Act::RestoreNote),
        2 => (1..=3_i64, text()).prop_map(|(note, text)| Act::EditNote(note, text)),
        1 => any::<bool>().prop_map(Act::Restrict),
        1 => any::<bool>().prop_map(Act::Read),
        1 => Just(Act::Delete),
        1 => Just(Act::Restore),
        1 => prop::sample::select(&["mail", "京"][..]).prop_map(Act::Redact),
        2 => part(),
        2 => part(),
    ];
    (1..=12_i64, act)
}

fn part() -> impl Strategy<Value = Act> {
    prop_oneof![
        text().prop_map(Act::Task),
        (1..=2_i64, text()).prop_map(|(task, text)| Act::EditTask(task, text)),
        (1..=2_i64).prop_map(Act::DeleteTask),
        text().prop_map(Act::Link),
        (1..=2_i64).prop_map(Act::Unlink),
        text().prop_map(Act::Review),
        Just(Act::Publish),
    ]
}

pub(crate) async fn apply(tx: &mut Tx, org: OrgId, ada: UserId, number: i64, act: &Act) -> store::Result<()> {
    let (by, number, none) = (author(), IncidentNumber(number), IncidentPatch::default());
    let note = |note: &i64| NoteId { incident: number, number: *note };
    let patch = match act {
        Act::Declare(title, description) => {
            let new = NewIncident {
                title: domain::Line::stored(format!("x{title}")),
                description: domain::ProseOrEmpty::stored(description.clone()),
                ..NewIncident::untitled()
            };
            // Some are opened by Ada.
            let by = if title.len() % 3 == 0 { Author::new(actor(ada), "r-1") } else { by };
            return store::incidents::create(tx, org, &by, &new).await.map(drop);
        }
        Act::Comment(text) => {
            let new = comment(&format!("{text}."));
            return store::notes::create(tx, org, &by, number, &new).await.map(drop);
        }
        Act::Enter(text) => {
            let new = NewNote::of(NoteKind::Action, prose(&format!("{text}.")));
            return store::notes::create(tx, org, &by, number, &new).await.map(drop);
        }
        Act::DeleteNote(it) => return store::notes::delete(tx, org, &by, note(it), &ANY).await,
        Act::RestoreNote(it) => {
            return store::notes::restore(tx, org, &by, note(it), &ANY).await.map(drop);
        }
        Act::EditNote(it, text) => {
            let patch = NotePatch { text: Some(prose(&format!("{text}."))), ..NotePatch::default() };
            return store::notes::update(tx, org, &by, note(it), &ANY, &patch).await.map(drop);
        }
        Act::Delete => return store::incidents::delete_many(tx, org, &by, &[number]).await.map(drop),
        Act::Restore => return store::incidents::restore_many(tx, org, &by, &[number]).await.map(drop),
        Act::Redact(text) => {
            let redaction =
                Redaction { target: None, text: Some((*text).to_owned()), reason: "A password.".into() };
            return store::redaction::redact(tx, org, &by, number, &ANY, &redaction).await.map(drop);
        }
        Act::Task(_)
        | Act::EditTask(..)
        | Act::DeleteTask(_)
        | Act::Link(_)
        | Act::Unlink(_)
        | Act::Review(_)
        | Act::Publish => return apply_to_part(tx, org, number, act).await,
        Act::Rename(text) => IncidentPatch { title: Some(domain::Line::stored(format!("x{text}"))), ..none },
        Act::Describe(text) => {
            IncidentPatch { description: Some(domain::ProseOrEmpty::stored(text.clone())), ..none }
        }
        Act::Restrict(restricted) => IncidentPatch { restricted: Some(*restricted), ..none },
        Act::Read(reads) => {
            let readers = if *reads { vec![ada] } else { Vec::new() };
            IncidentPatch { readers: Some(readers), ..none }
        }
    };
    store::incidents::update(tx, org, &by, number, &ANY, &patch).await.map(drop)
}

async fn apply_to_part(tx: &mut Tx, org: OrgId, number: IncidentNumber, act: &Act) -> store::Result<()> {
    let by = author();
    let review = match act {
        Act::Task(text) => {
            let new = NewTask {
                title: domain::Line::stored(format!("x{text}")),
                notes: Some(domain::ProseOrEmpty::stored(text.clone())),
                owner: None,
                due: None,
                mandatory: false,
                position: None,
            };
            return store::tasks::create(tx, org, &by, number.into(), &new).await.map(drop);
        }
        Act::EditTask(task, text) => {
            let notes = Change::Set(domain::ProseOrEmpty::stored(text.clone()));
            let patch = TaskPatch { notes, ..TaskPatch::default() };
            return store::tasks::update(tx, org, &by, (number.into(), *task), &ANY, &patch).await.map(drop);
        }
        Act::DeleteTask(task) => {
            return store::tasks::delete(tx, org, &by, (number.into(), *task), &ANY).await;
        }
        Act::Link(text) => {
            let url = format!("https://{}.example/mail", text.len());
            let to = LinkTarget::Url { url, title: Some(domain::Line::stored(format!("x{text}"))) };
            let new = NewLink { to, kind: LinkKind::Ticket };
            return store::links::add(tx, org, &by, number, &new).await.map(drop);
        }
        Act::Unlink(link) => return store::links::remove(tx, org, &by, number, *link).await,
        Act::Publish => ReviewPatch { state: Some(ReviewState::Published), ..ReviewPatch::default() },
        Act::Review(text) => ReviewPatch {
            summary: Change::Set(prose(&format!("x {text}"))),
            root_cause: Change::Set(prose("file")),
            actions: Some(vec![Action {
                title: domain::Line::stored(format!("{text} x")),
                owner: None,
                due: None,
                task: None,
            }]),
            state: Some(ReviewState::Draft),
            ..ReviewPatch::default()
        },
        _ => return Ok(()),
    };
    store::reviews::update(tx, org, &by, number, &ANY, &review).await.map(drop)
}
