//! What the register should be after a history, kept in plain lists and computed the long way.

use std::collections::BTreeSet;

use db::Tx;
use domain::evaluation::NewEvaluation;
use domain::risk::{Rating, RatingPatch, RiskPatch};
use domain::{Error, ExpectedVersion, OrgId, RiskNumber, TagId, UserId};
use jiff::{SignedDuration, Timestamp};
use store::list::TagFilter;
use store::risks::RiskFilter;

use crate::risks::support::{by, titled};

/// One change of a history.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Create { inherent: Rating, target: Option<Rating> },
    Plan { risk: i64, target: Option<Rating> },
    Move { risk: i64, owner: Option<UserId>, category: Option<&'static str> },
    Evaluate { risk: i64, rating: Rating, when: When, supersedes: Option<i64> },
    Delete { risk: i64 },
    Restore { risk: i64 },
    AddTag { risk: i64, tag: TagId },
    RemoveTag { risk: i64, tag: TagId },
}

/// The time an evaluation speaks of, told relative to the write that records it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum When {
    /// Not given.
    Default,
    /// So many microseconds after that many days ago; a negative number is before.
    Near { days: i64, micros: i64 },
    /// So many microseconds after the start of the span of so many seconds, that many days ago.
    Start { days: i64, span: i64, micros: i64 },
}

impl When {
    fn at(self, now: Timestamp) -> Option<Timestamp> {
        let ago = |days| now - SignedDuration::from_hours(24 * days);
        match self {
            Self::Default => None,
            Self::Near { days, micros } => Some(ago(days) + SignedDuration::from_micros(micros)),
            Self::Start { days, span, micros } => {
                let start = ago(days).as_second().div_euclid(span) * span;
                Some(Timestamp::from_second(start).unwrap() + SignedDuration::from_micros(micros))
            }
        }
    }
}

/// A risk and everything that ever happened to it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Risk {
    pub(crate) deleted: bool,
    pub(crate) version: i64,
    pub(crate) inherent: Rating,
    pub(crate) target: Option<Rating>,
    pub(crate) owner: Option<UserId>,
    pub(crate) category: Option<&'static str>,
    pub(crate) tags: BTreeSet<TagId>,
    pub(crate) evaluations: Vec<Evaluation>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Evaluation {
    pub(crate) rating: Rating,
    pub(crate) at: Timestamp,
    /// The inherent and the target score of that moment.
    pub(crate) plan: (i64, Option<i64>),
    pub(crate) basis_points: Option<i64>,
    pub(crate) superseded_by: Option<i64>,
}

impl Risk {
    /// The number and the evaluation that is the latest of those that count.
    pub(crate) fn latest(&self) -> Option<(i64, &Evaluation)> {
        let counting = (1..).zip(&self.evaluations).filter(|(_, it)| it.superseded_by.is_none());
        counting.max_by_key(|(number, it)| (it.at, *number))
    }

    /// How much of the planned reduction an evaluation has reached, if there is a plan.
    pub(crate) fn performance(&self, it: &Evaluation) -> Option<i64> {
        it.basis_points.filter(|_| self.target.is_some())
    }
}

/// The risks of an organization; number 1 comes first.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Model {
    pub(crate) risks: Vec<Risk>,
}

impl Model {
    /// The change as it should go at `now`: false when it changes nothing; refused with a word.
    pub(crate) fn apply(&mut self, change: &Change, now: Timestamp) -> Result<bool, &'static str> {
        match change {
            Change::Create { inherent, target } => {
                let (inherent, target) = (*inherent, *target);
                self.risks.push(Risk {
                    deleted: false,
                    version: 1,
                    inherent,
                    target,
                    owner: None,
                    category: None,
                    tags: BTreeSet::new(),
                    evaluations: Vec::new(),
                });
                return Ok(true);
            }
            Change::Move { risk, owner, category } => {
                let risk = self.risk(*risk, false).ok_or("Risk")?;
                let changes = (risk.owner, risk.category) != (*owner, *category);
                (risk.owner, risk.category) = (*owner, *category);
                risk.version += i64::from(changes);
                return Ok(changes);
            }
            Change::Plan { risk, target } => {
                let risk = self.risk(*risk, false).ok_or("Risk")?;
                if target.is_some_and(|it| it.score() > risk.inherent.score()) {
                    return Err("Range");
                }
                let changes = risk.target != *target;
                risk.target = *target;
                risk.version += i64::from(changes);
                return Ok(changes);
            }
            Change::Evaluate { risk, rating, when, supersedes } => {
                self.risk(*risk, false).ok_or("Risk")?.evaluate(*rating, when.at(now), *supersedes, now)?;
            }
            Change::Delete { risk } => {
                let risk = self.risk(*risk, false).ok_or("Risk")?;
                (risk.deleted, risk.version) = (true, risk.version + 1);
            }
            Change::Restore { risk } => {
                let risk = self.risk(*risk, true).ok_or("Risk")?;
                (risk.deleted, risk.version) = (false, risk.version + 1);
            }
            Change::AddTag { risk, tag } => {
                if !self.risk(*risk, false).ok_or("RiskOrTag")?.tags.insert(*tag) {
                    return Err("tag_already_associated");
                }
            }
            Change::RemoveTag { risk, tag } => {
                if !self.risk(*risk, false).ok_or("RiskOrTag")?.tags.remove(tag) {
                    return Err("RiskOrTag");
                }
            }
        }
        Ok(true)
    }

    fn risk(&mut self, number: i64, deleted: bool) -> Option<&mut Risk> {
        let index = usize::try_from(number - 1).ok()?;
        self.risks.get_mut(index).filter(|risk| risk.deleted == deleted)
    }

    /// The figure as (risks, per cent), from all evaluations of the risks that are meant.
    pub(crate) fn figure(&self, now: Timestamp, period_days: i64, only: &Only) -> (i64, i64) {
        let parts = self.parts(now, period_days, only);
        let counted: Vec<i64> = parts.iter().filter_map(|(_, part)| Some(part.as_ref().ok()?.4)).collect();
        let (count, sum) = (counted.len(), counted.iter().sum::<i64>());
        let count = i64::try_from(count).unwrap();
        // Half up: the greatest whole per cent of which one half less is not above the average.
        let percent = (0..=100).rev().find(|n| (2 * n - 1) * 100 * count <= 2 * sum).unwrap();
        (count, if count == 0 { 0 } else { percent })
    }
}

/// The evaluation of a risk that counts: number, inherent, target and own score, and basis points.
pub(crate) type Counted = (i64, i64, i64, i64, i64);

/// Which risks are meant: all, or those with a tag, an owner or nobody, a category.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Only {
    pub(crate) tag: Option<TagId>,
    pub(crate) owner: Option<Option<UserId>>,
    pub(crate) category: Option<&'static str>,
}

impl Only {
    fn means(&self, risk: &Risk) -> bool {
        self.tag.is_none_or(|tag| risk.tags.contains(&tag))
            && self.owner.is_none_or(|owner| risk.owner == owner)
            && self.category.is_none_or(|category| risk.category == Some(category))
    }

    pub(crate) fn filter(&self) -> RiskFilter {
        RiskFilter {
            owner: self.owner.into_iter().collect(),
            texts: self.category.map(|it| ("category", vec![it.to_owned()])).into_iter().collect(),
            tags: TagFilter { tags: self.tag.into_iter().collect(), mode: None },
            ..RiskFilter::default()
        }
    }
}

impl Model {
    /// Each risk that is meant, deleted ones too: what it adds, or the word for why it adds nothing.
    pub(crate) fn parts(
        &self,
        now: Timestamp,
        period_days: i64,
        only: &Only,
    ) -> Vec<(i64, Result<Counted, &'static str>)> {
        let begin = now - SignedDuration::from_secs(period_days * 86_400);
        let part = |risk: &Risk| {
            if risk.deleted {
                return Err("deleted");
            }
            risk.target.ok_or("no_target")?;
            let (number, it) = risk.latest().ok_or("never_evaluated")?;
            if it.at <= begin || it.at > now {
                return Err("not_evaluated_in_window");
            }
            let points = it.basis_points.ok_or("no_target")?;
            Ok((number, it.plan.0, it.plan.1.unwrap(), it.rating.score(), points))
        };
        let meant = (1..).zip(&self.risks).filter(|(_, risk)| only.means(risk));
        meant.map(|(number, risk)| (number, part(risk))).collect()
    }

    /// How many risks there are, how many of them are evaluated, and how many of those are worse than without controls.
    pub(crate) fn coverage(&self, now: Timestamp, period_days: i64, only: &Only) -> (i64, i64, i64) {
        let begin = now - SignedDuration::from_secs(period_days * 86_400);
        let open: Vec<_> = self.risks.iter().filter(|risk| !risk.deleted && only.means(risk)).collect();
        let latest = open.iter().filter_map(|risk| Some(risk.latest()?.1));
        let evaluated: Vec<_> = latest.filter(|it| it.at > begin && it.at <= now).collect();
        let worse = evaluated.iter().filter(|it| it.rating.score() > it.plan.0).count();
        let count = |count: usize| i64::try_from(count).unwrap();
        (count(open.len()), count(evaluated.len()), count(worse))
    }
}

impl Risk {
    fn evaluate(
        &mut self,
        rating: Rating,
        at: Option<Timestamp>,
        supersedes: Option<i64>,
        now: Timestamp,
    ) -> Result<(), &'static str> {
        let at = at.unwrap_or(now);
        if at > now + SignedDuration::from_mins(5) {
            return Err("DateInFuture");
        }
        let number = i64::try_from(self.evaluations.len()).unwrap() + 1;
        if let Some(wrong) = supersedes {
            let index = usize::try_from(wrong - 1).map_err(|_| "UnknownEvaluation")?;
            let wrong = self.evaluations.get_mut(index).ok_or("UnknownEvaluation")?;
            if wrong.superseded_by.is_some() {
                return Err("already_superseded");
            }
            wrong.superseded_by = Some(number);
        }
        let basis_points =
            self.target.map(|target| basis_points(self.inherent.score(), rating.score(), target.score()));
        let plan = (self.inherent.score(), self.target.map(Rating::score));
        let at = at.min(now);
        self.evaluations.push(Evaluation { rating, at, plan, basis_points, superseded_by: None });
        Ok(())
    }
}

fn basis_points(inherent: i64, current: i64, target: i64) -> i64 {
    if inherent <= target {
        return if current <= target { 10_000 } else { 0 };
    }
    let (reached, planned) = ((inherent - current).max(0), inherent - target);
    (0..=10_000).rev().find(|n| (2 * n - 1) * planned <= 20_000 * reached).unwrap()
}

/// The change on the store, with the same words.
pub(crate) async fn apply(tx: &mut Tx, org: OrgId, change: &Change) -> Result<(), String> {
    let (by, at) = (by(), tx.at());
    let result = match change.clone() {
        Change::Create { inherent, target } => {
            let new = domain::risk::NewRisk { inherent, target, ..titled("Fire") };
            store::risks::create(tx, org, &by, &new).await.map(drop)
        }
        Change::Plan { risk, target } => {
            let whole = |it: Rating| RatingPatch { likelihood: Some(it.likelihood), impact: Some(it.impact) };
            let patch = RiskPatch { target: target.map(whole).into(), ..RiskPatch::default() };
            store::risks::update(tx, org, &by, RiskNumber(risk), &ExpectedVersion::Any, &patch)
                .await
                .map(drop)
        }
        Change::Move { risk, owner, category } => {
            let category: Option<domain::Line> = category.map(domain::Line::stored);
            let patch = RiskPatch { owner: owner.into(), category: category.into(), ..RiskPatch::default() };
            store::risks::update(tx, org, &by, RiskNumber(risk), &ExpectedVersion::Any, &patch)
                .await
                .map(drop)
        }
        Change::Evaluate { risk, rating, when, supersedes } => {
            let new = NewEvaluation {
                rating,
                evaluated_at: when.at(at),
                note: None,
                supersedes,
                inherent: None,
                target: None,
            };
            store::evaluations::record(tx, org, &by, RiskNumber(risk), &new).await.map(drop)
        }
        Change::Delete { risk } => {
            store::risks::delete(tx, org, &by, RiskNumber(risk), &ExpectedVersion::Any).await
        }
        Change::Restore { risk } => {
            store::risks::restore(tx, org, &by, RiskNumber(risk), &ExpectedVersion::Any).await.map(drop)
        }
        Change::AddTag { risk, tag } => {
            store::listed::add_tag::<domain::risk::Risk>(tx, org, &by, RiskNumber(risk), tag).await
        }
        Change::RemoveTag { risk, tag } => {
            store::listed::remove_tag::<domain::risk::Risk>(tx, org, &by, RiskNumber(risk), tag).await
        }
    };
    result.map_err(|error| match error.0 {
        Error::NotFound(noun) => format!("{noun:?}"),
        Error::Conflict(code) => code.to_string(),
        Error::TagAlreadyAssociated(_) => "tag_already_associated".to_owned(),
        Error::Invalid(faults) => format!("{:?}", faults[0].code),
        other => format!("{other:?}"),
    })
}
