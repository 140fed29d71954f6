use jiff::SignedDuration;
use jiff::tz::{TimeZone, TimeZoneDatabase};

use super::*;
use crate::actor::ActorKind;
use crate::change::Change;
use crate::fault::FaultCode;
use crate::ids::{IncidentNumber, RiskNumber};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn zone(name: &str) -> TimeZone {
    TimeZoneDatabase::bundled().get(name).unwrap()
}

fn task() -> Task {
    let new = NewTask {
        title: Line::stored("Reset the passwords"),
        notes: None,
        owner: None,
        due: None,
        mandatory: true,
        position: None,
    };
    let by = Actor { kind: ActorKind::Client, id: "bwc_1".to_owned(), name: "SIEM".to_owned() };
    new.make(1, None, None, by, at("2026-03-01T09:00:00Z"))
}

fn changed(before: &Task, patch: &TaskPatch) -> crate::Result<Option<Task>> {
    patch.apply(
        TaskOf::Incident(IncidentNumber(1)),
        before,
        None,
        before.updated_date + SignedDuration::from_secs(1),
    )
}

fn to(status: TaskStatus) -> TaskPatch {
    TaskPatch { status: Some(status), ..TaskPatch::default() }
}

fn faults(outcome: crate::Result<Option<Task>>) -> Vec<(String, FaultCode)> {
    match outcome {
        Err(crate::Error::Invalid(faults)) => {
            faults.into_iter().map(|fault| (fault.pointer, fault.code)).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_a_task_of_an_incident_is_mandatory() {
    let patch = TaskPatch { mandatory: Some(true), ..TaskPatch::default() };
    let of = |of| patch.apply(of, &Task { mandatory: false, ..task() }, None, task().updated_date);
    assert!(of(TaskOf::Incident(IncidentNumber(1))).unwrap().is_some_and(|task| task.mandatory));
    assert_eq!(faults(of(TaskOf::Risk(RiskNumber(1)))), [("#/mandatory".to_owned(), FaultCode::NotOfKind)]);
}

#[test]
fn a_task_that_is_not_done_needs_a_reason_and_no_other_has_one() {
    let task = task();
    let required = vec![("#/reason".to_owned(), FaultCode::Required)];
    assert_eq!(faults(changed(&task, &to(TaskStatus::NotDoing))), required);
    let reason = Change::Set(Reason::stored("The vendor does it."));
    for status in [None, Some(TaskStatus::Done)] {
        let misplaced = TaskPatch { status, reason: reason.clone(), ..TaskPatch::default() };
        assert_eq!(
            faults(changed(&task, &misplaced)),
            [("#/reason".to_owned(), FaultCode::NotInStatus)],
            "{status:?}"
        );
    }
    let given_up = TaskPatch { reason, ..to(TaskStatus::NotDoing) };
    let given_up = changed(&task, &given_up).unwrap().unwrap();
    assert_eq!(given_up.reason.as_deref(), Some("The vendor does it."));
    let cleared = TaskPatch { reason: Change::Clear, ..TaskPatch::default() };
    assert_eq!(faults(changed(&given_up, &cleared)), required);
    let resumed = changed(&given_up, &to(TaskStatus::InProgress)).unwrap().unwrap();
    assert_eq!((resumed.reason, resumed.version), (None, 3));
}

#[test]
fn a_task_is_done_since_it_became_done() {
    let task = task();
    let done = changed(&task, &to(TaskStatus::Done)).unwrap().unwrap();
    assert_eq!(done.done_date, Some(at("2026-03-01T09:00:01Z")));
    assert_eq!(changed(&done, &to(TaskStatus::Done)), Ok(None));
    let renamed = TaskPatch { title: Some(Line::stored("Reset all passwords")), ..TaskPatch::default() };
    let renamed = changed(&done, &renamed).unwrap().unwrap();
    assert_eq!((renamed.done_date, renamed.version), (done.done_date, 3));
    assert_eq!(changed(&renamed, &to(TaskStatus::Open)).unwrap().unwrap().done_date, None);
}

#[test]
fn a_new_task_comes_behind_the_last_one() {
    assert_eq!(next_position(None), 1_000);
    assert_eq!(next_position(Some(2_500)), 3_500);
    assert_eq!(next_position(Some(*POSITIONS.end())), *POSITIONS.end());
}

#[test]
fn a_week_begins_on_monday_in_the_time_zone() {
    // Sunday evening in Berlin is Monday morning in Auckland.
    let now = at("2026-03-08T20:00:00Z");
    let range = |name: &str| Due::Week.range(now, &zone(name));
    let from_to = |from, to| (Some(at(from)), Some(at(to)));
    assert_eq!(range("Europe/Berlin"), from_to("2026-03-01T23:00:00Z", "2026-03-08T23:00:00Z"));
    assert_eq!(range("Pacific/Auckland"), from_to("2026-03-08T11:00:00Z", "2026-03-15T11:00:00Z"));
    // The clocks go forward on the last day of this week.
    let range = Due::Week.range(at("2026-03-25T12:00:00Z"), &zone("Europe/Berlin"));
    assert_eq!(range, from_to("2026-03-22T23:00:00Z", "2026-03-29T22:00:00Z"));
}

#[test]
fn a_task_is_overdue_when_its_day_is_over_in_the_time_zone() {
    let now = at("2026-03-08T20:00:00Z");
    let before = |name: &str| Due::Overdue.range(now, &zone(name));
    assert_eq!(before("UTC"), (None, Some(at("2026-03-08T00:00:00Z"))));
    assert_eq!(before("Pacific/Auckland"), (None, Some(at("2026-03-08T11:00:00Z"))));
    // Midnight does not exist on the day on which the clocks go forward in Santiago.
    let range = Due::Overdue.range(at("2026-09-06T12:00:00Z"), &zone("America/Santiago"));
    assert_eq!(range, (None, Some(at("2026-09-06T04:00:00Z"))));
}

#[test]
fn days_at_the_ends_of_time_have_no_end_instead_of_a_panic() {
    for now in [Timestamp::MIN, Timestamp::MAX] {
        for due in Due::ALL {
            let (from, before) = due.range(now, &zone("Pacific/Auckland"));
            assert!(
                from.is_none_or(|from| from <= now)
                    && before.is_none_or(|it| it >= now || *due == Due::Overdue)
            );
        }
    }
}

/// Every move in a list of tasks puts the task where it is to be and leaves the others in their order, with and without room.
#[test]
fn a_task_is_moved_between_two_others_whatever_room_there_is() {
    for positions in [vec![1_000, 2_000, 3_000, 4_000], vec![0, 1, 2, 3, 9], vec![5, 5, 5], vec![0]] {
        let numbered = |(place, position): (usize, &i64)| {
            let number = i64::try_from(place).unwrap() + 1;
            Task { number, position: *position, ..task() }
        };
        let tasks: Vec<Task> = positions.iter().enumerate().map(numbered).collect();
        for (from, to) in (0..tasks.len()).flat_map(|from| (0..tasks.len()).map(move |to| (from, to))) {
            let mut after = tasks.clone();
            for (place, position) in moved(&tasks, from, to) {
                after[place].position = position;
            }
            after.sort_by_key(|task| (task.position, task.number));
            let mut expected: Vec<i64> = tasks.iter().map(|task| task.number).collect();
            let number = expected.remove(from);
            expected.insert(to, number);
            let found: Vec<i64> = after.iter().map(|task| task.number).collect();
            assert_eq!(found, expected, "{positions:?} {from} {to}");
            assert!(after.iter().all(|task| POSITIONS.contains(&task.position)));
        }
    }
    assert_eq!(moved(&[task(), task()], 1, 0), [(1, 499)], "one task alone changes where there is room");
    assert_eq!(moved(&[task()], 0, 1), []);
}

#[test]
fn only_open_tasks_are_overdue_from_the_day_after_on() {
    let due = |due| Task { due: Some(at(due)), ..task() };
    let now = at("2026-03-08T20:00:00Z");
    let yesterday = due("2026-03-08T10:00:00Z");
    assert!(yesterday.is_overdue(now, &zone("Pacific/Auckland")), "it is the 9th there");
    assert!(!yesterday.is_overdue(now, &zone("UTC")));
    let done = Task { status: TaskStatus::Done, ..yesterday };
    assert!(!done.is_overdue(now, &zone("Pacific/Auckland")) && !task().is_overdue(now, &zone("UTC")));
}
