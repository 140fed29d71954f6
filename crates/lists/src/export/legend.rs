//! What the columns of a workbook are: its second sheet.

use domain::record::{Field, Holds};
use domain::word;
use render::Table;

use super::Column;

/// The name of the sheet.
pub(super) const LEGEND: &str = "Legend";

/// The names of its columns. An import knows the sheet by them.
const HEAD: [&str; 4] = ["Column", "Name", "Meaning", "Values"];

/// What may be in a column.
pub(super) enum Values {
    /// This.
    Said(String),
    /// Words of a closed list.
    Words(Vec<&'static str>),
    /// Yes or no.
    Flag,
}

impl From<&str> for Values {
    fn from(text: &str) -> Self {
        Self::Said(text.to_owned())
    }
}

impl Values {
    /// What may be in a column with a field, or with this part of it.
    pub(super) fn of<R>(field: &Field<R>, part: &str) -> Self {
        let (words, most) = ((field.words)(), field.holds.most_characters());
        Self::Said(match (field.holds, part) {
            _ if !words.is_empty() => return Self::Words(words),
            (Holds::Flag, _) => return Self::Flag,
            (Holds::Date, _) => "A time".to_owned(),
            (Holds::Person, "") => "A name".to_owned(),
            (Holds::Person, _) => "An e-mail address".to_owned(),
            (Holds::Rating, "_score") => "Likelihood times impact".to_owned(),
            (Holds::Rating, _) => "A level of the scale, from 1".to_owned(),
            (Holds::Prose, _) => format!("Markdown of at most {most} bytes"),
            (Holds::Line | Holds::Reference | Holds::Reason | Holds::Url, _) => {
                format!("A text of at most {most} characters")
            }
            (Holds::Words, _) => "Several, with \u{201c}; \u{201d} between them".to_owned(),
            _ => String::new(),
        })
    }

    /// The same for a program, or for a person, who sees words as pages show them.
    fn shown(&self, is_for_people: bool) -> String {
        match self {
            Self::Said(text) => text.clone(),
            Self::Words(words) if is_for_people => {
                words.iter().map(|it| word::label(it)).collect::<Vec<_>>().join(", ")
            }
            Self::Words(words) => words.join(", "),
            Self::Flag => if is_for_people { "Yes, No" } else { "true, false" }.to_owned(),
        }
    }
}

/// The legend of these columns, for a program or for a person, with the head of each.
pub(super) fn of<R>(
    columns: &[Column<R>],
    is_for_people: bool,
    head: impl Fn(&Column<R>) -> String,
) -> Table<'static> {
    let row = |it: &Column<R>| {
        vec![head(it), it.label.clone(), it.about.to_owned(), it.values.shown(is_for_people)]
    };
    Table { title: LEGEND, head: HEAD.to_vec(), rows: columns.iter().map(row).collect() }
}
