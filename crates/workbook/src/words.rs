//! Words of six languages in the form in which they are compared.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A text in lower case, without accents and signs, with one space between its words.
pub(crate) fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.nfkd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase) {
        match letter {
            'ß' => folded.push_str("ss"),
            'œ' => folded.push_str("oe"),
            'æ' => folded.push_str("ae"),
            'ø' => folded.push('o'),
            _ if letter.is_alphanumeric() => folded.push(letter),
            _ if folded.is_empty() || folded.ends_with(' ') => {}
            _ => folded.push(' '),
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

/// Whether a folded text has a phrase, as whole words.
pub(crate) fn has_phrase(folded: &str, phrase: &str) -> bool {
    folded.match_indices(phrase).any(|(at, _)| {
        let before = folded.get(..at).is_none_or(|before| before.is_empty() || before.ends_with(' '));
        let after = folded.get(at + phrase.len()..);
        before && after.is_none_or(|after| after.is_empty() || after.starts_with(' '))
    })
}

/// The beginning of a text, for a sample or a title: at most so many characters, cut at a space if there is one.
pub(crate) fn beginning(text: &str, most: usize) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    if line.chars().count() <= most {
        return line.to_owned();
    }
    let cut: String = line.chars().take(most.saturating_sub(1)).collect();
    let cut = cut.rsplit_once(' ').map_or(cut.as_str(), |(before, _)| before);
    format!("{cut}…")
}

/// The words of a list in one text, separated by commas.
pub(crate) fn listed(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim)
}

/// Whether a list has a folded text.
pub(crate) fn lists(list: &str, folded: &str) -> bool {
    listed(list).any(|word| word == folded)
}
