//! A risk that was read from a file.

use jiff::Timestamp;

use crate::change::Change;
use crate::error::Result;
use crate::evaluation::NewEvaluation;
use crate::risk::{NewRisk, Rating, RatingPatch, Risk, RiskPatch, RiskStatus};
use crate::scale::Scales;
use crate::tag::TagName;
use crate::task::NewTask;
use crate::text::Prose;

/// A risk that was read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedRisk {
    /// What it has.
    pub new: NewRisk,
    /// Its status, if the file says one.
    pub status: Option<RiskStatus>,
    /// Why it has this status.
    pub status_reason: Option<Prose>,
    /// When it was closed or reopened, if the file says so.
    pub status_date: Option<Timestamp>,
    /// Its tags.
    pub tags: Vec<TagName>,
    /// Its current rating.
    pub evaluation: Option<NewEvaluation>,
    /// What its treatment does.
    pub tasks: Vec<NewTask>,
    /// How many risks without a reference and with the same title the file has before it.
    pub nth: usize,
}

impl ImportedRisk {
    /// The change of a risk that is there: what the file has, and nothing else. The day of the next review, which only a review
    /// moves, is set only where there is none, and the reason for a status only with the status.
    pub fn patch(&self, before: &Risk) -> RiskPatch {
        let Self { new, status, status_reason, .. } = self;
        let rating = |Rating { likelihood, impact }| RatingPatch {
            likelihood: Some(likelihood),
            impact: Some(impact),
        };
        let next_review_date = new.next_review_date.as_ref().filter(|_| before.next_review_date.is_none());
        let is_changed = status.is_some_and(|status| status != before.status);
        RiskPatch {
            title: Some(new.title.clone()),
            description: Some(new.description.clone()).filter(|text| !text.is_empty()),
            category: set(new.category.as_ref()),
            owner: set(new.owner.as_ref()),
            owner_name: set(new.owner_name.as_ref()),
            asset: set(new.asset.as_ref()),
            threat: set(new.threat.as_ref()),
            vulnerability: set(new.vulnerability.as_ref()),
            existing_controls: set(new.existing_controls.as_ref()),
            controls: Some(new.controls.clone()).filter(|controls| !controls.is_empty()),
            external_ref: set(new.external_ref.as_ref()),
            treatment: new.treatment,
            treatment_plan: set(new.treatment_plan.as_ref()),
            status: *status,
            status_reason: set(status_reason.as_ref().filter(|_| is_changed)),
            evaluate_every_days: set(new.evaluate_every_days.as_ref()),
            review_every_days: set(new.review_every_days.as_ref()),
            next_review_date: set(next_review_date),
            inherent: Some(rating(new.inherent)),
            target: new.target.map_or(Change::Keep, |target| Change::Set(rating(target))),
        }
    }

    /// A new one as it is before it is closed: open, and reopened if the file says when that was.
    pub fn opened(&self, risk: Risk) -> Risk {
        match (self.status, self.status_date) {
            (Some(RiskStatus::Open), Some(at)) => {
                Risk { status_reason: self.status_reason.clone(), status_date: Some(at), ..risk }
            }
            _ => risk,
        }
    }

    /// What it changes of a risk that is there and is closed with it, without the closing, and the closing.
    pub fn patch_and_closing(&self, before: &Risk) -> (RiskPatch, RiskPatch) {
        let patch = self.patch(before);
        let (status, status_reason) = (patch.status, patch.status_reason.clone());
        let closing = RiskPatch { status, status_reason, ..RiskPatch::default() };
        (RiskPatch { status: None, status_reason: Change::Keep, ..patch }, closing)
    }

    /// A new one after it was closed, if the file says that it is closed: on the day that the file says, or now.
    pub fn closed(&self, risk: &Risk, scales: &Scales, now: Timestamp) -> Result<Option<Risk>> {
        if self.status != Some(RiskStatus::Closed) {
            return Ok(None);
        }
        let status_reason = set(self.status_reason.as_ref());
        let patch = RiskPatch { status: self.status, status_reason, ..RiskPatch::default() };
        let closed = patch.apply(risk, None, scales, now)?;
        Ok(closed.map(|risk| Risk { status_date: self.status_date.or(risk.status_date), ..risk }))
    }

    /// How many bytes its texts have.
    pub(super) fn bytes(&self) -> usize {
        let NewRisk { title, description, existing_controls, treatment_plan, .. } = &self.new;
        let short = [&self.new.asset, &self.new.threat, &self.new.vulnerability];
        let short: usize = short.into_iter().flatten().map(|text| text.len()).sum();
        let long: usize =
            [existing_controls, treatment_plan].into_iter().flatten().map(|text| text.len()).sum();
        let tasks: usize = self.tasks.iter().map(|task| task.title.len() + 1_000).sum();
        title.len() + description.len() + short + long + tasks
    }
}

fn set<T: Clone>(value: Option<&T>) -> Change<T> {
    value.map_or(Change::Keep, |value| Change::Set(value.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Day;
    use crate::ids::RiskNumber;
    use crate::scale::DEFAULT_VERSION;
    use crate::text::Line;

    fn read(status: Option<RiskStatus>) -> ImportedRisk {
        let inherent = Rating { likelihood: 4, impact: 5 };
        let new = NewRisk::rated(Line::stored("Fire"), inherent, None);
        let status_reason = status.map(|_| Prose::stored("The house is gone."));
        let (tags, tasks) = (Vec::new(), Vec::new());
        ImportedRisk { new, status, status_reason, status_date: None, tags, evaluation: None, tasks, nth: 0 }
    }

    fn made(row: &ImportedRisk) -> Risk {
        row.new.open(RiskNumber(1), None, DEFAULT_VERSION, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn what_the_file_does_not_have_stays() {
        let row = read(None);
        let before = Risk {
            category: Some(Line::stored("site")),
            target: Some(Rating { likelihood: 1, impact: 1 }),
            ..made(&row)
        };
        assert_eq!(
            row.patch(&before).apply(&before, None, &Scales::default(), Timestamp::UNIX_EPOCH),
            Ok(None)
        );
        let mut row = row;
        row.new.inherent.impact = 4;
        let after = row
            .patch(&before)
            .apply(&before, None, &Scales::default(), Timestamp::UNIX_EPOCH)
            .unwrap()
            .unwrap();
        assert_eq!(
            (after.inherent.impact, after.category, after.target),
            (4, before.category, before.target)
        );
    }

    #[test]
    fn a_closed_one_is_opened_and_then_closed() {
        let mut row = read(Some(RiskStatus::Closed));
        let closed =
            |row: &ImportedRisk| row.closed(&made(row), &Scales::default(), Timestamp::UNIX_EPOCH).unwrap();
        let after = closed(&row).unwrap();
        assert_eq!((after.status, after.version), (RiskStatus::Closed, 2));
        assert_eq!(after.status_date, Some(Timestamp::UNIX_EPOCH));
        let day = Timestamp::from_second(-86_400).unwrap();
        row.status_date = Some(day);
        assert_eq!(closed(&row).unwrap().status_date, Some(day), "the file says when");
        let again = |row: &ImportedRisk| {
            row.patch(&after).apply(&after, None, &Scales::default(), Timestamp::UNIX_EPOCH)
        };
        assert_eq!(again(&row), Ok(None), "the same file again");
        let mut open = read(Some(RiskStatus::Open));
        assert_eq!((closed(&open), open.opened(made(&open))), (None, made(&open)));
        open.status_date = Some(day);
        let reopened = open.opened(made(&open));
        assert_eq!((reopened.status_date, reopened.status_reason), (Some(day), open.status_reason.clone()));
        assert_eq!(again(&open).unwrap().unwrap().status, RiskStatus::Open);
    }

    #[test]
    fn only_a_review_moves_the_day_of_the_next_one() {
        let mut row = read(None);
        row.new.next_review_date = Some(Day::stored("2026-05-01"));
        let without = Risk { next_review_date: None, ..made(&row) };
        let day = |before: &Risk| {
            let after =
                row.patch(before).apply(before, None, &Scales::default(), Timestamp::UNIX_EPOCH).unwrap();
            after.map(|after| after.next_review_date)
        };
        assert_eq!(day(&without), Some(row.new.next_review_date.clone()));
        assert_eq!(day(&Risk { next_review_date: Some(Day::stored("2027-05-01")), ..without }), None);
    }
}
