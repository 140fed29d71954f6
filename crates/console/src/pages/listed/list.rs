//! `GET …`: a list with filters and sorts.

use askama::Template;
use domain::Word as _;
use http::location;
use http::page::{List, Page};
use jiff::civil::Date;
use store::View;
use store::incidents::StatusFacet;
use store::list::{Direction, ListQuery, Position, Sort};
use store::listed;

use super::{Noun, bulk, to_list};
use crate::frame::clock::Clock;
use crate::frame::facet::{Facet, Source, asked_people, asked_tags};
use crate::frame::form::{CONTROL, Form, Range};
use crate::frame::layout::Layout;
use crate::frame::meant::Meant;
use crate::frame::page_request::{PageRequest, Result};
use crate::pages::records::by_number;
use crate::pages::views::shown::{OTHERS, Usual};
use crate::pages::views::tabs::Tabs;
use crate::texts;

/// The most people that the filter names.
pub(in crate::pages) const MOST_PEOPLE: i64 = 100;

/// What a list shows.
pub(crate) struct ListPage<N: Noun> {
    pub(crate) rows: Vec<N::Row>,
    pub(crate) total: i64,
    pub(crate) next: Option<String>,
    pub(crate) is_first: bool,
    pub(crate) meant: Option<Meant>,
    /// The query as a form, whose boxes are ticked.
    pub(crate) asked: Form,
    /// The address of the list.
    pub(crate) address: String,
    pub(crate) facets: Vec<Facet>,
    pub(crate) days: Days,
    pub(crate) tabs: Tabs,
    pub(crate) may_write: bool,
    pub(crate) may_delete: bool,
    sort: Sort<N::Sort>,
    /// Whether the best matches of the search come first, whatever the sort is.
    is_ranked: bool,
}

/// The days between which one of the dates is, as the control for it shows them; empty without a filter.
#[derive(Default)]
pub(crate) struct Days {
    /// The date.
    pub(crate) date: &'static str,
    pub(crate) first: String,
    pub(crate) last: String,
    /// What is chosen, in words.
    pub(crate) words: String,
}

impl Days {
    /// The first of the dates that the list is filtered by in whole days.
    pub(crate) fn of(dates: &[(&'static str, &'static str)], asked: &Form, clock: &Clock) -> Self {
        let days = |&(date, label): &(&'static str, &'static str)| {
            let Range { from, to, .. } = Range::of(date)?;
            let (first, last) = (asked.day(from, clock)?, asked.day(to, clock)?);
            let words = texts::days_of(label, written(&first).as_deref(), written(&last).as_deref());
            (!words.is_empty()).then_some(Self { date, first, last, words })
        };
        dates.iter().find_map(days).unwrap_or_default()
    }
}

/// A day of a field as people read it.
fn written(day: &str) -> Option<String> {
    Some(Date::strptime("%Y-%m-%d", day).ok()?.strftime("%-d %b %Y").to_string())
}

/// Reads the list that is asked for, and shows it on this page. A search for the number of a record leads to the record.
pub(in crate::pages) async fn show<N: Noun, P: Template>(
    request: PageRequest,
    page_of: impl FnOnce(&PageRequest, Layout, ListPage<N>) -> P,
) -> Result
where
    Sort<N::Sort>: Default,
{
    request.require(N::READ)?;
    let asked = request.asked();
    let mut query = request.query();
    let page = Page::<Position>::read(&request.list_id(), &mut query);
    let is_ranked = is_ranked(&asked);
    let filter = N::FILTER(&mut query, &request);
    let sort = if asked.has("sort") { query.sort::<N::Sort>() } else { N::SORT };
    query.finish()?;
    let mut tx = request.read_searched(N::SEARCH(&filter).is_some()).await?;
    if let Some(address) = by_number(&request, &mut tx, asked.text("q").trim()).await? {
        return Ok(location::see_other(&address));
    }
    let (organization, viewer, is_first) = (request.id(), request.viewer(), page.after.is_none());
    let query = ListQuery { view: View::now(), filter, sort, after: page.after.clone() };
    let found = listed::read::<N>(&mut tx, organization, &viewer, &query, is_ranked, page.limit).await?;
    // Choosing a status replaces the category.
    let status = StatusFacet::WithoutCategory;
    let counts = N::FACETS(&mut tx, organization, &viewer, &query.filter, status).await?;
    let people = store::people::first(&mut tx, organization, MOST_PEOPLE).await?;
    let others = asked_people(&mut tx, organization, &asked, &people).await?;
    let tags = asked_tags(&mut tx, organization, &asked).await?;
    let tabs = Tabs::read(&request, &mut tx, N::VIEWED, &asked).await?;
    let mut frame = Layout::of(&request, &mut tx, N::TITLE, N::SECTION).await?;
    if is_first
        && N::SEARCH(&query.filter).is_none()
        && let Some(latest) = N::latest(&mut tx, &request).await?
    {
        frame = frame.watching_list(N::NAME, latest, &filters_of(&asked).query());
    }
    let (found, position) = found.into_parts();
    let is_empty = is_first && found.rows.is_empty();
    let meant = Meant::find(&mut tx, &request, N::WITHIN(&query.filter), is_empty).await?;
    let shown = List::of(&request.list_id(), found, None, position, |row| row);
    let me = &request.member.person.id.to_string();
    let of = Source { asked: &asked, counts: &counts, people: &people, others: &others, tags: &tags, me };
    let facets = N::CONTROLS(&of);
    let days = Days::of(N::DATES, &asked, &request.clock);
    let list = ListPage {
        rows: shown.data,
        total: counts.total,
        next: shown.next_cursor,
        is_first,
        meant,
        asked,
        address: to_list::<N>(&request),
        facets,
        days,
        tabs,
        may_write: request.permissions().scopes().require_any(N::WRITE).is_ok(),
        may_delete: request.permissions().scopes().require_any(N::DELETE).is_ok(),
        sort,
        is_ranked,
    };
    request.show(&page_of(&request, frame, list))
}

/// Whether the best matches come first: of a search without an order.
pub(in crate::pages) fn is_ranked(asked: &Form) -> bool {
    asked.has("q") && !asked.has("sort")
}

/// The filters of a query.
pub(in crate::pages) fn filters_of(asked: &Form) -> Form {
    asked.clone().filled().without(&OTHERS)
}

impl<N: Noun> ListPage<N> {
    /// What the list is called in an address, and in a sentence.
    pub(crate) fn name(&self) -> &'static str {
        N::NAME
    }

    /// The direction of the list, if it is in this order.
    fn direction(&self, by: &str) -> Option<Direction> {
        (!self.is_ranked && self.sort.by.as_str() == by).then_some(self.sort.direction)
    }

    /// The address of this list with another sort: the other way round if it is the present one.
    pub(crate) fn sorted(&self, by: &str) -> String {
        let sort = match self.direction(by) {
            Some(Direction::Descending) => by.to_owned(),
            Some(Direction::Ascending) | None => format!("-{by}"),
        };
        self.asked.query_with("sort", Some(&sort))
    }

    /// `aria-sort` of a column.
    pub(crate) fn order(&self, by: &str) -> &'static str {
        match self.direction(by) {
            None => "",
            Some(Direction::Ascending) => " aria-sort=\"ascending\"",
            Some(Direction::Descending) => " aria-sort=\"descending\"",
        }
    }

    /// The arrow beside the column of the sort.
    pub(crate) fn arrow(&self, by: &str) -> &'static str {
        match self.direction(by) {
            None => "",
            Some(Direction::Ascending) => " ↑",
            Some(Direction::Descending) => " ↓",
        }
    }

    /// Whether something can be done to several.
    pub(crate) fn may_choose(&self) -> bool {
        self.may_delete || self.may_write
    }

    /// What can be done with the chosen ones.
    pub(crate) fn buttons(&self) -> Vec<(&'static str, &'static str)> {
        bulk::buttons::<N::Operation>()
    }

    /// What else can be done with them, on a page of its own.
    pub(crate) fn other_action(&self) -> Option<(&'static str, &'static str)> {
        N::OTHER_ACTION
    }

    pub(crate) fn shown_count(&self) -> i64 {
        i64::try_from(self.rows.len()).unwrap_or(i64::MAX)
    }

    /// The query of this page.
    pub(crate) fn query(&self) -> String {
        self.asked.query()
    }

    pub(crate) fn first_page(&self) -> String {
        self.asked.query_with("cursor", None)
    }

    pub(crate) fn next_page(&self, cursor: &str) -> String {
        self.asked.query_with("cursor", Some(cursor))
    }

    /// The query of all pages as a file.
    pub(crate) fn export(&self) -> String {
        filters_of(&self.asked).query()
    }

    /// Whether the list is narrower than all records, in another way than to those that are open.
    pub(crate) fn is_filtered(&self) -> bool {
        let usual = Usual::of(N::VIEWED);
        let filters = filters_of(&self.asked);
        let is_only_of_usual = filters.clone().without(&[usual.parameter]).into_fields().is_empty();
        let is_all = [usual.open, usual.closed].iter().all(|value| filters.is(usual.parameter, value));
        !(is_only_of_usual && (is_all || !filters.has(usual.parameter)))
    }

    /// Whether closed ones are among them.
    pub(crate) fn shows_closed(&self) -> bool {
        let usual = Usual::of(N::VIEWED);
        self.asked.is(usual.parameter, usual.closed)
    }

    /// Whether it is a list that can be saved as a view.
    pub(crate) fn can_save(&self) -> bool {
        self.is_filtered() || self.asked.has("sort")
    }

    /// The dates of the control, each with its label and whether it is the chosen one.
    pub(crate) fn dates(&self) -> impl Iterator<Item = (&'static str, &'static str, bool)> {
        N::DATES.iter().map(|(date, label)| (*date, *label, *date == self.days.date))
    }

    /// The parameters that the control has.
    fn of_control(&self) -> [&'static str; 2] {
        Range::of(self.days.date).map_or([""; 2], |it| [it.from, it.to])
    }

    /// The filters that the form has no control for.
    pub(crate) fn other_filters(&self) -> Vec<(String, String)> {
        let facets = self.facets.iter().map(|facet| facet.name);
        let controls: Vec<&str> = facets.chain(self.of_control()).chain(CONTROL).chain(["q"]).collect();
        filters_of(&self.asked).without(&controls).into_fields()
    }

    /// What narrows this list and has no control, in words, each with the address of the list without it.
    pub(crate) fn removable(&self, frame: &Layout) -> Vec<(String, String)> {
        let mut all = N::OTHER_FILTERS(&self.asked, frame);
        for (date, label) in N::DATES {
            let ends = Range::of(date).into_iter().flat_map(|it| [(it.from, false), (it.to, true)]);
            for (name, is_end) in ends.filter(|(name, _)| !self.of_control().contains(name)) {
                let at = domain::time::parse(self.asked.text(name));
                let words = |at| texts::from_or_before(label, is_end, &frame.clock.short(&at));
                all.extend(at.map(|at| (words(at), name)));
            }
        }
        for field in N::filtered().filter(|field| self.facets.iter().all(|facet| facet.name != field.name)) {
            all.extend(
                self.asked.all(field.name).map(|text| (format!("{}: {text}", field.label), field.name)),
            );
        }
        all.into_iter().map(|(words, name)| (words, self.asked.query_with(name, None))).collect()
    }

    /// The named lists: name, address, and whether it is this one.
    pub(crate) fn named(&self) -> Vec<(&'static str, String, bool)> {
        let named = |(name, query): &(&'static str, &str)| {
            (*name, format!("{}{query}", self.address), self.tabs.is_list(query))
        };
        N::NAMED.iter().map(named).collect()
    }
}
