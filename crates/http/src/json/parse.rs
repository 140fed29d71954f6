//! From bytes to a value.

use serde::de::DeserializeSeed;

use super::Json;
use super::build::Build;
use super::count::{Counts, count};
use crate::error::Error;
use crate::limits;

/// A body up to this size is built without counting first: its values cannot need much memory.
const SMALL_BYTES: usize = 2 * 1024;

/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Parses a whole body. Invalid UTF-8, depth over 127, trailing data and an empty body are reported as `malformed_body`.
/// If an array of a large body has more elements than any operation accepts, the fault is `too_many`.
pub fn parse(body: &[u8]) -> Result<Json<'_>, Error> {
    parse_within(body, limits::ARRAY_ELEMENTS)
}

/// The same with a maximum of `most` elements for every array.
pub fn parse_within(body: &[u8], most: usize) -> Result<Json<'_>, Error> {
    // Some programs put it before every text; a parser may ignore it (RFC 8259, section 8.1).
    let body = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
    if body.is_empty() {
        return Err(Error::MalformedBody("The body is empty.".to_owned()));
    }
    let sizes = if body.len() <= SMALL_BYTES { Vec::new() } else { counted(body, most)? };
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = Build(&mut sizes.into_iter()).deserialize(&mut reader).map_err(|error| malformed(&error))?;
    reader.end().map_err(|error| malformed(&error))?;
    Ok(value)
}

fn counted(body: &[u8], most: usize) -> Result<Vec<u32>, Error> {
    let (Counts { sizes, too_many }, outcome) = count(body, most);
    match too_many {
        Some(faults) => Err(domain::Error::from(faults).into()),
        None => outcome.map(|()| sizes).map_err(|error| malformed(&error)),
    }
}

/// What the parser says, and what it means; the last ones are parts of several sayings.
const SAYINGS: &[(&str, &str)] = &[
    ("EOF while parsing a list", "the body ends inside an array"),
    ("EOF while parsing an object", "the body ends inside an object"),
    ("EOF while parsing a string", "the body ends inside a string"),
    ("EOF while parsing", "the body ends where a value was expected"),
    ("expected `:`", "a colon was expected after the name of a member"),
    ("expected `,` or `]`", "a comma or the end of the array, `]`, was expected"),
    ("expected `,` or `}`", "a comma or the end of the object, `}`, was expected"),
    ("trailing comma", "a comma stands before the end of an array or object"),
    ("trailing characters", "something follows after the end of the JSON value"),
    ("key must be a string", "the name of a member, in double quotes, was expected"),
    ("control character", "a string has a line break or another control character, which must be escaped"),
    ("recursion limit", "the body nests deeper than 127 levels"),
    ("invalid number", "a number is written in a way that JSON does not know"),
    ("number out of range", "a number is too large"),
    ("invalid escape", "a string has a backslash with something that it cannot escape"),
    ("hex escape", "a string has an incomplete `\\u` escape"),
    ("unicode", "a string is not UTF-8"),
    (
        "expected",
        "an object, an array, a string in double quotes, a number, `true`, `false` or `null` was expected",
    ),
];

/// Where reading stopped, and why, in words that do not need the parser's source.
fn malformed(error: &serde_json::Error) -> Error {
    let said = error.to_string();
    let meaning = SAYINGS.iter().find(|(part, _)| said.contains(part));
    let meaning = meaning.map_or("a JSON value was expected", |(_, meaning)| meaning);
    let (line, column) = (error.line(), error.column());
    Error::MalformedBody(format!("The body is not JSON: at line {line}, column {column}, {meaning}."))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::*;

    fn is_malformed(body: &[u8]) -> bool {
        matches!(parse(body), Err(Error::MalformedBody(_)))
    }

    #[test]
    fn what_is_not_json_is_malformed() {
        for body in [
            &b""[..],
            b" ",
            b"{",
            b"{} {}",
            b"\xef\xbb\xbf",
            b"\xef\xbb\xbf\xef\xbb\xbf{}",
            b"{\xef\xbb\xbf}",
            b"\xef\xbb{}",
            b"\"\xff\"",
            b"\"\\ud800\"",
            b"{1:2}",
            b"[1,]",
            b"NaN",
            b"'a'",
            b"\"a\nb\"",
            b"01",
        ] {
            assert!(is_malformed(body), "{body:?}");
        }
    }

    #[test]
    fn where_and_why_a_body_is_not_json_is_told_in_words() {
        for (body, expected) in [
            (&b"{"[..], "line 1, column 1, the body ends inside an object"),
            (b"[1", "line 1, column 2, the body ends inside an array"),
            (b"{\"a\":", "line 1, column 5, the body ends where a value was expected"),
            (b"{\n\"a\" 1}", "line 2, column 5, a colon was expected after the name of a member"),
            (b"[1 2]", "line 1, column 4, a comma or the end of the array, `]`, was expected"),
            (b"{\"a\":1 2}", "line 1, column 8, a comma or the end of the object, `}`, was expected"),
            (b"[1,]", "line 1, column 4, a comma stands before the end of an array or object"),
            (b"{} {}", "line 1, column 4, something follows after the end of the JSON value"),
            (b"{1:2}", "line 1, column 2, the name of a member, in double quotes, was expected"),
            (b"\"a\nb\"", "a string has a line break or another control character"),
            (b"01", "line 1, column 2, a number is written in a way that JSON does not know"),
            (b"\"\\ud800\"", "a string has an incomplete `\\u` escape"),
            (b"\"\\x\"", "line 1, column 3, a string has a backslash"),
            (b"\"\xff\"", "a string is not UTF-8"),
            (b"'a'", "line 1, column 1, an object, an array, a string in double quotes"),
        ] {
            let Err(Error::MalformedBody(said)) = parse(body) else { panic!("{body:?}") };
            assert!(said.starts_with("The body is not JSON: at line ") && said.contains(expected), "{said}");
        }
    }

    #[test]
    fn a_byte_order_mark_before_the_text_is_skipped() {
        let large = format!("[{}0]", "1,".repeat(SMALL_BYTES));
        for text in ["{}", " {\"a\":\"\u{feff}\"}", "null", large.as_str()] {
            assert_eq!(parse(format!("\u{feff}{text}").as_bytes()).unwrap(), parse(text.as_bytes()).unwrap());
        }
    }

    #[test]
    fn depth_is_limited_to_127() {
        let nested = |depth: usize| [b"[".repeat(depth), b"]".repeat(depth)].concat();
        assert!(parse(&nested(127)).is_ok());
        assert!(is_malformed(&nested(128)));
        assert!(is_malformed(&b"[".repeat(1_000_000)));
    }

    #[test]
    fn a_whole_number_may_be_written_as_a_float() {
        assert_eq!(
            parse(b"[1, 1.0, 1e3, -0, -9223372036854775808]").ok(),
            Some(Json::Array([1, 1, 1000, 0, i64::MIN].into_iter().map(Json::Integer).collect()))
        );
        for text in [
            "1.5",
            "9223372036854775808",
            "-9223372036854775809",
            "9007199254740993.0",
            "1e18",
            "1e30",
            "1e-3",
        ] {
            assert!(matches!(parse(text.as_bytes()), Ok(Json::Number(_))), "{text}");
        }
    }

    #[test]
    fn a_large_body_is_what_a_small_one_is() {
        let small = r#"{"a":[1,"x",null,{"b":[],"c":{}}],"d":{"e":[[2]]}}"#;
        let large = format!("[{}]", vec![small; 100].join(","));
        let item = parse(small.as_bytes()).unwrap();
        assert_eq!(parse(large.as_bytes()).unwrap(), Json::Array(vec![item; 100]));
        assert!(is_malformed(large.trim_end_matches(']').as_bytes()));
        assert!(is_malformed(format!("{large}]").as_bytes()));
    }

    #[test]
    fn an_array_may_have_as_many_elements_as_are_taken() {
        let array = |elements: usize| format!(r#"{{"ids":[{}]}}"#, vec!["1"; elements].join(","));
        assert!(parse_within(array(5_000).as_bytes(), 5_000).is_ok());
        let Error::Domain(domain::Error::Invalid(faults)) =
            parse_within(array(5_001).as_bytes(), 5_000).unwrap_err()
        else {
            panic!("a fault of the body")
        };
        assert_eq!((faults[0].pointer.as_str(), faults[0].code.as_str()), ("#/ids", "too_many"));
    }

    #[test]
    fn text_is_borrowed_unless_it_was_escaped() {
        let Ok(Json::Object(members)) = parse(br#"{"a":"b","a":"\u00e9"}"#) else { panic!("an object") };
        assert!(matches!(members[0], (Cow::Borrowed("a"), Json::String(Cow::Borrowed("b")))));
        assert!(matches!(&members[1], (Cow::Borrowed("a"), Json::String(Cow::Owned(text))) if text == "é"));
    }

    proptest! {
        #[test]
        fn never_panics_on_bytes(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&body);
        }

        #[test]
        fn never_panics_on_what_looks_like_json(body in r#"[\[\]{},:"0-9eE.+\-\\untrfalse \n]{0,60}"#) {
            let _ = crate::json::read(body.as_bytes(), |value, faults| {
                let mut fields = crate::json::Fields::of(value, crate::json::Pointer::ROOT, faults)?;
                let text = fields.optional_with("e", <String as domain::json::FromJson>::from_json);
                fields.finish();
                Some(text)
            });
        }
    }
}
