//! Backslashes before what Markdown would read (CommonMark 0.31.2, 2.4), and only there, so that people can read the text.

use super::marks::Letter;

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Paragraph,
    Heading,
    Cell,
}

/// Whether a character of a line needs one. `begun` is the Markdown of the line so far where blocks can begin.
pub(super) fn needs_backslash(letters: &[Letter<'_>], at: usize, begun: Option<&str>, place: Place) -> bool {
    let Some(this) = letters.get(at) else { return false };
    let before = at.checked_sub(1).and_then(|before| letters.get(before));
    let previous = before.map(|letter| letter.letter);
    let after = letters.get(at + 1);
    let next = after.map(|letter| letter.letter);
    let is_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    match this.letter {
        '\\' | '`' | '*' | '[' | '~' | '{' => true,
        // Within a word, and no mark or link begins or ends beside it.
        '_' => {
            !(is_word(previous)
                && is_word(next)
                && [before, after].into_iter().flatten().all(|it| this.is_like(it)))
        }
        ']' => this.link.is_some(),
        '|' => place == Place::Cell || begun.is_some_and(str::is_empty),
        '<' => next.is_some_and(|letter| letter.is_alphabetic() || "/!?".contains(letter)),
        '&' => is_entity(letters.get(at + 1..).unwrap_or_default()),
        '!' => after.is_some_and(|letter| letter.link.is_some() || letter.note.is_some()),
        ':' if before.is_some_and(|letter| letter.note.is_some()) => true,
        ':' if next == Some('/') => true,
        '#' if place == Place::Heading => previous.is_none_or(|letter| letter == ' '),
        '.' if ends_with_www(letters, at) => true,
        letter => begun.is_some_and(|begun| begins_block(begun, letter, next)),
    }
}

/// Whether a block could begin with this character after what the line has so far.
fn begins_block(begun: &str, letter: char, next: Option<char>) -> bool {
    let is_space = next.is_none_or(char::is_whitespace);
    if begun.is_empty() {
        return match letter {
            '#' | '=' | '>' => true,
            '+' => is_space,
            '-' => !next.is_some_and(char::is_alphanumeric),
            ':' => next == Some('-'),
            _ => false,
        };
    }
    matches!(letter, '.' | ')')
        && is_space
        && begun.len() <= 9
        && begun.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether an ampersand before these begins a character reference.
fn is_entity(letters: &[Letter<'_>]) -> bool {
    let name = letters.iter().take(40).map(|letter| letter.letter);
    let mut name = name.skip_while(|letter| letter.is_ascii_alphanumeric() || *letter == '#');
    name.next() == Some(';')
}

fn ends_with_www(letters: &[Letter<'_>], at: usize) -> bool {
    let begin = at.checked_sub(3).and_then(|start| letters.get(start..at));
    begin.is_some_and(|begin| begin.iter().all(|letter| letter.letter.eq_ignore_ascii_case(&'w')))
}

/// The address of a link, as it stands between parentheses.
pub(super) fn address(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    for letter in address.chars() {
        match letter {
            '&' if address.contains(';') => out.push_str("&amp;"),
            ' ' | '(' | ')' | '<' | '>' | '\\' | '`' | '{' | '}' | '|' => {
                out.push_str(&format!("%{:02X}", u32::from(letter)));
            }
            letter => out.push(letter),
        }
    }
    out
}

/// The most backticks one after the other.
pub(super) fn longest_ticks(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0)
}
