//! Headers of ratings: which factor, of which rating.

use super::field::{Axis, Stage};
use super::synonyms::{AXES, SCORES, STAGES, THIRD};
use crate::words::{has_phrase, listed};

/// The factor that a folded header names.
pub(super) fn axis(folded: &str) -> Option<Axis> {
    longest(folded, AXES).map(|(axis, _)| axis)
}

/// Which rating a folded header names.
pub(super) fn stage(folded: &str) -> Option<Stage> {
    longest(folded, STAGES).map(|(stage, _)| stage)
}

/// Whether a folded header names a product, and how surely.
pub(super) fn score(folded: &str) -> Option<usize> {
    longest(folded, &[((), SCORES)]).map(|((), length)| length)
}

/// Whether a folded header names a third factor.
pub(crate) fn is_third(folded: &str) -> bool {
    listed(THIRD).any(|word| names(folded, word))
}

/// What the longest phrase of a table in a header stands for, and how long that is.
pub(super) fn longest<T: Copy>(folded: &str, table: &[(T, &str)]) -> Option<(T, usize)> {
    let mut best = None;
    for (of, words) in table {
        for word in listed(words).filter(|word| names(folded, word)) {
            if best.is_none_or(|(_, length)| word.len() > length) {
                best = Some((*of, word.len()));
            }
        }
    }
    best
}

/// Whether a header has a phrase; one of a single letter has to be its last word.
fn names(folded: &str, phrase: &str) -> bool {
    if phrase.len() == 1 {
        let last = folded.rsplit(' ').find(|word| word.parse::<u32>().is_err());
        return last == Some(phrase);
    }
    has_phrase(folded, phrase)
}
