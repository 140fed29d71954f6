//! `GET /o/{slug}/imports/{id}`: what was found in a file, what it asks, and what becomes of each row.

use askama::Template;
use domain::Scope;
use domain::import::{Import, ImportCounts, ImportKind, ImportRow, ImportState, RowOutcome};
use domain::person::Member;
use http::page::{List, Page};
use lists::imports::{Column, Proposal, Question, RowParams, fields};

use super::section;
use crate::frame::form::{Form, MOST_CHOICES};
use crate::frame::layout::Layout;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// So many people are offered for all owners together.
const MOST_OPTIONS: usize = 10_000;

#[derive(Template)]
#[template(path = "imports/one.html")]
pub(super) struct ImportPage {
    frame: Layout,
    it: Import,
    proposal: Proposal,
    people: Vec<Member>,
    may_invite: bool,
    rows: Vec<ImportRow>,
    /// The outcomes of the rows that are shown; none: all.
    outcomes: Vec<RowOutcome>,
    next: Option<String>,
    /// What was sent and was wrong.
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/imports/{id}`
pub(super) async fn page(request: PageRequest) -> Result {
    let page = import_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// The page with this form.
pub(super) async fn import_page(request: &PageRequest, form: Form, problems: Problems) -> Result<ImportPage> {
    let it = super::import(request).await?;
    let mut query = request.query();
    let page = Page::<i64>::read(&request.list_id(), &mut query);
    let RowParams { outcome } = RowParams::read(&mut query);
    query.finish()?;
    // What is wrong comes first.
    let outcomes = match outcome.is_empty() && it.counts.wrong > 0 {
        true => vec![RowOutcome::Wrong],
        false => outcome,
    };
    let mut tx = request.read().await?;
    let found =
        store::imports::list_rows(&mut tx, request.id(), it.id, &outcomes, page.after, page.limit).await?;
    let shown = List::of(&request.list_id(), found, None, |row: &ImportRow| row.place, |row| row);
    let (rows, next) = (shown.data, shown.next_cursor);
    let mut people = store::people::first(&mut tx, request.id(), MOST_CHOICES).await?;
    let frame = Layout::of(request, &mut tx, texts::import_of(it.kind), section(it.kind).0).await?;
    let proposal = Proposal::of_stored(&it.proposal).unwrap_or_default();
    let owners = proposal.questions.iter().filter(|question| question.is_of_owner()).count();
    people.truncate(MOST_OPTIONS / owners.max(1));
    let may_invite = request.may(Scope::UsersAdmin);
    Ok(ImportPage { frame, it, proposal, people, may_invite, rows, outcomes, next, form, problems })
}

impl ImportPage {
    fn address(&self) -> String {
        format!("{}/imports/{}", self.frame.base, self.it.id)
    }

    /// The path of the list of such records.
    fn list(&self) -> &'static str {
        section(self.it.kind).1
    }

    /// The path of the page of such imports.
    fn imports(&self) -> String {
        format!("imports?kind={}", self.it.kind.as_str())
    }

    /// What a record of the file is called.
    fn noun(&self) -> &'static str {
        texts::imported_record(self.it.kind)
    }

    fn is_of_risks(&self) -> bool {
        matches!(self.it.kind, ImportKind::Risks | ImportKind::Evaluations)
    }

    /// Whether what is chosen can still be changed.
    fn is_open(&self) -> bool {
        matches!(self.it.state, ImportState::NeedsAnswers | ImportState::Ready)
    }

    /// Whether a dry run has said what would become of the rows.
    fn is_tried(&self) -> bool {
        self.is_open() && self.it.counts != ImportCounts::default()
    }

    /// The numbers of the header rows, as they are typed.
    fn header_rows(&self) -> String {
        let rows: Vec<String> = self.proposal.header_rows.iter().map(ToString::to_string).collect();
        rows.join(", ")
    }

    fn is_sheet(&self, index: &usize) -> bool {
        usize::try_from(self.proposal.sheet) == Ok(*index)
    }

    /// What was sent for a field, or else what it is.
    fn sent<'a>(&'a self, name: &str, stored: &'a str) -> &'a str {
        if self.form.has(name) { self.form.text(name) } else { stored }
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        let kind: ImportKind = self.it.kind;
        fields(kind).map(|name| (name, texts::import_field(name))).collect()
    }

    fn is_field(&self, column: &Column, name: &str) -> bool {
        self.sent(&format!("column_{}", column.index), &column.field) == name
    }

    /// Those about owners, or the others.
    fn questions(&self, are_of_owners: bool) -> Vec<&Question> {
        self.proposal.questions.iter().filter(|it| it.is_of_owner() == are_of_owners).collect()
    }

    /// The answers to a question with their labels.
    fn choices(&self, question: &Question) -> Vec<(String, String)> {
        let known = question.choices.iter().filter(|choice| !self.people.iter().any(|it| is_of(it, choice)));
        let known = known.map(|choice| (choice.clone(), texts::import_answer(&question.id, choice)));
        let person = |it: &Member| (it.person.id.to_string(), it.person.name.clone());
        let people = self.people.iter().filter(|_| question.is_of_owner()).map(person);
        known.chain(people).collect()
    }

    fn is_answer(&self, question: &Question, choice: &str) -> bool {
        let stored = question.answer.as_ref().unwrap_or(&question.proposal);
        self.sent(&format!("answer_{}", question.id), stored) == choice
    }

    /// How many rows have each outcome, with its badge.
    fn counts(&self) -> Vec<(RowOutcome, i64)> {
        let ImportCounts { created, updated, unchanged, skipped, wrong } = self.it.counts;
        let all = [
            (RowOutcome::Wrong, wrong),
            (RowOutcome::Created, created),
            (RowOutcome::Updated, updated),
            (RowOutcome::Unchanged, unchanged),
            (RowOutcome::Skipped, skipped),
        ];
        all.into_iter().filter(|(outcome, count)| *count > 0 || *outcome == RowOutcome::Created).collect()
    }

    /// What a count of rows is called.
    fn counted(&self, outcome: &RowOutcome) -> &'static str {
        texts::import_outcome(*outcome, !self.is_open())
    }

    fn badge(&self, outcome: &RowOutcome) -> &'static str {
        match outcome {
            RowOutcome::Created => "good",
            RowOutcome::Updated => "blue",
            RowOutcome::Wrong => "bad",
            RowOutcome::Unchanged | RowOutcome::Skipped => "",
        }
    }

    fn is_shown(&self, outcome: &RowOutcome) -> bool {
        self.outcomes.as_slice() == [*outcome]
    }

    /// The query of the page with all rows.
    fn all_rows(&self) -> String {
        let outcomes = RowOutcome::ALL.iter().map(|outcome| format!("outcome={}", outcome.as_str()));
        outcomes.collect::<Vec<_>>().join("&")
    }

    /// The query of the next page.
    fn next_rows(&self, cursor: &str) -> String {
        let outcomes = self.outcomes.iter().map(|outcome| format!("outcome={}&", outcome.as_str()));
        format!("{}cursor={cursor}", outcomes.collect::<String>())
    }

    /// The rows of a record: one, or from the first to the last.
    fn numbers(&self, row: &ImportRow) -> String {
        match row.first_row == row.last_row {
            true => row.first_row.to_string(),
            false => format!("{}–{}", row.first_row, row.last_row),
        }
    }

    /// The name of a column.
    fn column(&self, index: &Option<i64>) -> Option<&str> {
        let found = self.proposal.columns.iter().find(|it| Some(it.index) == *index);
        found.map(|it| it.name.as_str())
    }
}

fn is_of(member: &Member, choice: &str) -> bool {
    member.person.id.to_string() == choice
}
