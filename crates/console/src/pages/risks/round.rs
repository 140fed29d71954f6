//! `/o/{slug}/risks/evaluate`: which risks are evaluated one after the other. The address of each page says so.

use domain::RiskNumber;
use domain::risk::{Risk, RiskStatus};
use http::location;
use http::query::Query;
use store::risks::RiskQuery;
use store::{View, listed};

use super::{READ, WRITE};
use crate::frame::form::Form;
use crate::frame::page_request::{PageRequest, Result};
use crate::pages::listed::list::is_ranked;
use crate::pages::listed::{Noun as _, chosen};
use crate::texts;

/// The most risks of one round: an address has room for no more.
const MOST: usize = 200;

/// The risks that are evaluated one after the other.
pub(super) struct Round {
    /// The address of the list.
    pub(super) list: String,
    pub(super) numbers: Vec<RiskNumber>,
    /// Which of them the page is about.
    pub(super) place: usize,
}

/// `GET /o/{slug}/risks/evaluate`: the open risks of the list with this query.
pub(crate) async fn begin(request: PageRequest) -> Result {
    let asked = request.asked();
    begin_with(&request, asked, Vec::new()).await
}

/// `POST /o/{slug}/risks/evaluate`: those that are ticked, or all of the list that they were ticked in.
pub(crate) async fn begin_chosen(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    let mut chosen = if form.has("all") { Vec::new() } else { chosen::<Risk>(&form) };
    chosen.truncate(MOST);
    if chosen.is_empty() && !form.has("all") {
        return Ok(request.lead_to("/risks", texts::NOTHING_SELECTED));
    }
    begin_with(&request, Form::of_query(form.text("query")), chosen).await
}

/// Leads to the first of the chosen risks, or without any of those of the list, that is open.
async fn begin_with(request: &PageRequest, asked: Form, chosen: Vec<RiskNumber>) -> Result {
    request.require(READ)?;
    request.require(WRITE)?;
    let (asked, mut tx) = (asked.filled().without(&["cursor", "limit"]), request.read().await?);
    let query = asked.query();
    let mut query = Query::typed(Some(&query));
    let mut filter = Risk::FILTER(&mut query, request);
    let sort = if asked.has("sort") { query.sort() } else { Risk::SORT };
    query.finish()?;
    // Before they are read, so that closed ones do not take the places of open ones.
    let statuses = std::mem::replace(&mut filter.status, vec![RiskStatus::Open]);
    let has_open = statuses.is_empty() || statuses.contains(&RiskStatus::Open);
    let mut found = match chosen.is_empty() {
        true if has_open => {
            let query = RiskQuery { view: View::now(), filter, sort, after: None };
            let (viewer, limit) = (request.viewer(), i64::try_from(MOST).unwrap_or(i64::MAX));
            let is_ranked = is_ranked(&asked);
            listed::read::<Risk>(&mut tx, request.id(), &viewer, &query, is_ranked, limit).await?.page.rows
        }
        true => Vec::new(),
        false => store::risks::get_many(&mut tx, request.id(), &chosen).await?,
    };
    found.retain(|risk| risk.status == RiskStatus::Open && risk.deleted_date.is_none());
    found.sort_by_key(|risk| chosen.iter().position(|number| *number == risk.number));
    let numbers = found.into_iter().map(|risk| risk.number).collect();
    let round = Round { list: request.to("/risks"), numbers, place: 0 };
    match round.at(0) {
        Some(first) => Ok(location::see_other(&first)),
        None => Ok(request.lead_to("/risks", texts::NOTHING_TO_EVALUATE)),
    }
}

impl Round {
    /// The round with these numbers, which the page of this risk is a part of.
    pub(super) fn of(request: &PageRequest, text: &str, number: RiskNumber) -> Self {
        let mut numbers: Vec<_> = text.split('.').take(MOST).filter_map(RiskNumber::parse).collect();
        if !numbers.contains(&number) {
            numbers = vec![number];
        }
        let place = numbers.iter().position(|it| *it == number).unwrap_or_default();
        Self { list: request.to("/risks"), numbers, place }
    }

    /// The numbers as the address has them.
    pub(super) fn text(&self) -> String {
        self.numbers.iter().map(|it| it.number().to_string()).collect::<Vec<_>>().join(".")
    }

    /// The address of the page of one of them.
    fn at(&self, place: usize) -> Option<String> {
        let number = self.numbers.get(place)?;
        Some(format!("{}/{number}/evaluate?of={}", self.list, self.text()))
    }

    pub(super) fn following(&self) -> Option<String> {
        self.at(self.place + 1)
    }

    /// The page after this one: that of the next risk, or after the last one the list.
    pub(super) fn next(&self) -> String {
        self.following().unwrap_or_else(|| self.list.clone())
    }

    /// The page after this one if its risk is gone: the round goes on without it.
    pub(super) fn next_without(&self, gone: RiskNumber) -> String {
        let numbers = self.numbers.iter().copied().filter(|it| *it != gone).collect();
        let rest = Self { list: self.list.clone(), numbers, place: self.place };
        rest.at(rest.place).unwrap_or(rest.list)
    }

    pub(super) fn previous(&self) -> Option<String> {
        self.at(self.place.checked_sub(1)?)
    }
}
