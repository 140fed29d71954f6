//! Levels of a rating: numbers, words, percentages.

use super::level_words;
use crate::cell::{Cell, whole};
use crate::columns::field::Axis;
use crate::words::folded;

/// The names of the levels of an organization's scale, from the lowest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Levels {
    /// Those of likelihood.
    pub likelihood: Vec<String>,
    /// Those of impact.
    pub impact: Vec<String>,
}

impl Levels {
    /// The names of the levels of a factor.
    pub(crate) fn of(&self, axis: Axis) -> &[String] {
        match axis {
            Axis::Likelihood => &self.likelihood,
            Axis::Impact => &self.impact,
        }
    }

    /// The highest level.
    pub(crate) fn highest(&self, axis: Axis) -> f64 {
        u32::try_from(self.of(axis).len()).map_or(f64::INFINITY, f64::from)
    }

    /// The level that a word means: by its name on the scale, or by a synonym of that.
    pub(crate) fn by_word(&self, axis: Axis, word: &str) -> Option<u8> {
        let names = self.of(axis);
        let by_name = names.iter().position(|name| folded(name) == word).map(|place| place + 1);
        by_name.or_else(|| level_words::level(word, names.len())).and_then(|level| u8::try_from(level).ok())
    }
}

/// The number that a cell says, also with a decimal comma, a percent sign, or words after it or around it in brackets:
/// `4`, `4,0`, `4 - likely`, `(4) likely`, `likely (4)`. A percentage is a share.
pub(crate) fn number(cell: Cell<'_>) -> Option<f64> {
    match cell {
        Cell::Number(number) | Cell::Percent(number) => Some(number),
        Cell::Text(text) => number_of(text),
        Cell::Empty | Cell::Bool(_) | Cell::Date(_) | Cell::Error(_) => None,
    }
}

/// Whether a cell says a percentage.
pub(crate) fn is_share(cell: Cell<'_>) -> bool {
    match cell {
        Cell::Percent(_) => true,
        Cell::Text(text) => text.ends_with('%') && number_of(text).is_some(),
        _ => false,
    }
}

fn number_of(text: &str) -> Option<f64> {
    let share = text.strip_suffix('%').map(str::trim_end);
    if let Some(share) = share {
        return plain(share).map(|share| share / 100.0);
    }
    if let Some(number) = plain(text) {
        return Some(number);
    }
    // The words beside a number are its name.
    let inside = text.strip_suffix(')').and_then(|text| text.rsplit_once('(')).map(|(_, inside)| inside);
    let start = text.trim_start_matches(['(', '[']);
    let digits = start.find(|letter: char| !letter.is_ascii_digit() && letter != '.' && letter != ',');
    let (before, after) = start.split_at_checked(digits.unwrap_or(start.len()))?;
    let follows = |sign: char| [' ', ')', ']', '-', '–', '—', ':', '=', '.', '/'].contains(&sign);
    let is_named =
        after.chars().next().is_some_and(follows) && folded(after).split(' ').next().is_some_and(is_word);
    let leading = if is_named { plain(before.trim_end_matches(['.', ','])) } else { None };
    leading.or_else(|| plain(inside?))
}

/// Not the sign of `4 x 5`.
fn is_word(folded: &str) -> bool {
    folded.chars().count() > 1 && folded.starts_with(char::is_alphabetic)
}

fn plain(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b".,-".contains(&byte));
    if !is_number || text.len() > 20 {
        return None;
    }
    let text = if text.contains('.') { text.to_owned() } else { text.replace(',', ".") };
    text.parse().ok()
}

/// The level of a number on a scale of `levels`, where `highest` is the most that the file's own scale has, if it is another
/// scale; else the nearest level as the fault.
pub(crate) fn of_number(number: f64, levels: usize, highest: Option<f64>) -> Result<u8, u8> {
    let most = i64::try_from(levels).unwrap_or(i64::MAX);
    let scaled = match highest {
        // A share of the other scale, rounded up; less a little for what binary fractions lack.
        Some(highest) if highest > 0.0 => (number / highest * levels_f64(levels) - 1e-9).ceil().max(1.0),
        _ => number,
    };
    let nearest = whole(scaled.round().clamp(-1e9, 1e9)).unwrap_or(1).clamp(1, most.max(1));
    let nearest = u8::try_from(nearest).unwrap_or(u8::MAX);
    let is_level = whole(scaled).is_some_and(|level| (1..=most).contains(&level)) && number >= 0.0;
    if is_level { Ok(nearest) } else { Err(nearest) }
}

fn levels_f64(levels: usize) -> f64 {
    f64::from(u32::try_from(levels).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::{number, of_number};
    use crate::cell::Cell;

    #[test]
    fn a_number_may_have_its_name_beside_it() {
        let of = |text| number(Cell::Text(text));
        assert_eq!(of("4"), Some(4.0));
        assert_eq!(of("4,0"), Some(4.0));
        assert_eq!(of("4 - Likely"), Some(4.0));
        assert_eq!(of("(4) wahrscheinlich"), Some(4.0));
        assert_eq!(of("Probable (4)"), Some(4.0));
        assert_eq!(of("30 %"), Some(0.3));
        for text in ["high", "2026-01-31", "31.01.2026", "1.2.3", "4 x 5", "-", ""] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_of_another_scale_is_rounded_up() {
        assert_eq!(of_number(4.0, 5, None), Ok(4));
        assert_eq!(of_number(6.0, 5, None), Err(5));
        assert_eq!(of_number(0.0, 5, None), Err(1));
        assert_eq!(of_number(2.5, 5, None), Err(3));
        assert_eq!(of_number(7.0, 5, Some(10.0)), Ok(4));
        assert_eq!(of_number(0.6, 5, Some(1.0)), Ok(3));
        assert_eq!(of_number(f64::NAN, 5, None), Err(1));
    }
}
