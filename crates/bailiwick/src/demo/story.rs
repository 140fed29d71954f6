//! The tables as one sequence of acts, each at its own time.

use jiff::{SignedDuration, Timestamp};

use super::documents::{DOCUMENTS, DemoChange, DemoDocument};
use super::incidents::{self, DemoIncident, DemoStep};
use super::risks::{DemoRisk, FIRST_REVIEW, RISKS, SLIPS, Slip, review};
use super::when::STORY_DAYS;

/// Something that is written into the register at once.
#[derive(Debug, Clone, Copy)]
pub(super) enum Act {
    /// Tags are made.
    Tags,
    /// Views of the lists are saved.
    Views,
    /// The risks that are first judged so many weeks ago are written down.
    Register(i64),
    /// The weekly review of all risks, so many weeks ago.
    Review(i64),
    /// A judgement is corrected.
    Correct(&'static Slip),
    /// A risk is closed, or put in the trash.
    End(&'static DemoRisk),
    /// An incident is declared with what is known then.
    Declare(&'static DemoIncident),
    /// What became known about an incident since.
    Amend(&'static DemoIncident),
    /// Something is done with an incident.
    Step(&'static DemoIncident, &'static DemoStep),
    /// An incident is resolved or dismissed.
    Finish(&'static DemoIncident),
    /// A resolved incident is closed.
    Close(&'static DemoIncident),
    /// An incident is put in the trash.
    Trash(&'static DemoIncident),
    /// A document is written.
    Draft(&'static DemoDocument),
    /// A caller proposes selections.
    Propose(&'static DemoDocument, &'static DemoChange),
}

/// How long it takes to judge one risk in a review.
const JUDGING: SignedDuration = SignedDuration::from_secs(140);

/// When a review of so many weeks ago judged the risk at this place of the table.
pub(super) fn judged_at(weeks_ago: i64, place: usize, now: Timestamp) -> Timestamp {
    let place = i32::try_from(place).unwrap_or_default();
    review(weeks_ago).before(now) + JUDGING * place
}

/// When the story begins: people and machines are there from then on.
pub(super) fn begin(now: Timestamp) -> Timestamp {
    now - SignedDuration::from_hours(24 * STORY_DAYS)
}

/// Every act with its time, the oldest first, all of them before `now`.
pub(super) fn acts(now: Timestamp) -> Vec<(Timestamp, Act)> {
    let mut acts = vec![
        (begin(now) + SignedDuration::from_mins(20), Act::Tags),
        (begin(now) + SignedDuration::from_mins(45), Act::Views),
    ];
    acts.extend(risk_acts(now));
    acts.extend(incidents::all().flat_map(|incident| incident_acts(incident, now)));
    for document in DOCUMENTS {
        acts.push((document.created.before(now), Act::Draft(document)));
        for change in document.changes {
            acts.push((change.when.before(now), Act::Propose(document, change)));
        }
    }
    // Stable: what happens at the same time stays in the order of the tables.
    acts.sort_by_key(|(at, _)| *at);
    acts
}

fn risk_acts(now: Timestamp) -> Vec<(Timestamp, Act)> {
    let mut acts = Vec::new();
    for weeks_ago in 0..=FIRST_REVIEW {
        let begin = review(weeks_ago).before(now);
        if RISKS.iter().any(|risk| risk.first_review() == weeks_ago) {
            acts.push((begin - SignedDuration::from_hours(42), Act::Register(weeks_ago)));
        }
        acts.push((begin + SignedDuration::from_mins(75), Act::Review(weeks_ago)));
    }
    for slip in SLIPS {
        acts.push((review(slip.weeks_ago).before(now) + SignedDuration::from_mins(130), Act::Correct(slip)));
    }
    for risk in RISKS {
        acts.extend(risk.end().map(|when| (when.before(now), Act::End(risk))));
    }
    acts
}

fn incident_acts(incident: &'static DemoIncident, now: Timestamp) -> Vec<(Timestamp, Act)> {
    let declared = incident.declared().before(now);
    // It takes some seconds to write a record; how many does not matter, only that they differ.
    let written = SignedDuration::from_secs(5 + i64::try_from(incident.title.len() % 50).unwrap_or_default());
    let mut acts = vec![(declared + written, Act::Declare(incident))];
    let amended = incident.amended(now).into_iter().map(|at| (at, Act::Amend(incident)));
    let steps = incident.steps.iter().map(|step| (step.when.before(now), Act::Step(incident, step)));
    let finished = incident.outcome.at().map(|when| (when.before(now), Act::Finish(incident)));
    let closed = incident.outcome.closed().map(|when| (when.before(now), Act::Close(incident)));
    let trashed = incident.deleted.map(|when| (when.before(now), Act::Trash(incident)));
    acts.extend(amended.chain(steps).chain(finished).chain(closed).chain(trashed));
    acts
}
