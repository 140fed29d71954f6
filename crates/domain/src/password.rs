//! Password rules: long, and not the person's name or address. No rule about kinds of characters: such rules make
//! passwords worse (NIST SP 800-63B, section 5.1.1.2). Two keyboards may write one letter in two ways, so a password is
//! brought into one form before it is checked, hashed or compared (the same section).

use unicode_normalization::UnicodeNormalization;

use crate::fault::{FaultCode, Faults};
use crate::text::folded;

/// The fewest characters.
pub const LEAST_CHARACTERS: usize = 12;

/// The most characters; more would only cost time.
pub const MOST_CHARACTERS: usize = 128;

/// The most times as many bytes as a text has in UTF-8 that its normal form NFKC has.
const NORMAL_FORM_FACTOR: usize = 11;

/// The form of a password that is checked, hashed and compared: NFKC (Unicode Standard, annex 15). The memory of the text is
/// taken once, so that no part of it is left behind where it grew.
pub fn normalized(text: &str) -> String {
    let mut normalized = String::with_capacity(text.len() * NORMAL_FORM_FACTOR);
    normalized.extend(text.nfkc());
    normalized
}

fn length(text: &str, pointer: &str, faults: &mut Faults) {
    let characters = text.chars().count();
    if characters < LEAST_CHARACTERS {
        faults.add(
            pointer,
            FaultCode::TooShort,
            format_args!("must have at least {LEAST_CHARACTERS} characters"),
        );
    } else if characters > MOST_CHARACTERS {
        faults.add(
            pointer,
            FaultCode::TooLong,
            format_args!("must have at most {MOST_CHARACTERS} characters"),
        );
    }
}

/// Checks a new password: `known` are values that it must not equal, the person's e-mail address and name.
pub fn chosen<'k>(text: &str, known: impl IntoIterator<Item = &'k str>, pointer: &str, faults: &mut Faults) {
    length(text, pointer, faults);
    let text = folded(text);
    if known.into_iter().any(|known| folded(known) == text) {
        faults.add(pointer, FaultCode::Guessable, "must not be the name or the e-mail address");
    }
    let mut characters = text.chars();
    let first = characters.next();
    if first.is_some() && characters.all(|character| Some(character) == first) {
        faults.add(pointer, FaultCode::Guessable, "must not be one character repeated");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<FaultCode> {
        let mut faults = Faults::new();
        chosen(text, ["ada.lovelace@example.org", "Augusta Ada King"], "#/password", &mut faults);
        faults.into_vec().into_iter().map(|fault| fault.code).collect()
    }

    #[test]
    fn each_way_to_write_a_letter_is_the_same_password() {
        for (one, other) in
            [("pässwörd", "pa\u{308}sswo\u{308}rd"), ("ｐａｓｓ", "pass"), ("ﬁ", "fi"), ("ｶﾞ", "ガ")]
        {
            assert_eq!(normalized(one), normalized(other), "{one} {other}");
        }
        for text in ["correct horse battery", "Пароль", "a  b", "pass\u{200d}"] {
            assert_eq!(normalized(text), text);
        }
        let longest = "\u{fdfa}";
        assert!(normalized(longest).len() <= longest.len() * NORMAL_FORM_FACTOR);
    }

    #[test]
    fn length_counts_and_kinds_of_characters_do_not() {
        for text in ["correct horse battery", "aaaaaaaaaaab", "пароль длинный", &"ab".repeat(64)]
        {
            assert_eq!(codes(text), [], "{text}");
        }
        assert_eq!(codes("elevenchars"), [FaultCode::TooShort]);
        assert_eq!(codes(&"é1".repeat(65)), [FaultCode::TooLong]);
    }

    #[test]
    fn what_everybody_knows_is_no_password() {
        for text in ["Ada.Lovelace@Example.org", " augusta ada king ", "zzzzzzzzzzzzzz"] {
            assert_eq!(codes(text), [FaultCode::Guessable], "{text}");
        }
    }
}
