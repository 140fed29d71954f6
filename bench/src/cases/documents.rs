//! A published text, a list of documents, and edits.

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
use crate::load::Load;
use crate::register::Register;
use crate::window::Measure;
use crate::{requests, server};

/// Documents, each with an open proposal, and risks.
const RECORDS: usize = 60;
/// Items of a document.
const ITEMS: usize = 20;
/// The document that is published.
const PUBLISHED: &str = "policy-0";

/// The text of a version beside the same bytes from memory, a list of documents beside one of risks, and an edit.
pub(super) async fn documents(bench: &Bench) -> Result<Case> {
    let (target, tenant) = bench.empty("documents")?;
    let service = target.serve(&bench.program)?;
    let token = service.token(&tenant).await?;
    let rating = json!({"likelihood": 3, "impact": 3});
    for number in 0..RECORDS {
        let document = document(&format!("policy-{number}"));
        service.send(Method::POST, "/v1/documents", &token, Some(&document)).await?;
        let edit = json!([{"node_id": "item-0", "node_type": "text", "value": "The head of operations."}]);
        let path = format!("/v1/documents/policy-{number}");
        service.send(Method::PATCH, &path, &token, Some(&edit)).await?;
        let risk = json!({"title": "Fire", "inherent": rating, "target": rating});
        service.send(Method::POST, "/v1/risks", &token, Some(&risk)).await?;
    }
    publish(&Register::open(&target, &tenant).await?).await?;
    let path = format!("/v1/documents/{PUBLISHED}/text?format=markdown&version=1");
    let file = bench.scratch("policy.md");
    std::fs::write(&file, service.send(Method::GET, &path, &token, None).await?)?;
    let bare = server::start(Some(("--text", &file)))?;
    let mut case = Case::default();
    case.load("the same bytes from memory", Load::new(&bare, "/text", String::new()), &bare);
    case.as_baseline();
    case.load("published text", requests::get(&service.process, &path, &token), &service.process);
    for list in ["risks", "documents"] {
        let load = requests::get(&service.process, &format!("/v1/{list}?limit=50"), &token);
        case.load(&format!("list of 50 {list}"), load, &service.process);
    }
    case.load("edit of a document", requests::edits(&service.process, &token, "policy-1"), &service.process);
    let (text, bytes) = ("published text", "the same bytes from memory");
    case.bar("published text: CPU", Measure::Cpu, text, &[bytes], Limit::AtMost(1.3));
    let (list, risks) = ("list of 50 documents", "list of 50 risks");
    case.bar("list of 50 documents: CPU", Measure::Cpu, list, &[risks], Limit::AtMost(1.3));
    Ok(case)
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

/// Publishes a document: its proposal is submitted by the client, and approved by a person.
async fn publish(register: &Register) -> Result<()> {
    const TOKEN: [u8; 32] = [1; 32];
    let organization = register.organization;
    let writer = register.author.clone().with(Permissions::new(Scopes::all()));
    let join = async move |tx: &mut Tx| -> store::Result<()> {
        let new = NewMember {
            name: Line::stored("Ada King"),
            email: EmailAddress::stored("ada@example.org"),
            roles: Role::Admin.into(),
        };
        invitations::create(tx, organization, &writer, &new, &TOKEN).await?;
        let proof = Proof::Chosen(String::from("no password"));
        let made = invitations::accept(tx, organization, "bench", &TOKEN, None, &proof).await?;
        let Some(approver) = made else { return Ok(()) };
        let actor =
            Actor { kind: ActorKind::User, id: approver.person.id.to_string(), name: approver.person.name };
        let approver = Author::new(actor, "bench").with(Permissions::new(Scopes::all()));
        let document = documents::get(tx, organization, PUBLISHED).await?.document;
        let which = (PUBLISHED, document.open_proposal.unwrap_or_default());
        let submission =
            Submission { summary: "First version.".into(), material: None, effective_date: None };
        let submit = ProposalStep::Submit(submission);
        let proposal =
            proposals::step(tx, organization, &writer, which, &ExpectedVersion::Any, None, &submit).await?;
        let sha256 = Sha256::stored(proposal.sha256.unwrap_or_default());
        let approve = ProposalStep::Approve(Approval { sha256, note: None });
        proposals::step(tx, organization, &approver, which, &ExpectedVersion::Any, None, &approve).await?;
        Ok(())
    };
    Ok(register.db.write_instance(join).await?)
}
