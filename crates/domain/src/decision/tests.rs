use std::collections::HashSet;

use super::*;
use crate::actor::ActorKind;

fn at() -> Timestamp {
    "2026-03-01T09:00:00Z".parse().unwrap()
}

fn ada() -> Actor {
    Actor { kind: ActorKind::User, id: "ada".into(), name: "Ada".into() }
}

fn asked() -> Decision {
    Decision::ask(Prose::stored("No other way"), Day::stored("2026-03-31"), ada(), at())
}

fn verdict(verdict: Verdict) -> Verdicted {
    Verdicted { verdict, note: None, on_behalf_of: None, recorded: None }
}

/// Every state that can follow, in one step or in several.
fn reachable(from: DecisionState) -> HashSet<DecisionState> {
    let (mut found, mut left) = (HashSet::new(), vec![from]);
    while let Some(state) = left.pop() {
        let next = DecisionStep::ALL.iter().filter_map(|step| step.leads_to(state));
        left.extend(next.filter(|state| found.insert(*state)));
    }
    found
}

#[test]
fn every_state_is_reached_from_a_request_and_every_one_that_is_not_final_has_a_way_out() {
    use DecisionState as S;
    let all: HashSet<_> = S::ALL.iter().copied().filter(|it| *it != S::Requested).collect();
    assert_eq!(reachable(S::Requested), all);
    let ended = HashSet::from([S::Refused, S::Withdrawn, S::Replaced, S::Expired, S::Revoked]);
    for state in S::ALL {
        let after = reachable(*state);
        assert_eq!(after.is_empty(), ended.contains(state), "{state:?}");
        assert!(after.is_empty() || !after.is_disjoint(&ended), "{state:?} never ends");
    }
}

#[test]
fn what_was_accepted_is_in_force_through_its_last_day() {
    let accepted = asked().decide(verdict(Verdict::Accepted), ada(), at()).unwrap();
    assert_eq!(accepted.state_on(&Day::stored("2026-03-31")), DecisionState::Accepted);
    assert_eq!(accepted.state_on(&Day::stored("2026-04-01")), DecisionState::Expired);
    let stale = accepted.after(DecisionStep::Worsen, at()).unwrap();
    assert_eq!(stale.state_on(&Day::stored("2026-04-01")), DecisionState::Expired);
    assert_eq!((stale.version, stale.after(DecisionStep::Recover, at()).unwrap().state), (3, accepted.state));
    let later = "2026-04-01T00:00:00Z".parse().unwrap();
    let refused = accepted.end(DecisionStep::Revoke, None, ada(), later);
    assert_eq!(refused, Err(Error::Conflict(ErrorCode::DecisionNotPossible)), "it has ended by itself");
}

#[test]
fn the_day_of_a_board_may_be_today_anywhere_and_is_never_in_the_future() {
    let decided = |day: &str| {
        let [decided_by, minutes] = ["The board", "2026-03"].map(Line::stored);
        let recorded = Some(Recorded { decided_by, decided_date: Day::stored(day), minutes });
        asked().decide(Verdicted { recorded, ..verdict(Verdict::Accepted) }, ada(), at())
    };
    // 9 o'clock UTC is 23 o'clock where days begin first.
    assert_eq!(decided("2026-03-01").unwrap().board_date, Some(Day::stored("2026-03-01")));
    let future = Error::invalid("#/decided_date", FaultCode::DateInFuture, "must not be in the future");
    assert_eq!(decided("2026-03-02"), Err(future));
}

#[test]
fn a_request_whose_last_day_has_passed_is_refused_or_withdrawn() {
    let later = "2026-04-01T00:00:00Z".parse().unwrap();
    let accepted = asked().decide(verdict(Verdict::Accepted), ada(), later);
    assert_eq!(accepted, Err(Error::Conflict(ErrorCode::UntilPassed)));
    assert_eq!(
        asked().decide(verdict(Verdict::Refused), ada(), later).unwrap().state,
        DecisionState::Refused
    );
    let withdrawn = asked().end(DecisionStep::Withdraw, None, ada(), later).unwrap();
    assert_eq!((withdrawn.state, withdrawn.ended_by), (DecisionState::Withdrawn, Some(ada())));
}

#[test]
fn a_decision_is_made_once_and_says_how() {
    let board = Recorded {
        decided_by: Line::stored("The board"),
        decided_date: Day::stored("2026-02-27"),
        minutes: Line::stored("Minutes 2, item 4"),
    };
    let made =
        Verdicted { recorded: Some(board), note: Some(Prose::stored("Fine")), ..verdict(Verdict::Accepted) };
    let after = asked().decide(made.clone(), ada(), at()).unwrap();
    assert_eq!((after.decided_by.clone(), after.decided_date), (Some(ada()), Some(at())));
    assert_eq!(after.board.as_ref().map(Line::as_str), Some("The board"));
    assert_eq!(after.minutes.as_ref().map(Line::as_str), Some("Minutes 2, item 4"));
    let twice = after.decide(made, ada(), at());
    assert_eq!(twice, Err(Error::Conflict(ErrorCode::DecisionNotPossible)));
}
