//! A published text, a list of documents, edits and acknowledgements, on both engines.

use db::Tx;
use domain::document::{Approval, ProposalStep, Sha256, Submission};
use domain::person::{EmailAddress, NewMember};
use domain::{Actor, ActorKind, Author, ExpectedVersion, Line, Permissions, Role, Scopes};
use reqwest::Method;
use serde_json::{Value, json};
use store::invitations::{self, Proof};
use store::{documents, proposals};

use crate::Result;
use crate::bench::Bench;
use crate::case::Case;
use crate::figure::Limit;
use crate::load::{self, Load};
use crate::postgres::Server;
use crate::register::Register;
use crate::service::Service;
use crate::target::Target;
use crate::tenant::{self, Tenant};
use crate::window::{Measure, Window};
use crate::{requests, server};

/// Documents, each with an open proposal, and risks.
const RECORDS: usize = 60;
/// Items of a document.
const ITEMS: usize = 20;
/// The document that is published.
const PUBLISHED: &str = "policy-0";
/// Tags that a risk gets.
const TAGS: usize = 40;

/// On SQLite.
pub(super) async fn sqlite(bench: &Bench) -> Result<Case> {
    let (target, tenant) = bench.empty("documents")?;
    prepare(bench, &target, &tenant, "SQLite").await
}

/// On PostgreSQL.
pub(super) async fn postgres(bench: &Bench) -> Result<Case> {
    let server = Server::start(bench)?;
    let database = Some(server.database("bailiwick_documents")?);
    let target = Target { data: bench.scratch("postgres-documents"), database };
    let tenant = target.create_tenant(&bench.program, "bench")?;
    let mut case = prepare(bench, &target, &tenant, "PostgreSQL").await?;
    case.keeps.push(Box::new(server));
    Ok(case)
}

/// Edits of a document, one in each request: for comparing two revisions.
pub(super) async fn edit(bench: &Bench) -> Result<Case> {
    let (service, _, token) = bench.service("edit").await?;
    let item = |number: usize| json!({"id": format!("item-{number}"), "kind": "text", "label": "Section", "guidance": "Who decides."});
    let items: Vec<Value> = (0..ITEMS).map(item).collect();
    let document = json!({"slug": "policy", "title": "Policy", "items": items});
    service.send(Method::POST, "/v1/documents", &token, Some(&document)).await?;
    let mut case = Case::default();
    let edits = requests::edits(&service.process, &token, "policy");
    case.load("edit of a document", edits, &service.process);
    Ok(case)
}

/// The text of a version beside the same bytes from memory, a list of documents beside one of risks, an edit, and an
/// acknowledgement beside adding a tag.
async fn prepare(bench: &Bench, target: &Target, tenant: &Tenant, engine: &str) -> Result<Case> {
    let service = target.serve(&bench.program)?;
    let token = service.token(tenant).await?;
    for number in 0..RECORDS {
        let document = document(&format!("policy-{number}"));
        service.send(Method::POST, "/v1/documents", &token, Some(&document)).await?;
        let edit = json!([{"node_id": "item-0", "node_type": "text", "value": "The head of operations."}]);
        let path = format!("/v1/documents/policy-{number}");
        service.send(Method::PATCH, &path, &token, Some(&edit)).await?;
        service.send(Method::POST, "/v1/risks", &token, Some(&risk())).await?;
    }
    let (approver, sha256) = publish(&Register::open(target, tenant).await?).await?;
    let path = format!("/v1/documents/{PUBLISHED}/text?format=markdown&version=1");
    let file = bench.scratch(&format!("policy-{engine}.md"));
    std::fs::write(&file, service.send(Method::GET, &path, &token, None).await?)?;
    let bare = server::start(Some(("--text", &file)))?;
    let mut case = Case::default();
    let named = |work: &str| format!("{engine}: {work}");
    let (bytes, text) = (named("the same bytes from memory"), named("published text"));
    case.load(&bytes, Load::new(&bare, "/text", String::new()), &bare);
    case.as_baseline();
    case.load(&text, requests::get(&service.process, &path, &token), &service.process);
    let (risks, documents) = (named("list of 50 risks"), named("list of 50 documents"));
    for (name, list) in [(&risks, "risks"), (&documents, "documents")] {
        let load = requests::get(&service.process, &format!("/v1/{list}?limit=50"), &token);
        case.load(name, load, &service.process);
    }
    let edits = requests::edits(&service.process, &token, "policy-1");
    case.load(&named("edit of a document"), edits, &service.process);
    let (tag, acknowledgement) = (named("adding a tag"), named("acknowledgement"));
    let mut tags = tags(bench, target, &service).await?;
    case.own(&tag, move |seconds| std::future::ready(tags.measure(seconds)));
    let load = requests::acknowledgements(&service.process, &token, PUBLISHED, &sha256, &approver);
    case.load(&acknowledgement, load, &service.process);
    for (side, beside, most) in
        [(&text, &bytes, 1.3), (&documents, &risks, 1.3), (&acknowledgement, &tag, 1.2)]
    {
        case.bar(&format!("{side}: CPU"), Measure::Cpu, side, &[beside], Limit::AtMost(most));
    }
    Ok(case)
}

/// Risks of another organization, which get one tag after the other.
struct Tags {
    service: Service,
    token: String,
    risks: usize,
    tags: Vec<String>,
    done: f64,
}

impl Tags {
    fn measure(&mut self, seconds: u64) -> Result<Window> {
        let load = requests::tags(&self.service.process, &self.token, self.risks, &self.tags, self.done);
        let window = load::run(&load, seconds, &self.service.process)?;
        // What was under way when the window ended may have been done too.
        self.done += window.requests + f64::from(load.connections);
        Ok(window)
    }
}

async fn tags(bench: &Bench, target: &Target, service: &Service) -> Result<Tags> {
    let tenant = target.create_tenant(&bench.program, "tags")?;
    let token = service.token(&tenant).await?;
    // More links than the rounds of a run need.
    let risks = bench.size(8_000, 1_500);
    for _ in 0..risks {
        service.send(Method::POST, "/v1/risks", &token, Some(&risk())).await?;
    }
    let mut tags = Vec::new();
    for number in 0..TAGS {
        let tag = json!({"name": format!("Tag {number}")});
        let made = service.send(Method::POST, "/v1/tags", &token, Some(&tag)).await?;
        tags.push(tenant::text(&serde_json::from_str(&made)?, "id")?);
    }
    Ok(Tags { service: service.clone(), token, risks, tags, done: 0.0 })
}

fn risk() -> Value {
    let rating = json!({"likelihood": 3, "impact": 3});
    json!({"title": "Fire", "inherent": rating, "target": rating})
}

fn document(slug: &str) -> Value {
    let item = |number: usize| {
        let guidance = "Who decides, and who is told when it was decided.";
        json!({"id": format!("item-{number}"), "kind": "text", "label": format!("Section {number}"), "guidance": guidance})
    };
    let items: Vec<Value> = (0..ITEMS).map(item).collect();
    let text = |number: usize| {
        format!("# Section {number}\n\n{{{{item-{number}}}}}\n\n{}\n\n", "All do. ".repeat(60))
    };
    let template: String = (0..ITEMS).map(text).collect();
    json!({"slug": slug, "title": "Policy", "items": items, "template": template})
}

/// Publishes a document: its proposal is submitted by the client, and approved by a person. Returns that person's id and the
/// hash of the text.
async fn publish(register: &Register) -> Result<(String, String)> {
    const TOKEN: [u8; 32] = [1; 32];
    let organization = register.organization;
    let operator = Actor { kind: ActorKind::Operator, id: "bench".to_owned(), name: "bench".to_owned() };
    let writer = Author::new(operator, "bench").with(Permissions::new(Scopes::all()));
    let join = async move |tx: &mut Tx| -> store::Result<(String, String)> {
        let new = NewMember {
            name: Line::stored("Ada King"),
            email: EmailAddress::stored("ada@example.org"),
            roles: Role::Admin.into(),
            job_title: None,
        };
        tx.lock_head(organization).await?;
        invitations::create(tx, organization, &writer, &new, &TOKEN).await?;
        let proof = Proof::Chosen(String::from("no password"));
        let made = invitations::accept(tx, organization, "bench", &TOKEN, None, &proof).await?;
        let Some(approver) = made else { return Ok(<(String, String)>::default()) };
        let id = approver.person.id.to_string();
        let actor = Actor { kind: ActorKind::User, id: id.clone(), name: approver.person.name };
        let approver = Author::new(actor, "bench").with(Permissions::new(Scopes::all()));
        let document = documents::get(tx, organization, PUBLISHED).await?.document;
        let which = (PUBLISHED, document.open_proposal.unwrap_or_default());
        let submission =
            Submission { summary: "First version.".into(), material: None, effective_date: None };
        let submit = ProposalStep::Submit(submission);
        let proposal = proposals::step(
            tx,
            organization,
            &writer,
            which,
            &ExpectedVersion::Any,
            (None, str::to_owned),
            &submit,
        )
        .await?;
        let sha256 = Sha256::stored(proposal.sha256.unwrap_or_default());
        let text = sha256.to_string();
        let approve = ProposalStep::Approve(Approval { sha256, note: None });
        proposals::step(
            tx,
            organization,
            &approver,
            which,
            &ExpectedVersion::Any,
            (None, str::to_owned),
            &approve,
        )
        .await?;
        Ok((id, text))
    };
    Ok(register.db.write_instance(join).await?)
}
