//! Reads records of a file one after the other, whatever they are.

use std::collections::{BTreeMap, HashMap};

use domain::import::RowFault;
use domain::json::{FromJson, Json, Pointer};
use domain::organization::named_zone;
use domain::task::NewTask;
use domain::{Fault, Faults, UserId};
use jiff::Timestamp;
use jiff::civil::{DateTime, Time};
use jiff::tz::{Offset, TimeZone};
use serde_json::{Map, Value, json};
use workbook::{Field, Proposal, Record};

use super::Around;

/// The most characters of the title of a task.
const TASK_TITLE: usize = 200;

/// Reads records one after the other.
pub(super) struct Reader<'r> {
    pub(super) proposal: &'r Proposal,
    around: &'r Around,
    answers: &'r BTreeMap<String, String>,
    /// The zone of times that do not say their offset.
    zone: TimeZone,
    /// The references or names of the records before, with their rows.
    names: HashMap<String, u32>,
    /// How many records before have a title and no reference.
    titles: HashMap<String, usize>,
    /// The places of the records before, by their ids in the file.
    pub(super) places: HashMap<String, usize>,
    /// The places of duplicates before, with the ids of their originals.
    pub(super) duplicates: Vec<(usize, String)>,
}

impl<'r> Reader<'r> {
    pub(super) fn new(
        proposal: &'r Proposal,
        around: &'r Around,
        answers: &'r BTreeMap<String, String>,
    ) -> Self {
        let (names, titles, places) = (HashMap::new(), HashMap::new(), HashMap::new());
        let zone = match &proposal.zone {
            Some(name) => named_zone(Some(name)),
            None if proposal.is_ours => TimeZone::UTC,
            None => around.zone.clone(),
        };
        Self { proposal, around, answers, zone, names, titles, places, duplicates: Vec::new() }
    }

    /// Notes a name that only one record of the file may have; what is wrong if another one has it.
    pub(super) fn named_once(&mut self, record: &Record, name: String) -> Option<u32> {
        let row = record.rows.first().copied().unwrap_or_default();
        self.names.insert(name, row).filter(|before| *before != row)
    }

    /// How many records before have this title and no reference.
    pub(super) fn nth(&mut self, title: String) -> usize {
        let before = self.titles.entry(title).or_default();
        *before += 1;
        *before - 1
    }

    /// The owner who is a member, and how the file calls them.
    pub(super) fn owner(&self, record: &Record) -> (Option<UserId>, Option<String>) {
        let (name, email) = (record.text(Field::Owner), record.text(Field::OwnerEmail));
        let answered = name.and_then(|name| self.answers.get(&format!("owner:{name}")));
        let answered = answered.and_then(|answer| self.around.with_id(answer));
        let by_email = || email.and_then(|email| self.around.member(email));
        let called = match (name, email) {
            (Some(name), Some(email)) => Some(format!("{name} <{email}>")),
            (name, email) => name.or(email).map(str::to_owned),
        };
        (answered.or_else(by_email), called)
    }

    /// The tasks of a record.
    pub(super) fn tasks(&self, record: &Record, faults: &mut Faults) -> Option<Vec<NewTask>> {
        let tasks = json!(record.tasks.iter().map(|task| self.task(task)).collect::<Vec<_>>());
        Vec::from_json(Json::from(&tasks), &Pointer::ROOT.key("task"), faults)
    }

    /// A task with a title of one line; what is longer is in the notes as well.
    fn task(&self, task: &workbook::Task) -> Value {
        let line = task.title.split_whitespace().collect::<Vec<_>>().join(" ");
        let title: String = line.chars().take(TASK_TITLE).collect();
        let mut new = Map::new();
        if title != task.title.trim() {
            new.insert("notes".to_owned(), json!(task.title));
        }
        let due = task.due.and_then(|due| self.moment(due.to_datetime(Time::midnight()), None));
        new.extend(due.map(|due| ("due".to_owned(), json!(due.to_string()))));
        new.insert("title".to_owned(), json!(title));
        Value::Object(new)
    }

    /// The time of a field: the beginning of a day, unless the file says a time.
    pub(super) fn time(&self, record: &Record, field: Field) -> Option<Timestamp> {
        match record.fields.get(&field) {
            Some(workbook::Value::Date(date, time, offset)) => {
                self.moment(date.to_datetime(time.unwrap_or_default()), *offset)
            }
            _ => None,
        }
    }

    /// With the offset from UTC that the file says, or else in the time zone of the organization; our own files have UTC, or the
    /// zone that their columns name.
    fn moment(&self, at: DateTime, offset: Option<Offset>) -> Option<Timestamp> {
        let zone = offset.map_or_else(|| self.zone.clone(), TimeZone::fixed);
        Some(at.to_zoned(zone).ok()?.timestamp())
    }

    /// A fault of a body as one of a row.
    pub(super) fn fault(&self, record: &Record, fault: &Fault) -> RowFault {
        let path = fault.pointer.trim_start_matches("#/");
        let first = path.split('/').next().unwrap_or_default();
        let names = [path.replace('/', "."), first.to_owned(), format!("{first}.likelihood")];
        let field = names.iter().find_map(|name| Field::named(name));
        self.at(record, field.unwrap_or(Field::Title), fault.sentence())
    }

    pub(super) fn at(&self, record: &Record, field: Field, detail: String) -> RowFault {
        let column = self.proposal.columns.iter().find(|column| column.field == field);
        let level = || record.level(field).map(|level| level.to_string());
        let read = record.text(field).map(str::to_owned).or_else(level).unwrap_or_default();
        RowFault {
            row: record.rows.first().copied().unwrap_or_default().into(),
            column: column.and_then(|column| i64::try_from(column.index).ok()),
            read: read.chars().take(200).collect(),
            detail,
            nearest: None,
        }
    }
}

/// The value that a text is; none if it is absent, or if it is wrong, which is added.
pub(super) fn read<T: FromJson>(text: Option<&str>, member: &'static str, faults: &mut Faults) -> Option<T> {
    T::from_json(Json::from(&json!(text?)), &Pointer::ROOT.key(member), faults)
}

/// The values that texts are.
pub(super) fn read_all<T: FromJson>(
    texts: &[String],
    member: &'static str,
    faults: &mut Faults,
) -> Option<Vec<T>> {
    Vec::from_json(Json::from(&json!(texts)), &Pointer::ROOT.key(member), faults)
}

/// Adds a paragraph to a text of a body.
pub(super) fn add_paragraph(body: &mut Map<String, Value>, member: &str, text: Option<String>) {
    let Some(text) = text else { return };
    let before = body.get(member).and_then(Value::as_str);
    let whole = before.map_or_else(|| text.clone(), |before| format!("{before}\n\n{text}"));
    body.insert(member.to_owned(), json!(whole));
}
