//! What a file is imported as.

use workbook::{
    Answers, Choices, Entry, Field, Kind, Levels, Proposal, Reading, Record, Skipped, Value, Workbook,
    propose, read, rows,
};

use crate::files::{Sheet, ods, xlsx_from};

pub(crate) fn levels() -> Levels {
    let names = |names: [&str; 5]| names.map(str::to_owned).to_vec();
    Levels {
        likelihood: names(["Rare", "Unlikely", "Possible", "Likely", "Almost certain"]),
        impact: names(["Negligible", "Minor", "Moderate", "Major", "Severe"]),
    }
}

pub(crate) struct Imported {
    pub(crate) proposal: Proposal,
    pub(crate) records: Vec<Record>,
    pub(crate) skipped: Vec<(u32, u32, Skipped)>,
}

pub(crate) fn answers(pairs: &[(&str, &str)]) -> Answers {
    pairs.iter().map(|(id, answer)| ((*id).to_owned(), (*answer).to_owned())).collect()
}

pub(crate) fn book(file: &[u8]) -> Workbook {
    read(file, None, Reading::default()).unwrap()
}

pub(crate) fn import(file: &[u8], kind: Kind, given: &[(&str, &str)]) -> Imported {
    let (book, levels, answers) = (book(file), levels(), answers(given));
    let proposal = propose(&book, kind, &levels, &Choices::default());
    let (mut records, mut skipped) = (Vec::new(), Vec::new());
    for entry in rows(&book, &proposal, &levels, &answers) {
        match entry {
            Entry::Record(record) => records.push(*record),
            Entry::Skipped { first, last, why } => skipped.push((first, last, why)),
        }
    }
    Imported { proposal, records, skipped }
}

/// Risks of a CSV file.
pub(crate) fn risks(text: &str) -> Imported {
    import(text.as_bytes(), Kind::Risks, &[])
}

/// The same sheets as XLSX, from either year, and as ODS.
pub(crate) fn each(sheets: &[Sheet<'_>], test: impl Fn(&[u8])) {
    for file in [xlsx_from(sheets, false), xlsx_from(sheets, true), ods(sheets)] {
        test(&file);
    }
}

/// The value of a field as text; empty if it has none.
pub(crate) fn value(record: &Record, field: &str) -> String {
    match record.fields.get(&Field::named(field).unwrap()) {
        None => String::new(),
        Some(Value::Text(text)) => text.clone(),
        Some(Value::List(list)) => list.join(" + "),
        Some(Value::Level(level)) => level.to_string(),
        Some(Value::Date(date, None, _)) => date.to_string(),
        Some(Value::Date(date, Some(time), _)) => format!("{date} {time}"),
    }
}

impl Imported {
    /// Compares fields of all records; a fault is `fault`, a task `task`, each with several joined by a bar.
    pub(crate) fn expect(&self, expected: &[&[(&str, &str)]]) -> &Self {
        assert_eq!(self.records.len(), expected.len(), "{:#?}", self.records);
        for (record, expected) in self.records.iter().zip(expected) {
            let faults: Vec<&str> = record.faults.iter().map(|fault| &*fault.wrong).collect();
            assert!(
                record.faults.is_empty() || expected.iter().any(|(name, _)| *name == "fault"),
                "{record:#?}"
            );
            let tasks: Vec<String> = record
                .tasks
                .iter()
                .map(|task| task.due.map_or(task.title.clone(), |due| format!("{} by {due}", task.title)))
                .collect();
            for (name, text) in *expected {
                let found = match *name {
                    "fault" => faults.join(" | "),
                    "task" => tasks.join(" | "),
                    name => value(record, name),
                };
                assert_eq!(found, *text, "{name} of {record:#?}");
            }
        }
        self
    }

    /// The ids of the questions with their proposals.
    pub(crate) fn questions(&self) -> Vec<(&str, &str)> {
        self.proposal.questions.iter().map(|question| (&*question.id, &*question.proposal)).collect()
    }

    /// The fields of the columns in their order.
    pub(crate) fn fields(&self) -> Vec<&'static str> {
        self.proposal.columns.iter().map(|column| column.field.name()).collect()
    }
}
