//! The text of a file.

use std::borrow::Cow;

/// What windows-1252 has from 0x80 to 0x9F (the WHATWG's Encoding Standard).
const WINDOWS_1252: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// The text of a file in UTF-8, in UTF-16 with a byte order mark, or else in windows-1252, as word processors save HTML.
pub fn decoded(file: &[u8]) -> Cow<'_, str> {
    match file {
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest),
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)),
        _ => std::str::from_utf8(file).map_or_else(|_| Cow::Owned(windows_1252(file)), Cow::Borrowed),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, _) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

fn windows_1252(bytes: &[u8]) -> String {
    let high: Vec<char> = WINDOWS_1252.chars().collect();
    let letter = |byte: &u8| byte.checked_sub(0x80).and_then(|at| high.get(usize::from(at)).copied());
    bytes.iter().map(|byte| letter(byte).unwrap_or(char::from(*byte))).collect()
}
