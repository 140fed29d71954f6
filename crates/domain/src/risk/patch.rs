//! Changing a risk by a merge patch (RFC 7396).

use jiff::Timestamp;
use macros::Body;

use super::{
    CADENCE_DAYS, ELSEWHERE, LEVELS, MAX_CONTROLS, READ_ONLY, Rating, Risk, RiskStatus, SCALE_OUTDATED,
    Treatment, target_within,
};
use crate::change::{Change, merge};
use crate::document::{Control, Day, read_distinct};
use crate::fault::{FaultCode, Faults};
use crate::ids::UserId;
use crate::person::{self, Person};
use crate::scale::Scales;
use crate::text::{Line, Prose, ProseOrEmpty, Reason};

/// A rating in a merge patch: absent members stay as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Body)]
#[body(patch)]
pub struct RatingPatch {
    /// How likely it is.
    #[body(range = LEVELS)]
    pub likelihood: Option<i64>,
    /// How bad it would be.
    #[body(range = LEVELS)]
    pub impact: Option<i64>,
}

impl RatingPatch {
    fn apply(patch: Option<Self>, before: Rating) -> Rating {
        let (patch, mut after) = (patch.unwrap_or_default(), before);
        merge!(patch into after: likelihood, impact);
        after
    }

    /// The rating of a patch that has both members; each missing one is a fault.
    fn whole(self, faults: &mut Faults) -> Option<Rating> {
        for (member, level) in [("likelihood", self.likelihood), ("impact", self.impact)] {
            if level.is_none() {
                faults.add(
                    format!("#/target/{member}"),
                    FaultCode::Required,
                    "A new target needs both members.",
                );
            }
        }
        Some(Rating { likelihood: self.likelihood?, impact: self.impact? })
    }
}

/// A merge patch (RFC 7396) of a risk: absent members stay as they are, null clears.
#[derive(Debug, Clone, PartialEq, Eq, Default, Body)]
#[body(patch, read_only = READ_ONLY, elsewhere = ELSEWHERE)]
pub struct RiskPatch {
    /// One line, not blank.
    #[body(example = "Loss of the only data centre")]
    pub title: Option<Line>,
    /// Markdown, at most 64 KiB.
    pub description: Option<ProseOrEmpty>,
    /// The category, free text.
    pub category: Change<Line>,
    /// The owner's id: a member of the organization.
    pub owner: Change<UserId>,
    /// The name of the owner in a list from elsewhere.
    pub owner_name: Change<Line>,
    /// What would be harmed.
    pub asset: Change<Reason>,
    /// What could happen to it.
    pub threat: Change<Reason>,
    /// The weakness that the threat needs.
    pub vulnerability: Change<Reason>,
    /// The controls that exist, as Markdown.
    pub existing_controls: Change<Prose>,
    /// The numbers of the controls that concern it, all of them.
    #[body(read = read_distinct(MAX_CONTROLS), most = MAX_CONTROLS)]
    pub controls: Option<Vec<Control>>,
    /// Its reference in the list that it comes from.
    pub external_ref: Change<Line>,
    /// What is done about it.
    pub treatment: Option<Treatment>,
    /// How, as Markdown.
    pub treatment_plan: Change<Prose>,
    /// Closing and reopening need a `status_reason` in the same request.
    pub status: Option<RiskStatus>,
    /// The reason for closing or reopening the risk. A risk that was never closed has none, whatever is sent.
    pub status_reason: Change<Prose>,
    /// Days from one evaluation to the next.
    #[body(range = CADENCE_DAYS)]
    pub evaluate_every_days: Change<i64>,
    /// Days from one review to the next. A review that is due stays due on its day.
    #[body(range = CADENCE_DAYS)]
    pub review_every_days: Change<i64>,
    /// The day on which the next review is due, if there is none yet; a review moves it. Null clears it where no
    /// `review_every_days` is left.
    pub next_review_date: Change<Day>,
    /// The inherent rating, without controls.
    pub inherent: Option<RatingPatch>,
    /// The target rating of the treatment. A risk without one needs both members.
    pub target: Change<RatingPatch>,
}

impl RiskPatch {
    /// The merged record, changed at `at`, or `None` when nothing changes. `owner` is the member that
    /// the field names. The merged record is checked whole; [`Risk::with_days`] follows.
    pub fn apply(
        &self,
        before: &Risk,
        owner: Option<Person>,
        scales: &Scales,
        at: Timestamp,
    ) -> crate::Result<Option<Risk>> {
        let mut faults = Faults::new();
        let owner = person::changed(&self.owner, &before.owner, owner, "#/owner", &mut faults);
        let mut merged = Risk {
            owner,
            inherent: RatingPatch::apply(self.inherent, before.inherent),
            target: self.target(before.target, &mut faults),
            ..self.with_status(before, at, &mut faults)
        };
        merge!(self into merged: title, description, category, owner_name, asset, threat, vulnerability);
        merge!(self into merged: existing_controls, controls, external_ref, treatment, treatment_plan);
        merge!(self into merged: evaluate_every_days, review_every_days);
        self.set_next_review(&mut merged, &mut faults);
        if self.is_rated() {
            self.rate(before, &mut merged, scales, &mut faults);
        }
        if faults.is_empty() && merged == *before {
            return Ok(None);
        }
        faults.or(Some(Risk { updated_date: at, version: before.version + 1, ..merged }))
    }

    /// Whether it may leave a risk without days that follow from its cadences.
    pub fn asks_for_days(&self) -> bool {
        self.status.is_some() || self.evaluate_every_days.is_sent() || self.review_every_days.is_sent()
    }

    /// The risk with its status and the reason for it. A reopened risk is to be evaluated from that day on.
    fn with_status(&self, before: &Risk, at: Timestamp, faults: &mut Faults) -> Risk {
        let status = self.status.unwrap_or(before.status);
        let is_changed = status != before.status;
        let reason = match is_changed {
            true => self.status_reason.value().cloned(),
            false => self.status_reason.of(&before.status_reason),
        };
        let status_date = if is_changed { Some(at) } else { before.status_date };
        if status_date.is_some() && reason.is_none() {
            let detail = "Closing or reopening a risk needs a reason.";
            faults.add("#/status_reason", FaultCode::Required, detail);
        }
        let is_reopened = is_changed && status == RiskStatus::Open;
        Risk {
            status,
            status_reason: reason.filter(|_| status_date.is_some()),
            status_date,
            evaluations_from: before.evaluations_from.filter(|_| !is_reopened),
            ..before.clone()
        }
    }

    /// Sets the day of the next review where there is none; one that there is, only a review moves.
    fn set_next_review(&self, merged: &mut Risk, faults: &mut Faults) {
        let next = self.next_review_date.of(&merged.next_review_date);
        let may_clear = next.is_none() && merged.review_every_days.is_none();
        if merged.next_review_date.is_none() || may_clear {
            merged.next_review_date = next;
        } else if next != merged.next_review_date {
            let detail = "Only a review moves the next review: POST /v1/risks/{risk_id}/reviews.";
            faults.add("#/next_review_date", FaultCode::ReadOnly, detail);
        }
    }

    /// Whether it sets a level.
    pub fn is_rated(&self) -> bool {
        self.inherent.is_some() || self.target.value().is_some()
    }

    /// Checks the merged ratings, which are by the present scale then. If those before were by another one that cannot be
    /// compared with it, all of them have to be sent.
    fn rate(&self, before: &Risk, merged: &mut Risk, scales: &Scales, faults: &mut Faults) {
        let (present, is_outdated) = (scales.present(), !scales.is_present(before.scale_version));
        let is_whole = |patch: &RatingPatch| patch.likelihood.is_some() && patch.impact.is_some();
        let has_target = merged.target.is_none() || self.target.value().is_some_and(is_whole);
        let mut is_comparable = true;
        for (pointer, is_sent) in
            [("#/inherent", self.inherent.as_ref().is_some_and(is_whole)), ("#/target", has_target)]
        {
            if is_outdated && !is_sent {
                faults.add(pointer, FaultCode::ScaleOutdated, SCALE_OUTDATED);
                is_comparable = false;
            }
        }
        if !is_comparable {
            return;
        }
        present.check(merged.inherent, "#/inherent", faults);
        if let Some(target) = merged.target {
            present.check(target, "#/target", faults);
            target_within(merged.inherent, target, faults);
        }
        if is_outdated || (merged.inherent, merged.target) != (before.inherent, before.target) {
            merged.scale_version = present.number;
        }
    }

    fn target(&self, before: Option<Rating>, faults: &mut Faults) -> Option<Rating> {
        match (self.target, before) {
            (Change::Keep, before) => before,
            (Change::Clear, _) => None,
            (Change::Set(patch), Some(before)) => Some(RatingPatch::apply(Some(patch), before)),
            (Change::Set(patch), None) => patch.whole(faults),
        }
    }
}
