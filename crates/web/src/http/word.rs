//! A value of a closed list (`domain::words!`) in bodies and in the OpenAPI document.

use std::borrow::Cow;

use domain::{FaultCode, Faults, Word};
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::http::json::{Json, Pointer, wrong_type};

/// A value of a closed list as bodies show it. A view gives each list a name of its own
/// (`type StatusView = OneOf<Status>`), because utoipa derives another name from generic arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OneOf<W>(pub(crate) W);

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

/// Reads a value of a closed list.
pub(crate) fn word<W: Word>(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<W> {
    let Json::String(text) = value else {
        wrong_type(&value, "a string", at, faults);
        return None;
    };
    let word = W::parse(&text);
    if word.is_none() {
        faults.add(at, FaultCode::Enum, expected::<W>());
    }
    word
}

/// The sentence that names every value of a closed list.
fn expected<W: Word>() -> String {
    format!("Must be {}.", listed(&names::<W>()))
}

/// The values of a closed list.
pub(crate) fn names<W: Word>() -> Vec<&'static str> {
    W::ALL.iter().map(|word| word.as_str()).collect()
}

/// These values as a sentence lists them.
pub(crate) fn listed(names: &[&str]) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
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
    use domain::incident::Status;
    use domain::risk::RiskStatus;

    use super::*;

    #[test]
    fn a_word_that_is_not_in_the_list_is_told_all_that_are() {
        let mut faults = Faults::new();
        let read = |text: &'static str, faults: &mut Faults| {
            word::<RiskStatus>(Json::String(text.into()), &Pointer::ROOT.key("status"), faults)
        };
        assert_eq!(read("closed", &mut faults), Some(RiskStatus::Closed));
        assert!(faults.is_empty());
        assert_eq!(read("Closed", &mut faults), None);
        let fault = &faults.as_slice()[0];
        assert_eq!((fault.code, fault.detail.as_str()), (FaultCode::Enum, "Must be open or closed."));
        assert_eq!(
            expected::<Status>(),
            "Must be new, investigating, contained, resolved, closed or dismissed."
        );
    }

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
