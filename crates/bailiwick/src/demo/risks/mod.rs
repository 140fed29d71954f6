//! What may happen to Harrowmere, and how it was judged week after week.

mod register;

use super::people::Who;
use super::tags::Tag;
use super::when::{When, at};

pub(super) use register::RISKS;

/// The oldest weekly review, in weeks before the latest one: 17 reviews.
pub(super) const FIRST_REVIEW: i64 = 16;

/// When the review of so many weeks ago began: on the morning of the same weekday.
pub(super) const fn review(weeks_ago: i64) -> When {
    at(7 * weeks_ago + 2, 9, 30)
}

/// Likelihood and impact, 1 to 5 each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rated(pub(super) i64, pub(super) i64);

impl Rated {
    /// Likelihood x impact.
    #[cfg(test)]
    pub(super) fn score(self) -> i64 {
        self.0 * self.1
    }
}

/// A judgement that held from one review until the next step; the reviews between repeat it.
#[derive(Debug)]
pub(super) struct Step {
    /// The review, in weeks before the latest one.
    pub(super) weeks_ago: i64,
    /// What was judged.
    pub(super) rated: Rated,
    /// Why; empty: nothing was written.
    pub(super) note: &'static str,
}

/// A risk.
#[derive(Debug)]
pub(super) struct DemoRisk {
    /// As it is shown.
    pub(super) title: &'static str,
    /// Markdown.
    pub(super) description: &'static str,
    /// One of a handful of words.
    pub(super) category: &'static str,
    /// Who answers for it and evaluates it; a person.
    pub(super) owner: Who,
    /// Without controls.
    pub(super) inherent: Rated,
    /// What the treatment aims at; its score is never above the inherent one.
    pub(super) target: Rated,
    /// What it is tagged with.
    pub(super) tags: &'static [Tag],
    /// Its judgements, the oldest first.
    pub(super) course: &'static [Step],
    /// When it was closed, and why. There are no reviews after that.
    pub(super) closed: Option<(When, &'static str)>,
    /// When it was put in the trash. There are no reviews after that.
    pub(super) deleted: Option<When>,
}

const fn from(weeks_ago: i64, likelihood: i64, impact: i64, note: &'static str) -> Step {
    Step { weeks_ago, rated: Rated(likelihood, impact), note }
}

/// What an entry leaves out.
const BLANK: DemoRisk = DemoRisk {
    title: "",
    description: "",
    category: "",
    owner: Who::Marta,
    inherent: Rated(1, 1),
    target: Rated(1, 1),
    tags: &[],
    course: &[],
    closed: None,
    deleted: None,
};

/// A judgement that was a slip of the pen, and the one that took its place an hour later.
#[derive(Debug)]
pub(super) struct Slip {
    /// The risk's title.
    pub(super) title: &'static str,
    /// The review, in weeks before the latest one.
    pub(super) weeks_ago: i64,
    /// What was typed.
    pub(super) typed: Rated,
    /// Why it was corrected.
    pub(super) note: &'static str,
}

/// Corrected judgements.
pub(super) const SLIPS: &[Slip] = &[
    Slip {
        title: "Fire in the central warehouse",
        weeks_ago: 7,
        typed: Rated(4, 1),
        note: "Likelihood and impact had changed places.",
    },
    Slip {
        title: "Payment to a forged account",
        weeks_ago: 13,
        typed: Rated(5, 5),
        note: "Meant for another line of the sheet.",
    },
];

impl DemoRisk {
    /// The review at which it was first judged, in weeks before the latest one.
    pub(super) fn first_review(&self) -> i64 {
        self.course.first().map_or(FIRST_REVIEW, |step| step.weeks_ago)
    }

    /// When it was closed or put in the trash.
    pub(super) fn end(&self) -> Option<When> {
        self.closed.map(|(when, _)| when).or(self.deleted)
    }

    /// The judgement that held at the review of so many weeks ago, if it was there then.
    pub(super) fn judged(&self, weeks_ago: i64) -> Option<&'static Step> {
        if let (Some(When::Day(end, _)), When::Day(day, _)) = (self.end(), review(weeks_ago))
            && day <= end
        {
            return None;
        }
        self.course.iter().rfind(|step| step.weeks_ago >= weeks_ago)
    }
}

impl Slip {
    /// Whether it was made about this risk at the review of so many weeks ago.
    pub(super) fn is_of(&self, risk: &DemoRisk, weeks_ago: i64) -> bool {
        self.title == risk.title && self.weeks_ago == weeks_ago
    }
}
