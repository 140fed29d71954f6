//! A form with files (`multipart/form-data`, RFC 7578).

/// The most bytes of a boundary (RFC 2046, section 5.1.1).
const BOUNDARY_BYTES: usize = 70;

/// The media type of such a form.
pub const MEDIA_TYPE: &str = "multipart/form-data";

/// Whether a `Content-Type` is that of such a form.
pub fn is_form(media_type: &str) -> bool {
    media_type.split(';').next().is_some_and(|sent| sent.trim().eq_ignore_ascii_case(MEDIA_TYPE))
}

/// What a form with files has sent.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct Upload<'b> {
    /// The names and the texts of the other fields.
    pub fields: Vec<(String, String)>,
    /// The names and the bytes of the files that were chosen.
    pub files: Vec<(String, &'b [u8])>,
}

/// Reads a form. What is no part of one is left out.
pub fn read<'b>(media_type: &str, body: &'b [u8]) -> Upload<'b> {
    let mut upload = Upload::default();
    let boundary = media_type.split(';').find_map(|parameter| parameter.trim().strip_prefix("boundary="));
    let boundary = boundary.map(|it| it.trim_matches('"')).filter(|it| it.len() <= BOUNDARY_BYTES);
    let Some(boundary) = boundary else { return upload };
    let delimiter = format!("--{boundary}");
    let Some((_, mut rest)) = split(body, delimiter.as_bytes()) else { return upload };
    let end = format!("\r\n{delimiter}");
    while let Some((part, next)) = split(rest, end.as_bytes()) {
        rest = next;
        let Some((head, content)) = split(part, b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(head);
        match parameter(&head, "filename") {
            Some("") => {}
            Some(name) => upload.files.push((name.to_owned(), content)),
            None => upload.fields.extend(
                parameter(&head, "name")
                    .map(|name| (name.to_owned(), String::from_utf8_lossy(content).into_owned())),
            ),
        }
    }
    upload
}

/// A parameter of the head of a part.
fn parameter<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let (_, value) = head.split_once(&format!("; {name}=\""))?;
    value.split('"').next()
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
    fn the_files_are_found_among_the_fields() {
        let body = b"--xyz\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nfilename\r\n--xyz\r\n\
            Content-Disposition: form-data; name=\"once\"\r\n\r\nk1\r\n--xyz\r\n\
            Content-Disposition: form-data; name=\"file\"; filename=\"a b.md\"\r\nContent-Type: text/markdown\r\n\r\n\
            # A\r\n\r\n--xy\n\r\n--xyz\r\n\
            Content-Disposition: form-data; name=\"file\"; filename=\"c.txt\"\r\n\r\nC\r\n--xyz--\r\n";
        let files = vec![("a b.md".to_owned(), &b"# A\r\n\r\n--xy\n"[..]), ("c.txt".to_owned(), &b"C"[..])];
        let fields =
            [("a", "filename"), ("once", "k1")].map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(read(TYPE, body), Upload { fields: fields.into(), files });
    }

    #[test]
    fn without_a_file_there_is_none() {
        let empty =
            b"--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\n\r\n--xyz--\r\n";
        for body in [&empty[..], b"", b"--xyz", b"--xyz\r\n\r\n", b"--xyz--\r\n"] {
            assert_eq!(read(TYPE, body), Upload::default());
        }
        assert_eq!(read("multipart/form-data", empty), Upload::default());
    }

    #[test]
    fn a_boundary_is_short() {
        for (bytes, is_read) in [(70, true), (71, false)] {
            let boundary = "x".repeat(bytes);
            let body = format!("--{boundary}\r\nX: y; filename=\"a\"\r\n\r\nA\r\n--{boundary}--\r\n");
            let upload = read(&format!("multipart/form-data; boundary={boundary}"), body.as_bytes());
            assert_eq!(!upload.files.is_empty(), is_read, "{bytes}");
        }
    }
}
