//! Records of a file as risks, by the rules of a body that has the same members.

use std::collections::HashSet;

use domain::evaluation::NewEvaluation;
use domain::import::{ImportedEvaluation, ImportedRisk, PreparedRow, RiskKey, RowContent, RowFault};
use domain::json::{FromJson, Json, Pointer};
use domain::risk::{NewRisk, Rating, RiskStatus};
use domain::{Faults, Prose, ProseOrEmpty};
use serde_json::{Map, Value, json};
use workbook::{Axis, Field, Record, Stage};

use super::reader::{Reader, add_paragraph, read, read_all};

/// Why a risk is closed or open again of which the file does not say it.
const BY_FILE: &str = "It is so in the file that was imported.";

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

impl Reader<'_> {
    /// The risk of a record; none if something is wrong with it, which is added.
    pub(super) fn risk(&mut self, record: &Record, wrong: &mut Vec<RowFault>) -> Option<ImportedRisk> {
        let mut faults = Faults::new();
        let body = self.body(record);
        let new = NewRisk::from_json(Json::from(&body), Pointer::ROOT, &mut faults);
        let tags = read_all(record.list(Field::Tags), "tags", &mut faults);
        let evaluation = self.evaluation(record, &mut faults);
        let tasks = self.tasks(record, &mut faults);
        let reason = record.text(Field::StatusReason).or_else(|| record.text(Field::Status).map(|_| BY_FILE));
        let status_reason =
            reason.and_then(|reason| read::<Prose>(Some(reason), "status_reason", &mut faults));
        let mut all: Vec<RowFault> = faults.iter().map(|fault| self.fault(record, fault)).collect();
        if let Some(reference) = new.as_ref().and_then(|new| new.external_ref.as_ref())
            && let Some(before) = self.named_once(record, reference.to_string())
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
            None => self.nth(new.title.to_string()),
        };
        let (tags, evaluation, tasks) = (tags?, evaluation?, tasks?);
        let status_date = self.time(record, Field::StatusDate);
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
        if let Some(workbook::Value::Date(date, ..)) = record.fields.get(&Field::NextReview) {
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
        let new = new.filter(|_| faults.is_empty())?;
        Some(ImportedEvaluation { risk: risk?, new, is_ours: self.proposal.is_ours })
    }

    /// Leaves out the evaluations without a date that have another one of the same risk below: a risk is rated as the last says.
    pub(super) fn last_ones(rows: &mut [PreparedRow]) {
        let mut met = HashSet::new();
        for row in rows.iter_mut().rev() {
            let RowContent::Evaluation(it) = &row.content else { continue };
            if it.new.evaluated_at.is_none() && !met.insert(it.risk.clone()) {
                row.content = RowContent::Skipped;
                let detail = "A row below rates the same risk, and neither has a date.".to_owned();
                row.faults.push(RowFault::of(row.first_row, detail));
            }
        }
    }

    /// The current rating, if the record has one; none if it is wrong.
    fn evaluation(&self, record: &Record, faults: &mut Faults) -> Option<Option<NewEvaluation>> {
        if levels(record, Stage::Current) == [None; 2] {
            return Some(None);
        }
        let rating = rating(record, (Stage::Current, "current"), faults)?;
        let note = match record.text(Field::Note) {
            Some(note) => Some(read::<ProseOrEmpty>(Some(note), "note", faults)?),
            None => None,
        };
        let evaluated_at = self.time(record, Field::EvaluatedAt);
        let (supersedes, inherent, target) = (None, None, None);
        Some(Some(NewEvaluation { rating, evaluated_at, note, supersedes, inherent, target }))
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
