//! `GET /o/{slug}/documents`: the library.

use std::collections::HashMap;

use askama::Template;
use db::Tx;
use domain::Scope;
use domain::document::{Classification, Document, DocumentStatus, MAX_DOCUMENTS, Next, ReviewStatus};
use domain::saved_view::ViewedList;
use http::page::{List, Page};
use lists::input::document_filter;
use store::did_you_mean::Within;
use store::documents::DocumentFilter;

use super::{READ, bulk};
use crate::frame::facet::{Facet, Source, asked_people, asked_tags};
use crate::frame::form::{CONTROL, Form, Range};
use crate::frame::layout::{Layout, Section};
use crate::frame::meant::Meant;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::words;
use crate::pages::listed::list::{Days, MOST_PEOPLE, filters_of};
use crate::pages::views::tabs::Tabs;
use crate::texts;

/// The named lists: their names and their queries.
const NAMED: [(&str, &str); 5] = [
    (texts::ALL, ""),
    (texts::ASSIGNED_TO_ME, "?owner=me"),
    (texts::WAITING_FOR_ME, "?waiting_for=me"),
    (texts::REVIEW_OVERDUE, "?review=overdue"),
    (texts::ARCHIVED, "?status=archived"),
];

/// The dates that the list is filtered by, each with its label.
const DATES: [(&str, &str); 1] = [("next_review", texts::NEXT_REVIEW)];

/// So many names stand for those who can act next.
const NAMES: usize = 1;

#[derive(Template)]
#[template(path = "documents/list.html")]
struct ListPage {
    frame: Layout,
    /// The query as a form, whose boxes are ticked.
    asked: Form,
    facets: Vec<Facet>,
    days: Days,
    tabs: Tabs,
    may_write: bool,
    rows: Vec<Document>,
    /// What the open proposals wait for, by slug.
    waits: HashMap<String, Next>,
    total: i64,
    next: Option<String>,
    is_first: bool,
    meant: Option<Meant>,
}

impl ListPage {
    fn is_overdue(&self, it: &Document) -> bool {
        it.is_review_overdue(self.frame.clock.now())
    }

    /// Whether the list is narrower than all documents.
    fn is_filtered(&self) -> bool {
        !filters_of(&self.asked).into_fields().is_empty()
    }

    fn first_page(&self) -> String {
        self.asked.query_with("cursor", None)
    }

    fn next_page(&self, cursor: &str) -> String {
        self.asked.query_with("cursor", Some(cursor))
    }

    /// The query of all pages as a file.
    fn export(&self) -> String {
        filters_of(&self.asked).query()
    }

    /// The dates of the control, each with its label and whether it is the chosen one.
    fn dates(&self) -> impl Iterator<Item = (&'static str, &'static str, bool)> {
        DATES.iter().map(|(date, label)| (*date, *label, *date == self.days.date))
    }

    /// The filters that the form has no control for.
    fn other_filters(&self) -> Vec<(String, String)> {
        let of_days = Range::of(self.days.date).map_or([""; 2], |it| [it.from, it.to]);
        let facets = self.facets.iter().map(|facet| facet.name);
        let controls: Vec<&str> = facets.chain(of_days).chain(CONTROL).chain(["q"]).collect();
        filters_of(&self.asked).without(&controls).into_fields()
    }

    /// The named lists: name, address, and whether it is this one.
    fn named(&self) -> impl Iterator<Item = (&'static str, String, bool)> {
        let base = &self.frame.base;
        NAMED
            .iter()
            .map(move |(name, query)| (*name, format!("{base}/documents{query}"), self.tabs.is_list(query)))
    }

    /// What can be done with the ticked ones.
    fn buttons(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        bulk::buttons()
    }

    /// Whether there are more than this page has, and not too many to change all.
    fn can_take_all(&self) -> bool {
        let most = i64::try_from(MAX_DOCUMENTS).unwrap_or(i64::MAX);
        self.total <= most && i64::try_from(self.rows.len()).is_ok_and(|shown| self.total > shown)
    }

    /// The people who can act next on the open proposal; empty if nobody can, and none without a proposal.
    fn waits_for(&self, it: &Document) -> Option<String> {
        let next = self.waits.get(&it.slug)?;
        let names: Vec<_> = next.who.iter().map(|person| person.name.as_str()).collect();
        Some(texts::names(&names, NAMES))
    }
}

/// `GET /o/{slug}/documents`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let asked = request.asked();
    let mut query = request.query();
    let page = Page::<String>::read(&request.list_id(), &mut query);
    let asked_documents = document_filter::read(&mut query, &request.member.actor());
    query.finish()?;
    let (organization, is_first) = (request.id(), page.after.is_none());
    let mut tx = request.read().await?;
    let filter = asked_documents.filter(&mut tx, organization).await?;
    let found =
        store::documents::list(&mut tx, organization, &filter, page.after.as_deref(), page.limit).await?;
    let waits = store::proposals::next_steps(&mut tx, organization, &found.rows, request.app.next()).await?;
    let is_empty = is_first && found.rows.is_empty();
    let meant = Meant::find(&mut tx, &request, Within::Documents(&filter), is_empty).await?;
    let (facets, total) = facets(&request, &mut tx, &filter, &asked).await?;
    let tabs = Tabs::read(&request, &mut tx, ViewedList::Documents, &asked).await?;
    let frame = Layout::of(&request, &mut tx, texts::DOCUMENTS, Section::Documents).await?;
    let shown = List::of(&request.list_id(), found, None, |row| row.slug.clone(), |row| row);
    request.show(&ListPage {
        frame,
        facets,
        days: Days::of(&DATES, &asked, &request.clock),
        tabs,
        may_write: request.may(Scope::DocumentsWrite),
        rows: shown.data,
        waits,
        total,
        next: shown.next_cursor,
        is_first,
        meant,
        asked,
    })
}

/// The filters with their counts, and how many documents there are with all of them.
async fn facets(
    request: &PageRequest,
    tx: &mut Tx,
    filter: &DocumentFilter,
    asked: &Form,
) -> Result<(Vec<Facet>, i64)> {
    let counts = store::documents::facets(tx, request.id(), filter).await?;
    let people = store::people::first(tx, request.id(), MOST_PEOPLE).await?;
    let others = asked_people(tx, request.id(), asked, &people).await?;
    let tags = asked_tags(tx, request.id(), asked).await?;
    let me = &request.member.person.id.to_string();
    let of = Source { asked, counts: &counts, people: &people, others: &others, tags: &tags, me };
    let facets = vec![
        of.words("status", texts::STATUS, DocumentStatus::ALL, words::label),
        of.people("owner", texts::OWNER),
        of.words("classification", texts::CLASSIFICATION, Classification::ALL, words::label),
        of.tags(),
        of.words("review", texts::REVIEW, ReviewStatus::ALL, words::label),
    ];
    Ok((facets, counts.total))
}
