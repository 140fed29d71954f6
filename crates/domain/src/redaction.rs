//! Redaction: taking a text that should never have been written, such as a password, out of an incident for good.

use std::sync::LazyLock;

use macros::Body;
use serde_json::Value;

use crate::fault::{FaultCode, Faults};
use crate::incident::Incident;
use crate::json::{Fields, Json, Pointer, checked};
use crate::note::Note;
use crate::record::Record as _;
use crate::review::Review;
use crate::schema::Schema;
use crate::task::Task;
use crate::text::{self, Reason};
use crate::word::word_of;

/// What stands in the place of a text that was taken out.
pub const MARK: &str = "[redacted]";

/// The fewest characters of a text to take out: a shorter one would be found within other words.
pub const FEWEST_CHARACTERS: usize = 4;

crate::words! {
    "RedactionTarget"
    /// What a text is taken out of.
    pub enum Part {
        /// A field of the incident itself.
        Incident = "incident",
        /// A note.
        Note = "note",
        /// A field of a task.
        Task = "task",
        /// A field of an edition of the review; `number` is that of the edition.
        Review = "review",
    }
}

/// A field in which a text is taken out.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(tag = "type", name = "RedactionTarget")]
pub enum Target {
    /// A field of the incident itself.
    #[body(name = "IncidentField")]
    Incident {
        /// The field.
        #[body(read = field(Part::Incident), schema = Schema::TextOf(|| Part::Incident.fields()))]
        field: &'static str,
    },
    /// The text of a note.
    #[body(name = "NoteField")]
    Note {
        /// The number of the note.
        #[body(range = 1..=i64::MAX)]
        number: i64,
        /// The field, which need not be named.
        #[body(default = "text", read = field(Part::Note), schema = Schema::TextOf(|| Part::Note.fields()))]
        field: &'static str,
    },
    /// A field of a task.
    #[body(name = "TaskField")]
    Task {
        /// The number of the task.
        #[body(range = 1..=i64::MAX)]
        number: i64,
        /// The field.
        #[body(read = field(Part::Task), schema = Schema::TextOf(|| Part::Task.fields()))]
        field: &'static str,
    },
    /// A section of an edition of the review.
    #[body(name = "ReviewField")]
    Review {
        /// The number of the edition.
        #[body(range = 1..=i64::MAX)]
        number: i64,
        /// The section.
        #[body(read = field(Part::Review), schema = Schema::TextOf(|| Part::Review.fields()))]
        field: &'static str,
    },
}

/// What is to be taken out, and why: a `text` wherever it occurs, a `target` as a whole, or a `text` in a `target`.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(check = check_extent(), check = check_reason(text, reason))]
pub struct Redaction {
    /// The exact text to take out. Absent or null: the whole field that `target` names, in all its versions.
    #[body(read = checked(text), schema = TEXT, example = "correct horse battery staple")]
    pub text: Option<String>,
    /// The one field in which it is taken out. Absent or null: everything that belongs to the incident.
    pub target: Option<Target>,
    /// Why; the journal and the timeline show it, so it must not have the text.
    #[body(example = "A password was pasted.")]
    pub reason: Reason,
}

const TEXT: Schema = Schema::text(FEWEST_CHARACTERS, text::PROSE_BYTES, text::FILLED);

fn field(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults, part: Part) -> Option<&'static str> {
    word_of(part.fields(), value, at, faults)
}

fn check_extent(fields: &mut Fields<'_, '_>) {
    if !fields.was_sent("text") && !fields.was_sent("target") {
        fields.fault("text", FaultCode::Required, "is required, unless a target is redacted as a whole");
    }
}

fn check_reason(fields: &mut Fields<'_, '_>, text: Option<&String>, reason: Option<&Reason>) {
    if text.zip(reason).is_some_and(|(text, reason)| reason.contains(text)) {
        fields.fault("reason", FaultCode::Format, "must not have the text that is taken out");
    }
}

/// The columns that a redaction changes: of incidents, notes, tasks and reviews.
static FIELDS: LazyLock<[Vec<&'static str>; 4]> =
    LazyLock::new(|| [Incident::redacted(), Note::redacted(), Task::redacted(), Review::redacted()]);

impl Part {
    /// The fields that people write.
    pub fn fields(self) -> &'static [&'static str] {
        let [incident, note, task, review] = &*FIELDS;
        match self {
            Self::Incident => incident,
            Self::Note => note,
            Self::Task => task,
            Self::Review => review,
        }
    }
}

impl Target {
    /// The part, its number unless it is the incident itself, and the field.
    fn place(&self) -> (Part, Option<i64>, &'static str) {
        match *self {
            Self::Incident { field } => (Part::Incident, None, field),
            Self::Note { number, field } => (Part::Note, Some(number), field),
            Self::Task { number, field } => (Part::Task, Some(number), field),
            Self::Review { number, field } => (Part::Review, Some(number), field),
        }
    }
}

impl Redaction {
    /// Whether this field of the incident, or of the part with this number, is redacted.
    pub fn concerns(&self, part: Part, number: Option<i64>, field: &str) -> bool {
        let is_target = |target: &Target| target.place() == (part, number, field);
        self.target.as_ref().is_none_or(is_target)
    }

    /// What is left of a text in a redacted field; none if it stays as it is. `most` is the most characters that the
    /// field takes.
    pub fn of_text(&self, value: &str, most: usize) -> Option<String> {
        let Some(text) = &self.text else {
            return (!value.is_empty() && value != MARK).then(|| MARK.to_owned());
        };
        if !value.contains(text.as_str()) {
            return None;
        }
        let left = value.replace(text.as_str(), MARK);
        // The mark may be longer than what it stands for, and make the text again together with what is beside it.
        let fits = left.chars().count() <= most && !left.contains(text.as_str());
        Some(if fits { left } else { MARK.to_owned() })
    }

    /// The same for every text within a JSON value, whatever it is called.
    pub fn of_json(&self, value: &Value) -> Option<Value> {
        match value {
            Value::String(text) => self.of_text(text, usize::MAX).map(Value::from),
            Value::Array(items) => {
                let left: Vec<_> = items.iter().map(|item| self.of_json(item)).collect();
                left.iter().any(Option::is_some).then(|| {
                    let kept = left.into_iter().zip(items);
                    kept.map(|(left, item)| left.unwrap_or_else(|| item.clone())).collect()
                })
            }
            Value::Object(members) => {
                let left: Vec<_> = members.values().map(|member| self.of_json(member)).collect();
                left.iter().any(Option::is_some).then(|| {
                    let kept = left.into_iter().zip(members);
                    kept.map(|(left, (name, member))| (name.clone(), left.unwrap_or_else(|| member.clone())))
                        .collect()
                })
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => None,
        }
    }

    /// The field, as the entry of the redaction names it: `description`, or `notes/3/text`; none for everything.
    pub fn field(&self) -> Option<String> {
        let (part, number, field) = self.target.as_ref()?.place();
        Some(match number {
            None => field.to_owned(),
            Some(number) => format!("{part}/{number}/{field}"),
        })
    }
}

/// Checks a text to take out.
fn text(text: &str, pointer: &str, faults: &mut Faults) {
    if text.chars().count() < FEWEST_CHARACTERS {
        let detail =
            format!("must have at least {FEWEST_CHARACTERS} characters, or it is found within other words");
        faults.add(pointer, FaultCode::TooShort, detail);
    }
    if MARK.contains(text) {
        faults.add(pointer, FaultCode::Format, format!("must not be a part of {MARK}"));
    }
    text::prose(text, pointer, faults);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn redaction(text: Option<&str>) -> Redaction {
        Redaction { target: None, text: text.map(str::to_owned), reason: "A password.".into() }
    }

    #[test]
    fn a_text_is_taken_out_wherever_it_occurs() {
        let some = redaction(Some("hunter2"));
        assert_eq!(some.of_text("It is hunter2, hunter2!", 200).unwrap(), "It is [redacted], [redacted]!");
        assert_eq!(some.of_text("It is Hunter2.", 200), None);
        assert_eq!(some.of_text(&"hunter2".repeat(28), 200).unwrap(), MARK, "it would be too long");
        let whole = redaction(None);
        assert_eq!(whole.of_text("anything", 200).unwrap(), MARK);
        assert_eq!((whole.of_text("", 200), whole.of_text(MARK, 200)), (None, None));
    }

    #[test]
    fn json_is_searched_to_its_depth() {
        let some = redaction(Some("hunter2"));
        let value = json!({"title": "a hunter2", "n": 7, "more": [null, {"x": "hunter2"}], "same": "b"});
        let left = json!({"title": "a [redacted]", "n": 7, "more": [null, {"x": "[redacted]"}], "same": "b"});
        assert_eq!(some.of_json(&value), Some(left));
        assert_eq!(some.of_json(&json!({"title": "a", "list": ["b"]})), None);
    }

    #[test]
    fn one_field_or_everything_is_concerned() {
        let target = Target::Incident { field: "title" };
        let one = Redaction { target: Some(target), ..redaction(None) };
        assert!(one.concerns(Part::Incident, None, "title"));
        assert!(!one.concerns(Part::Incident, None, "description"));
        assert!(redaction(Some("abcd")).concerns(Part::Incident, None, "description"));
        assert_eq!((one.field().as_deref(), redaction(None).field()), (Some("title"), None));
    }

    #[test]
    fn a_text_to_take_out_is_not_short_and_not_of_the_mark() {
        let codes = |value: &str| {
            let mut faults = Faults::new();
            text(value, "#/text", &mut faults);
            faults.as_slice().iter().map(|fault| fault.code).collect::<Vec<_>>()
        };
        assert_eq!((codes("hunter2"), codes("1234")), (vec![], vec![]));
        assert_eq!(codes("123"), [FaultCode::TooShort]);
        assert_eq!(codes("redact"), [FaultCode::Format]);
    }

    proptest! {
        #[test]
        fn what_was_taken_out_is_gone(before in "[ab\\[\\]c ]{0,40}", needle in "[abc]{4,6}", most in 10_usize..60) {
            let some = redaction(Some(&needle));
            match some.of_text(&before, most) {
                None => prop_assert!(!before.contains(&needle)),
                Some(left) => {
                    prop_assert!(!left.contains(&needle), "{left}");
                    prop_assert!(left.chars().count() <= most.max(MARK.len()));
                }
            }
        }
    }
}
