//! A file in a form (`multipart/form-data`, RFC 7578).

/// The name and the bytes of the first file in a form; none if none was chosen.
pub(super) fn file<'b>(media_type: &str, body: &'b [u8]) -> Option<(String, &'b [u8])> {
    let boundary = media_type.split(';').find_map(|parameter| parameter.trim().strip_prefix("boundary="))?;
    let delimiter = format!("--{}", boundary.trim_matches('"'));
    let (_, mut rest) = split(body, delimiter.as_bytes())?;
    let end = format!("\r\n{delimiter}");
    loop {
        let (part, next) = split(rest, end.as_bytes())?;
        let (head, content) = split(part, b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(head);
        if let Some((_, name)) = head.split_once("filename=\"") {
            let name = name.split('"').next().unwrap_or_default();
            return (!name.is_empty()).then(|| (name.to_owned(), content));
        }
        rest = next;
    }
}

/// What stands before and behind the first `by`.
fn split<'b>(bytes: &'b [u8], by: &[u8]) -> Option<(&'b [u8], &'b [u8])> {
    let at = bytes.windows(by.len()).position(|window| window == by)?;
    Some((bytes.get(..at)?, bytes.get(at + by.len()..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPE: &str = "multipart/form-data; boundary=xyz";

    #[test]
    fn the_file_is_found_among_the_fields() {
        let body = b"--xyz\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nfilename\r\n--xyz\r\n\
            Content-Disposition: form-data; name=\"file\"; filename=\"a b.md\"\r\nContent-Type: text/markdown\r\n\r\n\
            # A\r\n\r\n--xy\n\r\n--xyz--\r\n";
        assert_eq!(file(TYPE, body), Some(("a b.md".to_owned(), &b"# A\r\n\r\n--xy\n"[..])));
    }

    #[test]
    fn without_a_file_there_is_none() {
        let empty =
            b"--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\n\r\n--xyz--\r\n";
        for body in [&empty[..], b"", b"--xyz", b"--xyz\r\n\r\n", b"--xyz--\r\n"] {
            assert_eq!(file(TYPE, body), None);
        }
        assert_eq!(file("multipart/form-data", empty), None);
    }
}
