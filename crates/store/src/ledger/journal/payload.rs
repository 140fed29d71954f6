//! The fields that a change changed, each with its value before and after.

use serde::Serialize;

/// A JSON object `{"field": [before, after], …}` as the exact text that is hashed and stored. The
/// fields stand in the order in which they were noted.
#[derive(Debug, Clone, Default)]
pub struct Payload(Vec<u8>);

impl Payload {
    /// Nothing changed yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes the value of a field that was not there before; null is not noted.
    #[must_use]
    pub fn set(self, field: &str, after: impl Serialize) -> Self {
        self.change(field, (), after)
    }

    /// Notes the last value of a removed field; null is not noted.
    #[must_use]
    pub fn gone(self, field: &str, before: impl Serialize) -> Self {
        self.change(field, before, ())
    }

    /// Notes a field's values before and after, unless they are the same.
    #[must_use]
    pub fn change(mut self, field: &str, before: impl Serialize, after: impl Serialize) -> Self {
        let out = &mut self.0;
        let start = out.len();
        out.push(if start == 0 { b'{' } else { b',' });
        write(out, &field);
        out.extend_from_slice(b":[");
        let values = out.len();
        write(out, &before);
        let comma = out.len();
        out.push(b',');
        write(out, &after);
        if out.get(values..comma) == out.get(comma + 1..) {
            out.truncate(start);
        } else {
            out.push(b']');
        }
        self
    }

    /// Whether no field changed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text.
    pub fn into_text(mut self) -> String {
        self.0.extend_from_slice(if self.0.is_empty() { b"{}" } else { b"}" });
        // JSON is UTF-8.
        String::from_utf8(self.0).unwrap_or_default()
    }
}

fn write(out: &mut Vec<u8>, value: &impl Serialize) {
    let start = out.len();
    // What is journaled has string keys and no float, so it always has a JSON form.
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}

#[cfg(test)]
mod tests {
    use super::Payload;

    #[test]
    fn a_payload_keeps_the_order_and_drops_what_did_not_change() {
        let payload = Payload::new()
            .set("title", "a\"b")
            .set("source", None::<String>)
            .change("n", 1, 2)
            .change("m", 3, 3);
        assert_eq!(payload.into_text(), r#"{"title":[null,"a\"b"],"n":[1,2]}"#);
        assert!(Payload::new().is_empty());
        assert_eq!(Payload::new().into_text(), "{}");
    }
}
