//! `GET /o/{slug}/incidents`: a list with filters and sorts.

use std::collections::HashMap;

use askama::Template;
use domain::Scope;
use domain::figures::Outcome;
use domain::incident::{Category, Incident, Kind, Status};
use domain::person::Member;
use domain::saved_view::ViewedList;
use domain::severity::Severity;
use store::View;
use store::facets::Facets;
use store::incidents::{IncidentDetails, IncidentSort, StatusFacet};
use store::list::{Direction, ListQuery, Position, Sort};
use web::http::location;
use web::http::page::{List, Page};

use super::READ;
use super::bulk::What;
use super::columns::{self, COLUMNS, Column};
use super::filter::asked_for;
use super::other_filters;
use crate::frame::facet::{Facet, Source, asked_tags};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::words;
use crate::pages::bulk;
use crate::pages::records::by_number;
use crate::pages::views::tabs::Tabs;
use crate::texts;

/// A list that has a name.
struct NamedView {
    name: &'static str,
    query: &'static str,
    is_current: bool,
}

/// From the worst on, as the filter has them.
const SEVERITIES: [Severity; 5] =
    [Severity::Critical, Severity::High, Severity::Medium, Severity::Low, Severity::Undetermined];

/// The most people that the filter names.
const MOST_PEOPLE: i64 = 100;

#[derive(Template)]
#[template(path = "incidents/list.html")]
struct ListPage {
    frame: Layout,
    rows: Vec<IncidentDetails>,
    total: i64,
    next: Option<String>,
    is_first: bool,
    /// The query as a form, whose boxes are ticked.
    asked: Form,
    sort: Sort<IncidentSort>,
    /// Whether the best matches of the search come first, whatever the sort is.
    is_ranked: bool,
    facets: Vec<Facet>,
    columns: Vec<&'static Column>,
    tabs: Tabs,
    may_delete: bool,
    may_write: bool,
}

/// `GET /o/{slug}/incidents`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let asked = request.asked();
    let mut query = request.query();
    let page = Page::<Position>::read(&request.list_id(), &mut query);
    let is_ranked = query.has("q") && !query.has("sort");
    let filter = asked_for(&mut query, &request);
    let sort = query.sort::<IncidentSort>();
    query.finish()?;
    let mut tx = request.read_searched(filter.q.is_some()).await?;
    if let Some(address) = by_number(&request, &mut tx, asked.text("q").trim()).await? {
        return Ok(location::see_other(&address));
    }
    let (organization, viewer, view) = (request.id(), request.viewer(), View::now());
    let is_first = page.after.is_none();
    let query = ListQuery { view, filter, sort, after: page.after.clone() };
    let (found, ranks) = if is_ranked {
        let (found, ranks) =
            store::incidents::list_ranked(&mut tx, organization, &viewer, &query, page.limit).await?;
        (found, Some(ranks))
    } else {
        (store::incidents::list(&mut tx, organization, &viewer, &query, page.limit).await?, None)
    };
    // Choosing a status replaces the category.
    let status = StatusFacet::WithoutCategory;
    let counts = store::incidents::facets(&mut tx, organization, &viewer, &query.filter, status).await?;
    let has_more = found.has_more;
    let rows = store::incidents::details_of_all(&mut tx, organization, &viewer, view, found.rows).await?;
    let people = store::people::first(&mut tx, organization, MOST_PEOPLE).await?;
    let tags = asked_tags(&mut tx, organization, &asked).await?;
    let tabs = Tabs::read(&request, &mut tx, ViewedList::Incidents, &asked).await?;
    let mut frame = Layout::of(&request, &mut tx, texts::INCIDENTS, Section::Incidents).await?;
    if is_first && query.filter.q.is_none() {
        let latest = store::incidents::latest_number(&mut tx, organization, &viewer).await?;
        frame = frame.watching_list("incidents", latest, &filters_of(&asked));
    }
    let position = |details: &IncidentDetails| match &ranks {
        Some(ranks) => ranks.position(details.incident.number.number()),
        None => sort.by.position(&details.incident),
    };
    let shown = List::of(&request.list_id(), store::Page { rows, has_more }, None, position, |row| row);
    let facets = facets(&asked, &counts, &people, &tags, &request.member.person.id.to_string());
    let (rows, next) = (shown.data, shown.next_cursor);
    let (may_delete, may_write) = (request.may(Scope::IncidentsDelete), request.may(Scope::IncidentsWrite));
    let columns = columns::chosen(&request.display.columns);
    request.show(&ListPage {
        frame,
        rows,
        total: counts.total,
        next,
        is_first,
        asked,
        sort,
        is_ranked,
        facets,
        columns,
        tabs,
        may_delete,
        may_write,
    })
}

/// The filters alone.
fn filters_of(asked: &Form) -> String {
    asked.clone().filled().without(&["sort", "cursor", "limit"]).query()
}

fn facets(
    asked: &Form,
    counts: &Facets,
    people: &[Member],
    tags: &HashMap<String, String>,
    me: &str,
) -> Vec<Facet> {
    let of = Source { asked, counts };
    let status = of.words("status", texts::STATUS, Status::ALL, words::label);
    vec![
        status.with_chosen(|status| shows_status(asked, status)),
        of.words("severity", texts::SEVERITY, &SEVERITIES, words::severity),
        of.people("assigned_to", texts::ASSIGNED, people, me),
        of.words("kind", texts::KIND, Kind::ALL, words::label),
        of.tags(tags),
    ]
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

fn is_of_figures(asked: &Form) -> bool {
    Outcome::ALL.iter().any(|outcome| asked.has(outcome.as_str()))
}

impl ListPage {
    /// The address of this list with another sort: the other way round if it is the present one.
    fn sorted(&self, by: &str) -> String {
        let is_present =
            !self.is_ranked && self.sort.by.as_str() == by && self.sort.direction == Direction::Descending;
        let sort = if is_present { by.to_owned() } else { format!("-{by}") };
        self.asked.query_with("sort", Some(&sort))
    }

    /// `aria-sort` of a column.
    fn order(&self, by: &str) -> &'static str {
        match self.sort.direction {
            _ if self.is_ranked || self.sort.by.as_str() != by => "",
            Direction::Ascending => " aria-sort=\"ascending\"",
            Direction::Descending => " aria-sort=\"descending\"",
        }
    }

    /// Whether something can be done to several incidents.
    fn may_choose(&self) -> bool {
        self.may_delete || self.may_write
    }

    /// What can be done with the chosen ones.
    fn buttons(&self) -> Vec<(&'static str, &'static str)> {
        bulk::buttons::<What>()
    }

    fn shown_count(&self) -> i64 {
        i64::try_from(self.rows.len()).unwrap_or(i64::MAX)
    }

    fn all_columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn shows(&self, column: &Column) -> bool {
        self.columns.contains(&column)
    }

    /// The query of this page.
    fn query(&self) -> String {
        self.asked.query()
    }

    fn next_page(&self, cursor: &str) -> String {
        self.asked.query_with("cursor", Some(cursor))
    }

    /// Whether the list is narrower than all incidents, in another way than to those that are open.
    fn is_filtered(&self) -> bool {
        let filters = self.asked.clone().filled().without(&["sort", "cursor", "limit"]);
        let is_only_of_categories = filters.clone().without(&["category"]).into_fields().is_empty();
        let is_all = Category::ALL.iter().all(|category| filters.is("category", category.as_str()));
        !(is_only_of_categories && (is_all || !filters.has("category")))
    }

    /// Whether closed ones are among them.
    fn shows_closed(&self) -> bool {
        self.asked.is("category", Category::Closed.as_str())
    }

    /// Whether it is a list that can be saved as a view.
    fn can_save(&self) -> bool {
        self.is_filtered() || self.asked.has("sort")
    }

    /// What narrows this list and has no control, in words, each with the address of the list without it.
    fn removable(&self) -> Vec<(String, String)> {
        other_filters::removable(&self.asked, &self.frame)
    }

    /// Until when an incident is or was open: its age.
    fn open_for(&self, incident: &Incident) -> String {
        match incident.closed_date {
            None => self.frame.clock.age(&incident.detected_date),
            Some(closed) => self.frame.clock.between(&incident.detected_date, &closed),
        }
    }

    /// The sort as the address has it.
    fn sort_text(&self) -> &str {
        self.asked.text("sort")
    }

    /// The arrow beside the column of the sort.
    fn arrow(&self, by: &str) -> &'static str {
        match self.sort.direction {
            _ if self.is_ranked || self.sort.by.as_str() != by => "",
            Direction::Ascending => " ↑",
            Direction::Descending => " ↓",
        }
    }

    /// The filters that the form has no control for.
    fn other_filters(&self) -> Vec<(String, String)> {
        const CONTROLS: [&str; 9] =
            ["q", "sort", "cursor", "limit", "status", "severity", "assigned_to", "kind", "tag"];
        self.asked.clone().filled().without(&CONTROLS).into_fields()
    }

    /// The address of all pages as a file.
    fn export(&self) -> String {
        filters_of(&self.asked)
    }

    fn first_page(&self) -> String {
        self.asked.query_with("cursor", None)
    }

    fn views(&self) -> [NamedView; 4] {
        [
            (texts::OPEN, ""),
            (texts::MINE, "?assigned_to=me"),
            (texts::NOBODY_HAS_TAKEN, "?status=new&assigned_to=none"),
            (texts::ALL, "?category=open&category=closed"),
        ]
        .map(|(name, query)| NamedView { name, query, is_current: self.tabs.is_list(query) })
    }
}
