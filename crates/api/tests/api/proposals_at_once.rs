//! Edits, submissions and approvals at the same time, on two services with one register.

use std::collections::{HashMap, HashSet};

use domain::Role;
use futures_util::future::join_all;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson};

const DOCUMENT: &str = "/v1/documents/policy";
const ITEMS: usize = 4;

async fn document(app: &TestApp, items: usize) -> TestPerson {
    let admin = app.person("Ada", Role::Admin).await;
    let item = |number| json!({"id": format!("item-{number}"), "kind": "text", "label": "Item"});
    let items: Vec<Value> = (0..items).map(item).collect();
    let body = json!({"slug": "policy", "title": "Policy", "items": items});
    app.post("/v1/documents").bearer(&admin).json(body).expect(201).await;
    admin
}

fn edit(item: usize, value: &str) -> Value {
    json!([{"node_id": format!("item-{item}"), "node_type": "text", "value": value}])
}

#[testkit::both_engines]
async fn of_many_callers_each_edit_stands_in_the_change_set_of_its_caller(app: TestApp) {
    const CALLERS: usize = 32;
    let admin = document(&app, CALLERS).await;
    let second = app.beside(2).await;
    let mut clients = Vec::new();
    for _ in 0..CALLERS {
        clients.push(app.client_with_scopes("documents:read documents:write").await);
    }
    let calls = clients.iter().enumerate().map(|(number, client)| {
        let app = if number % 2 == 0 { &app } else { &second };
        let body = edit(number, &format!("by {number}"));
        async move { app.patch(DOCUMENT).bearer(client).json(body).expect(200).await.json().clone() }
    });
    let answers = join_all(calls).await;
    let distinct =
        |of: &dyn Fn(&Value) -> Value| answers.iter().map(|it| of(it).to_string()).collect::<HashSet<_>>();
    assert_eq!(distinct(&|it| it["proposal"].clone()).len(), 1, "one proposal: {}", answers[0]);
    assert_eq!(distinct(&|it| it["id"].clone()).len(), CALLERS, "a change set for each");
    let proposal =
        app.get(&format!("{DOCUMENT}/proposals/1")).bearer(&admin).expect(200).await.json().clone();
    let sets = proposal["change_sets"].as_array().unwrap();
    for member in ["/number", "/author/id"] {
        let found: HashSet<_> = sets.iter().map(|it| it.pointer(member).unwrap().to_string()).collect();
        assert_eq!((sets.len(), found.len()), (CALLERS, CALLERS), "{member}");
    }
    let edits = app.get(&format!("{DOCUMENT}/proposals/1/edits?limit=200")).bearer(&admin).expect(200).await;
    let edits = edits.json()["data"].as_array().unwrap().clone();
    let of_item: HashMap<_, _> =
        edits.iter().map(|it| (it["node_id"].to_string(), (&it["change_set"], &it["value"]))).collect();
    for (number, answer) in answers.iter().enumerate() {
        let value = json!(format!("by {number}"));
        assert_eq!(of_item[&format!("\"item-{number}\"")], (&answer["id"], &value));
    }
    assert_eq!(
        app.get(&format!("{DOCUMENT}/proposals")).bearer(&admin).expect(200).await.json()["data"][0]["number"],
        1
    );
}

/// What a caller does next.
#[derive(Debug, Clone, Copy)]
enum Call {
    Edit { writer: usize, item: usize, value: usize },
    Submit,
    Approve { approver: usize },
    Return,
}

fn calls() -> impl Strategy<Value = Vec<Vec<Call>>> {
    let call = prop_oneof![
        4 => (0..2_usize, 0..ITEMS, 0..3_usize).prop_map(|(writer, item, value)| Call::Edit { writer, item, value }),
        3 => Just(Call::Submit),
        4 => (0..2_usize).prop_map(|approver| Call::Approve { approver }),
        1 => Just(Call::Return),
    ];
    // Those of one group are made at the same time.
    prop::collection::vec(prop::collection::vec(call, 1..6), 6..12)
}

struct Callers {
    writers: [TestPerson; 2],
    approvers: [TestPerson; 2],
}

/// The open proposal, if there is one.
async fn open(app: &TestApp, by: &TestPerson) -> Option<Value> {
    let document = app.get(DOCUMENT).bearer(by).expect(200).await.json().clone();
    let number = document["open_proposal"].as_i64()?;
    let read = app.get(&format!("{DOCUMENT}/proposals/{number}")).bearer(by).expect(200).await;
    Some(read.json().clone())
}

/// Makes a call, and returns the hash that was approved by it.
async fn make(app: &TestApp, callers: &Callers, call: Call) -> Option<String> {
    let [writer, other] = &callers.writers;
    match call {
        Call::Edit { writer, item, value } => {
            let body = edit(item, &format!("value {value} of {item}"));
            app.patch(DOCUMENT).bearer(&callers.writers[writer]).json(body).expect(200).await;
            None
        }
        Call::Submit | Call::Return => {
            let (step, body) = match call {
                Call::Submit => ("submit", json!({"summary": "Changed."})),
                _ => ("return", json!({"reason": "Not yet."})),
            };
            let number = open(app, writer).await?["number"].clone();
            let answer =
                app.post(&format!("{DOCUMENT}/proposals/{number}/{step}")).bearer(other).json(body).await;
            assert!([200, 404, 409, 422].contains(&answer.status), "{step} {}", answer.status);
            None
        }
        Call::Approve { approver } => {
            let proposal = open(app, writer).await?;
            let (number, sha256) = (&proposal["number"], proposal["sha256"].as_str()?.to_owned());
            let approve = app.post(&format!("{DOCUMENT}/proposals/{number}/approve"));
            let answer = approve.bearer(&callers.approvers[approver]).json(json!({"sha256": sha256})).await;
            assert!([200, 409].contains(&answer.status), "approve {} {}", answer.status, answer.json());
            (answer.status == 200).then_some(sha256)
        }
    }
}

#[testkit::both_engines]
async fn nothing_is_published_that_nobody_approved(app: TestApp) {
    let admin = document(&app, ITEMS).await;
    let second = app.beside(2).await;
    let callers = Callers {
        writers: [app.person("Ole", Role::Owner).await, app.person("Una", Role::Owner).await],
        approvers: [app.person("Ben", Role::Approver).await, app.person("Cleo", Role::Approver).await],
    };
    let mut runner = TestRunner::new(Config::default());
    let mut approved = HashSet::new();
    for _ in 0..6 {
        let groups = calls().new_tree(&mut runner).unwrap().current();
        for group in groups {
            let made = group
                .iter()
                .enumerate()
                .map(|(place, call)| make(if place % 2 == 0 { &app } else { &second }, &callers, *call));
            approved.extend(join_all(made).await.into_iter().flatten());
        }
        // What no call of the group has ended is settled, so that the next ones begin with something to approve.
        settle(&app, &callers).await;
    }
    let list = app.get(&format!("{DOCUMENT}/versions?limit=200")).bearer(&admin).expect(200).await;
    let versions = list.json()["data"].as_array().unwrap().clone();
    assert!(!versions.is_empty(), "some were published");
    for version in &versions {
        let number = &version["number"];
        let read = app.get(&format!("{DOCUMENT}/versions/{number}")).bearer(&admin).expect(200).await;
        let sha256 = domain::document::sha256(read.text("text"));
        assert_eq!(version["sha256"], json!(sha256));
        assert!(approved.contains(&sha256), "version {number} was approved by nobody");
    }
    let report =
        store::verify::verify(&mut app.db.read().await.unwrap(), app.organization, None).await.unwrap();
    assert_eq!(report.faults, []);
}

/// Settles the conflicts of the open proposal by the first of the values.
async fn settle(app: &TestApp, callers: &Callers) {
    let [writer, _] = &callers.writers;
    let Some(proposal) = open(app, writer).await else { return };
    let number = &proposal["number"];
    for conflict in proposal["conflicts"].as_array().unwrap() {
        let body = json!({"node_id": conflict["node_id"], "change_set": conflict["values"][0]["change_set"]});
        let resolve = app.post(&format!("{DOCUMENT}/proposals/{number}/resolve")).bearer(writer).json(body);
        let status = resolve.await.status;
        assert!((200..300).contains(&status), "{status}");
    }
}
