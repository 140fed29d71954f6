use proptest::prelude::*;

use super::*;
use crate::actor::ActorKind;
use crate::change::Change;
use crate::error::Error;
use crate::fault::FaultCode;
use crate::ids::UserId;
use crate::text::{Line, Prose};

const INCIDENT: IncidentNumber = IncidentNumber(1);

fn by() -> Actor {
    Actor { kind: ActorKind::Client, id: "bwc_1".to_owned(), name: "SIEM".to_owned() }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_772_355_600 + second).unwrap()
}

fn changed(before: Option<&Review>, patch: &ReviewPatch) -> crate::Result<Option<Review>> {
    let second = before.map_or(0, |review| review.version);
    patch.apply(before, INCIDENT, &ReviewFacts::default(), &by(), at(second))
}

fn to(state: ReviewState) -> ReviewPatch {
    ReviewPatch { state: Some(state), ..ReviewPatch::default() }
}

fn written() -> ReviewPatch {
    let text = |text: &str| Change::Set(Prose::stored(text));
    ReviewPatch { summary: text("Mail."), root_cause: text("Not found."), ..ReviewPatch::default() }
}

fn published() -> Review {
    let draft = changed(None, &written()).unwrap().unwrap();
    changed(Some(&draft), &to(ReviewState::Published)).unwrap().unwrap()
}

fn action(title: &str) -> Action {
    Action { title: Line::stored(title), owner: None, due: None, task: None }
}

#[test]
fn publishing_asks_for_summary_and_root_cause_and_the_rest_is_a_list() {
    let Err(Error::Invalid(faults)) = changed(None, &to(ReviewState::Published)) else { panic!("faults") };
    let found: Vec<_> = faults.iter().map(|fault| (fault.pointer.as_str(), fault.code)).collect();
    assert_eq!(found, [("#/summary", FaultCode::Required), ("#/root_cause", FaultCode::Required)]);
    let review = published();
    assert_eq!((review.version, review.published_date), (2, Some(at(1))));
    let missing: Vec<_> = review.missing().iter().map(|section| section.as_str()).collect();
    assert_eq!(missing, ["contributing_factors", "impact", "went_well", "lessons", "actions"]);
}

#[test]
fn a_published_edition_is_frozen_and_a_correction_is_the_next_one() {
    let first = published();
    let lessons =
        ReviewPatch { lessons: Change::Set(Prose::stored("Train people.")), ..ReviewPatch::default() };
    let frozen = Error::Conflict(ErrorCode::ReviewPublished);
    assert_eq!(changed(Some(&first), &lessons), Err(frozen));
    assert_eq!(changed(Some(&first), &to(ReviewState::Published)), Ok(None));
    assert_eq!(changed(Some(&first), &written()), Ok(None), "the same texts");
    let correction = ReviewPatch { state: Some(ReviewState::Draft), ..lessons };
    let second = changed(Some(&first), &correction).unwrap().unwrap();
    assert_eq!((second.edition, second.version, second.published_date), (2, 3, None));
    assert_eq!((&second.summary, second.lessons.as_deref()), (&first.summary, Some("Train people.")));
    assert_eq!(second.created_date, at(2));
}

#[test]
fn an_action_becomes_a_task_once_also_when_the_review_is_published() {
    let actions = Some(vec![action("a"), action("b")]);
    let draft = changed(None, &ReviewPatch { actions, ..written() }).unwrap().unwrap();
    let review = changed(Some(&draft), &to(ReviewState::Published)).unwrap().unwrap();
    assert_eq!(review.action(2).unwrap().title, "b");
    let after = review.with_task(2, 7, at(9));
    assert_eq!((after.actions[0].task, after.actions[1].task, after.version), (None, Some(7), 3));
    assert_eq!((after.state, after.published_date), (ReviewState::Published, review.published_date));
    let taken = Error::Conflict(ErrorCode::ActionIsTask);
    assert_eq!(after.action(2), Err(taken));
    for unknown in [i64::MIN, -1, 0, 3, i64::MAX] {
        assert_eq!(after.action(unknown), Err(Error::NotFound(ResourceKind::ReviewAction)), "{unknown}");
    }
}

#[test]
fn an_empty_patch_begins_a_review_and_changes_none() {
    let review = changed(None, &ReviewPatch::default()).unwrap().unwrap();
    assert_eq!((review.edition, review.version, review.state), (1, 1, ReviewState::Draft));
    assert_eq!(changed(Some(&review), &ReviewPatch::default()), Ok(None));
}

#[test]
fn actions_name_members_and_tasks() {
    let (ada, ben) = (UserId(uuid::Uuid::from_u128(1)), UserId(uuid::Uuid::from_u128(2)));
    let actions = vec![
        Action { owner: Some(ada), ..action("a") },
        Action { owner: Some(ben), task: Some(7), ..action("b") },
    ];
    let patch = ReviewPatch { actions: Some(actions), ..ReviewPatch::default() };
    let facts = ReviewFacts { members: [ada].into(), ..ReviewFacts::default() };
    let Err(Error::Invalid(faults)) = patch.apply(None, INCIDENT, &facts, &by(), at(0)) else {
        panic!("faults")
    };
    let found: Vec<_> = faults.iter().map(|fault| (fault.pointer.as_str(), fault.code)).collect();
    assert_eq!(
        found,
        [("#/actions/1/owner", FaultCode::UnknownUser), ("#/actions/1/task", FaultCode::UnknownTask)]
    );
    let facts = ReviewFacts { members: [ada, ben].into(), tasks: [7].into(), ..ReviewFacts::default() };
    let review = patch.apply(None, INCIDENT, &facts, &by(), at(0)).unwrap().unwrap();
    // Ben leaves and the task is deleted: what stood may stay.
    let first = review.actions[1].clone();
    let fewer = ReviewPatch { actions: Some(vec![first.clone()]), ..ReviewPatch::default() };
    assert_eq!(changed(Some(&review), &fewer).unwrap().unwrap().actions, [first]);
    let many = ReviewPatch { actions: Some(vec![action("a"); 51]), ..ReviewPatch::default() };
    let Err(Error::Invalid(faults)) = changed(None, &many) else { panic!("faults") };
    assert_eq!((faults[0].pointer.as_str(), faults[0].code), ("#/actions", FaultCode::TooMany));
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let owner = proptest::option::of(any::<u128>().prop_map(|id| UserId(uuid::Uuid::from_u128(id))));
    let due = proptest::option::of(
        (0_i64..4_000_000_000).prop_map(|second| Timestamp::from_second(second).unwrap()),
    );
    let task = proptest::option::of(1..i64::MAX);
    let action = ("\\PC{1,20}", owner, due, task).prop_map(|(title, owner, due, task)| Action {
        title: Line::stored(title),
        owner,
        due,
        task,
    });
    proptest::collection::vec(action, 0..5)
}

proptest! {
    #[test]
    fn actions_survive_their_text(actions in actions()) {
        let stored = list_to_stored(&actions);
        prop_assert_eq!(stored.is_none(), actions.is_empty());
        let read = stored.map_or(Some(Vec::new()), |text| list_from_stored(&text));
        prop_assert_eq!(read, Some(actions));
    }
}

#[test]
fn another_text_is_no_list_of_actions() {
    for text in ["", "{}", "[1]", r#"[{"title":"a","owner":"ada"}]"#, r#"[{"title":"a","due":"soon"}]"#] {
        assert_eq!(list_from_stored(text), None, "{text}");
    }
}
