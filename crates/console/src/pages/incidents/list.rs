//! `GET /o/{slug}/incidents`: a list with filters and sorts.

use askama::Template;
use db::Tx;
use domain::bulk::BulkOutcome;
use domain::figures::Outcome;
use domain::incident::{Category, Incident, Kind, Status, Viewer};
use domain::record::Record as _;
use domain::saved_view::ViewedList;
use domain::severity::Severity;
use domain::{Author, ExpectedVersion, IncidentNumber, OrgId, Scope};
use http::query::Query;
use store::View;
use store::incidents::{IncidentDetails, IncidentFilter, IncidentSort};
use store::list::{Direction, Sort};

use super::bulk::What;
use super::columns::{self, COLUMNS, Column};
use super::filter::asked_for;
use super::show::{ShowPage, show_page};
use super::unit::Unit;
use super::{READ, WRITE, other_filters};
use crate::frame::facet::{Facet, Source};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::words;
use crate::pages::listed::Noun;
use crate::pages::listed::list::{self, ListPage};
use crate::pages::listed::trash::{Deleted, Move};
use crate::texts;

/// From the worst on, as the filter has them.
const SEVERITIES: [Severity; 5] =
    [Severity::Critical, Severity::High, Severity::Medium, Severity::Low, Severity::Undetermined];

/// The unit of the list is a minute or a longer one.
const LEAST: f64 = 60.0;

#[derive(Template)]
#[template(path = "incidents/list.html")]
struct IncidentsPage {
    frame: Layout,
    list: ListPage<Incident>,
    columns: Vec<&'static Column>,
    /// The unit of the column that says how long each is or was open.
    unit: Unit,
}

/// `GET /o/{slug}/incidents`
pub(crate) async fn page(request: PageRequest) -> Result {
    list::show(request, |request, frame, list: ListPage<Incident>| {
        let lengths = list.rows.iter().map(|it| open_for(&frame, &it.incident).max(LEAST));
        let (unit, columns) = (Unit::of_lengths(lengths), columns::chosen(&request.display.columns));
        IncidentsPage { frame, list, columns, unit }
    })
    .await
}

impl Noun for Incident {
    type Operation = What;
    type Page = ShowPage;
    const WORDS: texts::Noun = texts::AN_INCIDENT;
    const TITLE: &'static str = texts::INCIDENTS;
    const VIEWED: ViewedList = ViewedList::Incidents;
    const SECTION: Section = Section::Incidents;
    const READ: &'static [Scope] = READ;
    const WRITE: &'static [Scope] = WRITE;
    const DELETE: &'static [Scope] = &[Scope::IncidentsDelete];
    const NAMED: &'static [(&'static str, &'static str)] = &[
        (texts::OPEN, ""),
        (texts::ASSIGNED_TO_ME, "?assigned_to=me"),
        (texts::UNASSIGNED, "?assigned_to=none"),
        (texts::ALL, "?category=open&category=closed"),
    ];
    const SORT: Sort<IncidentSort> = Sort { by: IncidentSort::Number, direction: Direction::Descending };
    const LATELY_CHANGED: IncidentSort = IncidentSort::UpdatedDate;
    const FILTER: fn(&mut Query<'_>, &PageRequest) -> IncidentFilter = asked_for;
    const CONTROLS: fn(&Source<'_>) -> Vec<Facet> = |of| {
        let status = of.words("status", texts::STATUS, Status::ALL, words::label);
        vec![
            status.with_chosen(|status| shows_status(of.asked, status)),
            of.words("severity", texts::SEVERITY, &SEVERITIES, words::label),
            of.people("assigned_to", texts::ASSIGNEE),
            of.words("kind", texts::KIND, Kind::ALL, words::label),
            of.tags(),
        ]
    };
    const DATES: &'static [(&'static str, &'static str)] = &[
        ("detected", texts::DETECTED),
        ("created", texts::CREATED),
        ("resolved", texts::RESOLVED),
        ("closed", texts::CLOSED),
        ("updated", texts::UPDATED),
    ];
    const OTHER_FILTERS: fn(&Form, &Layout) -> Vec<(String, &'static str)> = other_filters::in_words;
    const DELETED: fn(IncidentDetails) -> Deleted = |IncidentDetails { incident: it, .. }| Deleted {
        number: it.number.to_string(),
        title: it.title.into(),
        severity: Some(it.severity),
        deleted_date: it.deleted_date,
    };

    async fn show(request: &PageRequest, form: Form, problems: Problems) -> Result<ShowPage> {
        show_page(request, form, problems).await
    }

    async fn latest(tx: &mut Tx, request: &PageRequest) -> store::Result<Option<i64>> {
        store::incidents::latest_number(tx, request.id(), &request.viewer()).await.map(Some)
    }

    async fn move_one(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        number: IncidentNumber,
        expected: &ExpectedVersion,
        to: Move,
    ) -> store::Result<bool> {
        let view = View { deleted: store::Deleted::With, ..View::now() };
        let before = store::incidents::get(tx, organization, &Viewer::of(author), number, view).await?;
        expected.check(before.version)?;
        let moved = match to {
            Move::Delete => store::incidents::delete_many(tx, organization, author, &[number]).await?,
            Move::Restore => store::incidents::restore_many(tx, organization, author, &[number]).await?,
        };
        Ok(moved.changed_count > 0)
    }

    async fn restore(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        numbers: &[IncidentNumber],
    ) -> store::Result<usize> {
        let BulkOutcome { changed_count, .. } =
            store::incidents::restore_many(tx, organization, author, numbers).await?;
        Ok(usize::try_from(changed_count).unwrap_or_default())
    }
}

/// Whether incidents of a status are shown: the open ones if no search, status, category or figure is asked for.
fn shows_status(asked: &Form, status: &str) -> bool {
    let category = Status::parse(status).map_or("", |status| status.category().as_str());
    match () {
        () if asked.has("status") => asked.is("status", status),
        () if is_of_figures(asked) || asked.has("q") && !asked.has("category") => true,
        () if asked.has("category") => asked.is("category", category),
        () => category == Category::Open.as_str(),
    }
}

/// For how many seconds an incident is or was open.
fn open_for(frame: &Layout, incident: &Incident) -> f64 {
    let end = incident.closed_date.unwrap_or_else(|| frame.clock.now());
    end.duration_since(incident.detected_date).as_secs_f64()
}

fn is_of_figures(asked: &Form) -> bool {
    Outcome::ALL.iter().any(|outcome| asked.has(outcome.as_str()))
}

impl IncidentsPage {
    fn all_columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn shows(&self, column: &Column) -> bool {
        self.columns.contains(&column)
    }

    /// How long an incident is or was open, in the unit of the column.
    fn open_for(&self, incident: &Incident) -> String {
        self.unit.whole(open_for(&self.frame, incident))
    }
}
