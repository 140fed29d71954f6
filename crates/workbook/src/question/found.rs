//! What stands in the rows that may have to be asked about.

use std::collections::{BTreeMap, BTreeSet};

use super::Question;
use crate::cell::Cell;
use crate::columns::column::Column;
use crate::columns::field::{Axis, Field, Kind};
use crate::sheet::Sheet;
use crate::values::choice::Choice;
use crate::values::date::{self, Order};
use crate::values::level::{self, Levels};
use crate::words::folded;

/// The most questions of one kind; what is beyond is a fault of its row.
const MOST: usize = 200;

/// The most characters of a word that is asked about.
const MOST_WORD: usize = 60;

/// Folded words with how they stand in the file.
type Words = BTreeMap<String, String>;

/// The values of a factor.
#[derive(Default)]
struct Ratings {
    words: Words,
    highest: f64,
    /// How many are within our scale, and how many above it.
    within: usize,
    above: usize,
    has_shares: bool,
    has_fractions: bool,
}

/// What stands in the rows.
#[derive(Default)]
pub(super) struct Found {
    likelihood: Ratings,
    impact: Ratings,
    /// The words that closed lists do not have, by the names of these.
    pub(super) choices: BTreeMap<&'static str, Words>,
    pub(super) owners: BTreeSet<String>,
    day_first: bool,
    month_first: bool,
    is_ambiguous: bool,
}

impl Found {
    pub(super) fn of(
        sheet: Sheet<'_>,
        first: usize,
        columns: &[Column],
        (kind, levels): (Kind, &Levels),
    ) -> Self {
        let mut found = Self::default();
        let columns: Vec<&Column> = columns.iter().filter(|column| is_asked(column.field, kind)).collect();
        for row in sheet.rows_in(first..sheet.len()) {
            for column in &columns {
                let cell = row.cell(column.index);
                // The header may stand there once more.
                let is_name = matches!(cell, Cell::Text(text) if column.is_named(text));
                if !cell.is_empty() && !is_name {
                    found.add(column.field, cell, (kind, levels));
                }
            }
        }
        found
    }

    fn add(&mut self, field: Field, cell: Cell<'_>, (kind, levels): (Kind, &Levels)) {
        if let (Some(choice), Cell::Text(_) | Cell::Number(_)) = (Choice::of(field, kind), cell) {
            let words = self.choices.entry(choice.name).or_default();
            return ask(words, &cell.shown(), |word| choice.meant(word).is_some());
        }
        match (field, cell) {
            (Field::Rating(_, axis), _) => self.ratings(axis).add(axis, cell, levels),
            (Field::Owner, Cell::Text(text))
                if self.owners.len() < MOST && text.len() <= 200 && !text.contains('\n') =>
            {
                self.owners.insert(text.to_owned());
            }
            (field, Cell::Text(text)) if field.is_date() => {
                self.day_first |= date::order_of(text) == Some(Order::DayFirst);
                self.month_first |= date::order_of(text) == Some(Order::MonthFirst);
                self.is_ambiguous |= date::is_ambiguous(text);
            }
            _ => {}
        }
    }

    fn ratings(&mut self, axis: Axis) -> &mut Ratings {
        match axis {
            Axis::Likelihood => &mut self.likelihood,
            Axis::Impact => &mut self.impact,
        }
    }

    /// The words of a factor that neither the scale nor the synonyms have.
    pub(super) fn levels(&self, axis: Axis) -> &Words {
        match axis {
            Axis::Likelihood => &self.likelihood.words,
            Axis::Impact => &self.impact.words,
        }
    }

    /// What the file's own scale goes up to, if that is not what ours does.
    pub(super) fn scale(&self, axis: Axis, levels: usize) -> Option<Question> {
        let ratings = if axis == Axis::Likelihood { &self.likelihood } else { &self.impact };
        let ours = levels.to_string();
        let ours_number: f64 = ours.parse().ok()?;
        let proposal = match ratings.highest {
            _ if ratings.has_shares => "100%",
            highest if ratings.has_fractions && highest <= 1.0 => "100%",
            highest if highest <= ours_number => return None,
            // A mistake rather than another scale.
            _ if ratings.above == 1 && ratings.within > 0 => &ours,
            highest if highest <= 10.0 => "10",
            _ => "100",
        };
        let about = format!("Up to what does the {} of the file go?", axis.name());
        let others = ["10", "100", "100%"].into_iter().filter(|other| *other != ours);
        let choices: Vec<&str> = std::iter::once(ours.as_str()).chain(others).collect();
        Some(Question::new(format!("scale:{}", axis.name()), about, proposal, &choices))
    }

    /// Which number is the day, if no date shows it, or dates show both.
    pub(super) fn dates(&self) -> Option<Question> {
        let about = "Which number of a date such as 04/05/2026 is the day?".to_owned();
        let is_shown = self.day_first != self.month_first;
        let choices = &["day_first", "month_first"];
        (self.is_ambiguous && !is_shown)
            .then(|| Question::new("dates".to_owned(), about, "day_first", choices))
    }

    /// The order that dates show.
    pub(super) fn order(&self) -> Order {
        if self.month_first && !self.day_first { Order::MonthFirst } else { Order::DayFirst }
    }
}

impl Ratings {
    fn add(&mut self, axis: Axis, cell: Cell<'_>, levels: &Levels) {
        if let Some(number) = level::number(cell) {
            self.has_shares |= level::is_share(cell);
            self.has_fractions |= number.fract() != 0.0;
            self.highest = self.highest.max(number);
            let is_above = number > levels.highest(axis);
            *(if is_above { &mut self.above } else { &mut self.within }) += 1;
        } else if let Cell::Text(text) = cell {
            ask(&mut self.words, text, |word| levels.by_word(axis, word).is_some());
        }
    }
}

fn is_asked(field: Field, kind: Kind) -> bool {
    field.is_date() || matches!(field, Field::Rating(..) | Field::Owner) || Choice::of(field, kind).is_some()
}

fn ask(words: &mut Words, text: &str, is_known: impl Fn(&str) -> bool) {
    if text.chars().count() > MOST_WORD || words.len() >= MOST {
        return;
    }
    let word = folded(text);
    if !word.is_empty() && !is_known(&word) {
        words.entry(word).or_insert_with(|| text.to_owned());
    }
}
