//! Texts of the register on a terminal.

use std::borrow::Cow;

/// The text with each character escaped that a terminal does not show as it is: a line break in a name could forge a
/// line of a report, an escape sequence recolour it, a bidirectional override turn it around.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if !text.chars().any(deceives) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match deceives(character) {
            true => escaped.extend(character.escape_default()),
            false => escaped.push(character),
        }
    }
    Cow::Owned(escaped)
}

/// Control characters, line separators, and the overrides of the direction of writing. Joiners and direction marks are
/// part of names.
fn deceives(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn deceptive_characters_are_escaped() {
        for (text, shown) in [
            ("Good\nok  database", "Good\\nok  database"),
            ("\u{1b}[31mred\r\t\u{7f}\u{85}", "\\u{1b}[31mred\\r\\t\\u{7f}\\u{85}"),
            ("a\u{202e}b\u{2066}c\u{2028}", "a\\u{202e}b\\u{2066}c\\u{2028}"),
            ("Zoë Łuck, 東京 👩‍🚒 \u{200f}\\n", "Zoë Łuck, 東京 👩‍🚒 \u{200f}\\n"),
        ] {
            assert_eq!(escape(text), shown);
        }
    }

    proptest! {
        #[test]
        fn a_text_stays_on_its_line(text in "\\PC*|(?s).*") {
            prop_assert!(!escape(&text).chars().any(deceives));
            prop_assert_eq!(escape(&text).lines().count(), usize::from(!text.is_empty()));
        }
    }
}
