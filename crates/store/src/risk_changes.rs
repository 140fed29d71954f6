//! What became of the risks between two entries of the journal, and what was decided about them.

mod decided;
mod read;
mod reasons;

use std::collections::HashSet;
use std::iter;

use db::Tx;
use domain::person::Person;
use domain::risk::Treatment;
use domain::risk_change::{RatedBy, RiskChangeKind, Standing, compare, last_move};
use domain::scale::{Grade, Scale, Scales};
use domain::{Actor, Line, OrgId, Reason, RiskNumber};
use jiff::Timestamp;
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::scales;
use decided::Decided;
use read::{Compared, Version};
pub use reasons::add_reasons;

/// A change of a risk, or a decision about risks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskChange {
    /// What it is.
    pub kind: RiskChangeKind,
    /// The risk and its title; none if it is about all risks.
    pub risk: Option<(RiskNumber, String)>,
    /// The rating before, if it is about one.
    pub before: Option<Placed>,
    /// The rating after it.
    pub after: Option<Placed>,
    /// The treatments before and after it, if it is about them.
    pub treatments: Option<(Treatment, Treatment)>,
    /// Who did it, when and why.
    pub cause: Cause,
}

/// A rating with its band.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The rating, and the version of the scale that it was made by.
    pub rating: RatedBy,
    /// Its band.
    pub grade: Option<Grade>,
}

/// Who did something, when and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// The journal entry.
    pub seq: i64,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub by: Actor,
    /// Why, if that was said: without [`add_reasons`] only of an edit of the scale.
    pub reason: Option<String>,
    /// Who decided without signing in, of a decision that was recorded.
    pub board: Option<Line>,
    /// The person for whom a deputy decided.
    pub on_behalf_of: Option<Person>,
}

/// The scales that were known at both ends.
struct Ends {
    then: Scales,
    now: Scales,
}

impl RiskChange {
    /// One without any value before and after it.
    fn of(kind: RiskChangeKind, risk: Option<(RiskNumber, String)>, cause: Cause) -> Self {
        Self { kind, risk, before: None, after: None, treatments: None, cause }
    }

    /// How many changes there are of each kind that occurs.
    pub fn counts(changes: &[Self]) -> Vec<(RiskChangeKind, usize)> {
        let count = |kind| changes.iter().filter(|it| it.kind == kind).count();
        let counts = RiskChangeKind::ALL.iter().map(|kind| (*kind, count(*kind)));
        counts.filter(|(_, count)| *count > 0).collect()
    }

    /// Where it stands among the others: by kind, then by risk, then by entry.
    pub fn position(&self) -> (usize, i64, i64) {
        let kind = RiskChangeKind::ALL.iter().position(|kind| *kind == self.kind).unwrap_or_default();
        (kind, self.risk.as_ref().map_or(0, |(number, _)| number.number()), self.cause.seq)
    }
}

/// All changes after the entry `from` up to the entry `to`, in order, without the reasons that [`add_reasons`] reads. Risks that are
/// purged by now are in neither register.
#[boxed]
pub async fn between(tx: &mut Tx, organization: OrgId, (from, to): (i64, i64)) -> Result<Vec<RiskChange>> {
    let then = scales::known(tx, organization, View::as_of(from)).await?;
    let now = scales::known(tx, organization, View::as_of(to)).await?;
    let ends = Ends { then, now };
    let edits = scales::changed(tx, organization, (from, to)).await?;
    let versions = read::versions(tx, organization, (from, to)).await?;
    let compared = read::compared(tx, organization, (from, to), !edits.is_empty()).await?;
    let mut changes: Vec<RiskChange> = edits.iter().filter_map(of_scale).collect();
    for versions in versions.chunk_by(|one, other| one.number == other.number) {
        let (before, after) = split(versions, from);
        changes.extend(of_versions(before, after, &ends));
    }
    let is_new = |it: &RiskChange| it.kind == RiskChangeKind::New;
    let new: HashSet<i64> = changes.iter().filter(|it| is_new(it)).map(|it| it.position().1).collect();
    let known = compared.into_iter().filter(|it| !new.contains(&it.number.number()));
    changes.extend(known.filter_map(|it| of_evaluation(it, &edits, &ends)));
    changes.extend(decisions(tx, organization, (from, to), &changes).await?);
    changes.sort_by_key(RiskChange::position);
    Ok(changes)
}

/// The decisions about the risks that are there at one of the ends.
async fn decisions(
    tx: &mut Tx,
    organization: OrgId,
    ends: (i64, i64),
    changes: &[RiskChange],
) -> Result<Vec<RiskChange>> {
    let is_gone = |it: &&RiskChange| it.kind == RiskChangeKind::Gone;
    let gone: HashSet<i64> = changes.iter().filter(is_gone).map(|it| it.position().1).collect();
    let is_there = |it: &Decided| !it.is_deleted || gone.contains(&it.risk());
    let accepted = decided::acceptances(tx, organization, ends).await?.into_iter().filter(is_there);
    let excepted = decided::exceptions(tx, organization, ends).await?.into_iter().filter(is_there);
    let accepted = accepted.filter_map(|it| it.change(RiskChangeKind::of_acceptance));
    Ok(accepted.chain(excepted.filter_map(|it| it.change(RiskChangeKind::of_exception))).collect())
}

/// The state at the beginning, and the states after it.
fn split(versions: &[Version], from: i64) -> (Option<&Version>, &[Version]) {
    match versions.split_first() {
        Some((first, rest)) if first.cause.seq <= from => (Some(first), rest),
        _ => (None, versions),
    }
}

/// What became of a risk, by the last entry that had this effect, and each rating that was moved. A risk that is at neither end
/// has no changes.
fn of_versions(before: Option<&Version>, after: &[Version], ends: &Ends) -> Vec<RiskChange> {
    let standing = |version: &Version| version.standing;
    let (first, last) = (before.map(standing), after.last().map(standing));
    let is_there = |it: Option<Standing>| it.is_some_and(|it| !it.is_deleted);
    let Some(latest) = after.last().filter(|_| is_there(first) || is_there(last)) else { return Vec::new() };
    let risk = (latest.number, latest.title.clone());
    let change = |kind, version: &Version| RiskChange::of(kind, Some(risk.clone()), version.cause.clone());
    let steps = || iter::once(before).chain(after.iter().map(Some)).zip(after);
    let mut changes = Vec::new();
    if let Some(kind) = Standing::became(first.as_ref(), last.as_ref()) {
        let has_effect = |(earlier, version): &(Option<&Version>, &Version)| {
            Standing::became(earlier.map(standing).as_ref(), Some(&version.standing)) == Some(kind)
        };
        let by = steps().filter(has_effect).last().map_or(latest, |(_, version)| version);
        changes.push(change(kind, by));
    }
    for (earlier, version) in steps() {
        let Some(earlier) = earlier else { continue };
        for (kind, old, new) in earlier.standing.moved(&version.standing, &ends.now) {
            let (before, after) = (placed(old, &ends.now), placed(new, &ends.now));
            changes.push(RiskChange { before, after, ..change(kind, version) });
        }
        let treatments = earlier.standing.treated(&version.standing);
        let treated = treatments.map(|_| change(RiskChangeKind::TreatmentChanged, version));
        changes.extend(treated.map(|it| RiskChange { treatments, ..it }));
    }
    changes
}

/// How the latest evaluations of a risk at both ends compare. Without another evaluation it was one of these edits of the scale.
fn of_evaluation(it: Compared, edits: &[Scale], ends: &Ends) -> Option<RiskChange> {
    let kind = match it.before {
        Some(before) => compare(before, it.after, &ends.then, &ends.now)?,
        None => RiskChangeKind::FirstEvaluated,
    };
    let cause = match it.is_same {
        true => cause_of(last_move(it.after, &ends.then, edits)?)?,
        false => it.cause,
    };
    let (before, after) = (placed(it.before, &ends.then), placed(Some(it.after), &ends.now));
    Some(RiskChange { before, after, ..RiskChange::of(kind, Some((it.number, it.title)), cause) })
}

fn of_scale(scale: &Scale) -> Option<RiskChange> {
    Some(RiskChange::of(RiskChangeKind::ScaleChanged, None, cause_of(scale)?))
}

fn cause_of(scale: &Scale) -> Option<Cause> {
    let (at, by) = scale.created_date.zip(scale.created_by.clone())?;
    let reason = scale.reason.as_ref().map(Reason::to_string);
    Some(Cause { seq: scale.seq_from, at, by, reason, board: None, on_behalf_of: None })
}

fn placed(rating: Option<RatedBy>, scales: &Scales) -> Option<Placed> {
    rating.map(|(rating, version)| Placed { rating: (rating, version), grade: scales.grade(rating, version) })
}
