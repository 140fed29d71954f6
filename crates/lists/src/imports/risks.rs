//! Records of a file as risks, by the rules of a body that has the same members.

use std::collections::{BTreeMap, HashMap};

use domain::evaluation::NewEvaluation;
use domain::import::{ImportedEvaluation, ImportedRisk, RiskKey, RowFault};
use domain::json::{FromJson, Json, Pointer};
use domain::risk::{NewRisk, Rating, RiskStatus};
use domain::tag::TagName;
use domain::task::NewTask;
use domain::{Fault, Faults, Prose, ProseOrEmpty, UserId};
use jiff::Timestamp;
use jiff::civil::{DateTime, Time};
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};
use workbook::{Axis, Field, Proposal, Record, Stage};

use super::Around;

/// Why a risk is closed or open again of which the file does not say it.
const BY_FILE: &str = "It is so in the file that was imported.";

/// The most characters of the title of a task.
const TASK_TITLE: usize = 200;

/// The fields of a record that a body has too, as texts.
const TEXTS: &[(Field, &str)] = &[
    (Field::ExternalRef, "external_ref"),
    (Field::Title, "title"),
    (Field::Description, "description"),
    (Field::Category, "category"),
    (Field::Asset, "asset"),
    (Field::Threat, "threat"),
    (Field::Vulnerability, "vulnerability"),
    (Field::ExistingControls, "existing_controls"),
    (Field::Treatment, "treatment"),
    (Field::TreatmentPlan, "treatment_plan"),
];

/// The fields of a record that a body has too, as numbers.
const NUMBERS: &[(Field, &str)] =
    &[(Field::EvaluateEvery, "evaluate_every_days"), (Field::ReviewEvery, "review_every_days")];

/// Reads records one after the other.
pub(super) struct Reader<'r> {
    proposal: &'r Proposal,
    around: &'r Around,
    answers: &'r BTreeMap<String, String>,
    /// The references of the records before, with their rows.
    references: HashMap<String, u32>,
    /// How many records before have a title and no reference.
    titles: HashMap<String, usize>,
}

impl<'r> Reader<'r> {
    pub(super) fn new(
        proposal: &'r Proposal,
        around: &'r Around,
        answers: &'r BTreeMap<String, String>,
    ) -> Self {
        Self { proposal, around, answers, references: HashMap::new(), titles: HashMap::new() }
    }

    /// The risk of a record; none if something is wrong with it, which is added.
    pub(super) fn risk(&mut self, record: &Record, wrong: &mut Vec<RowFault>) -> Option<ImportedRisk> {
        let mut faults = Faults::new();
        let body = self.body(record);
        let new = NewRisk::from_json(Json::from(&body), Pointer::ROOT, &mut faults);
        let tags = json!(record.list(Field::Tags));
        let tags = Vec::<TagName>::from_json(Json::from(&tags), &Pointer::ROOT.key("tags"), &mut faults);
        let evaluation = self.evaluation(record, &mut faults);
        let tasks = json!(record.tasks.iter().map(|task| self.task(task)).collect::<Vec<_>>());
        let tasks = Vec::<NewTask>::from_json(Json::from(&tasks), &Pointer::ROOT.key("task"), &mut faults);
        let reason = record.text(Field::StatusReason).or_else(|| record.text(Field::Status).map(|_| BY_FILE));
        let at = Pointer::ROOT.key("status_reason");
        let status_reason =
            reason.and_then(|reason| Prose::from_json(Json::from(&json!(reason)), &at, &mut faults));
        let mut all: Vec<RowFault> = faults.iter().map(|fault| self.fault(record, fault)).collect();
        let row = record.rows.first().copied().unwrap_or_default();
        if let Some(reference) = new.as_ref().and_then(|new| new.external_ref.as_ref())
            && let Some(before) = self.references.insert(reference.to_string(), row)
        {
            let detail = format!("Row {before} has the same reference.");
            all.push(self.at(record, Field::ExternalRef, detail));
        }
        if !all.is_empty() {
            wrong.extend(all);
            return None;
        }
        let (new, status) = (new?, record.text(Field::Status).and_then(RiskStatus::parse));
        let nth = match new.external_ref {
            Some(_) => 0,
            None => {
                let before = self.titles.entry(new.title.to_string()).or_default();
                *before += 1;
                *before - 1
            }
        };
        let (tags, evaluation, tasks) = (tags?, evaluation?, tasks?);
        let status_date = self.date(record, Field::StatusDate);
        Some(ImportedRisk { new, status, status_reason, status_date, tags, evaluation, tasks, nth })
    }

    /// The members of a new risk.
    fn body(&self, record: &Record) -> Value {
        let mut body = Map::new();
        for (field, member) in TEXTS {
            body.extend(record.text(*field).map(|text| ((*member).to_owned(), json!(text))));
        }
        for (field, member) in NUMBERS {
            let number = record.text(*field).map(|text| text.parse::<i64>().map_or(json!(text), Value::from));
            body.extend(number.map(|number| ((*member).to_owned(), number)));
        }
        if let Some(workbook::Value::Date(date, _)) = record.fields.get(&Field::NextReview) {
            body.insert("next_review_date".to_owned(), json!(date.to_string()));
        }
        body.insert("controls".to_owned(), json!(record.list(Field::Controls)));
        for (stage, member) in [(Stage::Inherent, "inherent"), (Stage::Target, "target")] {
            let [likelihood, impact] = levels(record, stage);
            let mut rating = Map::new();
            rating.extend(likelihood.map(|level| ("likelihood".to_owned(), json!(level))));
            rating.extend(impact.map(|level| ("impact".to_owned(), json!(level))));
            if !rating.is_empty() {
                body.insert(member.to_owned(), Value::Object(rating));
            }
        }
        match self.owner(record) {
            (Some(id), _) => {
                body.insert("owner".to_owned(), json!(id));
                // Our own files have both.
                let name = record.text(Field::Owner).filter(|_| self.proposal.is_ours);
                body.extend(name.map(|name| ("owner_name".to_owned(), json!(name))));
            }
            (None, name) => body.extend(name.map(|name| ("owner_name".to_owned(), json!(name)))),
        }
        let note = record.text(Field::Note).filter(|_| levels(record, Stage::Current) == [None; 2]);
        add_paragraph(&mut body, "description", note.map(|note| format!("**Note:** {note}")));
        Value::Object(body)
    }

    /// The owner who is a member, and how the file calls them.
    fn owner(&self, record: &Record) -> (Option<UserId>, Option<String>) {
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

    /// The evaluation of a record that has no risk of its own; none if something is wrong with it, which is added.
    pub(super) fn alone(&self, record: &Record, wrong: &mut Vec<RowFault>) -> Option<ImportedEvaluation> {
        let mut faults = Faults::new();
        let reference = record.text(Field::ExternalRef).map(|text| RiskKey::Reference(text.to_owned()));
        let title = || record.text(Field::Title).map(|text| RiskKey::Title(text.to_owned()));
        let risk = reference.or_else(title);
        if risk.is_none() {
            faults.add("#/external_ref", domain::FaultCode::Required, "The risk is missing.");
        }
        let inherent = rating(record, (Stage::Inherent, "inherent"), &mut faults);
        let target = rating(record, (Stage::Target, "target"), &mut faults);
        let new = self.evaluation(record, &mut faults).flatten();
        let new = new.map(|new| NewEvaluation { inherent, target, ..new });
        wrong.extend(faults.iter().map(|fault| self.fault(record, fault)));
        Some(ImportedEvaluation { risk: risk?, new: new.filter(|_| faults.is_empty())? })
    }

    /// The current rating, if the record has one; none if it is wrong.
    fn evaluation(&self, record: &Record, faults: &mut Faults) -> Option<Option<NewEvaluation>> {
        if levels(record, Stage::Current) == [None; 2] {
            return Some(None);
        }
        let rating = rating(record, (Stage::Current, "current"), faults)?;
        let at = Pointer::ROOT.key("note");
        let note = match record.text(Field::Note) {
            Some(note) => Some(ProseOrEmpty::from_json(Json::from(&json!(note)), &at, faults)?),
            None => None,
        };
        let evaluated_at = self.date(record, Field::EvaluatedAt);
        let (supersedes, inherent, target) = (None, None, None);
        Some(Some(NewEvaluation { rating, evaluated_at, note, supersedes, inherent, target }))
    }

    /// A date of a record: the beginning of a day, unless the file says a time.
    fn date(&self, record: &Record, field: Field) -> Option<Timestamp> {
        match record.fields.get(&field) {
            Some(workbook::Value::Date(date, time)) => {
                self.moment(date.to_datetime(time.unwrap_or_default()))
            }
            _ => None,
        }
    }

    /// A task with a title of one line; what is longer is in the notes as well.
    fn task(&self, task: &workbook::Task) -> Value {
        let line = task.title.split_whitespace().collect::<Vec<_>>().join(" ");
        let title: String = line.chars().take(TASK_TITLE).collect();
        let mut new = Map::new();
        if title != task.title.trim() {
            new.insert("notes".to_owned(), json!(task.title));
        }
        let due = task.due.and_then(|due| self.moment(due.to_datetime(Time::midnight())));
        new.extend(due.map(|due| ("due".to_owned(), json!(due.to_string()))));
        new.insert("title".to_owned(), json!(title));
        Value::Object(new)
    }

    /// In the time zone of the organization; our own files have UTC.
    fn moment(&self, at: DateTime) -> Option<Timestamp> {
        let zone = if self.proposal.is_ours { TimeZone::UTC } else { self.around.zone.clone() };
        Some(at.to_zoned(zone).ok()?.timestamp())
    }

    /// A fault of a body as one of a row.
    fn fault(&self, record: &Record, fault: &Fault) -> RowFault {
        let path = fault.pointer.trim_start_matches("#/");
        let first = path.split('/').next().unwrap_or_default();
        let names = [path.replace('/', "."), first.to_owned(), format!("{first}.likelihood")];
        let field = names.iter().find_map(|name| Field::named(name));
        self.at(record, field.unwrap_or(Field::Title), fault.sentence())
    }

    fn at(&self, record: &Record, field: Field, detail: String) -> RowFault {
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

/// A rating, if the record has one; half of one is a fault.
fn rating(record: &Record, (stage, name): (Stage, &str), faults: &mut Faults) -> Option<Rating> {
    match levels(record, stage) {
        [None, None] => None,
        [Some(likelihood), Some(impact)] => Some(Rating { likelihood, impact }),
        [likelihood, _] => {
            let missing = if likelihood.is_some() { "impact" } else { "likelihood" };
            let (at, code) = (format!("#/{name}/{missing}"), domain::FaultCode::Required);
            faults.add(at, code, format_args!("The {name} {missing} is missing."));
            None
        }
    }
}

/// Likelihood and impact.
fn levels(record: &Record, stage: Stage) -> [Option<i64>; 2] {
    [Axis::Likelihood, Axis::Impact].map(|axis| record.level(Field::Rating(stage, axis)).map(i64::from))
}

fn add_paragraph(body: &mut Map<String, Value>, member: &str, text: Option<String>) {
    let Some(text) = text else { return };
    let before = body.get(member).and_then(Value::as_str);
    let whole = before.map_or_else(|| text.clone(), |before| format!("{before}\n\n{text}"));
    body.insert(member.to_owned(), json!(whole));
}
