//! Words that somebody may have meant who mistyped one.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::{QUERY_CHARACTERS, cut};

/// The letters of the alphabets in which words are spelled: Latin, Greek, Cyrillic, Hebrew and Arabic, as searches compare them.
const ALPHABETS: [RangeInclusive<char>; 5] = ['a'..='z', 'α'..='ω', 'а'..='я', 'א'..='ת', 'ا'..='ي'];

/// How many letters a word has that may be mistyped. Shorter ones are one letter away from too much.
const LETTERS: RangeInclusive<usize> = 4..=24;

/// The words that are one letter away from a word as [`cut`] makes it: with one letter more, less or other, or with two that
/// changed places.
pub fn one_letter_away(word: &str) -> BTreeSet<String> {
    let letters: Vec<char> = word.chars().collect();
    let Some(alphabet) = ALPHABETS.iter().find(|alphabet| letters.iter().any(|it| alphabet.contains(it)))
    else {
        return BTreeSet::new();
    };
    if !LETTERS.contains(&letters.len()) {
        return BTreeSet::new();
    }
    let mut words = BTreeSet::new();
    for place in 0..=letters.len() {
        let (before, rest) = letters.split_at(place);
        let mut add = |middle: &[char], after: &[char]| {
            words.insert([before, middle, after].concat().into_iter().collect::<String>());
        };
        alphabet.clone().for_each(|letter| add(&[letter], rest));
        if let [_, after @ ..] = rest {
            add(&[], after);
            alphabet.clone().for_each(|letter| add(&[letter], after));
        }
        if let [one, other, after @ ..] = rest {
            add(&[*other, *one], after);
        }
    }
    words.remove(word);
    words
}

/// The text of a query with another word for one of it, wherever that is; none if it gets too long to be one.
pub fn corrected(text: &str, wrong: &str, right: &str) -> Option<String> {
    let (mut corrected, mut at) = (String::new(), 0);
    for cut in cut(text).filter(|cut| cut.word == wrong) {
        corrected.push_str(text.get(at..cut.start)?);
        corrected.push_str(right);
        at = cut.end;
    }
    corrected.push_str(text.get(at..)?);
    (corrected.chars().count() <= QUERY_CHARACTERS).then_some(corrected)
}
