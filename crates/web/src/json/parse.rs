//! From bytes to a value.

use super::Json;

/// Parses a whole body. Bad UTF-8, a byte order mark, depth over 127, trailing data and an empty body
/// are not JSON: `malformed_body`.
pub fn parse(body: &[u8]) -> Result<Json<'_>, crate::Error> {
    if body.is_empty() {
        return Err(crate::Error::MalformedBody("The body is empty.".to_owned()));
    }
    serde_json::from_slice(body)
        .map_err(|error| crate::Error::MalformedBody(format!("The body is not JSON: {error}.")))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::*;

    fn is_malformed(body: &[u8]) -> bool {
        matches!(parse(body), Err(crate::Error::MalformedBody(_)))
    }

    #[test]
    fn what_is_not_json_is_malformed() {
        for body in [
            &b""[..],
            b" ",
            b"{",
            b"{} {}",
            b"\xef\xbb\xbf{}",
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
                let text = fields.optional::<String>("e");
                fields.finish();
                Some(text)
            });
        }
    }
}
