//! What a record says of its fields: what people call each, what it holds, and what is done with it.

use jiff::Timestamp;

use crate::document::{Control, Day, Language};
use crate::ids::IncidentNumber;
use crate::link::URL_CHARACTERS;
use crate::person::Person;
use crate::risk::Rating;
use crate::text::{
    LINE_CHARACTERS, Line, LineOrEmpty, PROSE_BYTES, Prose, ProseOrEmpty, REASON_CHARACTERS, Text,
};
use crate::timeline::lowercase;

/// A record that says of each field what it is. `#[derive(Record)]` makes the list.
pub trait Record: Sized + 'static {
    /// What it says of its fields, in their order.
    const FIELDS: &'static [Field<Self>];

    /// The field of this name.
    fn field(name: &str) -> Option<&'static Field<Self>> {
        Self::FIELDS.iter().find(|field| field.name == name)
    }

    /// The texts that forms ask for in the same way.
    fn asked() -> impl Iterator<Item = &'static Field<Self>> {
        Self::FIELDS.iter().filter(|field| field.is_asked)
    }

    /// Those of them that have a text: each field, and its text.
    fn answered(&self) -> impl Iterator<Item = (&'static Field<Self>, &str)> {
        Self::asked().filter_map(|field| Some((field, field.text(self)?)))
    }

    /// The fields that lists are filtered by, text by text.
    fn filtered() -> impl Iterator<Item = &'static Field<Self>> {
        Self::FIELDS.iter().filter(|field| field.is_filtered)
    }

    /// The columns with texts that searches find, of a record with a title and a description behind those: each with what it
    /// holds.
    fn searched() -> Vec<(&'static str, Holds)> {
        Self::FIELDS.iter().filter(|field| field.is_searched).map(|field| (field.name, field.holds)).collect()
    }

    /// The columns that a redaction changes.
    fn redacted() -> Vec<&'static str> {
        Self::FIELDS.iter().filter_map(|field| field.redacted).collect()
    }

    /// The columns with what people wrote.
    fn written() -> impl Iterator<Item = &'static str> {
        let written = |field: &Field<Self>| field.redacted.or(field.holds.is_text().then_some(field.name));
        Self::FIELDS.iter().filter_map(written)
    }
}

/// A field of the record `R`.
pub struct Field<R: 'static> {
    /// Its name in the API, the table and the journal.
    pub name: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// The words that an exported field may have in it; none if it has no closed list.
    pub words: fn() -> Vec<&'static str>,
    /// What a sentence calls it after "the", if that is not the label.
    pub noun: Option<&'static str>,
    /// What kind of value it has.
    pub holds: Holds,
    /// Whether forms ask for it, as a text that needs no control of its own.
    pub is_asked: bool,
    /// The column that a redaction changes.
    pub redacted: Option<&'static str>,
    /// Whether lists can be filtered by its exact text.
    pub is_filtered: bool,
    /// Whether searches find its words, behind those of the title and the description.
    pub is_searched: bool,
    /// Whether the export has it.
    pub is_exported: bool,
    /// What a record has in it, if that is a text or exported.
    pub value: fn(&R) -> Value<'_>,
}

impl<R> Field<R> {
    /// Its text; none if it has none, or something else than a text.
    pub fn text<'r>(&self, record: &'r R) -> Option<&'r str> {
        match (self.value)(record) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it holds one line.
    pub fn is_line(&self) -> bool {
        self.holds == Holds::Line
    }

    /// Whether it holds Markdown.
    pub fn is_markdown(&self) -> bool {
        self.holds == Holds::Prose
    }

    /// What a sentence calls it after "the".
    pub fn noun(&self) -> String {
        self.noun.map_or_else(|| lowercase(self.label), str::to_owned)
    }
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
    /// An address.
    Url,
    /// The actions of a review: a list with titles.
    Actions,
    /// A word of a closed list.
    Word,
    /// The same, and null is this word.
    WordOr(&'static str),
    /// Words with a space between them, or numbers of controls.
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
    /// A rating by likelihood and impact.
    Rating,
    /// A field of a part, or one that this release does not know.
    Any,
    /// What only the register needs.
    Internal,
}

impl Holds {
    /// Whether people write it.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Line | Self::Reference | Self::Prose | Self::Reason | Self::Url)
    }

    /// The most characters of a text, and of the reason of a pause.
    pub fn most_characters(self) -> usize {
        match self {
            Self::Line | Self::Reference => LINE_CHARACTERS,
            Self::Reason | Self::Hold => REASON_CHARACTERS,
            Self::Url => URL_CHARACTERS,
            _ => PROSE_BYTES,
        }
    }
}

/// What a record has in a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'r> {
    /// It is empty.
    Nothing,
    /// What people or other systems wrote.
    Text(&'r str),
    /// A word of a closed list.
    Word(&'static str),
    /// The number of a record, as people write it.
    Id(String),
    /// Any other number.
    Number(i64),
    /// A time.
    Time(Timestamp),
    /// Yes or no.
    Flag(bool),
    /// A person.
    Person(&'r Person),
    /// A rating.
    Rating(Rating),
    /// Short texts.
    Several(Vec<&'r str>),
}

/// What a field of a record can have in it.
pub trait Shown {
    /// The words of its closed list, if it has one.
    const WORDS: fn() -> Vec<&'static str> = Vec::new;

    /// The same as a [`Value`].
    fn value(&self) -> Value<'_>;
}

/// Says of types how each is a [`Value`].
macro_rules! shown {
    ($(($($generics:tt)*) $type:ty = $value:expr;)*) => {$(
        impl<$($generics)*> Shown for $type {
            fn value(&self) -> Value<'_> {
                let value: fn(&Self) -> Value<'_> = $value;
                value(self)
            }
        }
    )*};
}

shown! {
    () String = |text| Value::Text(text);
    () i64 = |number| Value::Number(*number);
    () bool = |flag| Value::Flag(*flag);
    () Timestamp = |at| Value::Time(*at);
    () IncidentNumber = |number| Value::Id(number.to_string());
    () Person = |person| Value::Person(person);
    () Rating = |rating| Value::Rating(*rating);
    (const N: usize) Line<N> = |text| Value::Text(text);
    (const N: usize) LineOrEmpty<N> = |text| Value::Text(text);
    (const N: usize) Text<N> = |text| Value::Text(text);
    () Prose = |text| Value::Text(text);
    () ProseOrEmpty = |text| Value::Text(text);
    () Language = |text| Value::Text(text);
    () Day = |day| Value::Text(day);
    () Vec<Control> = |controls| Value::Several(controls.iter().map(Control::as_str).collect());
}

impl<T: Shown> Shown for Option<T> {
    const WORDS: fn() -> Vec<&'static str> = T::WORDS;

    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Nothing, T::value)
    }
}

#[cfg(test)]
mod tests {
    use macros::Record;

    use super::*;
    use crate::incident::Incident;
    use crate::risk::Risk;

    #[derive(Record)]
    struct Door {
        /// What is on it.
        #[record(label = "Name", holds = Line, redacted, filtered)]
        name: String,
        #[record(label = "Said by", holds = Line, noun = "speaker", asked, never_redacted)]
        said_by: Option<String>,
        #[record(label = "Lock", holds = Hold, redacted = "lock_reason")]
        lock: bool,
        #[record(label = "Made", holds = Any, exported)]
        made: i64,
        size: i64,
    }

    #[test]
    fn a_record_lists_its_fields_with_what_they_say() {
        let door = Door { name: "Front".to_owned(), said_by: None, lock: true, made: 1890, size: 2 };
        let names: Vec<_> =
            Door::FIELDS.iter().map(|field| (field.name, field.noun, field.redacted)).collect();
        let expected = [
            ("name", None, Some("name")),
            ("said_by", Some("speaker"), None),
            ("lock", None, Some("lock_reason")),
            ("made", None, None),
        ];
        assert_eq!(names, expected, "`size` says nothing of itself: {}", door.size);
        assert_eq!((Door::FIELDS[0].about, Door::FIELDS[1].about), ("What is on it.", ""));
        let texts: Vec<_> = Door::FIELDS.iter().map(|field| field.text(&door)).collect();
        assert_eq!((texts, door.lock), (vec![Some("Front"), None, None, None], true));
        let filtered: Vec<_> = Door::filtered().chain(Door::asked()).collect();
        assert_eq!(filtered.iter().map(|it| it.name).collect::<Vec<_>>(), ["name", "said_by"]);
        assert_eq!(Door::written().collect::<Vec<_>>(), ["name", "said_by", "lock_reason"]);
        let exported = Door::FIELDS.iter().filter(|field| field.is_exported);
        let exported: Vec<_> = exported.map(|field| (field.name, (field.value)(&door))).collect();
        let said_by = "what forms ask for is exported without more";
        assert_eq!(exported, [("said_by", Value::Nothing), ("made", Value::Number(1890))], "{said_by}");
    }

    #[test]
    fn an_exported_field_has_the_words_of_its_list() {
        let words = |name| (Risk::field(name).unwrap().words)();
        assert_eq!(words("status"), ["open", "closed"]);
        assert_eq!(words("title"), [""; 0]);
    }

    #[test]
    fn what_forms_ask_for_is_a_text_of_a_kind_that_they_have_a_control_for() {
        fn check<R: Record>() {
            for field in R::asked() {
                let has_control = matches!(field.holds, Holds::Line | Holds::Reason | Holds::Prose);
                assert!(has_control, "{}", field.name);
            }
        }
        check::<Incident>();
        check::<Risk>();
    }
}
