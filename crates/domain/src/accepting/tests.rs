use serde_json::{Value, json};

use super::*;
use crate::decision::DecisionState;
use crate::ids::RiskNumber;
use crate::risk::{Current, NewRisk, Rating};
use crate::scale::{DEFAULT_VERSION, Scale};
use crate::text::{Line, Reason};

fn at() -> Timestamp {
    "2026-03-01T09:00:00Z".parse().unwrap()
}

fn user(number: u128) -> Person {
    Person { id: UserId(uuid::Uuid::from_u128(number)), name: "Ada".into(), email: "ada@example.org".into() }
}

fn actor(number: u128) -> Actor {
    Actor { kind: ActorKind::User, id: user(number).id.to_string(), name: "Ada".into() }
}

/// A risk of user 1 that is evaluated with 2 x 3.
fn risk() -> Risk {
    let inherent = Rating { likelihood: 4, impact: 5 };
    let plan = Some(Prose::stored("Backups"));
    let new = NewRisk { treatment_plan: plan, ..NewRisk::rated(Line::stored("Ransomware"), inherent, None) };
    let current = Current {
        rating: Rating { likelihood: 2, impact: 3 },
        scale_version: DEFAULT_VERSION,
        evaluation: 3,
        evaluated_at: at(),
        evaluated_day: 0,
        performance_basis_points: None,
    };
    Risk { current: Some(current), ..new.open(RiskNumber(1), Some(user(1)), DEFAULT_VERSION, at()) }
}

fn new() -> NewAcceptance {
    NewAcceptance { reason: Prose::stored("Too dear"), until: None, evaluation: 3 }
}

/// Scales of which every band is accepted by these.
fn scales(criterion: &Criterion) -> Scales {
    let mut scale = Scale { number: 2, ..Scale::default() };
    scale.content.bands.iter_mut().for_each(|band| band.acceptance = criterion.clone());
    Scales::default().with(scale)
}

fn by(by: AcceptanceBy) -> Criterion {
    Criterion { by, users: None, group: None }
}

fn decide(criterion: &Criterion, person: &Actor, scopes: Scopes, known: &Deciders) -> Result<Acceptance> {
    let (scales, risk) = (scales(criterion), risk());
    let asked = new().ask((&risk, 1), &Scales::default(), actor(2), at())?;
    let decision =
        AcceptanceDecision { decision: Verdict::Accepted, note: None, evaluation: 3, risk_version: None };
    decision.decide(&asked, (&risk, &scales), None, (person, scopes), known, at())
}

#[test]
fn a_request_needs_an_open_evaluated_risk_and_its_latest_evaluation() {
    let ask = |new: &NewAcceptance, risk: &Risk, scales: &Scales| new.ask((risk, 1), scales, actor(2), at());
    let asked = ask(&new(), &risk(), &Scales::default()).unwrap();
    assert_eq!((asked.decision.until.as_str(), asked.evaluation), ("2027-03-01", 3), "for 12 months");
    let conflict = |code| Err(Error::Conflict(code));
    let closed = Risk { status: RiskStatus::Closed, ..risk() };
    assert_eq!(ask(&new(), &closed, &Scales::default()), conflict(ErrorCode::RiskClosed));
    let never = Risk { current: None, ..risk() };
    assert_eq!(ask(&new(), &never, &Scales::default()), conflict(ErrorCode::NotEvaluated));
    let other = Scales::default().with(Scale { number: 2, generation: 2, ..Scale::default() });
    assert_eq!(ask(&new(), &risk(), &other), conflict(ErrorCode::NotEvaluated));
    assert_eq!(ask(&new(), &risk(), &scales(&by(AcceptanceBy::Never))), conflict(ErrorCode::NeverAccepted));
    let earlier = NewAcceptance { evaluation: 2, ..new() };
    let Err(Error::RiskChanged { difference }) = ask(&earlier, &risk(), &Scales::default()) else { panic!() };
    assert_eq!(difference, "- evaluation 2\n+ evaluation 3: 2 x 3\n");
    let today = NewAcceptance { until: Some(Day::of(at())), ..new() };
    assert!(matches!(ask(&today, &risk(), &Scales::default()), Err(Error::Invalid(_))));
}

#[test]
fn the_owner_or_the_deputy_decides_where_the_owner_does() {
    let (owner, none) = (by(AcceptanceBy::Owner), Scopes::default());
    let known = Deciders { deputies: HashMap::from([(user(1).id, user(3).id)]), ..Deciders::default() };
    let decided = decide(&owner, &actor(1), none, &known).unwrap();
    assert_eq!((decided.decision.state, decided.decision.on_behalf_of), (DecisionState::Accepted, None));
    assert_eq!(decided.treatment_plan, risk().treatment_plan, "approved with it");
    let deputy = decide(&owner, &actor(3), none, &known).unwrap();
    assert_eq!(deputy.decision.on_behalf_of, Some(user(1)));
    let others = Err(Error::NotDecider(vec![user(1)]));
    assert_eq!(decide(&owner, &actor(4), Scopes::all(), &known), others);
    // Of an owner who has asked, the deputy is no second person.
    let pair = scales(&owner);
    let by_owner = new().ask((&risk(), 1), &Scales::default(), actor(1), at()).unwrap();
    assert!(!known.may_decide(&by_owner, (&risk(), &pair), (&actor(3), none)));
    let off = Deciders { four_eyes: FourEyes { is_off: true, ..FourEyes::default() }, ..known.clone() };
    assert!(off.may_decide(&by_owner, (&risk(), &pair), (&actor(3), none)));
    // Nor is who has created the client that asked.
    let robot = Actor { kind: ActorKind::Client, id: "bwc_1".to_owned(), name: "Robot".to_owned() };
    let by_robot = new().ask((&risk(), 1), &Scales::default(), robot, at()).unwrap();
    assert!(known.may_decide(&by_robot, (&risk(), &pair), (&actor(1), none)));
    let creators = HashMap::from([("bwc_1".to_owned(), user(1).id)]);
    let created = Deciders { four_eyes: FourEyes { is_off: false, creators }, ..known.clone() };
    assert!(!created.may_decide(&by_robot, (&risk(), &pair), (&actor(1), none)));
    assert!(!created.may_decide(&by_robot, (&risk(), &pair), (&actor(3), none)), "nor a deputy of theirs");
    let client = Actor { kind: ActorKind::Client, ..actor(1) };
    assert_eq!(decide(&owner, &client, Scopes::all(), &known), others);
}

#[test]
fn named_people_decide_with_the_scope_and_who_has_asked_does_not() {
    let named = Criterion { users: Some(vec![user(2).id, user(4).id]), ..by(AcceptanceBy::People) };
    let (accept, known) = (Scopes::from(Scope::RisksAccept), Deciders::default());
    assert!(decide(&named, &actor(4), accept, &known).is_ok());
    assert_eq!(decide(&named, &actor(4), Scopes::default(), &known), Err(Error::Forbidden(accept)));
    assert_eq!(decide(&named, &actor(1), accept, &known), Err(Error::NotDecider(Vec::new())));
    let group = GroupId(uuid::Uuid::from_u128(9));
    let grouped = Criterion { group: Some(group), ..named.clone() };
    let member = Deciders { groups: HashSet::from([group]), ..Deciders::default() };
    assert!(decide(&grouped, &actor(1), accept, &member).is_ok());
    assert_eq!(decide(&named, &actor(1), accept, &member), Err(Error::NotDecider(Vec::new())));
    assert_eq!(decide(&named, &actor(2), accept, &known), Err(Error::NotDecider(Vec::new())));
    let off = Deciders { four_eyes: FourEyes { is_off: true, ..FourEyes::default() }, ..Deciders::default() };
    assert!(decide(&named, &actor(2), accept, &off).is_ok());
    let (asked, pair) =
        (new().ask((&risk(), 1), &Scales::default(), actor(2), at()).unwrap(), scales(&named));
    assert!(!known.may_decide(&asked, (&risk(), &pair), (&actor(2), accept)));
    let decision = asked.decision.waive_four_eyes(Reason::stored("Alone"), at()).unwrap();
    let waived = Acceptance { decision, ..asked };
    assert!(known.may_decide(&waived, (&risk(), &pair), (&actor(2), accept)));
}

#[test]
fn a_new_owner_confirms_what_is_in_force() {
    let (owner, none, known) = (by(AcceptanceBy::Owner), Scopes::default(), Deciders::default());
    let (scales, accepted) = (scales(&owner), decide(&owner, &actor(1), none, &known).unwrap());
    let theirs = Risk { owner: Some(user(5)), ..risk() };
    let confirm = |it: &Acceptance, by: &Actor| known.confirm(it, (&theirs, &scales), (by, none), at());
    let confirmed = confirm(&accepted, &actor(5)).unwrap();
    assert_eq!(confirmed.decision.confirmed_by, Some(actor(5)));
    let deputies = Deciders { deputies: HashMap::from([(user(5).id, user(3).id)]), ..known.clone() };
    let by_deputy = deputies.confirm(&accepted, (&theirs, &scales), (&actor(3), none), at()).unwrap();
    let decision = &by_deputy.decision;
    assert_eq!((&decision.confirmed_by, &decision.confirmed_on_behalf_of), (&Some(actor(3)), &Some(user(5))));
    let again = deputies.confirm(&by_deputy, (&theirs, &scales), (&actor(3), none), at());
    assert_eq!(again.as_ref(), Ok(&by_deputy), "once");
    assert_eq!(confirm(&by_deputy, &actor(5)).unwrap().decision.confirmed_on_behalf_of, None, "the owner");
    assert_eq!((confirmed.decision.state, confirmed.decision.version), (DecisionState::Accepted, 3));
    assert_eq!(confirm(&accepted, &actor(1)), Err(Error::NotDecider(vec![user(5)])), "no owner any more");
    let stale = accepted.decision.after(crate::decision::DecisionStep::Worsen, at()).unwrap();
    let stale = Acceptance { decision: stale, ..accepted };
    assert_eq!(confirm(&stale, &actor(5)), Err(Error::Conflict(ErrorCode::DecisionNotPossible)));
}

#[test]
fn a_band_that_is_never_accepted_can_only_be_refused() {
    let accept = Scopes::from(Scope::RisksAccept);
    let never = decide(&by(AcceptanceBy::Never), &actor(4), accept, &Deciders::default());
    assert_eq!(never, Err(Error::Conflict(ErrorCode::NeverAccepted)));
    let (scales, risk) = (scales(&by(AcceptanceBy::Never)), risk());
    let asked = new().ask((&risk, 1), &Scales::default(), actor(2), at()).unwrap();
    let refusal =
        AcceptanceDecision { decision: Verdict::Refused, note: None, evaluation: 3, risk_version: None };
    let by = (&actor(4), accept);
    let refused = refusal.decide(&asked, (&risk, &scales), None, by, &Deciders::default(), at()).unwrap();
    assert_eq!(refused.decision.state, DecisionState::Refused);
    let orphan = Risk { owner: None, ..risk };
    assert_eq!(check_withdrawer(&asked, &orphan, &actor(1)), Err(Error::NotDecider(Vec::new())));
    assert_eq!(check_withdrawer(&asked, &orphan, &actor(2)), Ok(()));
}

#[test]
fn what_is_never_accepted_by_now_is_not_confirmed() {
    let (accept, known) = (Scopes::from(Scope::RisksAccept), Deciders::default());
    let accepted = decide(&by(AcceptanceBy::Owner), &actor(1), accept, &known).unwrap();
    let confirm = |criterion: &Criterion, scopes: Scopes| {
        known.confirm(&accepted, (&risk(), &scales(criterion)), (&actor(4), scopes), at())
    };
    assert!(confirm(&by(AcceptanceBy::NobodyNeeded), accept).is_ok());
    let never = by(AcceptanceBy::Never);
    assert_eq!(confirm(&never, accept), Err(Error::Conflict(ErrorCode::NeverAccepted)));
    assert_eq!(confirm(&never, Scopes::default()), Err(Error::Forbidden(accept)));
}

#[test]
fn one_acceptance_of_each_risk_is_named_to_confirm_it() {
    let read = |rows: &[Value]| {
        let mut faults = Faults::new();
        let sent = json!({"acceptances": rows});
        let read = crate::json::body::<AcceptanceConfirmation>(Json::from(&sent), &mut faults);
        let found = faults.into_vec().into_iter().map(|it| (it.pointer, it.code));
        (read.map(|it| it.acceptances.len()), found.collect::<Vec<_>>())
    };
    let of = |risk: &str, number: i64| json!({"risk": risk, "number": number});
    assert_eq!(read(&[of("RSK-1", 1), of("RSK-2", 1)]), (Some(2), Vec::new()));
    let twice = read(&[of("RSK-1", 1), of("rsk-1", 2)]).1;
    assert_eq!(twice, [("#/acceptances/1".to_owned(), FaultCode::Duplicate)]);
    let wrong = read(&[json!({"risk": "RSK-1"}), of("RSK-2", 0)]).1;
    let expected =
        [("#/acceptances/0/number", FaultCode::Required), ("#/acceptances/1/number", FaultCode::Range)];
    assert_eq!(wrong, expected.map(|(at, code)| (at.to_owned(), code)));
    let many = read(&vec![of("RSK-1", 1); MAX_CONFIRMED + 1]).1;
    assert_eq!(many, [("#/acceptances".to_owned(), FaultCode::TooMany)]);
}

#[test]
fn what_is_evaluated_by_an_earlier_scale_is_refused_by_whom_that_scale_names() {
    let (asked, known) = (
        new().ask((&risk(), 1), &scales(&by(AcceptanceBy::Owner)), actor(2), at()).unwrap(),
        Deciders::default(),
    );
    let mut next = Scale { number: 3, generation: 2, ..Scale::default() };
    next.content.bands.iter_mut().for_each(|band| band.acceptance = by(AcceptanceBy::Never));
    let outdated = scales(&by(AcceptanceBy::Owner)).with(next);
    let decide = |decision, evaluation, person| {
        let decision = AcceptanceDecision { decision, note: None, evaluation, risk_version: None };
        let by = (&actor(person), Scopes::default());
        decision.decide(&asked, (&risk(), &outdated), None, by, &known, at())
    };
    let (accepted, refused) = (Verdict::Accepted, Verdict::Refused);
    assert_eq!(decide(accepted, 3, 1), Err(Error::Conflict(ErrorCode::NotEvaluated)));
    assert_eq!(decide(refused, 3, 4), Err(Error::NotDecider(vec![user(1)])));
    assert!(matches!(decide(refused, 2, 1), Err(Error::RiskChanged { .. })), "it names the evaluation");
    let it = decide(refused, 3, 1).unwrap();
    assert_eq!(
        (it.decision.state, it.scale_version, it.band),
        (DecisionState::Refused, 1, asked.band.clone())
    );
    assert!(!is_decision_missing(&risk(), &outdated), "an evaluation is");
}

#[test]
fn no_plan_is_accepted_unseen() {
    let (owner, known) = (scales(&by(AcceptanceBy::Owner)), Deciders::default());
    let asked = new().ask((&risk(), 1), &Scales::default(), actor(2), at()).unwrap();
    let changed = Risk { version: 5, treatment_plan: None, ..risk() };
    let decide = |decision, evaluation, risk_version, recorded: Option<&Recorded>| {
        let decision = AcceptanceDecision { decision, note: None, evaluation, risk_version };
        let by = (&actor(1), Scopes::all());
        decision.decide(&asked, (&changed, &owner), recorded, by, &known, at())
    };
    let faults = |decided: Result<Acceptance>| match decided {
        Err(Error::Invalid(faults)) => faults.iter().map(|it| it.pointer.clone()).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let (accepted, refused) = (Verdict::Accepted, Verdict::Refused);
    assert_eq!(faults(decide(accepted, 3, None, None)), ["#/risk_version"]);
    let later = Recorded {
        decided_by: Line::stored("The board"),
        decided_date: Day::stored("2999-01-01"),
        minutes: Line::stored("Item 4"),
    };
    let both = ["#/risk_version", "#/decided_date"];
    assert_eq!(faults(decide(accepted, 3, None, Some(&later))), both, "all at once");
    let Err(Error::RiskChanged { difference }) = decide(accepted, 2, Some(4), None) else { panic!() };
    let version = "- risk version 4\n+ risk version 5\n";
    assert_eq!(difference, format!("- evaluation 2\n+ evaluation 3: 2 x 3\n{version}"));
    let Err(Error::RiskChanged { difference }) = decide(accepted, 3, Some(4), None) else { panic!() };
    assert_eq!(difference, version);
    assert_eq!(decide(accepted, 3, Some(5), None).unwrap().treatment_plan, None, "what was seen");
    assert!(decide(refused, 3, None, None).is_ok(), "nothing is approved");
    let difference = "- evaluation 2\n+ evaluation 3: 2 x 3\n".to_owned();
    assert_eq!(
        decide(accepted, 2, None, None),
        Err(Error::RiskChanged { difference }),
        "told before what is missing"
    );
    let renamed = Risk { version: 5, title: Line::stored("Flood"), ..risk() };
    let decision = AcceptanceDecision { decision: accepted, note: None, evaluation: 3, risk_version: None };
    let by = (&actor(1), Scopes::all());
    assert!(
        decision.decide(&asked, (&renamed, &owner), None, by, &known, at()).is_ok(),
        "the plan is the same"
    );
}
