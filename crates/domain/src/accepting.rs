//! Asking for the acceptance of a risk, and who decides about it.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use jiff::{Span, Timestamp};
use macros::Body;

use crate::acceptance::Acceptance;
use crate::actor::{Actor, ActorKind};
use crate::decision::{Decision, DecisionState, FourEyes, Recorded, Verdict, Verdicted, check_until};
use crate::document::{Day, read_distinct_by};
use crate::error::{Error, Result};
use crate::error_code::ErrorCode;
use crate::fault::{FaultCode, Faults};
use crate::ids::{GroupId, RiskNumber, UserId};
use crate::json::{Fields, Json, Pointer};
use crate::person::Person;
use crate::risk::{Risk, RiskStatus};
use crate::scale::{Acceptance as Criterion, AcceptanceBy, Scales};
use crate::schema::Schema;
use crate::scope::{Scope, Scopes};
use crate::text::{Prose, Reason};

const COUNTED: Schema = Schema::Integer(1, i64::MAX);

/// A request to accept a risk.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(with(now: Timestamp))]
pub struct NewAcceptance {
    /// Why the remaining risk is to be accepted, as Markdown.
    #[body(example = "A second site costs more than a day without service.")]
    pub reason: Prose,
    /// The last day on which it is accepted (UTC), after today; 12 months from today unless it is sent.
    #[body(check = Self::check_until(until, now))]
    pub until: Option<Day>,
    /// The number of the latest evaluation of the risk.
    #[body(schema = COUNTED, example = 3)]
    pub evaluation: i64,
}

/// A decision about a request to accept a risk.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
pub struct AcceptanceDecision {
    /// What is decided.
    #[body(example = "accepted")]
    pub decision: Verdict,
    /// What is said with it, as Markdown.
    #[body(example = "Until the lease ends.")]
    pub note: Option<Prose>,
    /// The number of the evaluation that the decision rests on: the latest one of the risk.
    #[body(schema = COUNTED, example = 3)]
    pub evaluation: i64,
    /// The version of the risk that the decision rests on. It is needed to accept a risk whose treatment or treatment plan was changed
    /// after the request, because the plan is approved.
    #[body(schema = COUNTED)]
    pub risk_version: Option<i64>,
}

/// A decision about a request to accept a risk by people who do not sign in, such as a board.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
pub struct RecordedAcceptance {
    /// What was decided.
    #[body(flat)]
    pub decision: AcceptanceDecision,
    /// By whom and when.
    #[body(flat)]
    pub recorded: Recorded,
}

/// The most acceptances that are confirmed at once.
pub const MAX_CONFIRMED: usize = 1_000;

/// An acceptance to confirm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Body)]
pub struct AcceptanceToConfirm {
    /// The id of the risk.
    #[body(example = "RSK-1")]
    pub risk: RiskNumber,
    /// The number of the acceptance of this risk.
    #[body(range = 1..=i64::MAX, example = 1)]
    pub number: i64,
}

/// Acceptances to confirm.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
pub struct AcceptanceConfirmation {
    /// The acceptances, one of each risk. One that is not in force any more, for example because a later one has replaced it, is
    /// not confirmed.
    #[body(read = read_to_confirm, most = MAX_CONFIRMED, json = r#"[{"risk": "RSK-1", "number": 1}]"#)]
    pub acceptances: Vec<AcceptanceToConfirm>,
}

fn read_to_confirm(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
) -> Option<Vec<AcceptanceToConfirm>> {
    let limits = (MAX_CONFIRMED, "An element before this one is about the same risk.");
    read_distinct_by(value, at, faults, limits, |it: &AcceptanceToConfirm| &it.risk)
}

/// The reason for which an acceptance is revoked.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "DecisionRevocation")]
pub struct Revocation {
    /// Why, as Markdown.
    #[body(example = "The service was moved to the cloud.")]
    pub reason: Prose,
}

/// The reason for which those may decide about a request who have made it.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
pub struct FourEyesWaiver {
    /// Why.
    #[body(example = "Nobody else is in the office this week.")]
    pub reason: Reason,
}

impl NewAcceptance {
    fn check_until(fields: &mut Fields<'_, '_>, until: Option<&Day>, now: Timestamp) {
        check_until(until, now, fields.faults());
    }

    /// The request about a risk as it is at `at`, after a request of it is known not to be open.
    ///
    /// # Errors
    /// If the risk is closed, not evaluated by the present scale or never to be accepted, or has another evaluation by now.
    pub fn ask(
        &self,
        (risk, number): (&Risk, i64),
        scales: &Scales,
        by: Actor,
        at: Timestamp,
    ) -> Result<Acceptance> {
        let mut faults = Faults::new();
        check_until(self.until.as_ref(), at, &mut faults);
        faults.or(())?;
        if risk.status == RiskStatus::Closed {
            return Err(Error::Conflict(ErrorCode::RiskClosed));
        }
        let until = self.until.clone().or_else(|| in_a_year(at)).unwrap_or_else(|| Day::of(at));
        let decision = Decision::ask(self.reason.clone(), until, by, at);
        check_acceptable(risk, scales)?;
        check_unchanged((self.evaluation, None), risk, None)?;
        remaining(risk, scales, (number, decision))
    }
}

/// An acceptance with this number and decision of what remains of a risk as it is.
fn remaining(risk: &Risk, scales: &Scales, (number, decision): (i64, Decision)) -> Result<Acceptance> {
    let current = risk.current.ok_or(Error::Conflict(ErrorCode::NotEvaluated))?;
    let scale = scales.read_by(current.scale_version);
    let grade = scales.grade(current.rating, current.scale_version);
    let grade = grade.ok_or(Error::Conflict(ErrorCode::NotEvaluated))?;
    Ok(Acceptance {
        risk: risk.number,
        number,
        decision,
        risk_version: risk.version,
        treatment: risk.treatment,
        treatment_plan: risk.treatment_plan.clone(),
        evaluation: current.evaluation,
        evaluated_at: current.evaluated_at,
        rating: current.rating,
        scale_version: current.scale_version,
        band: grade.name,
        band_place: grade.place,
        band_count: i64::try_from(scale.content.bands.len()).unwrap_or(i64::MAX),
        stale_by: None,
        scale_until: None,
    })
}

/// Who decides about what remains of a risk, by the scale of its latest evaluation.
///
/// # Errors
/// If it was never evaluated.
pub fn criterion<'s>(risk: &Risk, scales: &'s Scales) -> Result<&'s Criterion> {
    let band = risk.current.and_then(|current| {
        let scale = scales.read_by(current.scale_version);
        scale.band(scale.band_of(current.rating))
    });
    band.map(|band| &band.acceptance).ok_or(Error::Conflict(ErrorCode::NotEvaluated))
}

/// What remains of a risk can be accepted. Otherwise a request can still be refused or withdrawn.
///
/// # Errors
/// If it is not evaluated by the present scale, or its band is never accepted.
pub fn check_acceptable(risk: &Risk, scales: &Scales) -> Result<()> {
    if !risk.current.is_some_and(|it| scales.is_present(it.scale_version)) {
        return Err(Error::Conflict(ErrorCode::NotEvaluated));
    }
    match criterion(risk, scales)?.by {
        AcceptanceBy::Never => Err(Error::Conflict(ErrorCode::NeverAccepted)),
        _ => Ok(()),
    }
}

/// Whether a risk is open, its band wants a decision of the owner or of named people, and no acceptance is in force. The same is
/// in SQL, for lists.
pub fn is_decision_missing(risk: &Risk, scales: &Scales) -> bool {
    let is_accepted = risk.acceptance.as_ref().is_some_and(|it| it.decision.state == DecisionState::Accepted);
    let by = criterion(risk, scales).map(|it| it.by);
    let is_wanted = matches!(by, Ok(AcceptanceBy::Owner | AcceptanceBy::People));
    let is_wanted = is_wanted && check_acceptable(risk, scales).is_ok();
    risk.status == RiskStatus::Open && is_wanted && !is_accepted
}

/// The day in twelve months.
fn in_a_year(at: Timestamp) -> Option<Day> {
    Day::of(at).date().checked_add(Span::new().years(1)).ok().map(Day::from)
}

/// The evaluation that a request or a decision names is the latest one of the risk, which has the version that it names, if it
/// does; `seen` is what the request had.
fn check_unchanged(
    (evaluation, version): (i64, Option<i64>),
    risk: &Risk,
    seen: Option<&Acceptance>,
) -> Result<()> {
    let version = version.filter(|named| *named != risk.version);
    let version = version.map(|it| format!("- risk version {it}\n+ risk version {}\n", risk.version));
    match (other_evaluation(evaluation, risk, seen), version) {
        (None, None) => Ok(()),
        (evaluation, version) => {
            let difference = evaluation.into_iter().chain(version).collect();
            Err(Error::RiskChanged { difference })
        }
    }
}

/// The lines of the named evaluation and the latest one, if that is another one.
fn other_evaluation(named: i64, risk: &Risk, seen: Option<&Acceptance>) -> Option<String> {
    let current = risk.current.filter(|it| it.evaluation != named)?;
    let known = seen.filter(|it| it.evaluation == named);
    let known = known.map(|it| format!(": {} x {}, {}", it.rating.likelihood, it.rating.impact, it.band));
    let band = risk.grades.current.as_ref().map(|grade| format!(", {}", grade.name)).unwrap_or_default();
    let (number, rating) = (current.evaluation, current.rating);
    Some(format!(
        "- evaluation {named}{}\n+ evaluation {number}: {} x {}{band}\n",
        known.unwrap_or_default(),
        rating.likelihood,
        rating.impact
    ))
}

/// What is known of somebody who decides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deciders {
    /// The groups that they are in.
    pub groups: HashSet<GroupId>,
    /// Whom people have named as their deputies for today, by the person.
    pub deputies: HashMap<UserId, UserId>,
    /// Who may not decide about what they have asked for.
    pub four_eyes: FourEyes,
}

/// Somebody who decides, and what their request may do.
pub type Decider<'d> = (&'d Actor, Scopes);

impl AcceptanceDecision {
    /// The request after this decision about the risk as it is at `at`. `recorded` is what others have decided.
    ///
    /// # Errors
    /// If it was decided already, if the risk is not as the decision names it, or if somebody else decides.
    pub fn decide(
        &self,
        asked: &Acceptance,
        (risk, scales): (&Risk, &Scales),
        recorded: Option<&Recorded>,
        by: Decider<'_>,
        known: &Deciders,
        at: Timestamp,
    ) -> Result<Acceptance> {
        let on_behalf_of = match recorded {
            Some(_) => known.check_recorder(asked, by).map(|()| None),
            None => known.person(asked, risk, criterion(risk, scales)?, by, &known.four_eyes),
        }?;
        let (verdict, note, recorded) = (self.decision, self.note.clone(), recorded.cloned());
        let made = Verdicted { verdict, note, on_behalf_of, recorded };
        let mut faults = self.unseen(asked, risk);
        let decision = match asked.decision.decide(made, by.0.clone(), at) {
            Err(Error::Invalid(others)) => {
                faults.extend(others);
                return Err(Error::Invalid(faults));
            }
            decided => decided?,
        };
        if verdict == Verdict::Accepted {
            check_acceptable(risk, scales)?;
        }
        check_unchanged((self.evaluation, self.risk_version), risk, Some(asked))?;
        faults.or(())?;
        remaining(risk, scales, (asked.number, decision))
    }
}

impl AcceptanceDecision {
    /// What is wrong with accepting another treatment than the request had, without naming it.
    fn unseen(&self, asked: &Acceptance, risk: &Risk) -> Faults {
        let mut faults = Faults::new();
        let is_other = (risk.treatment, &risk.treatment_plan) != (asked.treatment, &asked.treatment_plan);
        if self.decision == Verdict::Accepted && self.risk_version.is_none() && is_other {
            let detail = "must be sent, because the treatment was changed after the request";
            faults.add("#/risk_version", FaultCode::Required, detail);
        }
        faults
    }
}

impl Deciders {
    /// Whether somebody may accept or refuse what was asked for, as the risk is. Lists have the same in SQL.
    pub fn may_decide(&self, asked: &Acceptance, (risk, scales): (&Risk, &Scales), by: Decider<'_>) -> bool {
        criterion(risk, scales).and_then(|it| self.person(asked, risk, it, by, &self.four_eyes)).is_ok()
    }

    /// Whether somebody may record what others decided about it.
    pub fn may_record(&self, asked: &Acceptance, by: Decider<'_>) -> bool {
        self.check_recorder(asked, by).is_ok()
    }

    /// An acceptance in force after somebody has confirmed it who may decide about its risk now. Confirming it twice changes nothing.
    ///
    /// # Errors
    /// If it is not in force, if somebody else decides, or if the band of the risk is never accepted by now.
    pub fn confirm(
        &self,
        it: &Acceptance,
        (risk, scales): (&Risk, &Scales),
        by: Decider<'_>,
        at: Timestamp,
    ) -> Result<Acceptance> {
        if it.state_on(&Day::of(at)) != DecisionState::Accepted {
            return Err(Error::Conflict(ErrorCode::DecisionNotPossible));
        }
        // It was decided under four eyes.
        let four_eyes = FourEyes { is_off: true, ..FourEyes::default() };
        let criterion = criterion(risk, scales)?;
        let on_behalf_of = self.person(it, risk, criterion, by, &four_eyes)?;
        if criterion.by == AcceptanceBy::Never {
            return Err(Error::Conflict(ErrorCode::NeverAccepted));
        }
        let is_same = |was: &Actor| (was.kind, &was.id) == (by.0.kind, &by.0.id);
        let id = |person: &Option<Person>| person.as_ref().map(|it| it.id);
        let is_for_same = id(&it.decision.confirmed_on_behalf_of) == id(&on_behalf_of);
        if it.decision.confirmed_by.as_ref().is_some_and(is_same) && is_for_same {
            return Ok(it.clone());
        }
        let decision = Decision {
            confirmed_by: Some(by.0.clone()),
            confirmed_on_behalf_of: on_behalf_of,
            confirmed_date: Some(at),
            updated_date: at,
            version: it.decision.version + 1,
            ..it.decision.clone()
        };
        Ok(Acceptance { decision, ..it.clone() })
    }

    /// The person for whom the actor decides, if not for themselves.
    ///
    /// # Errors
    /// If somebody else decides.
    fn person(
        &self,
        asked: &Acceptance,
        risk: &Risk,
        criterion: &Criterion,
        (actor, scopes): Decider<'_>,
        four_eyes: &FourEyes,
    ) -> Result<Option<Person>> {
        let owner = risk.owner.as_ref();
        let others = || {
            Error::NotDecider(
                owner.filter(|_| criterion.by == AcceptanceBy::Owner).cloned().into_iter().collect(),
            )
        };
        let person = actor.person().filter(|person| asked.decision.takes(*person, four_eyes));
        let id = person.ok_or_else(others)?;
        let is_owner = owner.is_some_and(|owner| owner.id == id);
        match criterion.by {
            AcceptanceBy::Owner => {
                let owner = owner.ok_or(Error::Conflict(ErrorCode::OwnerMissing))?;
                // Who has asked does not decide through a deputy either.
                let is_deputy =
                    self.deputies.get(&owner.id) == Some(&id) && asked.decision.takes(owner.id, four_eyes);
                match (is_owner, is_deputy) {
                    (true, _) => Ok(None),
                    (false, true) => Ok(Some(owner.clone())),
                    (false, false) => Err(others()),
                }
            }
            AcceptanceBy::People => {
                scopes.require_all(Scope::RisksAccept.into())?;
                if self.are_named(criterion, id) { Ok(None) } else { Err(others()) }
            }
            AcceptanceBy::NobodyNeeded if is_owner => Ok(None),
            AcceptanceBy::NobodyNeeded | AcceptanceBy::Never => {
                scopes.require_all(Scope::RisksAccept.into())?;
                Ok(None)
            }
        }
    }

    /// Whether a criterion names a person, or a group that they are in.
    pub fn are_named(&self, criterion: &Criterion, person: UserId) -> bool {
        let is_named = criterion.users.iter().flatten().any(|user| *user == person);
        is_named || criterion.group.is_some_and(|group| self.groups.contains(&group))
    }

    /// What others decided is recorded by a person who may decide about acceptances and has not asked for this one.
    fn check_recorder(&self, asked: &Acceptance, (actor, scopes): Decider<'_>) -> Result<()> {
        scopes.require_all(Scope::RisksAccept.into())?;
        let takes = |person| asked.decision.takes(person, &self.four_eyes);
        if actor.person().is_some_and(takes) { Ok(()) } else { Err(Error::NotDecider(Vec::new())) }
    }
}

/// A request is withdrawn by who has asked, and by the owner of the risk.
pub fn check_withdrawer(asked: &Acceptance, risk: &Risk, actor: &Actor) -> Result<()> {
    match asked.decision.is_asked_by(actor) || is_owner(risk, actor) {
        true => Ok(()),
        false => Err(Error::NotDecider(risk.owner.iter().cloned().collect())),
    }
}

fn is_owner(risk: &Risk, actor: &Actor) -> bool {
    let owner = risk.owner.as_ref().filter(|_| actor.kind == ActorKind::User);
    owner.is_some_and(|owner| owner.id.to_string() == actor.id)
}
