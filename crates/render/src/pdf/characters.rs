//! The characters of a text: those that no font has, those that are not printed, and where a long word may be broken.

use std::collections::BTreeSet;

use typst::foundations::{Array, Value};

use super::world::Fonts;
use crate::paper::{Paper, Unprintable};

/// The most characters that are named.
const MOST_NAMED: usize = 20;

/// The width of a line, in tenths of the size of its letters.
pub(super) const LINE: usize = 420;

/// The width of a line that may be indented.
pub(super) const INDENTED: usize = 300;

const ZERO_WIDTH_SPACE: char = '\u{200b}';

/// Refuses a text with a character that no font has.
pub(super) fn check(paper: &Paper<'_>, blocks: &Array, fonts: &Fonts) -> Result<(), Unprintable> {
    let mut used = BTreeSet::new();
    [paper.title, paper.head, paper.foot].iter().for_each(|text| used.extend(text.chars()));
    blocks.iter().for_each(|value| collect(value, &mut used));
    if paper.exact {
        let facts = paper.facts.iter().map(|(_, value)| value);
        let cells = paper.tables.iter().flat_map(|table| table.rows.iter().flatten());
        facts.chain(cells).for_each(|text| used.extend(text.chars()));
    }
    let missing: Vec<char> =
        used.into_iter().filter(|it| is_seen(*it) && !fonts.have(*it)).take(MOST_NAMED).collect();
    if missing.is_empty() { Ok(()) } else { Err(Unprintable::Characters(missing)) }
}

/// The text with a question mark for each character that no font has.
pub(super) fn replaced(text: &str, fonts: &Fonts) -> String {
    text.chars().map(|it| if is_seen(it) && !fonts.have(it) { '?' } else { it }).collect()
}

fn collect(value: &Value, used: &mut BTreeSet<char>) {
    match value {
        Value::Str(text) => used.extend(text.as_str().chars()),
        Value::Array(all) => all.iter().for_each(|value| collect(value, used)),
        Value::Dict(all) => all.iter().for_each(|(_, value)| collect(value, used)),
        _ => {}
    }
}

/// Whether it needs a glyph: not spaces, joiners, directions, soft hyphens, selectors (Unicode, Default_Ignorable_Code_Point).
fn is_seen(character: char) -> bool {
    let is_invisible = matches!(u32::from(character), 0xad | 0x34f | 0x61c | 0x180b..=0x180f | 0x200b..=0x200f | 0x202a..=0x202e
        | 0x2060..=0x206f | 0xfe00..=0xfe0f | 0xfeff | 0xe0000..=0xe0fff);
    !is_invisible && !character.is_whitespace() && !character.is_control()
}

/// A text without characters that PDF/UA forbids. A word that may be wider than `room`, in tenths of the size of its letters, can
/// be broken.
pub(super) fn broken(text: &str, room: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_inclusive(char::is_whitespace) {
        let is_wide = word.chars().map(width).sum::<usize>() > room;
        let mut since = 0;
        for character in word.chars() {
            since += width(character);
            if is_wide && since > room / 4 {
                out.push(ZERO_WIDTH_SPACE);
                since = width(character);
            }
            match character {
                '\u{feff}' => {}
                '\n' => out.push(character),
                '\t' | '\u{2028}' | '\u{2029}' | '\u{85}' => out.push(' '),
                _ if character.is_control() => out.push(char::REPLACEMENT_CHARACTER),
                _ => out.push(character),
            }
        }
    }
    out
}

/// Not less than the width of a letter in any of the fonts, in tenths of its size.
pub(super) fn width(letter: char) -> usize {
    match letter {
        'M' | 'W' | '@' | '%' => 11,
        'm' | 'w' | 'A'..='Z' => 9,
        _ if letter.is_whitespace() => 0,
        _ if letter.is_ascii() => 6,
        _ => 9,
    }
}
