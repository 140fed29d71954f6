//! The characters of a text: those that no font has, those that are not printed, and where a long word may be broken.

use std::collections::BTreeSet;

use typst::foundations::{Dict, Value};

use super::world::Fonts;
use crate::paper::Unprintable;

/// The most characters that are named.
const MOST_NAMED: usize = 20;

/// The letters that fit into a line.
pub(super) const LETTERS_OF_A_LINE: usize = 66;

const ZERO_WIDTH_SPACE: char = '\u{200b}';

/// Refuses texts with a character that no font has.
pub(super) fn check(inputs: &Dict, fonts: &Fonts) -> Result<(), Unprintable> {
    let mut used = BTreeSet::new();
    inputs.iter().for_each(|(_, value)| collect(value, &mut used));
    let missing: Vec<char> =
        used.into_iter().filter(|it| is_seen(*it) && !fonts.have(*it)).take(MOST_NAMED).collect();
    if missing.is_empty() { Ok(()) } else { Err(Unprintable::Characters(missing)) }
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

/// A text without characters that PDF/UA forbids, and whose words can be broken after so many letters.
pub(super) fn broken(text: &str, most_letters: usize) -> String {
    let mut letters = 0;
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        letters = if character.is_whitespace() { 0 } else { letters + 1 };
        if letters > most_letters {
            out.push(ZERO_WIDTH_SPACE);
            letters = 1;
        }
        match character {
            '\u{feff}' => {}
            '\n' => out.push(character),
            '\t' | '\u{2028}' | '\u{2029}' | '\u{85}' => out.push(' '),
            _ if character.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            _ => out.push(character),
        }
    }
    out
}
