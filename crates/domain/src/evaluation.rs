//! Evaluations: dated judgements of a risk that are never edited, only superseded.

mod many;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use macros::Body;

use crate::actor::Actor;
use crate::document::Day;
use crate::error::Error;
use crate::error_code::ErrorCode;
use crate::fault::{FaultCode, Faults};
use crate::ids::RiskNumber;
use crate::json::Fields;
use crate::performance::performance_basis_points;
use crate::risk::{Rating, Risk, RiskStatus, SCALE_OUTDATED, target_within};
use crate::scale::Scales;
use crate::schema::Schema;
use crate::text::ProseOrEmpty;
use crate::time;

pub use many::{EvaluationOfRisk, MAX_EVALUATIONS, NewEvaluations};

/// One judgement of a risk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// Counts per risk from 1.
    pub number: i64,
    /// The risk.
    pub risk: RiskNumber,
    /// The judgement.
    pub rating: Rating,
    /// The risk's inherent score when this was recorded.
    pub inherent_score: i64,
    /// The risk's target score when this was recorded, if it had a target.
    pub target_score: Option<i64>,
    /// The share of the planned reduction that is reached; 1 = 0.01 %. None without a target.
    pub performance_basis_points: Option<i64>,
    /// The scale it was judged by.
    pub scale_version: i64,
    /// The time that it describes.
    pub evaluated_at: Timestamp,
    /// The day of that time in the organization's time zone, as it was when this was recorded: days since 1970-01-01. The
    /// next evaluation is counted from it.
    pub evaluated_day: i64,
    /// When it was recorded.
    pub created_date: Timestamp,
    /// The evaluator.
    pub evaluator: Actor,
    /// The reason for the rating, as Markdown.
    pub note: Option<ProseOrEmpty>,
    /// The wrong evaluation that it takes the place of.
    pub supersedes: Option<i64>,
    /// The evaluation that takes its place; it no longer counts then.
    pub superseded_by: Option<i64>,
    /// The journal's number of the entry that recorded it.
    pub seq_from: i64,
    /// The journal's number of the entry that recorded the one which supersedes it.
    pub seq_to: Option<i64>,
}

impl Evaluation {
    /// What decides which evaluation of a risk is the latest: the greatest of these among those that
    /// are not superseded.
    pub fn order(&self) -> (Timestamp, i64) {
        (self.evaluated_at, self.number)
    }
}

/// The members that only the service sets.
const READ_ONLY: &[&str] = &[
    "number",
    "risk",
    "score",
    "inherent_score",
    "target_score",
    "performance_basis_points",
    "scale_version",
    "created_date",
    "evaluator",
    "superseded_by",
];

/// An evaluation to record.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(with(now: Timestamp), read_only = READ_ONLY)]
pub struct NewEvaluation {
    /// The judgement.
    #[body(flat)]
    pub rating: Rating,
    /// The time that the evaluation refers to; now by default. It may lie in the past. One that supersedes an evaluation by an earlier
    /// scale has the time of that by default, and no later one.
    #[body(check = Self::check_time(evaluated_at, now))]
    pub evaluated_at: Option<Timestamp>,
    /// The reason for the evaluation, as Markdown, at most 64 KiB.
    #[body(example = "The second site is under contract.")]
    pub note: Option<ProseOrEmpty>,
    /// The number of the wrong evaluation of the same risk that this one replaces. Of one by an earlier scale it keeps the scale,
    /// the inherent and the target score.
    #[body(schema = Schema::Integer(1, i64::MAX))]
    pub supersedes: Option<i64>,
    /// The new inherent rating of the risk. If the risk is rated by an earlier scale, it has to be sent.
    pub inherent: Option<Rating>,
    /// The new target rating of the risk. If the risk has one by an earlier scale, it has to be sent.
    pub target: Option<Rating>,
}

/// What an evaluation is measured by.
struct Plan {
    scale_version: i64,
    inherent_score: i64,
    target_score: Option<i64>,
    /// The risk, if the evaluation changes its ratings.
    rerated: Option<Risk>,
}

impl NewEvaluation {
    /// The write checks this again with its exact time; it is checked here so that all faults are reported together.
    fn check_time(fields: &mut Fields<'_, '_>, sent: Option<&Timestamp>, now: Timestamp) {
        evaluated_at(sent.copied(), now, fields.faults());
    }

    /// The record with this `number`, made at `at`, and the risk if its ratings are changed with it. `superseded` is the
    /// evaluation of the same risk that `supersedes` names, if there is one. The risk's current plan is recorded with it, also
    /// when it describes the past, so that a later plan does not rewrite history. A closed risk takes only one that supersedes
    /// another.
    pub fn record(
        &self,
        (risk, scales): (&Risk, &Scales),
        number: i64,
        superseded: Option<&Evaluation>,
        evaluator: Actor,
        at: Timestamp,
        zone: &TimeZone,
    ) -> crate::Result<(Evaluation, Option<Risk>)> {
        let mut faults = Faults::new();
        let mut evaluated_at = evaluated_at(self.evaluated_at, at, &mut faults);
        let superseded = superseded.filter(|it| Some(it.number) == self.supersedes);
        if self.supersedes.is_some() && superseded.is_none() {
            faults.add(
                "#/supersedes",
                FaultCode::UnknownEvaluation,
                "The risk has no evaluation of this number.",
            );
        }
        let plan = match superseded.filter(|it| !scales.is_present(it.scale_version)) {
            Some(wrong) => {
                evaluated_at = self.time_of(wrong, evaluated_at, &mut faults);
                self.plan_of(wrong, scales, &mut faults)
            }
            None => self.plan(risk, scales, at, &mut faults),
        };
        faults.or(())?;
        if risk.status == RiskStatus::Closed && superseded.is_none() {
            return Err(Error::Conflict(ErrorCode::RiskClosed));
        }
        if superseded.is_some_and(|it| it.superseded_by.is_some()) {
            return Err(Error::Conflict(ErrorCode::AlreadySuperseded));
        }
        let Plan { scale_version, inherent_score, target_score, rerated } = plan;
        let evaluation = Evaluation {
            number,
            risk: risk.number,
            rating: self.rating,
            inherent_score,
            target_score,
            performance_basis_points: target_score
                .map(|target| performance_basis_points(inherent_score, self.rating.score(), target)),
            scale_version,
            evaluated_at,
            evaluated_day: Day::in_zone(evaluated_at, zone).number(),
            created_date: at,
            evaluator,
            note: self.note.clone(),
            supersedes: self.supersedes,
            superseded_by: None,
            seq_from: 0,
            seq_to: None,
        };
        Ok((evaluation, rerated))
    }

    /// The time of one that takes the place of an evaluation by an earlier scale: that of the wrong one, unless an earlier one is
    /// sent. A later one would make a judgement by that scale the latest again.
    fn time_of(&self, wrong: &Evaluation, sent: Timestamp, faults: &mut Faults) -> Timestamp {
        if self.evaluated_at.is_none() {
            return wrong.evaluated_at;
        }
        if sent > wrong.evaluated_at {
            let detail = format!(
                "must not be after {}, the time of the evaluation that this one supersedes, because that is by an earlier scale",
                time::format(wrong.evaluated_at)
            );
            faults.add("#/evaluated_at", FaultCode::Range, detail);
        }
        sent
    }

    /// The plan of the evaluation by an earlier scale that this one takes the place of.
    fn plan_of(&self, wrong: &Evaluation, scales: &Scales, faults: &mut Faults) -> Plan {
        for (pointer, sent) in [("#/inherent", self.inherent), ("#/target", self.target)] {
            if sent.is_some() {
                let detail =
                    "The evaluation that this one supersedes is by an earlier scale, whose rating it keeps.";
                faults.add(pointer, FaultCode::Conflict, detail);
            }
        }
        scales.read_by(wrong.scale_version).check(self.rating, "#", faults);
        let Evaluation { scale_version, inherent_score, target_score, .. } = *wrong;
        Plan { scale_version, inherent_score, target_score, rerated: None }
    }

    /// The plan of the risk, with the ratings that are sent. One by an earlier scale has to be sent again.
    fn plan(&self, risk: &Risk, scales: &Scales, at: Timestamp, faults: &mut Faults) -> Plan {
        let (present, is_outdated) = (scales.present(), !scales.is_present(risk.scale_version));
        let inherent = self.inherent.unwrap_or(risk.inherent);
        let target = self.target.or(risk.target);
        present.check(self.rating, "#", faults);
        let mut is_comparable = true;
        for (pointer, sent, rating) in
            [("#/inherent", self.inherent, Some(inherent)), ("#/target", self.target, target)]
        {
            if let Some(sent) = sent {
                present.check(sent, pointer, faults);
            } else if is_outdated && rating.is_some() {
                faults.add(pointer, FaultCode::ScaleOutdated, SCALE_OUTDATED);
                is_comparable = false;
            }
        }
        if let (true, Some(target)) = (is_comparable, target) {
            target_within(inherent, target, faults);
        }
        let is_rerated = is_outdated || (inherent, target) != (risk.inherent, risk.target);
        let (scale_version, version) = (present.number, risk.version + 1);
        Plan {
            scale_version,
            inherent_score: inherent.score(),
            target_score: target.map(Rating::score),
            rerated: is_rerated.then(|| Risk {
                inherent,
                target,
                scale_version,
                updated_date: at,
                version,
                ..risk.clone()
            }),
        }
    }
}

/// The time that an evaluation recorded at `now` speaks of: `now` by default; up to 5 minutes ahead
/// is taken as now, because clocks differ; more is a fault.
pub fn evaluated_at(sent: Option<Timestamp>, now: Timestamp, faults: &mut Faults) -> Timestamp {
    let sent = sent.unwrap_or(now);
    if time::is_ahead(sent, now) {
        let detail = format!("must not be in the future; it is {} now", time::format(now));
        faults.add("#/evaluated_at", FaultCode::DateInFuture, detail);
    }
    sent.min(now)
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;
    use crate::actor::ActorKind;
    use crate::risk::NewRisk;
    use crate::scale::DEFAULT_VERSION;
    use crate::text::Line;

    fn now() -> Timestamp {
        "2026-03-01T09:00:00Z".parse().unwrap()
    }

    fn risk() -> Risk {
        let (inherent, target) = (Rating { likelihood: 4, impact: 5 }, Rating { likelihood: 2, impact: 3 });
        let new = NewRisk::rated(Line::stored("Ransomware"), inherent, target);
        new.open(RiskNumber(1), None, DEFAULT_VERSION, now())
    }

    fn new() -> NewEvaluation {
        let rating = Rating { likelihood: 3, impact: 4 };
        NewEvaluation {
            rating,
            evaluated_at: None,
            note: None,
            supersedes: None,
            inherent: None,
            target: None,
        }
    }

    fn record(new: &NewEvaluation, superseded: Option<&Evaluation>) -> crate::Result<Evaluation> {
        let evaluator = Actor { kind: ActorKind::Client, id: "siem".into(), name: "SIEM".into() };
        let (risk, zone) = (risk(), TimeZone::UTC);
        let (evaluation, rerated) =
            new.record((&risk, &Scales::default()), 2, superseded, evaluator, now(), &zone)?;
        assert_eq!(rerated, None);
        Ok(evaluation)
    }

    fn places(result: crate::Result<Evaluation>) -> Vec<(String, FaultCode)> {
        match result.unwrap_err() {
            Error::Invalid(faults) => faults.into_iter().map(|fault| (fault.pointer, fault.code)).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_evaluation_writes_down_the_plan_in_force() {
        let past = NewEvaluation { evaluated_at: Some(now() - SignedDuration::from_hours(999)), ..new() };
        let evaluation = record(&past, None).unwrap();
        assert_eq!((evaluation.inherent_score, evaluation.target_score), (20, Some(6)));
        assert_eq!(evaluation.performance_basis_points, Some(5_714));
        assert_eq!((evaluation.created_date, Some(evaluation.evaluated_at)), (now(), past.evaluated_at));
    }

    #[test]
    fn without_a_target_an_evaluation_has_no_performance() {
        let evaluator = Actor { kind: ActorKind::Client, id: "siem".into(), name: "SIEM".into() };
        let (risk, scales) = (Risk { target: None, ..risk() }, Scales::default());
        let (evaluation, _) =
            new().record((&risk, &scales), 1, None, evaluator, now(), &TimeZone::UTC).unwrap();
        assert_eq!((evaluation.inherent_score, evaluation.target_score), (20, None));
        assert_eq!(evaluation.performance_basis_points, None);
    }

    #[test]
    fn up_to_5_minutes_ahead_is_taken_as_now() {
        assert_eq!(record(&new(), None).unwrap().evaluated_at, now());
        let ahead = |time| NewEvaluation { evaluated_at: Some(now() + time), ..new() };
        assert_eq!(record(&ahead(SignedDuration::from_mins(5)), None).unwrap().evaluated_at, now());
        let more = SignedDuration::from_mins(5) + SignedDuration::from_micros(1);
        assert_eq!(places(record(&ahead(more), None)), [("#/evaluated_at".into(), FaultCode::DateInFuture)]);
    }

    #[test]
    fn a_closed_risk_takes_only_an_evaluation_that_supersedes() {
        let closed = Risk { status: RiskStatus::Closed, ..risk() };
        let evaluator = Actor { kind: ActorKind::Client, id: "siem".into(), name: "SIEM".into() };
        let first = Evaluation { number: 1, ..record(&new(), None).unwrap() };
        let correction = NewEvaluation { supersedes: Some(1), ..new() };
        let record = |new: &NewEvaluation, superseded| {
            let (of, zone) = ((&closed, &Scales::default()), TimeZone::UTC);
            new.record(of, 2, superseded, evaluator.clone(), now(), &zone).map(|(made, _)| made)
        };
        assert_eq!(record(&new(), None), Err(Error::Conflict(ErrorCode::RiskClosed)));
        assert_eq!(record(&correction, Some(&first)).unwrap().supersedes, Some(1));
    }

    #[test]
    fn the_day_of_an_evaluation_is_that_of_the_time_zone() {
        let late = NewEvaluation { evaluated_at: Some("2026-02-28T23:30:00Z".parse().unwrap()), ..new() };
        let day = |zone: &str| {
            let zone = jiff::tz::TimeZoneDatabase::bundled().get(zone).unwrap();
            let evaluator = Actor { kind: ActorKind::Client, id: "siem".into(), name: "SIEM".into() };
            let of = (&risk(), &Scales::default());
            let (made, _) = late.record(of, 1, None, evaluator, now(), &zone).unwrap();
            Day::of_number(made.evaluated_day).unwrap().as_str().to_owned()
        };
        assert_eq!([day("UTC"), day("Europe/Berlin")], ["2026-02-28", "2026-03-01"]);
    }

    #[test]
    fn an_evaluation_is_superseded_once() {
        let first = Evaluation { number: 1, ..record(&new(), None).unwrap() };
        let correction = NewEvaluation { supersedes: Some(1), ..new() };
        assert_eq!(record(&correction, Some(&first)).unwrap().supersedes, Some(1));
        assert_eq!(
            places(record(&correction, None)),
            [("#/supersedes".into(), FaultCode::UnknownEvaluation)]
        );
        let gone = Evaluation { superseded_by: Some(2), ..first };
        let conflict = record(&correction, Some(&gone)).unwrap_err();
        assert!(matches!(conflict, Error::Conflict(ErrorCode::AlreadySuperseded)), "{conflict:?}");
    }
}
