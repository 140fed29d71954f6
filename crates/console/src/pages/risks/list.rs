//! `GET /o/{slug}/risks`: the register of risks.

use std::collections::HashMap;

use askama::Template;
use domain::Scope;
use domain::person::Member;
use domain::risk::{Risk, RiskStatus};
use domain::saved_view::ViewedList;
use store::View;
use store::facets::Facets;
use store::list::{Direction, ListQuery, Position, Sort};
use store::risks::RiskSort;
use web::http::location;
use web::http::page::{List, Page};

use super::READ;
use super::bulk::What;
use super::filter::asked_for;
use crate::frame::facet::{Facet, Source, asked_tags};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::words;
use crate::pages::bulk;
use crate::pages::records::by_number;
use crate::pages::views::tabs::Tabs;
use crate::texts;

/// The most people that the filter names.
const MOST_PEOPLE: i64 = 100;

#[derive(Template)]
#[template(path = "risks/list.html")]
struct ListPage {
    frame: Layout,
    rows: Vec<Risk>,
    total: i64,
    next: Option<String>,
    is_first: bool,
    asked: Form,
    facets: Vec<Facet>,
    sort: Sort<RiskSort>,
    /// Whether the best matches of the search come first, whatever the sort is.
    is_ranked: bool,
    tabs: Tabs,
    may_add: bool,
    may_delete: bool,
}

/// `GET /o/{slug}/risks`: the worst first, unless `sort` says otherwise.
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let asked = request.asked();
    let mut query = request.query();
    let page = Page::<Position>::read(&request.list_id(), &mut query);
    let is_ranked = query.has("q") && !query.has("sort");
    let filter = asked_for(&mut query, &request);
    let sort = match asked.has("sort") {
        true => query.sort::<RiskSort>(),
        false => Sort { by: RiskSort::CurrentScore, direction: Direction::Descending },
    };
    query.finish()?;
    let mut tx = request.read_searched(filter.q.is_some()).await?;
    if let Some(address) = by_number(&request, &mut tx, asked.text("q").trim()).await? {
        return Ok(location::see_other(&address));
    }
    let (organization, view, is_first) = (request.id(), View::now(), page.after.is_none());
    let query = ListQuery { view, filter, sort, after: page.after.clone() };
    let (found, ranks) = if is_ranked {
        let (found, ranks) = store::risks::list_ranked(&mut tx, organization, &query, page.limit).await?;
        (found, Some(ranks))
    } else {
        (store::risks::list(&mut tx, organization, &query, page.limit).await?, None)
    };
    let counts = store::risks::facets(&mut tx, organization, view, &query.filter).await?;
    let people = store::people::first(&mut tx, organization, MOST_PEOPLE).await?;
    let tags = asked_tags(&mut tx, organization, &asked).await?;
    let tabs = Tabs::read(&request, &mut tx, ViewedList::Risks, &asked).await?;
    let frame = Layout::of(&request, &mut tx, texts::RISKS, Section::Risks).await?;
    let position = |risk: &Risk| match &ranks {
        Some(ranks) => ranks.position(risk.number.number()),
        None => sort.by.position(risk),
    };
    let shown = List::of(&request.list_id(), found, None, position, |row| row);
    let (rows, next, may_add) = (shown.data, shown.next_cursor, request.may(Scope::RisksWrite));
    let may_delete = request.may(Scope::RisksDelete);
    let facets = facets(&asked, &counts, &people, &tags, &request.member.person.id.to_string());
    request.show(&ListPage {
        frame,
        rows,
        total: counts.total,
        next,
        is_first,
        asked,
        facets,
        sort,
        is_ranked,
        tabs,
        may_add,
        may_delete,
    })
}

fn facets(
    asked: &Form,
    counts: &Facets,
    people: &[Member],
    tags: &HashMap<String, String>,
    me: &str,
) -> Vec<Facet> {
    let of = Source { asked, counts };
    let status = of.words("status", texts::STATUS, RiskStatus::ALL, words::label);
    let is_shown = |status: &str| match asked.has("status") {
        true => asked.is("status", status),
        false if asked.has("q") => true,
        false => status == RiskStatus::Open.as_str(),
    };
    vec![
        status.with_chosen(is_shown),
        of.people("owner", texts::OWNER, people, me),
        of.values("category", texts::CATEGORY, str::to_owned),
        of.tags(tags),
    ]
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

    /// What can be done with the chosen ones.
    fn buttons(&self) -> Vec<(&'static str, &'static str)> {
        bulk::buttons::<What>()
    }

    fn may_choose(&self) -> bool {
        self.may_add || self.may_delete
    }

    fn shown_count(&self) -> i64 {
        i64::try_from(self.rows.len()).unwrap_or(i64::MAX)
    }

    /// This list, to come back to.
    fn query(&self) -> String {
        self.asked.query()
    }

    fn is_filtered(&self) -> bool {
        ["q", "status", "owner", "category", "tag"].iter().any(|name| self.asked.has(name))
    }

    /// Whether it is a list that can be saved as a view.
    fn can_save(&self) -> bool {
        self.is_filtered() || self.asked.has("sort")
    }

    /// The sort as the address has it.
    fn sort_text(&self) -> &str {
        self.asked.text("sort")
    }

    fn next_page(&self, cursor: &str) -> String {
        self.asked.query_with("cursor", Some(cursor))
    }

    /// The filters that the form has no control for.
    fn other_filters(&self) -> Vec<(String, String)> {
        let controls = ["q", "sort", "cursor", "limit", "status", "owner", "category", "tag"];
        self.asked.clone().filled().without(&controls).into_fields()
    }

    /// The address of all pages as a file.
    fn export(&self) -> String {
        self.asked.clone().filled().without(&["sort", "cursor", "limit"]).query()
    }

    fn first_page(&self) -> String {
        self.asked.query_with("cursor", None)
    }

    /// The named lists: name, query, and whether it is this one.
    fn views(&self) -> [(&'static str, &'static str, bool); 4] {
        [
            (texts::OPEN, ""),
            (texts::MINE, "?owner=me"),
            (texts::CLOSED, "?status=closed"),
            (texts::ALL, "?status=open&status=closed"),
        ]
        .map(|(name, query)| (name, query, self.tabs.is_list(query)))
    }

    /// The arrow beside the column of the sort.
    fn arrow(&self, by: &str) -> &'static str {
        match self.sort.direction {
            _ if self.is_ranked || self.sort.by.as_str() != by => "",
            Direction::Ascending => " ↑",
            Direction::Descending => " ↓",
        }
    }

    /// Where a score stands on a line from 0 to 25.
    fn place(&self, score: &i64) -> String {
        format!("{}%", score * 4)
    }
}
