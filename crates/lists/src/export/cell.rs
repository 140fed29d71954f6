//! What stands in a cell of a CSV file or a workbook.

use domain::Word;
use domain::record::Value;
use domain::risk::Rating;
use domain::tag::TagLabel;
use jiff::Timestamp;
use workbook::GUARDED;

/// A cell.
pub(super) enum Cell {
    Empty,
    /// What the program writes: a number, an id.
    Ours(String),
    /// A word of a closed list, or several with a space between them.
    Word(String),
    Time(Timestamp),
    Flag(bool),
    /// What people or other systems wrote.
    Theirs(String),
}

impl Cell {
    pub(super) fn number(number: i64) -> Self {
        Self::Ours(number.to_string())
    }

    pub(super) fn word(word: impl Word) -> Self {
        Self::Word(word.as_str().to_owned())
    }

    /// Its text for a program: words as the API has them, times in UTC.
    pub(super) fn text(self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Ours(text) | Self::Word(text) => text,
            Self::Time(at) => domain::time::format(at),
            Self::Flag(flag) => flag.to_string(),
            Self::Theirs(text) => guarded(text),
        }
    }

    /// The same for a workbook, whose cells are texts: nothing is computed of them.
    pub(super) fn unguarded(self) -> Self {
        match self {
            Self::Theirs(text) => Self::Ours(text),
            other => other,
        }
    }

    pub(super) fn theirs(text: &str) -> Self {
        Self::Theirs(text.to_owned())
    }

    /// A value of a record.
    pub(super) fn of(value: Value<'_>) -> Self {
        match value {
            Value::Nothing => Self::Empty,
            Value::Text(text) => Self::theirs(text),
            Value::Word(word) => Self::Word(word.to_owned()),
            Value::Id(id) => Self::Ours(id),
            Value::Number(number) => Self::number(number),
            Value::Time(at) => Self::Time(at),
            Value::Flag(flag) => Self::Flag(flag),
            Value::Person(person) => Self::theirs(&person.name),
            Value::Rating(rating) => Self::number(rating.score()),
            Value::Several(texts) => Self::Theirs(texts.join("; ")),
        }
    }

    /// The address of a person.
    pub(super) fn email(value: &Value<'_>) -> Self {
        match value {
            Value::Person(person) => Self::theirs(&person.email),
            _ => Self::Empty,
        }
    }

    /// A number of a rating.
    pub(super) fn level(value: &Value<'_>, level: fn(Rating) -> i64) -> Self {
        match value {
            Value::Rating(rating) => Self::number(level(*rating)),
            _ => Self::Empty,
        }
    }

    /// The names of tags; in quotes those that would be taken for several or for one in quotes.
    pub(super) fn tags(tags: &[TagLabel]) -> Self {
        let name = |tag: &TagLabel| match tag.name.contains("; ") || tag.name.starts_with('"') {
            true => format!("\"{}\"", tag.name.replace('"', "\"\"")),
            false => tag.name.to_string(),
        };
        Self::Theirs(tags.iter().map(name).collect::<Vec<_>>().join("; "))
    }

    /// A cell that may be empty.
    pub(super) fn maybe<T>(value: Option<T>, cell: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Empty, cell)
    }
}

/// The text with a `'` before it where a spreadsheet would take it for a formula and compute it (OWASP, CSV Injection), or
/// where it begins with that sign: who takes one away has the text again.
fn guarded(text: String) -> String {
    if text.starts_with(GUARDED) { format!("'{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_formula() {
        for text in [
            "=1+1",
            "+1",
            "-1",
            "@SUM(A1)",
            "\t=1",
            "\r=1",
            "\n=1",
            "＝1+1",
            "＋1",
            "－1",
            "＠SUM(A1)",
            "'=1",
            "'",
        ] {
            assert_eq!(Cell::theirs(text).text(), format!("'{text}"));
        }
        for text in ["", "a=b", " =1", "Überall -1"] {
            assert_eq!(Cell::theirs(text).text(), text);
        }
        assert_eq!(Cell::number(-5).text(), "-5");
        assert_eq!(Cell::theirs("=1").unguarded().text(), "=1", "a text of a workbook is none either");
    }
}
