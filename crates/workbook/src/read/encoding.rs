//! In which encoding a text is.

use std::borrow::Cow;

use encoding_rs::{ISO_8859_15, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1252};

/// The encodings that spreadsheets of Europe and America write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with a byte order mark or without.
    Utf8,
    /// UTF-16, the lower byte first.
    Utf16Le,
    /// UTF-16, the higher byte first.
    Utf16Be,
    /// Western Europe, by Windows.
    Windows1252,
    /// Western Europe, by ISO, with the euro.
    Iso885915,
    /// Central Europe, by Windows.
    Windows1250,
}

/// Letters in windows-1250 that are signs in windows-1252, or letters that none of the western languages has.
const CENTRAL: &[u8] =
    &[0x8a, 0x8d, 0x8e, 0x8f, 0x9a, 0x9d, 0x9e, 0x9f, 0xa3, 0xa5, 0xaf, 0xb3, 0xb9, 0xbc, 0xbe, 0xbf];

/// Letters in ISO 8859-15 that are signs in windows-1252: Š š Ž ž Œ œ Ÿ.
const ISO: &[u8] = &[0xa6, 0xa8, 0xb4, 0xb8, 0xbc, 0xbd, 0xbe];

impl Encoding {
    /// All of them with their names.
    pub const ALL: [(Self, &str); 6] = [
        (Self::Utf8, "UTF-8"),
        (Self::Utf16Le, "UTF-16LE"),
        (Self::Utf16Be, "UTF-16BE"),
        (Self::Windows1252, "windows-1252"),
        (Self::Iso885915, "ISO-8859-15"),
        (Self::Windows1250, "windows-1250"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(encoding, _)| *encoding == self).map_or("", |(_, name)| name)
    }

    /// The encoding of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(encoding, _)| *encoding)
    }

    /// The text of a file, without its byte order mark.
    pub(super) fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        let encoding = match self {
            Self::Utf8 => UTF_8,
            Self::Utf16Le => UTF_16LE,
            Self::Utf16Be => UTF_16BE,
            Self::Windows1252 => WINDOWS_1252,
            Self::Iso885915 => ISO_8859_15,
            Self::Windows1250 => WINDOWS_1250,
        };
        encoding.decode_with_bom_removal(bytes).0
    }

    /// The encoding that a file most likely has.
    pub(super) fn of(bytes: &[u8]) -> Self {
        match bytes {
            [0xef, 0xbb, 0xbf, ..] => return Self::Utf8,
            [0xff, 0xfe, ..] => return Self::Utf16Le,
            [0xfe, 0xff, ..] => return Self::Utf16Be,
            _ => {}
        }
        let (pairs, _) = bytes.get(..bytes.len().min(2_048)).unwrap_or_default().as_chunks::<2>();
        let low = pairs.iter().filter(|[first, second]| *first == 0 && *second != 0).count();
        let high = pairs.iter().filter(|[first, second]| *first != 0 && *second == 0).count();
        if high * 2 > pairs.len() {
            return Self::Utf16Le;
        }
        if low * 2 > pairs.len() {
            return Self::Utf16Be;
        }
        if std::str::from_utf8(bytes).is_ok() {
            return Self::Utf8;
        }
        Self::of_single_bytes(bytes)
    }

    fn of_single_bytes(bytes: &[u8]) -> Self {
        let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte >= 0xc0;
        // Signs stand between words; what stands in a word is a letter.
        let in_words = |letters: &[u8]| {
            let inside = |around: &&[u8]| matches!(around, [a, b, c] if is_letter(*a) && letters.contains(b) && is_letter(*c));
            bytes.windows(3).filter(inside).count()
        };
        let has_controls = bytes.iter().any(|byte| (0x80..0xa0).contains(byte));
        let (central, iso) = (in_words(CENTRAL), in_words(ISO));
        if !has_controls && (iso > 0 && iso >= central || bytes.contains(&0xa4)) {
            Self::Iso885915
        } else if central > 0 {
            Self::Windows1250
        } else {
            Self::Windows1252
        }
    }
}
