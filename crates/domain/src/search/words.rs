//! Cutting a text into words, and the form in which words are compared: without case and accents.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The most characters of a word that are compared.
const WORD_CHARACTERS: usize = 64;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The form that is compared.
    pub word: String,
    /// Where it begins in the text, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// The words of a text in their order: runs of letters and digits. Chinese and Japanese characters and Korean syllables are
/// words by themselves, because these languages write no or other spaces between words.
pub fn cut(text: &str) -> impl Iterator<Item = Cut> {
    let mut rest = text.char_indices().peekable();
    let runs = std::iter::from_fn(move || {
        loop {
            let (start, first) = rest.find(|(_, character)| character.is_alphanumeric())?;
            let mut end = start + first.len_utf8();
            let is_alone = is_word_alone(first);
            while let Some((at, next)) = rest.peek().copied() {
                let continues = is_mark(next) || !is_alone && next.is_alphanumeric() && !is_word_alone(next);
                if !continues {
                    break;
                }
                end = at + next.len_utf8();
                rest.next();
            }
            let word = folded(text.get(start..end).unwrap_or_default());
            if !word.is_empty() {
                return Some(Cut { word, start, end });
            }
        }
    });
    runs.flat_map(pieces)
}

/// What is between the numbers of a fraction such as `½`.
const FRACTION_SLASH: char = '\u{2044}';

/// A run whose folded form has characters that are words by themselves, such as the one of `㆒`, is several words, and so is a
/// fraction.
fn pieces(run: Cut) -> Vec<Cut> {
    if run.word.is_ascii() || !run.word.chars().any(|it| is_word_alone(it) || it == FRACTION_SLASH) {
        return vec![run];
    }
    let mut words: Vec<String> = Vec::new();
    let mut is_alone = true;
    for character in run.word.chars() {
        if character == FRACTION_SLASH {
            is_alone = true;
            continue;
        }
        match words.last_mut() {
            Some(word) if is_mark(character) || !is_alone && !is_word_alone(character) => {
                word.push(character);
            }
            _ => {
                words.push(character.into());
                is_alone = is_word_alone(character);
            }
        }
    }
    words.into_iter().map(|word| Cut { word, ..run }).collect()
}

/// The words of a text with a space before, between and after them; nothing if it has none.
pub fn folded_line(text: &str) -> String {
    let mut line = String::new();
    for Cut { word, .. } in cut(text) {
        if line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
        line.push(' ');
    }
    line
}

/// The form of a word that is compared. Upper case first, so that `ß` is `SS` and both forms of the small sigma are one.
fn folded(word: &str) -> String {
    if word.is_ascii() {
        let mut word = word.to_ascii_lowercase();
        word.truncate(WORD_CHARACTERS);
        return word;
    }
    // Decomposed first, because a form for display, such as a letter in bold, has no case of its own.
    let cased = word.nfkd().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    let plain = cased.nfkd().filter(|it| !is_accent(*it)).flat_map(plain_letters);
    let letters: String =
        plain.filter(|it| it.is_alphanumeric() || is_mark(*it) || *it == FRACTION_SLASH).collect();
    letters.nfc().skip_while(|it| is_mark(*it)).take(WORD_CHARACTERS).collect()
}

/// The plain letters of one that Unicode does not decompose.
fn plain_letters(letter: char) -> impl Iterator<Item = char> {
    let (one, other) = match letter {
        'ø' => ('o', None),
        'ł' => ('l', None),
        'đ' => ('d', None),
        'ı' => ('i', None),
        'æ' => ('a', Some('e')),
        'œ' => ('o', Some('e')),
        // Of the capital letter, which has no other upper case.
        'ß' => ('s', Some('s')),
        _ => (letter, None),
    };
    std::iter::once(one).chain(other)
}

/// Whether it is an accent on a letter. Marks of other scripts are vowels and the like: words differ by them.
fn is_accent(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}')
}

/// Whether it belongs to the character before it.
fn is_mark(character: char) -> bool {
    is_combining_mark(character) || matches!(character, '\u{FF9E}' | '\u{FF9F}')
}

/// Whether it is a word by itself: Hiragana, Katakana, Bopomofo, Hangul, Han.
fn is_word_alone(character: char) -> bool {
    matches!(character,
        '\u{1100}'..='\u{11FF}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{318F}' | '\u{31A0}'..='\u{31BF}'
        | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{A960}'..='\u{A97F}'
        | '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9D}' | '\u{FFA0}'..='\u{FFDC}'
        | '\u{20000}'..='\u{3FFFF}')
}
