use super::*;
use crate::document::{Item, NewDocument, SelectOption};

fn at() -> Timestamp {
    "2026-03-01T09:00:00Z".parse().unwrap()
}

/// A person: `Ada` or `Ben`.
fn actor(name: &str) -> Actor {
    let id = uuid::Uuid::from_u128(if name == "Ada" { 1 } else { 2 });
    Actor { kind: ActorKind::User, id: id.to_string(), name: name.into() }
}

fn option(id: &str, text: &str) -> SelectOption {
    SelectOption { id: id.into(), label: id.into(), text: text.into(), guidance: None, weakens: false }
}

/// A published document whose item `mfa` has the option `all`, which prints this.
fn document(text: &str) -> DocumentWithItems {
    let options = vec![option("all", text), option("none", "Nobody")];
    let item = Item::new("mfa", "Who?", ItemKind::Select { options, default: None });
    let new = NewDocument::new("access", Line::stored("Access"), vec![item.clone()]);
    let (status, published_version) = (DocumentStatus::Published, Some(1));
    DocumentWithItems {
        document: Document { status, published_version, ..new.create(None, at()) },
        template: None,
        approval_steps: Vec::new(),
        items: vec![PlacedItem { item, value: Some("all".into()) }],
    }
}

fn new(node_id: Option<&str>) -> NewException {
    NewException {
        node_id: node_id.map(str::to_owned),
        title: "No second factor".into(),
        reason: Prose::stored("Old"),
        plan: Prose::stored("A new one"),
        until: Day::stored("2026-06-30"),
        risk: None,
        replaces: None,
    }
}

fn decide(asked: &PolicyException, document: &DocumentWithItems, version: i64) -> Result<PolicyException> {
    let decision = ExceptionDecision { decision: Verdict::Accepted, note: None, document_version: version };
    decision.decide(asked, document, None, (&actor("Ben"), &FourEyes::default()), at())
}

fn accepted(node_id: Option<&str>) -> PolicyException {
    let asked = new(node_id).ask(1, &document("Everyone"), actor("Ada"), at()).unwrap();
    decide(&asked, &document("Everyone"), 1).unwrap()
}

#[test]
fn a_request_is_about_a_published_document_and_an_item_of_it() {
    let ask = |new: &NewException, document: &DocumentWithItems| new.ask(1, document, actor("Ada"), at());
    let everyone = document("Everyone");
    assert_eq!(ask(&new(Some("mfa")), &everyone).unwrap().document_version, 1);
    assert!(matches!(ask(&new(Some("x")), &everyone), Err(Error::Invalid(_))));
    let today = NewException { until: Day::of(at()), ..new(None) };
    assert!(matches!(ask(&today, &everyone), Err(Error::Invalid(_))));
    let with = |document| DocumentWithItems { document, ..everyone.clone() };
    let draft = with(Document { published_version: None, ..everyone.document.clone() });
    assert_eq!(ask(&new(None), &draft), Err(Error::Conflict(ErrorCode::NotPublished)));
    let archived = with(Document { status: DocumentStatus::Archived, ..everyone.document.clone() });
    assert_eq!(ask(&new(None), &archived), Err(Error::Conflict(ErrorCode::DocumentArchived)));
}

#[test]
fn somebody_else_decides_about_the_version_that_they_saw() {
    let everyone = document("Everyone");
    let asked = new(Some("mfa")).ask(1, &everyone, actor("Ada"), at()).unwrap();
    assert_eq!(decide(&asked, &everyone, 2), Err(Error::Conflict(ErrorCode::DocumentChanged)));
    let gone = DocumentWithItems { items: Vec::new(), ..everyone.clone() };
    assert_eq!(decide(&asked, &gone, 1), Err(Error::Conflict(ErrorCode::DocumentChanged)));
    let accept = ExceptionDecision { decision: Verdict::Accepted, note: None, document_version: 1 };
    let off = FourEyes { is_off: true, ..FourEyes::default() };
    let own = accept.decide(&asked, &everyone, None, (&actor("Ada"), &FourEyes::default()), at());
    assert_eq!(own, Err(Error::NotDecider(Vec::new())));
    assert!(accept.decide(&asked, &everyone, None, (&actor("Ada"), &off), at()).is_ok(), "four eyes are off");
    let client = Actor { kind: ActorKind::Client, ..actor("Ben") };
    assert!(accept.decide(&asked, &everyone, None, (&client, &off), at()).is_err());
    let refusal = ExceptionDecision { decision: Verdict::Refused, ..accept };
    let refused = refusal.decide(&asked, &gone, None, (&actor("Ben"), &FourEyes::default()), at()).unwrap();
    assert_eq!(refused.decision.state, DecisionState::Refused);
}

#[test]
fn who_has_asked_decides_and_records_once_four_eyes_are_waived() {
    let everyone = document("Everyone");
    let asked = new(Some("mfa")).ask(1, &everyone, actor("Ada"), at()).unwrap();
    let accept = ExceptionDecision { decision: Verdict::Accepted, note: None, document_version: 1 };
    let board = |day: &str| Recorded {
        decided_by: "The board".into(),
        decided_date: Day::stored(day),
        minutes: "Minutes 2, item 4".into(),
    };
    let record = |asked: &PolicyException, by: &str, day: &str| {
        let by = (&actor(by), &FourEyes::default());
        accept.decide(asked, &everyone, Some(&board(day)), by, at())
    };
    assert_eq!(record(&asked, "Ada", "2026-02-27"), Err(Error::NotDecider(Vec::new())));
    assert!(matches!(record(&asked, "Ben", "2026-03-04"), Err(Error::Invalid(_))), "in the future");
    let recorded = record(&asked, "Ben", "2026-02-27").unwrap().decision;
    assert_eq!((recorded.state, recorded.board), (DecisionState::Accepted, Some("The board".into())));
    let waived = asked.decision.waive_four_eyes("Nobody else is here.".into(), at()).unwrap();
    let waived = PolicyException { decision: waived, ..asked };
    assert!(record(&waived, "Ada", "2026-02-27").is_ok());
    assert!(waived.may_decide(&actor("Ada"), &FourEyes::default()));
}

#[test]
fn it_is_stale_while_its_item_prints_something_else_or_is_gone() {
    let accepted = accepted(Some("mfa"));
    assert_eq!(accepted.follow(&document("Everyone"), 2, at()), None);
    let stale = accepted.follow(&document("Admins"), 2, at()).unwrap();
    assert_eq!((stale.decision.state, stale.stale_by), (DecisionState::Stale, Some(2)));
    assert_eq!(stale.follow(&document("Nobody"), 3, at()), None, "as it was");
    let again = stale.follow(&document("Everyone"), 4, at()).unwrap();
    assert_eq!((again.decision.state, again.stale_by), (DecisionState::Accepted, None));
    let gone = DocumentWithItems { items: Vec::new(), ..document("Everyone") };
    assert_eq!(again.follow(&gone, 5, at()).unwrap().stale_by, Some(5));
    let other = DocumentWithItems {
        items: vec![PlacedItem { value: Some("none".into()), ..gone_item() }],
        ..document("Everyone")
    };
    assert!(again.follow(&other, 5, at()).is_some(), "another option");
}

fn gone_item() -> PlacedItem {
    document("Everyone").items.remove(0)
}

#[test]
fn an_exception_to_the_whole_document_follows_its_archiving_only() {
    let accepted = accepted(None);
    assert_eq!(accepted.follow(&document("Admins"), 2, at()), None);
    let today = Day::of(at());
    assert_eq!(accepted.state_on(&today, DocumentStatus::Published), DecisionState::Accepted);
    assert_eq!(accepted.state_on(&today, DocumentStatus::Archived), DecisionState::Stale);
    let later = Day::stored("2026-07-01");
    assert_eq!(accepted.state_on(&later, DocumentStatus::Archived), DecisionState::Expired);
}
