//! Several callers who write, submit, approve and acknowledge one document as fast as they are answered.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::document_promises::{DOCUMENT, Promise, Work, item};
use crate::people::post;
use crate::service::{Api, Installation, Service};

/// Each writer has an item.
const WRITERS: usize = 3;

/// Sends a request, with a body unless it is null; the status and the answer, or nothing if the service is gone.
async fn send(api: &Api, method: Method, path: &str, body: Value) -> Option<(u16, Value)> {
    let request = api.request(method, path);
    let request = if body.is_null() { request } else { request.json(&body) };
    let answer = request.send().await.ok()?;
    let status = answer.status().as_u16();
    Some((status, answer.json().await.ok()?))
}

/// Who works: clients that write, and people who approve and acknowledge.
pub(crate) struct Callers {
    pub(crate) writers: Vec<Api>,
    approvers: Vec<Api>,
    /// With their ids.
    readers: Vec<(String, Api)>,
}

impl Callers {
    /// Makes them, and a document whose first version everybody is asked to acknowledge.
    pub(crate) async fn new(of: &Installation, organization: &str, service: &Service, work: &Work) -> Self {
        let mut writers = Vec::new();
        for _ in 0..WRITERS {
            let client = of.client(organization, "documents:read documents:write");
            writers.push(service.sign_in(&client).await);
        }
        let (mut approvers, mut readers) = (Vec::new(), Vec::new());
        for (name, role) in [("Ben", "approver"), ("Cleo", "approver"), ("Dan", "viewer"), ("Eve", "viewer")]
        {
            let (id, token) = person(of, organization, service, name, role).await;
            let api = Api { token, ..writers[0].clone() };
            if role == "approver" {
                approvers.push(api.clone());
            }
            readers.push((id, api));
        }
        let items: Vec<Value> =
            (0..WRITERS).map(|it| json!({"id": item(it), "kind": "text", "label": "Item"})).collect();
        let document = json!({"slug": "policy", "title": "Policy", "items": items});
        let edit = json!([{"node_id": item(0), "node_type": "text", "value": "0"}]);
        let (writer, approver) = (&writers[0], &approvers[0]);
        done(writer, Method::POST, "/v1/documents", document).await;
        let proposal = done(writer, Method::PATCH, DOCUMENT, edit).await["proposal"].clone();
        let proposal = format!("{DOCUMENT}/proposals/{proposal}");
        let summary = json!({"summary": "0"});
        let submitted = done(writer, Method::POST, &format!("{proposal}/submit"), summary).await;
        let sha256 = submitted["sha256"].as_str().unwrap();
        work.approval_is_sent(sha256);
        done(approver, Method::POST, &format!("{proposal}/approve"), json!({"sha256": sha256})).await;
        let requests = format!("{DOCUMENT}/versions/1/acknowledgement-requests");
        done(writer, Method::POST, &requests, json!({"who": "all"})).await;
        Self { writers, approvers, readers }
    }

    /// Sets them to work on services of one register, each on one of them.
    pub(crate) fn start(&self, services: &[Service], work: &Arc<Work>) -> Vec<JoinHandle<()>> {
        let mut tasks = Vec::new();
        let mut at = services.iter().cycle();
        let mut next = |api: &Api| (api.moved_to(at.next().unwrap()), Arc::clone(work));
        for (number, api) in self.writers.iter().enumerate() {
            let (api, work) = next(api);
            tasks.push(tokio::spawn(async move { write(&api, &work, number).await }));
        }
        // One, so that later submissions have greater summaries.
        let (api, submitted) = next(&self.writers[0]);
        tasks.push(tokio::spawn(async move { submit(&api, &submitted).await }));
        for api in &self.approvers {
            let (api, work) = next(api);
            tasks.push(tokio::spawn(async move { approve(&api, &work).await }));
        }
        for (id, api) in &self.readers {
            let ((api, work), id) = (next(api), id.clone());
            tasks.push(tokio::spawn(async move { acknowledge(&api, &work, &id).await }));
        }
        tasks
    }
}

/// A request that must succeed.
async fn done(api: &Api, method: Method, path: &str, body: Value) -> Value {
    let (status, answer) = send(api, method, path, body).await.unwrap();
    assert!((200..300).contains(&status), "{path}: {status} {answer}");
    answer
}

/// Invites a person, who accepts and signs in: their id and the token of their session.
async fn person(
    of: &Installation,
    organization: &str,
    service: &Service,
    name: &str,
    role: &str,
) -> (String, String) {
    let email = format!("{}@example.org", name.to_lowercase());
    let who = ["--name", name, "--email", &email, "--role", role, "--json"];
    let invite = ["user", "invite", "--organization", organization];
    let invitation = of.json(&[&invite[..], &who].concat());
    let (_, token) = invitation["link"].as_str().unwrap().split_once('#').unwrap();
    let accept = json!({"token": token, "password": "correct horse battery"});
    let (status, accepted) = post(service, "/v1/invitations/accept", accept).await;
    assert_eq!(status, 200, "{accepted}");
    let sign_in =
        json!({"email": email, "password": "correct horse battery", "organization_id": organization});
    let (status, session) = post(service, "/v1/session", sign_in).await;
    assert_eq!(status, 201, "{session}");
    (accepted["user"]["id"].as_str().unwrap().to_owned(), session["token"].as_str().unwrap().to_owned())
}

async fn pause() {
    tokio::time::sleep(Duration::from_millis(5)).await;
}

async fn write(api: &Api, work: &Work, writer: usize) {
    while work.goes_on() {
        let approvals = work.approvals();
        for _ in 0..3 {
            let value = work.next_number();
            let edit = json!([{"node_id": item(writer), "node_type": "text", "value": value.to_string()}]);
            let Some((status, answer)) = send(api, Method::PATCH, DOCUMENT, edit).await else { break };
            assert_eq!(status, 200, "{answer}");
            let (proposal, change_set) =
                (answer["proposal"].as_i64().unwrap(), answer["id"].as_i64().unwrap());
            work.promised(Promise::Edit { writer, proposal, change_set, value });
        }
        // Edits without a pause would void each submission before it is approved.
        while work.goes_on() && work.approvals() == approvals {
            pause().await;
        }
    }
}

/// The open proposal.
async fn open(api: &Api) -> Option<Value> {
    pause().await;
    let (_, document) = send(api, Method::GET, DOCUMENT, Value::Null).await?;
    let number = document["open_proposal"].as_i64()?;
    let path = format!("{DOCUMENT}/proposals/{number}");
    Some(send(api, Method::GET, &path, Value::Null).await?.1)
}

/// Takes a step of a proposal; the answer, unless another call was earlier.
async fn step(api: &Api, proposal: &Value, step: &str, body: Value) -> Option<Value> {
    let path = format!("{DOCUMENT}/proposals/{}/{step}", proposal["number"]);
    let (status, answer) = send(api, Method::POST, &path, body).await?;
    assert!([200, 409].contains(&status), "{path}: {status} {answer}");
    (status == 200).then_some(answer)
}

async fn submit(api: &Api, work: &Work) {
    while work.goes_on() {
        let Some(open) = open(api).await.filter(|it| it["status"] == "open") else { continue };
        let summary = work.next_number();
        let body = json!({"summary": summary.to_string()});
        let Some(answer) = step(api, &open, "submit", body).await else { continue };
        work.promised(Promise::Submission { proposal: answer["number"].as_i64().unwrap(), summary });
    }
}

async fn approve(api: &Api, work: &Work) {
    while work.goes_on() {
        let Some(open) = open(api).await.filter(|it| it["status"] == "submitted") else { continue };
        let sha256 = open["sha256"].as_str().unwrap().to_owned();
        work.approval_is_sent(&sha256);
        let Some(answer) = step(api, &open, "approve", json!({"sha256": sha256})).await else { continue };
        assert_eq!(answer["status"], "approved", "{answer}");
        work.promised(Promise::Approval { proposal: answer["number"].as_i64().unwrap(), sha256 });
    }
}

async fn acknowledge(api: &Api, work: &Work, person: &str) {
    let mut latest = None;
    while work.goes_on() {
        pause().await;
        let Some((_, document)) = send(api, Method::GET, DOCUMENT, Value::Null).await else { continue };
        let version = document["published_version"].as_i64().unwrap();
        if latest == Some(version) {
            continue;
        }
        let path = format!("{DOCUMENT}/versions/{version}");
        let Some((_, read)) = send(api, Method::GET, &path, Value::Null).await else { continue };
        let (path, body) = (format!("{path}/acknowledgements"), json!({"sha256": read["sha256"]}));
        let Some((status, answer)) = send(api, Method::POST, &path, body).await else { continue };
        assert!([201, 409].contains(&status), "{path}: {status} {answer}");
        if status == 201 {
            latest = Some(version);
            work.promised(Promise::Acknowledgement { person: person.to_owned(), version });
        }
    }
}
