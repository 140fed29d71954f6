//! Cutting a text into words, and the form in which words are compared: without case and accents.

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::text::is_ignorable;

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

/// The words of a text in their order: runs of letters and digits. Characters of scripts that write no or other spaces between
/// words are words by themselves. The text is normalised (NFKC) before it is cut, and characters that show nothing, such as a
/// soft hyphen, are passed over.
pub fn cut(text: &str) -> impl Iterator<Item = Cut> {
    let mut rest = normalised(text).peekable();
    std::iter::from_fn(move || {
        loop {
            let first = rest.find(|it| it.character.is_alphanumeric())?;
            let (start, mut end) = (first.start, first.end);
            let mut run = String::from(first.character);
            let is_alone = is_word_alone(first.character);
            let continues = |next: char| {
                is_combining_mark(next) || !is_alone && next.is_alphanumeric() && !is_word_alone(next)
            };
            while let Some(next) = rest.next_if(|it| continues(it.character)) {
                run.push(next.character);
                end = next.end;
            }
            let word = folded(run);
            if !word.is_empty() {
                return Some(Cut { word, start, end });
            }
        }
    })
}

/// A character of a normalised text.
struct Normalised {
    character: char,
    /// Where the characters of which it was made begin in the text as it is written.
    start: usize,
    /// Where they end.
    end: usize,
}

/// The characters of the form NFKC of a text, without those that show nothing.
fn normalised(text: &str) -> impl Iterator<Item = Normalised> {
    let mut rest = text.char_indices().filter(|(_, it)| !is_ignorable(*it)).peekable();
    let mut composed = Vec::new().into_iter();
    std::iter::from_fn(move || {
        if let Some(next) = composed.next() {
            return Some(next);
        }
        let (start, character) = rest.next()?;
        let mut end = start + character.len_utf8();
        let is_normal =
            character.is_ascii() || is_nfkc_quick(std::iter::once(character)) == IsNormalized::Yes;
        if is_normal && !rest.peek().is_some_and(|(_, next)| is_joined(*next)) {
            return Some(Normalised { character, start, end });
        }
        let mut together = String::from(character);
        while let Some((at, next)) = rest.next_if(|(_, next)| is_joined(*next)) {
            together.push(next);
            end = at + next.len_utf8();
        }
        let characters = together.nfkc().map(|character| Normalised { character, start, end });
        composed = characters.collect::<Vec<_>>().into_iter();
        composed.next()
    })
}

/// Whether normalising may put it together with the character before it: marks, and the vowels and ends of Korean syllables.
fn is_joined(character: char) -> bool {
    let joins = |it: char| is_combining_mark(it) || matches!(it, '\u{1160}'..='\u{11FF}');
    !character.is_ascii() && std::iter::once(character).nfkd().next().is_some_and(joins)
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
fn folded(mut word: String) -> String {
    if word.is_ascii() {
        word.make_ascii_lowercase();
        word.truncate(WORD_CHARACTERS);
        return word;
    }
    let cased = word.nfkd().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    let plain = cased.nfkd().filter(|it| !is_accent(*it)).flat_map(plain_letters);
    let letters: String = plain.filter(|it| it.is_alphanumeric() || is_combining_mark(*it)).collect();
    letters.nfc().skip_while(|it| is_combining_mark(*it)).take(WORD_CHARACTERS).collect()
}

/// The plain letters of one that Unicode does not decompose. Those of Arabic are what Lucene's `ArabicNormalizer` compares.
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
        // Alef with wasla, alef maksura and teh marbuta.
        '\u{671}' => ('\u{627}', None),
        '\u{649}' => ('\u{64A}', None),
        '\u{629}' => ('\u{647}', None),
        _ => (letter, None),
    };
    std::iter::once(one).chain(other)
}

/// Whether words are the same without it: an accent on a letter, a point of Hebrew, a short vowel or hamza of Arabic, its tatweel.
/// Marks of other scripts are vowels and the like: words differ by them.
fn is_accent(character: char) -> bool {
    matches!(character,
        '\u{300}'..='\u{36F}' | '\u{591}'..='\u{5BD}' | '\u{5BF}' | '\u{5C1}' | '\u{5C2}' | '\u{5C4}' | '\u{5C5}' | '\u{5C7}'
        | '\u{610}'..='\u{61A}' | '\u{640}' | '\u{64B}'..='\u{65F}' | '\u{670}' | '\u{6D6}'..='\u{6DC}'
        | '\u{6DF}'..='\u{6E4}' | '\u{6E7}' | '\u{6E8}' | '\u{6EA}'..='\u{6ED}' | '\u{8D3}'..='\u{8E1}'
        | '\u{8E3}'..='\u{8FF}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}'
        | '\u{FE20}'..='\u{FE2F}')
}

/// Whether it is a word by itself: a letter of Thai, Lao, Burmese or Khmer, Hiragana, Katakana, Bopomofo, Hangul, Han.
fn is_word_alone(character: char) -> bool {
    matches!(character,
        '\u{E01}'..='\u{E4F}' | '\u{E81}'..='\u{ECF}' | '\u{EDC}'..='\u{EDF}' | '\u{1000}'..='\u{103F}'
        | '\u{1050}'..='\u{108F}' | '\u{1780}'..='\u{17DD}' | '\u{A9E0}'..='\u{A9EF}' | '\u{A9FA}'..='\u{A9FF}'
        | '\u{AA60}'..='\u{AA7F}'
        | '\u{1100}'..='\u{11FF}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{318F}' | '\u{31A0}'..='\u{31BF}'
        | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{A960}'..='\u{A97F}'
        | '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9D}' | '\u{FFA0}'..='\u{FFDC}'
        | '\u{20000}'..='\u{3FFFF}')
}
