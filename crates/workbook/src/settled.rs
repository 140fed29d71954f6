//! What is settled about a file: its proposal with the answers.

use crate::cell::{Cell, whole};
use crate::columns::field::{Axis, Kind, Stage};
use crate::propose::Proposal;
use crate::question::Answers;
use crate::values::choice::Choice;
use crate::values::date::{self, Moment, Order};
use crate::values::level::{self, Levels};
use crate::words::folded;

/// What is wrong with a value, and the nearest right one.
pub(crate) type Wrong = (String, Option<String>);

#[derive(Debug, Clone, Copy)]
pub(crate) struct Settled<'a> {
    pub(crate) proposal: &'a Proposal,
    pub(crate) levels: &'a Levels,
    pub(crate) answers: &'a Answers,
}

impl Settled<'_> {
    /// The answer to a question, or else what is proposed for it.
    fn answer(&self, id: &str) -> Option<&str> {
        let question = || self.proposal.questions.iter().find(|question| question.id == id);
        self.answers
            .get(id)
            .map(String::as_str)
            .or_else(|| question().map(|question| question.proposal.as_str()))
    }

    /// The ratings that a column gives.
    pub(crate) fn stages(&self, stage: Stage) -> &'static [Stage] {
        match (stage, self.proposal.kind) {
            (Stage::Inherent, _) => &[Stage::Inherent],
            (Stage::Target, _) => &[Stage::Target],
            (Stage::Current, _) | (_, Kind::Evaluations) => &[Stage::Current],
            (Stage::Residual, _) if self.answer("stage:residual") == Some("target") => &[Stage::Target],
            (Stage::Residual, _) => &[Stage::Current],
            (Stage::Single, _) => match self.answer("stage:single") {
                Some("both") => &[Stage::Inherent, Stage::Current],
                _ => &[Stage::Inherent],
            },
        }
    }

    /// The level of a cell.
    pub(crate) fn level(&self, axis: Axis, cell: Cell<'_>) -> Result<u8, Wrong> {
        let levels = self.levels.of(axis).len();
        let expected = format!("A level of {} is a number from 1 to {levels}, or its name.", axis.name());
        if let Some(number) = level::number(cell) {
            let highest = self.highest(axis, levels);
            return level::of_number(number, levels, highest)
                .map_err(|nearest| (expected, Some(nearest.to_string())));
        }
        let word = folded(&cell.shown());
        let answered = self.answer(&format!("level:{}:{word}", axis.name()));
        let answered = answered.and_then(|level| level.parse().ok());
        let level = answered.or_else(|| self.levels.by_word(axis, &word));
        level.filter(|level| (1..=levels).contains(&usize::from(*level))).ok_or((expected, None))
    }

    /// The most that the file's own scale has, if it is another one.
    fn highest(&self, axis: Axis, levels: usize) -> Option<f64> {
        let answer = self.answer(&format!("scale:{}", axis.name()))?;
        if let Some(share) = answer.strip_suffix('%') {
            return share.parse::<f64>().ok().map(|share| share / 100.0);
        }
        let number = answer.parse::<f64>().ok()?;
        let is_ours = whole(number).and_then(|number| usize::try_from(number).ok()) == Some(levels);
        (!is_ours).then_some(number)
    }

    /// The date of a cell.
    pub(crate) fn date(&self, cell: Cell<'_>) -> Result<Moment, Wrong> {
        let order = match self.answer("dates") {
            Some("month_first") => Order::MonthFirst,
            Some("day_first") => Order::DayFirst,
            _ => self.proposal.order,
        };
        let other = if order == Order::DayFirst { Order::MonthFirst } else { Order::DayFirst };
        date::of(cell, order).ok_or_else(|| {
            let nearest = date::of(cell, other).map(|(date, ..)| date.to_string());
            ("It is no date.".to_owned(), nearest)
        })
    }

    /// The word of a closed list that a cell means.
    pub(crate) fn choice(&self, choice: Choice, cell: Cell<'_>) -> Result<String, Wrong> {
        let word = folded(&cell.shown());
        let all = choice.all();
        let answered = self.answer(&format!("{}:{word}", choice.name));
        let known = answered.filter(|answer| all.contains(answer)).or_else(|| choice.meant(&word));
        known.map(str::to_owned).ok_or_else(|| (format!("It is none of {}.", all.join(", ")), None))
    }
}
