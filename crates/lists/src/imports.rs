//! Spreadsheets that become records: what is proposed for a file, what was chosen and answered, and the records that its rows are.
//! For the API, the console and the command line; `workbook` reads the files.

mod body;
mod incidents;
mod proposal;
mod reader;
mod risks;
mod settled;
mod steps;
mod tags;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use db::Tx;
use domain::import::{ImportKind, ImportState, MAX_ROWS_AT_ONCE, PreparedRow, RowContent, RowFault};
use domain::person::{Member, folded_email};
use domain::scale::{ScaleContent, ScaleLevel};
use domain::text::folded;
use domain::{Error, FaultCode, Faults, OrgId, UserId};
use jiff::tz::TimeZone;
use store::View;
use store::imports::{Mapping, Prepared, Proposed};
use store::people::MemberFilter;
use workbook::refused::MOST_TEXT;
use workbook::{Answers, Entry, Field, Levels, Reading, Refused, Rows, Workbook};

pub use body::{ImportPatch, ImportRun, ImportUpload, RowParams};
pub use proposal::{Column, Proposal, Question};
pub use steps::{run, sent, update};

use reader::Reader;
use settled::Settled;

/// The most members who are compared with the owners of a file.
const MEMBERS: i64 = 10_000;

/// The most characters of the name of a file.
const FILE_NAME: usize = 200;

/// The name of a file, as it is kept.
pub fn file_name(sent: &str) -> Option<String> {
    let name: String = sent.chars().filter(|letter| !letter.is_control()).take(FILE_NAME).collect();
    Some(name).filter(|name| !name.is_empty())
}

/// What of the organization a file is compared with.
#[derive(Debug, Clone)]
pub struct Around {
    members: HashSet<UserId>,
    /// The one member with a folded name, or with a folded address; none of several.
    names: HashMap<String, Option<UserId>>,
    addresses: HashMap<String, Option<UserId>>,
    zone: TimeZone,
    /// The names of the levels of its scale.
    levels: Levels,
}

impl Around {
    /// Reads it.
    pub async fn read(tx: &mut Tx, organization: OrgId) -> store::Result<Self> {
        let members = store::people::list(tx, organization, &MemberFilter::default(), None, MEMBERS).await?;
        let zone = store::organizations::get(tx, organization).await?.map(|found| found.time_zone());
        let scales = store::scales::known(tx, organization, View::now()).await?;
        let levels = levels(&scales.present().content);
        Ok(Self::new(&members, zone.unwrap_or(TimeZone::UTC), levels))
    }

    fn new(people: &[Member], zone: TimeZone, levels: Levels) -> Self {
        let (mut names, mut addresses) = (HashMap::new(), HashMap::new());
        let add = |called: &mut HashMap<String, Option<UserId>>, name, id| {
            called.entry(name).and_modify(|other| *other = None).or_insert(Some(id));
        };
        for Member { person, .. } in people {
            add(&mut names, folded(&person.name), person.id);
            add(&mut addresses, folded_email(&person.email), person.id);
        }
        let members = people.iter().map(|member| member.person.id).collect();
        Self { members, names, addresses, zone, levels }
    }

    /// The one member with this name or e-mail address.
    fn member(&self, text: &str) -> Option<UserId> {
        match (self.names.get(&folded(text)), self.addresses.get(&folded_email(text))) {
            (Some(one), Some(other)) => one.filter(|_| one == other),
            (one, other) => one.or(other).copied().flatten(),
        }
    }

    /// The member with this id.
    fn with_id(&self, id: &str) -> Option<UserId> {
        UserId::parse(id).filter(|id| self.members.contains(id))
    }
}

/// A file that was read, with what is proposed for it.
#[derive(Debug)]
pub struct Opened {
    kind: ImportKind,
    workbook: Workbook,
    around: Around,
    settled: Settled,
    proposal: workbook::Proposal,
}

impl Opened {
    /// Reads a file, for which this was chosen and answered. It may take long.
    ///
    /// # Errors
    /// Why the file is not read.
    pub fn read(
        kind: ImportKind,
        name: Option<&str>,
        file: &[u8],
        mapping: Option<&Mapping>,
        around: Around,
    ) -> domain::Result<Self> {
        let read = workbook::read(file, name, Reading::default());
        let workbook = read.map_err(|refused| unreadable(&refused))?;
        let settled = mapping.map(Settled::of).unwrap_or_default();
        let proposal = workbook::propose(&workbook, kind_of(kind), &around.levels, &settled.choices());
        Ok(Self { kind, workbook, around, settled, proposal })
    }

    /// The same for files with the same header.
    pub fn fingerprint(&self) -> &str {
        &self.proposal.fingerprint
    }

    /// The same file with what was chosen and answered for another one with the same header; what does not fit is left out.
    #[must_use]
    pub fn with(mut self, mapping: &Mapping) -> Self {
        self.settled = Settled::of(mapping);
        self.propose();
        let questions = self.questions();
        self.settled.answers.retain(|id, answer| {
            questions.iter().any(|question| question.id == *id && self.around.is_answer(question, answer))
        });
        self
    }

    /// The same file with what a patch changes.
    ///
    /// # Errors
    /// What is wrong with the patch.
    pub fn patched(mut self, patch: ImportPatch) -> domain::Result<Self> {
        let mut faults = Faults::new();
        let before = self.questions();
        let ImportPatch { sheet, header_rows, columns, answers } = patch;
        self.settled.choose(&self.workbook, kind_of(self.kind), (sheet, header_rows, columns), &mut faults);
        self.propose();
        let questions = self.questions();
        for (at, answer) in answers.unwrap_or_default().into_iter().enumerate() {
            let Some(question) = questions.iter().find(|question| question.id == answer.id) else {
                // What is chosen in the same patch can make a question unnecessary.
                if !before.iter().any(|question| question.id == answer.id) {
                    let detail = "must be the id of a question of the import";
                    faults.add(format_args!("#/answers/{at}/id"), FaultCode::Enum, detail);
                }
                continue;
            };
            match answer.answer {
                None => drop(self.settled.answers.remove(&answer.id)),
                Some(text) if self.around.is_answer(question, &text) => {
                    self.settled.answers.insert(answer.id, text);
                }
                Some(_) => {
                    let choices = question.choices.join(", ");
                    let detail = match question.is_of_owner() {
                        true => format!("must be the id of a member, or one of {choices}"),
                        false => format!("must be one of {choices}"),
                    };
                    faults.add(format_args!("#/answers/{at}/answer"), FaultCode::Enum, detail);
                }
            }
        }
        faults.or(self)
    }

    fn propose(&mut self) {
        let choices = self.settled.choices();
        self.proposal = workbook::propose(&self.workbook, kind_of(self.kind), &self.around.levels, &choices);
    }

    fn questions(&self) -> Vec<Question> {
        proposal::questions(&self.proposal, &self.around, &self.settled.answers)
    }

    /// What is proposed, as people and programs see it.
    pub fn proposal(&self) -> Proposal {
        proposal::of(&self.workbook, &self.proposal, self.questions())
    }

    /// What is proposed, as it is stored.
    pub fn proposed(&self) -> Proposed {
        let proposal = self.proposal();
        let is_open = proposal.questions.iter().any(|question| question.answer.is_none());
        let Mapping { choices, answers } = self.settled.stored();
        Proposed {
            state: if is_open { ImportState::NeedsAnswers } else { ImportState::Ready },
            fingerprint: self.proposal.fingerprint.clone(),
            proposal: proposal.stored(),
            choices,
            answers,
        }
    }

    /// The records of the rows, with the answers, and where there is none with what is proposed. Those of a long file are read
    /// again when they are needed.
    ///
    /// # Errors
    /// They have more text than is read: what a file has once may stand in many rows.
    pub fn rows(self) -> domain::Result<Prepared> {
        let questions = self.questions();
        let answers: Answers = questions.into_iter().map(Question::settled).collect();
        let mut reader = Reader::new(&self.proposal, &self.around, &answers);
        let entries = self.entries(&answers);
        let sheet = self.workbook.sheet(self.proposal.sheet);
        // Other rows say something about an incident or an evaluation: these are kept whole, and the file is not.
        let is_read_again = matches!(self.kind, ImportKind::Risks | ImportKind::Tags);
        let is_long = is_read_again && sheet.is_some_and(|sheet| sheet.len() > MAX_ROWS_AT_ONCE);
        let (mut rows, mut bytes) = (Vec::new(), 0);
        for entry in entries.enumerate() {
            bytes += entry.1.bytes();
            if bytes > MOST_TEXT {
                let what = "bytes of text in its records";
                return Err(unreadable(&Refused::TooLarge { what, most: MOST_TEXT as u64 }));
            }
            let row = prepared(self.kind, entry, &mut reader);
            rows.push(if is_long { row.outline() } else { row });
        }
        Reader::undated(&mut rows);
        Reader::last_ones(&mut rows);
        reader.originals(&mut rows);
        Ok(match is_long {
            true => Prepared::outlined(rows, move |rows| self.again(&answers, rows)),
            false => rows.into(),
        })
    }

    fn entries<'a>(&'a self, answers: &'a Answers) -> Rows<'a> {
        workbook::rows(&self.workbook, &self.proposal, &self.around.levels, answers)
    }

    /// The records of these rows, of which there may be outlines.
    fn again(&self, answers: &Answers, rows: &[PreparedRow]) -> Vec<PreparedRow> {
        let mut reader = Reader::new(&self.proposal, &self.around, answers);
        let read = |row: &PreparedRow| {
            let RowContent::Outline { nth, .. } = row.content else { return row.clone() };
            let first = u32::try_from(row.first_row).unwrap_or_default();
            let Some(entry) = self.entries(answers).starting_at(first).next() else { return row.clone() };
            let mut row = prepared(self.kind, (0, entry), &mut reader);
            if let RowContent::Risk(risk) = &mut row.content {
                risk.nth = nth;
            }
            row
        };
        rows.iter().map(read).collect()
    }
}

fn unreadable(refused: &Refused) -> Error {
    Error::invalid("#", FaultCode::Format, format_args!("cannot be read: {refused}"))
}

/// What a column of such a file may be, in the order of a list to choose from.
pub fn fields(kind: ImportKind) -> impl Iterator<Item = &'static str> {
    Field::choices(kind_of(kind)).map(Field::name)
}

fn prepared(kind: ImportKind, (place, entry): (usize, Entry), reader: &mut Reader<'_>) -> PreparedRow {
    let record = match entry {
        Entry::Skipped { first, last, .. } => {
            let (first_row, last_row) = (first.into(), last.into());
            let (title, faults) = (None, Vec::new());
            return PreparedRow { first_row, last_row, title, faults, content: RowContent::Skipped };
        }
        Entry::Record(record) => record,
    };
    let row = |row: Option<&u32>| row.copied().unwrap_or_default().into();
    let (first_row, last_row) = (row(record.rows.first()), row(record.rows.last()));
    let mut faults: Vec<RowFault> = record.faults.iter().map(of_workbook).collect();
    let content = match kind {
        _ if record.is_wrong() => None,
        ImportKind::Risks => reader.risk(&record, &mut faults).map(|it| RowContent::Risk(Box::new(it))),
        ImportKind::Evaluations if record.text(Field::SupersededBy).is_some() => {
            faults.push(RowFault::of(first_row, "It is superseded: another one counts.".to_owned()));
            Some(RowContent::Skipped)
        }
        ImportKind::Evaluations => {
            reader.alone(&record, &mut faults).map(|it| RowContent::Evaluation(Box::new(it)))
        }
        ImportKind::Incidents => {
            reader.incident(&record, place, &mut faults).map(|it| RowContent::Incident(Box::new(it)))
        }
        ImportKind::Tags => reader.tag(&record, &mut faults).map(|it| RowContent::Tag(Box::new(it))),
    };
    let content = content.unwrap_or(RowContent::Wrong);
    let title = record.text(Field::Title).map(|title| title.chars().take(200).collect());
    PreparedRow { first_row, last_row, title, faults, content }
}

fn of_workbook(fault: &workbook::Fault) -> RowFault {
    RowFault {
        row: fault.row.into(),
        column: fault.column.and_then(|column| i64::try_from(column).ok()),
        read: fault.read.clone(),
        detail: fault.wrong.clone(),
        nearest: fault.nearest.clone(),
    }
}

fn kind_of(kind: ImportKind) -> workbook::Kind {
    match kind {
        ImportKind::Risks => workbook::Kind::Risks,
        ImportKind::Evaluations => workbook::Kind::Evaluations,
        ImportKind::Incidents => workbook::Kind::Incidents,
        ImportKind::Tags => workbook::Kind::Tags,
    }
}

/// The names of the levels of a scale.
fn levels(scale: &ScaleContent) -> Levels {
    let names = |levels: &[ScaleLevel]| levels.iter().map(|level| level.name.to_string()).collect();
    Levels { likelihood: names(&scale.likelihood), impact: names(&scale.impact) }
}
