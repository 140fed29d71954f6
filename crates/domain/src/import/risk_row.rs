//! A risk that was read from a file.

use crate::change::Change;
use crate::evaluation::NewEvaluation;
use crate::risk::{NewRisk, RatingPatch, RiskPatch, RiskStatus};
use crate::tag::TagName;
use crate::text::Prose;

/// A risk that was read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedRisk {
    /// What it has.
    pub new: NewRisk,
    /// Its status, if the file says one.
    pub status: Option<RiskStatus>,
    /// Why it is closed.
    pub status_reason: Option<Prose>,
    /// Its tags.
    pub tags: Vec<TagName>,
    /// Its current rating.
    pub evaluation: Option<NewEvaluation>,
    /// How many risks without a reference and with the same title the file has before it.
    pub nth: usize,
}

impl ImportedRisk {
    /// The change of a risk that is there: what the file has, and nothing else.
    pub fn patch(&self) -> RiskPatch {
        let Self { new, status, status_reason, .. } = self;
        let rating = |rating: crate::risk::Rating| RatingPatch {
            likelihood: Some(rating.likelihood),
            impact: Some(rating.impact),
        };
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
            status_reason: set(status_reason.as_ref()),
            inherent: Some(rating(new.inherent)),
            target: new.target.map_or(Change::Keep, |target| Change::Set(rating(target))),
        }
    }

    /// The change that closes a new one, if the file says that it is closed.
    pub fn closing(&self) -> Option<RiskPatch> {
        (self.status == Some(RiskStatus::Closed)).then(|| RiskPatch {
            status: self.status,
            status_reason: set(self.status_reason.as_ref()),
            ..RiskPatch::default()
        })
    }

    /// How many bytes its texts have.
    pub(super) fn bytes(&self) -> usize {
        let NewRisk { title, description, existing_controls, treatment_plan, .. } = &self.new;
        let short = [&self.new.asset, &self.new.threat, &self.new.vulnerability];
        let short: usize = short.into_iter().flatten().map(|text| text.len()).sum();
        let long: usize =
            [existing_controls, treatment_plan].into_iter().flatten().map(|text| text.len()).sum();
        title.len() + description.len() + short + long
    }
}

fn set<T: Clone>(value: Option<&T>) -> Change<T> {
    value.map_or(Change::Keep, |value| Change::Set(value.clone()))
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::ids::RiskNumber;
    use crate::risk::{Rating, Risk};
    use crate::text::Line;

    fn read(status: Option<RiskStatus>) -> ImportedRisk {
        let inherent = Rating { likelihood: 4, impact: 5 };
        let new = NewRisk::rated(Line::stored("Fire"), inherent, None);
        let status_reason = status.map(|_| Prose::stored("The house is gone."));
        ImportedRisk { new, status, status_reason, tags: Vec::new(), evaluation: None, nth: 0 }
    }

    fn made(row: &ImportedRisk) -> Risk {
        row.new.open(RiskNumber(1), None, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn what_the_file_does_not_have_stays() {
        let row = read(None);
        let before = Risk {
            category: Some(Line::stored("site")),
            target: Some(Rating { likelihood: 1, impact: 1 }),
            ..made(&row)
        };
        assert_eq!(row.patch().apply(&before, None, Timestamp::UNIX_EPOCH), Ok(None));
        let mut row = row;
        row.new.inherent.impact = 4;
        let after = row.patch().apply(&before, None, Timestamp::UNIX_EPOCH).unwrap().unwrap();
        assert_eq!(
            (after.inherent.impact, after.category, after.target),
            (4, before.category, before.target)
        );
    }

    #[test]
    fn a_closed_one_is_opened_and_then_closed() {
        let row = read(Some(RiskStatus::Closed));
        let after = row.closing().unwrap().apply(&made(&row), None, Timestamp::UNIX_EPOCH).unwrap().unwrap();
        assert_eq!((after.status, after.version), (RiskStatus::Closed, 2));
        assert_eq!(row.patch().apply(&after, None, Timestamp::UNIX_EPOCH), Ok(None), "the same file again");
        assert_eq!(read(Some(RiskStatus::Open)).closing(), None);
    }
}
