//! What a record says of its fields: what people call each, what it holds, and what is done with it.

use crate::text::{LINE_CHARACTERS, PROSE_BYTES, REASON_CHARACTERS};

/// A field of the record `R`. `#[derive(Record)]` makes the list of them.
pub struct Field<R: 'static> {
    /// Its name in the API, the table and the journal.
    pub name: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// What a sentence calls it after "the", if that is not the label.
    pub noun: Option<&'static str>,
    /// What kind of value it has.
    pub holds: Holds,
    /// What forms ask, if it is a line that needs no control of its own.
    pub question: Option<&'static str>,
    /// The column that a redaction changes.
    pub redacted: Option<&'static str>,
    /// Whether lists can be filtered by its exact text.
    pub is_filtered: bool,
    /// Whether searches find its words, behind those of the title and the description.
    pub is_searched: bool,
    /// Its text; none if it has none, or something else than a text.
    pub text: fn(&R) -> Option<&str>,
}

/// What kind of value a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// A line.
    Line,
    /// The reference of another system, by which the record is found.
    Reference,
    /// Text of any length, which no sentence quotes.
    Prose,
    /// A shorter text, which no sentence quotes either.
    Reason,
    /// A word of a closed list.
    Word,
    /// The same, and null is this word.
    WordOr(&'static str),
    /// Words with a space between them.
    Words,
    /// A date-time.
    Date,
    /// The id of a person.
    Person,
    /// Ids of people with a space between them.
    People,
    /// The number of an incident.
    Incident,
    /// The number of a risk.
    Risk,
    /// The slug of a document.
    Document,
    /// Yes or no; null is no.
    Flag,
    /// A pause.
    Hold,
    /// A field of a part, or one that this release does not know.
    Any,
    /// What only the register needs.
    Internal,
}

impl Holds {
    /// The most characters of a text, and of the reason of a pause.
    pub fn most_characters(self) -> usize {
        match self {
            Self::Line | Self::Reference => LINE_CHARACTERS,
            Self::Reason | Self::Hold => REASON_CHARACTERS,
            _ => PROSE_BYTES,
        }
    }
}

/// A text that may be absent.
pub trait Text {
    /// The text, if there is one.
    fn text(&self) -> Option<&str>;
}

impl Text for String {
    fn text(&self) -> Option<&str> {
        Some(self)
    }
}

impl<T: AsRef<str>> Text for Option<T> {
    fn text(&self) -> Option<&str> {
        self.as_ref().map(AsRef::as_ref)
    }
}

#[cfg(test)]
mod tests {
    use macros::Record;

    use super::*;
    use crate::incident::Incident;

    #[derive(Record)]
    struct Door {
        #[record(label = "Name", holds = Line, redacted, filtered)]
        name: String,
        #[record(label = "Said by", holds = Line, noun = "speaker", question = "Who said so?", never_redacted)]
        said_by: Option<String>,
        #[record(label = "Lock", holds = Hold, redacted = "lock_reason")]
        lock: bool,
        size: i64,
    }

    #[test]
    fn a_record_lists_its_fields_with_what_they_say() {
        let door = Door { name: "Front".to_owned(), said_by: None, lock: true, size: 2 };
        let names: Vec<_> =
            Door::FIELDS.iter().map(|field| (field.name, field.noun, field.redacted)).collect();
        let expected = [
            ("name", None, Some("name")),
            ("said_by", Some("speaker"), None),
            ("lock", None, Some("lock_reason")),
        ];
        assert_eq!(names, expected, "`size` says nothing of itself: {}", door.size);
        let texts: Vec<_> = Door::FIELDS.iter().map(|field| (field.text)(&door)).collect();
        assert_eq!((texts, door.lock), (vec![Some("Front"), None, None], true));
        let filtered: Vec<_> = Door::FIELDS.iter().map(|field| (field.is_filtered, field.question)).collect();
        assert_eq!(filtered, [(true, None), (false, Some("Who said so?")), (false, None)]);
    }

    #[test]
    fn what_forms_ask_for_is_a_line_that_the_export_and_the_pages_show_as_it_is() {
        for (field, question) in Incident::asked() {
            assert_eq!(field.holds, Holds::Line, "{}", field.name);
            assert!(question.ends_with('?'), "{question}");
        }
    }
}
