//! Texts have one of two limits: a line, counted in characters, and prose, counted in bytes because its limit is about
//! storage. A value is checked and then kept as it was sent.

mod typed;

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;
use unicode_normalization::UnicodeNormalization;

pub(crate) use typed::texts;
pub use typed::{ANY, FILLED, FILLED_LINE, LINE};
pub use typed::{Line, LineOrEmpty, Prose, ProseOrEmpty, Text};

use crate::fault::{FaultCode, Faults};

/// The most characters (Unicode scalar values) of a line: titles, names, labels.
pub const LINE_CHARACTERS: usize = 200;

/// The most bytes of UTF-8 of prose: descriptions, reasons, notes. 64 KiB.
pub const PROSE_BYTES: usize = 65_536;

/// The most characters of a reason.
pub const REASON_CHARACTERS: usize = 2_000;

/// Why something was done, in at most 2,000 characters.
pub type Reason = Text<REASON_CHARACTERS>;

/// Checks that a text has at most `most` characters.
pub fn at_most(text: &str, most: usize, pointer: &str, faults: &mut Faults) {
    // A character has at least one byte, so most texts need no count.
    if text.len() > most && text.chars().count() > most {
        faults.add(pointer, FaultCode::TooLong, format_args!("must have at most {most} characters"));
    }
}

/// Whether nobody sees a text: it has only white space, control characters, and characters that show nothing by themselves.
pub fn is_blank(text: &str) -> bool {
    // U+2800 is the pattern of Braille without dots.
    text.chars().all(|it| it.is_whitespace() || it.is_control() || it == '\u{2800}' || is_ignorable(it))
}

/// Whether it is displayed as nothing where it has no effect: `Default_Ignorable_Code_Point` of Unicode, such as joiners, marks
/// of direction, selectors of variants and fillers.
pub(crate) fn is_ignorable(character: char) -> bool {
    !character.is_ascii() && CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character)
}

/// Checks that a text has something that people see.
pub fn not_blank(text: &str, pointer: &str, faults: &mut Faults) {
    if is_blank(text) {
        faults.add(pointer, FaultCode::Blank, "must not be blank");
    }
}

/// Checks that a text is one line which is printed as it is stored: no control characters, no line separators, and
/// no overrides of the direction of writing. Zero-width joiners and direction marks are part of names and emoji.
pub fn one_line(text: &str, pointer: &str, faults: &mut Faults) {
    if text.chars().any(breaks_a_line) {
        let detail =
            "must not contain control characters, line breaks or overrides of the direction of writing";
        faults.add(pointer, FaultCode::ControlCharacter, detail);
    }
}

/// Whether printing this character can move the text around it, and so make a text look like another one.
pub fn breaks_a_line(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Checks a line that must not be blank.
pub fn filled_line(text: &str, pointer: &str, faults: &mut Faults) {
    filled_one_line(text, pointer, faults);
    at_most(text, LINE_CHARACTERS, pointer, faults);
}

/// Checks that a text is one line and not blank.
pub fn filled_one_line(text: &str, pointer: &str, faults: &mut Faults) {
    if is_blank(text) {
        not_blank(text, pointer, faults);
    } else {
        one_line(text, pointer, faults);
    }
}

/// Checks prose that may be empty.
pub fn prose(text: &str, pointer: &str, faults: &mut Faults) {
    if text.len() > PROSE_BYTES {
        faults.add(
            pointer,
            FaultCode::TooLong,
            format_args!("must have at most {PROSE_BYTES} bytes in UTF-8"),
        );
    }
}

/// Checks prose that must not be blank.
pub fn filled_prose(text: &str, pointer: &str, faults: &mut Faults) {
    not_blank(text, pointer, faults);
    prose(text, pointer, faults);
}

/// The form that is equal for names which people read as the same: without case, surrounding white space and characters that
/// nobody sees, and with one form of each letter, as NFKC has it (Unicode Standard, annex 15). Accents count. By way of the upper
/// case, so that `ß` is `SS` and both forms of the small sigma are one; the capital `ẞ` has only a lower one.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.trim().to_ascii_lowercase();
    }
    let lower = text.nfkd().flat_map(char::to_lowercase);
    let letters = lower.flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    let seen: String = letters.nfkc().filter(|it| !is_ignorable(*it)).nfkc().collect();
    seen.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(check: impl Fn(&str, &str, &mut Faults), text: &str) -> Vec<FaultCode> {
        let mut faults = Faults::new();
        check(text, "#/x", &mut faults);
        faults.as_slice().iter().map(|fault| fault.code).collect()
    }

    #[test]
    fn a_line_is_counted_in_characters() {
        assert_eq!(codes(filled_line, &"é".repeat(200)), []);
        assert_eq!(codes(filled_line, &"é".repeat(201)), [FaultCode::TooLong]);
        assert_eq!(codes(filled_line, ""), [FaultCode::Blank]);
        assert_eq!(codes(filled_line, " \t\u{2003}"), [FaultCode::Blank]);
        assert_eq!(codes(one_line, "\n"), [FaultCode::ControlCharacter]);
    }

    #[test]
    fn a_line_has_no_control_characters_and_no_overrides_of_direction() {
        for character in [
            '\0', '\t', '\n', '\r', '\u{1b}', '\u{7f}', '\u{85}', '\u{9f}', '\u{2028}', '\u{2029}',
            '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}',
        ] {
            let text = format!("Good{character}ok  database");
            assert_eq!(codes(filled_line, &text), [FaultCode::ControlCharacter], "{text:?}");
            assert_eq!(codes(prose, &text), [], "{text:?}");
        }
        for text in ["👩\u{200d}🚒", "\u{200f}شركة\u{200e} (Ltd)", "naïve\u{a0}name", "a\u{200c}b"] {
            assert_eq!(codes(filled_line, text), [], "{text:?}");
        }
    }

    #[test]
    fn prose_is_counted_in_bytes() {
        assert_eq!(codes(prose, &"a".repeat(65_536)), []);
        assert_eq!(codes(prose, &"a".repeat(65_537)), [FaultCode::TooLong]);
        assert_eq!(codes(prose, &"é".repeat(32_769)), [FaultCode::TooLong]);
        assert_eq!(codes(filled_prose, " "), [FaultCode::Blank]);
    }

    #[test]
    fn what_nobody_sees_is_blank() {
        let unseen = [
            "",
            " \t",
            "\u{200b}",
            "\u{3164}",
            "\u{2800}",
            "\u{ad}",
            "\u{200e}\u{200f}",
            "\u{fe0f}",
            "\u{feff}",
            "\u{115f}",
            "\u{ffa0}",
            "\u{180e}",
            "\u{34f}",
            "\u{2064}",
            "\u{e0041}",
            "\u{e0100}",
            "\u{85}\u{a0}\u{2003}\u{3000}",
        ];
        for text in unseen {
            assert_eq!(codes(filled_line, text), [FaultCode::Blank], "{text:?}");
            assert_eq!(codes(filled_prose, text), [FaultCode::Blank], "{text:?}");
            assert_eq!(codes(filled_prose, &format!("{text}字")), [], "{text:?}");
        }
        for text in ["\u{1}", "\0\n"] {
            assert_eq!(codes(filled_prose, text), [FaultCode::Blank], "{text:?}");
        }
        for text in [".", "\u{301}", "👩\u{200d}🚒", "\u{200e}א"] {
            assert_eq!(codes(filled_prose, text), [], "{text:?}");
        }
    }

    #[test]
    fn names_that_people_read_as_the_same_are_folded_to_one() {
        for (one, other) in [
            ("Phishing", " phishing "),
            ("STRASSE", "straße"),
            ("STRAẞE", "straße"),
            ("ΟΔΟΣ", "οδος"),
            ("ΟΔΟΣ", "οδοσ"),
            ("café", "cafe\u{301}"),
            ("ﬁle", "File"),
            ("ＶＰＮ", "vpn"),
            ("𝐕𝐏𝐍", "vpn"),
            ("Ⅳ", "iv"),
            ("ｶﾞ", "ガ"),
            ("각", "\u{1100}\u{1161}\u{11a8}"),
            ("vpn\u{200b}", "v\u{ad}p\u{feff}n"),
            ("\u{200e} vpn \u{3164}", "vpn"),
            ("❤\u{fe0f}", "❤"),
        ] {
            assert_eq!(folded(one), folded(other), "{one:?} {other:?}");
        }
        for (one, other) in [("a b", "ab"), ("café", "cafe"), ("vpn", "vрn")] {
            assert_ne!(folded(one), folded(other), "{one:?} {other:?}");
        }
    }

    #[test]
    fn what_is_folded_is_folded_to_itself() {
        // Without the characters of Chinese and the syllables of Korean, which have no case.
        let letters = ('\0'..='\u{33ff}').chain('\u{a000}'..='\u{abff}').chain('\u{f900}'..='\u{1f9ff}');
        for character in letters {
            let folded_once = folded(&format!("a{character}\u{301}b"));
            assert_eq!(folded(&folded_once), folded_once, "{character:?}");
        }
    }
}
