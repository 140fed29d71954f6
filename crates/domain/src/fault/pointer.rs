//! How a place in a body is written, and how texts that repeat an input are kept short.

use std::fmt::{self, Display, Write};

/// Writes one key as a segment of a JSON Pointer in a URI fragment (RFC 6901, sections 3 and 6). Each character is
/// one piece, so that what is cut is cut between characters.
pub fn write_segment(key: &str, out: &mut impl Write) -> fmt::Result {
    for character in key.chars() {
        match character {
            '~' => out.write_str("~0")?,
            '/' => out.write_str("~1")?,
            'A'..='Z' | 'a'..='z' | '0'..='9' => out.write_char(character)?,
            '-' | '.' | '_' | '!' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ',' | ';' | '=' | ':'
            | '@' | '?' => {
                out.write_char(character)?;
            }
            _ => out.write_str(&percent_encoded(character))?,
        }
    }
    Ok(())
}

fn percent_encoded(character: char) -> String {
    let mut out = String::with_capacity(12);
    for byte in character.encode_utf8(&mut [0; 4]).bytes() {
        // Writing to a String cannot fail.
        let _ = write!(out, "%{byte:02X}");
    }
    out
}

/// What `text` writes, up to `most` bytes: it is stopped at the first piece that does not fit.
pub(super) fn limited(text: impl Display, most: usize) -> String {
    let mut out = Limited { text: String::new(), most };
    // It fails where the text is cut.
    let _ = write!(out, "{text}");
    out.text
}

/// A pointer behind the one of the body that its own body is in. One that is too long ends before the escapes that it would cut.
pub(super) fn joined(prefix: &str, pointer: &str, most: usize) -> String {
    let mut text = format!("{prefix}{pointer}");
    if text.len() > most {
        text.truncate(text.floor_char_boundary(most));
        while let Some(start) = text.rfind(['%', '~'])
            && text.len() - start <= if text[start..].starts_with('%') { 3 } else { 1 }
        {
            text.truncate(start);
        }
    }
    text
}

struct Limited {
    text: String,
    most: usize,
}

impl Write for Limited {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        let room = self.most - self.text.len();
        if piece.len() <= room {
            self.text.push_str(piece);
            return Ok(());
        }
        // An escape stays whole; any other text may end between two characters.
        if !(piece.len() <= LONGEST_ESCAPE && piece.starts_with(['%', '~'])) {
            self.text.push_str(piece.get(..piece.floor_char_boundary(room)).unwrap_or_default());
        }
        Err(fmt::Error)
    }
}

/// A character of four bytes, percent-encoded.
const LONGEST_ESCAPE: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(key: &str) -> String {
        let mut out = String::new();
        write_segment(key, &mut out).unwrap();
        out
    }

    #[test]
    fn a_pointer_segment_is_escaped_twice() {
        assert_eq!(segment("a/b~c d%"), "a~1b~0c%20d%25");
        assert_eq!(segment("größe"), "gr%C3%B6%C3%9Fe");
    }

    #[test]
    fn what_is_too_long_is_cut_between_characters_and_escapes() {
        struct Segment<'k>(&'k str);
        impl Display for Segment<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_segment(self.0, f)
            }
        }
        assert_eq!(limited(Segment(&"é".repeat(9)), 17), "%C3%A9%C3%A9");
        assert_eq!(limited(Segment("a~~"), 4), "a~0");
        assert_eq!(limited("é".repeat(9), 5), "éé");
        assert_eq!(limited("abc", 3), "abc");
        assert_eq!(limited("abcd", 3), "abc");
    }
}
