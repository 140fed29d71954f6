//! A value of a closed list (`domain::words!`) in bodies and in the OpenAPI document.

use std::borrow::Cow;

use domain::Word;
pub use domain::word::{listed, names, word};
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A value of a closed list as bodies show it. A view gives each list a name of its own
/// (`type StatusView = OneOf<Status>`), because utoipa derives another name from generic arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OneOf<W>(pub W);

impl<W> From<W> for OneOf<W> {
    fn from(word: W) -> Self {
        Self(word)
    }
}

impl<W: Word> Serialize for OneOf<W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl<W: Word> PartialSchema for OneOf<W> {
    fn schema() -> RefOr<Schema> {
        let meanings = W::ALL.iter().map(|word| format!("- `{}`: {}", word.as_str(), word.meaning()));
        let description = format!("{}\n\n{}", W::ABOUT, meanings.collect::<Vec<_>>().join("\n"));
        ObjectBuilder::new()
            .schema_type(SchemaType::Type(Type::String))
            .description(Some(description))
            .enum_values(Some(W::ALL.iter().map(|word| word.as_str())))
            .into()
    }
}

impl<W: Word> ToSchema for OneOf<W> {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed(W::LIST)
    }
}

#[cfg(test)]
mod tests {
    use domain::risk::RiskStatus;

    use super::*;

    #[test]
    fn the_schema_lists_and_explains_every_word() {
        let schema = serde_json::to_value(OneOf::<RiskStatus>::schema()).unwrap();
        assert_eq!(schema["enum"], serde_json::json!(["open", "closed"]));
        assert_eq!(
            schema["description"],
            "Whether a risk is still looked after.\n\n- `open`: Looked after.\n- `closed`: No longer; it keeps its \
             history and counts in figures."
        );
        assert_eq!(OneOf::<RiskStatus>::name(), "RiskStatus");
    }
}
