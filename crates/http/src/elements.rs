//! The elements of a header that is a list (RFC 9110, section 5.6.1).

use hyper::HeaderMap;
use hyper::header::HeaderName;

/// The elements of all lines of a header, in order, without the white space around them. `None` is one that is not text:
/// a client can send any bytes, and they must hide no other element.
///
/// A comma within quotes separates too; no list that is read here has such values.
pub fn elements<'h>(headers: &'h HeaderMap, name: &HeaderName) -> impl Iterator<Item = Option<&'h str>> {
    let lines = headers.get_all(name).into_iter();
    let elements = lines.flat_map(|line| line.as_bytes().split(|byte| *byte == b','));
    elements.map(|element| std::str::from_utf8(element.trim_ascii()).ok())
}

#[cfg(test)]
mod tests {
    use hyper::header::{ACCEPT, HeaderValue};

    use super::*;

    #[test]
    fn what_is_not_text_hides_no_other_element() {
        let line = |bytes: &[u8]| (ACCEPT, HeaderValue::from_bytes(bytes).unwrap());
        let headers = [line(b"a;q=1 ,\xff,, \tb"), line("ü".as_bytes()), line(b"")].into_iter().collect();
        let found: Vec<_> = elements(&headers, &ACCEPT).collect();
        assert_eq!(found, [Some("a;q=1"), None, Some(""), Some("b"), Some("ü"), Some("")]);
    }
}
