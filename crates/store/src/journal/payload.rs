//! The fields that a change changed, each with its value before and after.

use serde::Serialize;

/// A JSON object `{"field": [before, after], …}` as the exact text that is hashed and stored. The
/// fields stand in the order in which they were noted.
#[derive(Debug, Clone, Default)]
pub struct Payload(String);

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

    /// Notes the last value of a field that is no more; null is not noted.
    #[must_use]
    pub fn gone(self, field: &str, before: impl Serialize) -> Self {
        self.change(field, before, ())
    }

    /// Notes a field's values before and after, unless they are the same.
    #[must_use]
    pub fn change(mut self, field: &str, before: impl Serialize, after: impl Serialize) -> Self {
        // What is journaled has string keys and no float, so it always has a JSON form.
        let text = |value: &dyn erased::Json| value.text();
        let (before, after) = (text(&before), text(&after));
        if before != after {
            self.0.push(if self.0.is_empty() { '{' } else { ',' });
            self.0.push_str(&text(&field));
            self.0.push_str(":[");
            self.0.push_str(&before);
            self.0.push(',');
            self.0.push_str(&after);
            self.0.push(']');
        }
        self
    }

    /// Whether no field changed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text.
    pub fn into_text(mut self) -> String {
        self.0.push_str(if self.0.is_empty() { "{}" } else { "}" });
        self.0
    }
}

mod erased {
    pub(super) trait Json {
        fn text(&self) -> String;
    }

    impl<T: serde::Serialize> Json for T {
        fn text(&self) -> String {
            serde_json::to_string(self).unwrap_or_else(|_| "null".to_owned())
        }
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
