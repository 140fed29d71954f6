//! An organization with some of everything.

use db::Tx;
use domain::accepting::NewAcceptance;
use domain::acknowledgement::{AskedPeople, NewAcknowledgement, NewAcknowledgementRequest};
use domain::decision::Verdict;
use domain::document::{
    Edit, Item, ItemKind, LibraryText, NewDocument, NodeType, ProposalPatch, ProposalStep, RecordedDecision,
    Sha256, Submission, default_steps,
};
use domain::evaluation::NewEvaluation;
use domain::exception::{ExceptionDecision, NewException};
use domain::group::{GroupPatch, NewGroup};
use domain::incident::{IncidentPatch, Message, NewIncident, Reference, ResolutionReason, Status};
use domain::link::{LinkKind, LinkTarget, NewLink};
use domain::note::{NewNote, NoteKind, NotePatch};
use domain::organization::OrganizationPatch;
use domain::person::{MemberPatch, NewMember};
use domain::redaction::Redaction;
use domain::review::{Action, ReviewPatch, ReviewState};
use domain::risk::{NewRisk, NewRiskReview, Rating, RiskPatch};
use domain::saved_view::{NewSavedView, SavedView, SavedViewPatch, ViewedList};
use domain::tag::NewTag;
use domain::task::{NewTask, TaskOf, TaskPatch, TaskStatus};
use domain::{
    Actor, ActorKind, Author, ExpectedVersion, Faults, IncidentNumber, OrgId, Permissions, RiskNumber, Role,
    Scopes, UserId,
};
use store::notes::NoteId;
use testkit::{TestDb, comment, prose};

const ANY: ExpectedVersion = ExpectedVersion::Any;

/// An organization with some of everything, each changed a few times.
pub(crate) async fn filled(db: &TestDb) -> OrgId {
    let org = db.organization("Acme").await;
    let ada = db.user(org, "Ada", "ada@example.org", Role::Owner).await;
    db.write_instance(async move |tx: &mut Tx| {
        store::people::set_password(tx, &testkit::author(), ada, "$argon2id$…").await
    })
    .await
    .unwrap();
    refused_sign_ins(db, ada).await;
    reset_link(db, org).await;
    let by = testkit::author();
    let work = async move |tx: &mut Tx| {
        people(tx, org, &by, ada).await?;
        incidents(tx, org, &by).await?;
        notes(tx, org, &by).await?;
        risks(tx, org, &by).await?;
        views(tx, org, &by).await?;
        document(tx, org, &by, ada).await
    };
    db.write(org, work).await.unwrap();
    let patch = OrganizationPatch { name: Some("Acme Ltd".into()), ..OrganizationPatch::default() };
    let by = testkit::author();
    db.write_instance(async move |tx: &mut Tx| {
        store::organizations::update(tx, org, &by, &ANY, &patch).await
    })
    .await
    .unwrap();
    let follow = async || {
        let work = async move |tx: &mut Tx| store::search::follow(tx, org, 1_000, None).await;
        db.write(org, work).await.unwrap()
    };
    while !follow().await.is_done {}
    org
}

/// A link for a member who can sign in.
async fn reset_link(db: &TestDb, org: OrgId) {
    let new = NewMember {
        name: "Cy".into(),
        email: "cy@example.org".into(),
        job_title: None,
        roles: Role::Viewer.into(),
    };
    let work = async move |tx: &mut Tx| {
        tx.lock_head(org).await?;
        let by = testkit::author();
        store::invitations::create(tx, org, &by, &new, &[5; 32]).await?;
        let chosen = store::invitations::Proof::Chosen("$argon2id$…".to_owned());
        let cy = store::invitations::accept(tx, org, "r-1", &[5; 32], None, &chosen).await?.unwrap();
        store::reset_links::create(tx, org, &by, cy.person.id, &[6; 32]).await
    };
    let made: store::Result<_> = db.write_instance(work).await;
    made.unwrap();
}

/// Three of an hour that is over, and one of the present hour, whose counter nothing is compared with.
async fn refused_sign_ins(db: &TestDb, person: UserId) {
    for count in [3, 1] {
        for _ in 0..count {
            let work = async move |tx: &mut Tx| store::refused_sign_ins::count(tx, Some(person)).await;
            db.write_instance(work).await.unwrap();
        }
        db.clock.advance_seconds(if count > 1 { 3_600 } else { 0 });
    }
    let by = testkit::author();
    let work = async move |tx: &mut Tx| store::refused_sign_ins::append_entries(tx, &by, 100).await;
    assert_eq!(db.write_alone(OrgId::INSTANCE, work).await.unwrap().count, 1);
}

async fn people(tx: &mut Tx, org: OrgId, by: &Author, ada: UserId) -> store::Result<()> {
    let patch = MemberPatch {
        name: Some("Ada King".into()),
        job_title: domain::Change::Set("Head of Security".into()),
        ..MemberPatch::default()
    };
    store::people::update(tx, org, by, ada, &ANY, &patch).await?;
    let new = NewMember {
        name: "Ben".into(),
        email: "ben@example.org".into(),
        job_title: Some("Counsel".into()),
        roles: Role::Viewer.into(),
    };
    store::invitations::create(tx, org, by, &new, &[7; 32]).await?;
    groups(tx, org, by, ada).await?;
    let id = domain::ClientId("bwc_siem".to_owned());
    let new = domain::client::NewClient { name: "SIEM".into(), scopes: Scopes::all() };
    store::clients::create(tx, org, by, &id, &new, &[8; 32]).await?;
    Ok(())
}

/// A group that somebody left and came back to, and one that was deleted with its member.
async fn groups(tx: &mut Tx, org: OrgId, by: &Author, ada: UserId) -> store::Result<()> {
    for name in ["Berlin", "Paris"] {
        let new = NewGroup { name: name.into(), description: None };
        let id = store::groups::create(tx, org, by, &new).await?.id;
        store::groups::add_member(tx, org, by, id, ada).await?;
        if name == "Paris" {
            store::groups::delete(tx, org, by, id, &ANY).await?;
            continue;
        }
        store::groups::remove_member(tx, org, by, id, ada).await?;
        store::groups::add_member(tx, org, by, id, ada).await?;
        let patch = GroupPatch { name: Some("Berlin office".into()), ..GroupPatch::default() };
        store::groups::update(tx, org, by, id, &ANY, &patch).await?;
    }
    Ok(())
}

async fn incidents(tx: &mut Tx, org: OrgId, by: &Author) -> store::Result<()> {
    for _ in 0..2 {
        store::incidents::create(tx, org, by, &NewIncident::untitled()).await?;
    }
    for title in ["Fire", "Fire in the warehouse"] {
        let patch = IncidentPatch { title: Some(domain::Line::stored(title)), ..IncidentPatch::default() };
        store::incidents::update(tx, org, by, IncidentNumber(1), &ANY, &patch).await?;
    }
    tasks(tx, org, by, IncidentNumber(1).into(), true).await?;
    review(tx, org, by, IncidentNumber(1)).await?;
    store::incidents::delete_many(tx, org, by, &[IncidentNumber(2)]).await?;
    redacted_incident(tx, org, by).await?;
    let new = NewTag { name: "warehouse".into(), color: None, description: None };
    let tag = store::tags::create(tx, org, by, &new).await?.id;
    store::listed::add_tag::<domain::incident::Incident>(tx, org, by, IncidentNumber(1), tag).await?;
    store::listed::remove_tag::<domain::incident::Incident>(tx, org, by, IncidentNumber(1), tag).await?;
    store::listed::add_tag::<domain::incident::Incident>(tx, org, by, IncidentNumber(1), tag).await?;
    for url in ["https://chat.example/1", "https://chat.example/2"] {
        let new = NewLink { to: LinkTarget::Url { url: url.to_owned(), title: None }, kind: LinkKind::Chat };
        store::links::add(tx, org, by, IncidentNumber(1), &new).await?;
    }
    store::links::remove(tx, org, by, IncidentNumber(1), 2).await?;
    reported(tx, org, by).await?;
    duplicate(tx, org, by, IncidentNumber(1)).await
}

/// An incident that was dismissed as a duplicate of another one.
async fn duplicate(tx: &mut Tx, org: OrgId, by: &Author, of: IncidentNumber) -> store::Result<()> {
    let number = store::incidents::create(tx, org, by, &NewIncident::untitled()).await?.number;
    let patch = IncidentPatch {
        status: Some(Status::Dismissed),
        resolution_reason: Some(ResolutionReason::Duplicate),
        duplicate_of: Some(of),
        ..IncidentPatch::default()
    };
    store::incidents::update(tx, org, by, number, &ANY, &patch).await?;
    Ok(())
}

/// An incident whose first two entries were erased by a redaction.
async fn redacted_incident(tx: &mut Tx, org: OrgId, by: &Author) -> store::Result<()> {
    let new = NewIncident { description: "hunter2".into(), ..NewIncident::untitled() };
    let number = store::incidents::create(tx, org, by, &new).await?.number;
    for description in ["It was hunter2.", "Clean."] {
        let patch = IncidentPatch {
            description: Some(domain::ProseOrEmpty::stored(description)),
            ..IncidentPatch::default()
        };
        store::incidents::update(tx, org, by, number, &ANY, &patch).await?;
    }
    let text = Some("hunter2".to_owned());
    let redaction = Redaction { target: None, text, reason: "A password.".into() };
    store::redaction::redact(tx, org, by, number, &ANY, &redaction).await?;
    Ok(())
}

/// An incident that was closed when its external system sent another message.
async fn reported(tx: &mut Tx, org: OrgId, by: &Author) -> store::Result<()> {
    let reference = Reference::new("siem", "7").unwrap();
    for title in ["Fire", "Fire again"] {
        let new = NewIncident { title: domain::Line::stored(title), ..NewIncident::untitled() };
        let message = Message(new);
        let reported = store::incidents::report(tx, org, by, &reference, &message, false, &ANY).await?;
        let patch = IncidentPatch {
            status: Some(Status::Dismissed),
            resolution_reason: Some(ResolutionReason::Test),
            ..IncidentPatch::default()
        };
        store::incidents::update(tx, org, by, reported.incident().number, &ANY, &patch).await?;
    }
    Ok(())
}

/// One task that was changed, and one that was deleted.
async fn tasks(tx: &mut Tx, org: OrgId, by: &Author, of: TaskOf, mandatory: bool) -> store::Result<()> {
    for title in ["Call the fire brigade", "Call the neighbours"] {
        let new = NewTask {
            title: domain::Line::stored(title),
            notes: None,
            owner: None,
            due: None,
            mandatory,
            position: None,
        };
        store::tasks::create(tx, org, by, of, &new).await?;
    }
    let patch = TaskPatch { status: Some(TaskStatus::Done), ..TaskPatch::default() };
    store::tasks::update(tx, org, by, (of, 1), &ANY, &patch).await?;
    store::tasks::delete(tx, org, by, (of, 2), &ANY).await
}

/// A published edition and a draft of the next one, with an action that is a task.
async fn review(tx: &mut Tx, org: OrgId, by: &Author, incident: IncidentNumber) -> store::Result<()> {
    let text = |text: &str| domain::Change::Set(domain::Prose::stored(text));
    let action = Action { title: "Repair the alarm".into(), owner: None, due: None, task: None };
    let patches = [
        ReviewPatch { summary: text("It burnt."), actions: Some(vec![action]), ..ReviewPatch::default() },
        ReviewPatch {
            root_cause: text("A cable."),
            state: Some(ReviewState::Published),
            ..ReviewPatch::default()
        },
    ];
    for patch in patches {
        store::reviews::update(tx, org, by, incident, &ANY, &patch).await?;
    }
    store::reviews::action_to_task(tx, org, by, incident, 1).await?;
    for lessons in ["Test alarms.", "Test alarms every month."] {
        let state = Some(ReviewState::InReview);
        let patch = ReviewPatch { lessons: text(lessons), state, ..ReviewPatch::default() };
        store::reviews::update(tx, org, by, incident, &ANY, &patch).await?;
    }
    Ok(())
}

/// Two notes that speak of a time and two comments; the first of each is edited twice and deleted, and the first of all is
/// restored.
async fn notes(tx: &mut Tx, org: OrgId, by: &Author) -> store::Result<()> {
    let incident = IncidentNumber(1);
    let new = NewNote::of(NoteKind::Action, prose("Blocked."));
    let comment = comment("Who?");
    let pinned = NewNote { pinned: Some(true), ..new.clone() };
    for new in [&new, &pinned, &comment, &comment] {
        store::notes::create(tx, org, by, incident, new).await?;
    }
    let [first, third] = [1, 3].map(|number| NoteId { incident, number });
    for text in ["Blocked again.", "Blocked for good."] {
        let patch = NotePatch { text: Some(prose(text)), ..NotePatch::default() };
        store::notes::update(tx, org, by, first, &ANY, &patch).await?;
        store::notes::update(tx, org, by, third, &ANY, &patch).await?;
    }
    store::notes::delete(tx, org, by, first, &ANY).await?;
    store::notes::restore(tx, org, by, first, &ANY).await?;
    store::notes::delete(tx, org, by, third, &ANY).await
}

async fn risks(tx: &mut Tx, org: OrgId, by: &Author) -> store::Result<()> {
    let mut content = domain::scale::ScaleContent::default();
    content.bands[3].name = domain::Line::stored("Severe");
    let reason = domain::Reason::stored("Clearer");
    let scale = domain::scale::NewScale { reason, meaning_changed: false, content };
    store::scale_change::change(tx, org, by, &ANY, &scale).await?;
    for title in ["Flood", "Storm"] {
        let (inherent, target) = (Rating { likelihood: 4, impact: 5 }, Rating { likelihood: 2, impact: 3 });
        let (evaluate_every_days, review_every_days) = (Some(30), Some(365));
        let new = NewRisk {
            evaluate_every_days,
            review_every_days,
            ..NewRisk::rated(domain::Line::stored(title), inherent, target)
        };
        let number = store::risks::create(tx, org, by, &new).await?.number;
        for supersedes in [None, Some(1)] {
            let rating = Rating { likelihood: 3, impact: 3 };
            let new = NewEvaluation {
                rating,
                evaluated_at: None,
                note: None,
                supersedes,
                inherent: None,
                target: None,
            };
            store::evaluations::record(tx, org, by, number, &new).await?;
        }
        store::risks::review(tx, org, by, number, &NewRiskReview::default()).await?;
    }
    let new = NewAcceptance { reason: "Too dear".into(), until: None, evaluation: 2 };
    store::acceptances::ask(tx, org, by, RiskNumber(1), &new).await?;
    store::acceptances::withdraw(tx, org, by, (RiskNumber(1), 1)).await?;
    store::acceptances::ask(tx, org, by, RiskNumber(1), &new).await?;
    let patch = RiskPatch {
        category: domain::Change::Set("water".into()),
        asset: domain::Change::Set("Cellar".into()),
        controls: Some(vec!["A.7.5".into(), "A.8.13".into()]),
        external_ref: domain::Change::Set("R-1".into()),
        ..RiskPatch::default()
    };
    store::risks::update(tx, org, by, RiskNumber(1), &ANY, &patch).await?;
    let new = NewTag { name: "site".into(), color: None, description: None };
    let tag = store::tags::create(tx, org, by, &new).await?.id;
    store::listed::add_tag::<domain::risk::Risk>(tx, org, by, RiskNumber(1), tag).await?;
    store::listed::remove_tag::<domain::risk::Risk>(tx, org, by, RiskNumber(1), tag).await?;
    store::listed::add_tag::<domain::risk::Risk>(tx, org, by, RiskNumber(1), tag).await?;
    tasks(tx, org, by, RiskNumber(1).into(), false).await
}

/// A view that was changed, and one that was deleted.
async fn views(tx: &mut Tx, org: OrgId, by: &Author) -> store::Result<()> {
    let by = by.clone().with(Permissions::new(Scopes::all()));
    for name in ["Fires", "Floods"] {
        let filter = [("category", name)].into_iter().collect();
        let new = NewSavedView {
            list: ViewedList::Risks,
            name: name.to_owned(),
            filter,
            sort: Some("number".to_owned()),
            shared: true,
        };
        let id = store::saved_views::create(tx, org, &by, &new).await?.id;
        if name == "Floods" {
            store::saved_views::delete(tx, org, &by, id, &ANY).await?;
        } else {
            let patch = SavedViewPatch { name: Some("All fires".to_owned()), ..SavedViewPatch::default() };
            let check = |_: &SavedView| Faults::new();
            store::saved_views::update(tx, org, &by, id, &ANY, &patch, check).await?;
        }
    }
    Ok(())
}

async fn document(tx: &mut Tx, org: OrgId, by: &Author, approver: UserId) -> store::Result<()> {
    let kind = ItemKind::Text { default: String::new(), max_length: 100, multiline: false, markdown: false };
    let item = Item { required: true, ..Item::new("contact", "Contact", kind) };
    let new = NewDocument {
        reference: Some("ISMS-POL-1".into()),
        template: Some("Call {{contact}}.".into()),
        approval_steps: default_steps(),
        tags: vec!["site".into()],
        ..NewDocument::new("policy", "Policy".into(), vec![item])
    };
    let new = NewDocument { library: Some(LibraryText::of(&new, 1)), ..new };
    let tag = store::documents::create(tx, org, by, &new).await?.document.tags[0].id;
    store::documents::remove_tag(tx, org, by, "policy", tag).await?;
    store::documents::add_tag(tx, org, by, "policy", tag).await?;
    for value in ["Ada", "Ben"] {
        let edit = Edit { node_id: "contact".to_owned(), node_type: NodeType::Text, value: value.to_owned() };
        store::proposals::edit(tx, org, by, "policy", &ANY, &[edit], 1_000).await?;
    }
    let patch = ProposalPatch { title: Some("Policy of Acme".into()), ..ProposalPatch::default() };
    store::proposals::change(tx, org, by, ("policy", 1), &ANY, &patch).await?;
    let submission = Submission { summary: "First".into(), material: None, effective_date: None };
    let submit = ProposalStep::Submit(submission);
    let submitted =
        store::proposals::step(tx, org, by, ("policy", 1), &ANY, (None, str::to_owned), &submit).await?;
    let actor = Actor { kind: ActorKind::User, id: approver.to_string(), name: "Ada".to_owned() };
    let person = Author::new(actor, "r").with(Permissions::new(Scopes::all()));
    let sha256 = Sha256::stored(submitted.sha256.unwrap_or_default());
    let decision = RecordedDecision {
        sha256: sha256.clone(),
        decided_by: "The board".into(),
        decided_date: "2026-03-01".into(),
        minutes: "4/2026".into(),
        note: None,
    };
    let approve = ProposalStep::Record(decision);
    store::proposals::step(tx, org, &person, ("policy", 1), &ANY, (None, str::to_owned), &approve).await?;
    let exception = NewException {
        node_id: None,
        title: "The old printer".into(),
        reason: "Its firmware".into(),
        plan: "A new one".into(),
        until: "2026-06-30".into(),
        risk: Some(RiskNumber(1)),
        replaces: None,
    };
    let number = store::exceptions::ask(tx, org, by, "policy", &exception).await?.exception.number;
    let accept = ExceptionDecision { decision: Verdict::Accepted, note: None, document_version: 1 };
    store::exceptions::decide(tx, org, &person, ("policy", number), &accept, None).await?;
    let given = NewAcknowledgement { sha256, on_paper: None };
    acknowledgements(tx, org, &person, ("policy", 1), &given).await
}

/// A request that goes on, one that was ended, and an acknowledgement.
async fn acknowledgements(
    tx: &mut Tx,
    org: OrgId,
    by: &Author,
    version: (&str, i64),
    given: &NewAcknowledgement,
) -> store::Result<()> {
    let (role, due_days) = (Some(Role::Owner), Some(14));
    let asked =
        NewAcknowledgementRequest { who: AskedPeople::Role, role, group: None, users: None, due_days };
    store::acknowledgements::request(tx, org, by, version, &asked).await?;
    let id = store::acknowledgements::request(tx, org, by, version, &asked).await?.id;
    store::acknowledgements::end(tx, org, by, version.0, id).await?;
    store::acknowledgements::give(tx, org, by, version, given).await?;
    Ok(())
}
