//! The score of answers, and the level that it gives.

use super::answers::Answers;
use super::rules::{Row, Rules};
use crate::severity::{Range, Score, Severity};

/// The rows with what the rules make of them, before it is put into words.
pub(super) struct Findings {
    pub(super) rows: [Row; 8],
    pub(super) severity: Severity,
    pub(super) score: Score,
    pub(super) range: Range,
    /// The scores at the ends of the range.
    pub(super) scores: [Score; 2],
    /// The factors that raise the score most: two at the most.
    pub(super) main: Vec<Row>,
}

impl Rules {
    pub(super) fn findings(&self, answers: &Answers) -> Findings {
        let rows = self.rows(answers);
        let sum = |weighted: fn(&Row) -> u32| rows.iter().map(weighted).sum::<u32>();
        let best = sum(|row| if row.answer.is_some() { row.counts } else { row.least });
        let worst = sum(|row| if row.answer.is_some() { row.counts } else { row.most });
        let counted = sum(|row| row.counts);
        let is_undetermined = answers.functional_impact.is_none()
            && answers.information_impact.is_none()
            && answers.potential_impact.is_none();
        Findings {
            severity: if is_undetermined { Severity::Undetermined } else { self.level(counted) },
            score: self.score(counted),
            range: Range { best: self.level(best), worst: self.level(worst) },
            scores: [self.score(best), self.score(worst)],
            main: main(&rows),
            rows,
        }
    }

    /// The score of a weighted sum: 100 x (sum - least) / (most - least).
    pub(super) fn score(&self, sum: u32) -> Score {
        let [least, most] = self.sums;
        let (above, span) = (sum.saturating_sub(least), most - least);
        Score((above * 10_000 + span / 2) / span)
    }

    /// The level of a weighted sum, compared without rounding.
    pub(super) fn level(&self, sum: u32) -> Severity {
        let [least, most] = self.sums;
        let reaches = |score: u32| sum.saturating_sub(least) * 100 >= score * (most - least);
        self.levels.iter().find(|(score, _)| reaches(*score)).map_or(Severity::Low, |level| level.1)
    }
}

impl Findings {
    /// The factors without an answer.
    pub(super) fn unknown(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.answer.is_none())
    }

    /// The factors with an answer.
    pub(super) fn known(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.answer.is_some())
    }
}

/// The two answers that raise the score most; of equal ones the first.
fn main(rows: &[Row]) -> Vec<Row> {
    let raises = |row: &&Row| row.answer.is_some() && row.counts > row.least;
    let mut raising: Vec<_> = rows.iter().filter(raises).copied().collect();
    raising.sort_by_key(|row| std::cmp::Reverse(row.counts - row.least));
    raising.truncate(2);
    raising
}
