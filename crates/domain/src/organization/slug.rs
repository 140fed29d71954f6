//! The slug of an organization: what names it in the addresses of the console, `/o/{slug}/…`.

use deunicode::deunicode;

use crate::fault::{FaultCode, Faults};

/// The most characters of a slug.
pub const SLUG_CHARACTERS: usize = 40;

/// The slug of an organization whose name has no letters or digits.
const NAMELESS: &str = "organization";

/// The slug that the name of an organization suggests.
pub fn suggested_slug(name: &str) -> String {
    suggested(name, SLUG_CHARACTERS, NAMELESS)
}

/// The slug of up to `most` characters that a name suggests: its letters and digits in lower case, other scripts in Latin
/// letters, with hyphens between the words; `nameless` if there are none.
pub(crate) fn suggested(name: &str, most: usize, nameless: &str) -> String {
    let mut slug = String::with_capacity(most);
    for character in deunicode(name).chars() {
        if slug.len() == most {
            break;
        }
        match character.to_ascii_lowercase() {
            known if known.is_ascii_alphanumeric() => slug.push(known),
            // An apostrophe does not divide a word.
            '\'' => {}
            _ if slug.is_empty() || slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { nameless.to_owned() } else { slug.to_owned() }
}

/// The slug for the `count`th organization that suggests the same one, counted from 1: `acme`, `acme-2`.
pub fn numbered_slug(suggested: &str, count: u32) -> String {
    numbered(suggested, count, SLUG_CHARACTERS)
}

/// The same of up to `most` characters.
pub(crate) fn numbered(suggested: &str, count: u32, most: usize) -> String {
    if count < 2 {
        return suggested.to_owned();
    }
    let number = format!("-{count}");
    let most = most.saturating_sub(number.len());
    let kept = suggested.get(..most).unwrap_or(suggested).trim_end_matches('-');
    format!("{kept}{number}")
}

/// Checks a slug that somebody chose: lower-case letters, digits and single hyphens between them.
pub fn slug(text: &str, pointer: &str, faults: &mut Faults) {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    if text.len() > SLUG_CHARACTERS || !text.split('-').all(is_word) {
        let detail = format!(
            "must be 1 to {SLUG_CHARACTERS} lower-case letters and digits, with hyphens between words"
        );
        faults.add(pointer, FaultCode::Format, detail);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_slug(text: &str) -> bool {
        let mut faults = Faults::new();
        slug(text, "#/slug", &mut faults);
        faults.is_empty()
    }

    #[test]
    fn a_name_suggests_its_letters_and_digits() {
        for (name, expected) in [
            ("Harrowmere Medical Logistics", "harrowmere-medical-logistics"),
            ("  Müller & Söhne GmbH  ", "muller-sohne-gmbh"),
            ("O'Neill 24/7", "oneill-24-7"),
            ("北京", "bei-jing"),
            ("Ελλάδα", "ellada"),
            ("…", "organization"),
            ("--", "organization"),
        ] {
            assert_eq!(suggested_slug(name), expected, "{name}");
        }
    }

    #[test]
    fn later_ones_are_numbered() {
        assert_eq!(numbered_slug("acme", 1), "acme");
        assert_eq!(numbered_slug("acme", 12), "acme-12");
        let long = "a".repeat(37) + "-bc";
        assert_eq!(numbered_slug(&long, 100), "a".repeat(36) + "-100");
    }

    #[test]
    fn only_words_with_hyphens_between_them_are_slugs() {
        for text in ["a", "acme-2", "24-7", &"a".repeat(40)] {
            assert!(is_slug(text), "{text}");
        }
        for text in ["", "-", "a--b", "-a", "a-", "A", "é", "a b", "a/b", &"a".repeat(41)] {
            assert!(!is_slug(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_a_name_suggests_is_a_slug(name in ".{0,80}", count in 1_u32..2_000_000) {
            let suggested = suggested_slug(&name);
            prop_assert!(is_slug(&suggested), "{name:?}: {suggested}");
            prop_assert!(is_slug(&numbered_slug(&suggested, count)), "{suggested} {count}");
        }
    }
}
