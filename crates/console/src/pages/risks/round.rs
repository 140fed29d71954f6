//! `/o/{slug}/risks/evaluate` and `/o/{slug}/risks/{id}/evaluate`: several risks are evaluated one after the other. Which ones, the
//! address says.

use askama::Template;
use domain::evaluation::Evaluation;
use domain::risk::{Risk, RiskStatus};
use domain::{Error, RiskNumber};
use http::location;
use http::query::Query;
use store::View;
use store::risks::RiskQuery;

use super::evaluate::record;
use super::{Choice, IMPACTS, LIKELIHOODS, READ, WRITE, number};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::pages::listed::{Noun as _, chosen};
use crate::texts;

/// The most risks of one round: an address has room for no more.
const MOST: usize = 200;

/// So many characters of a description are shown.
const SHOWN: usize = 300;

/// The risks that are evaluated one after the other.
struct Round {
    /// The address of the list.
    list: String,
    numbers: Vec<RiskNumber>,
    /// Which of them the page is about.
    place: usize,
}

#[derive(Template)]
#[template(path = "risks/evaluate.html")]
struct EvaluatePage {
    frame: Layout,
    round: Round,
    risk: Risk,
    /// The latest evaluation.
    last: Option<Evaluation>,
    form: Form,
    problems: Problems,
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
    let filter = Risk::FILTER(&mut query, request);
    let sort = if asked.has("sort") { query.sort() } else { Risk::SORT };
    query.finish()?;
    let mut found = match chosen.is_empty() {
        true => {
            let asked = RiskQuery { view: View::now(), filter, sort, after: None };
            let limit = i64::try_from(MOST).unwrap_or(i64::MAX);
            store::risks::list(&mut tx, request.id(), &asked, limit).await?.rows
        }
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

/// `GET /o/{slug}/risks/{id}/evaluate`
pub(crate) async fn page(request: PageRequest) -> Result {
    let (number, asked) = (number(&request)?, request.asked());
    let round = Round::of(&request, asked.text("of"), number);
    let next = round.next();
    match EvaluatePage::read(&request, round, Form::default(), Problems::default()).await {
        Ok(page) => request.show(&page),
        // It was deleted since the round began.
        Err(http::Error::Domain(Error::NotFound(_))) if asked.has("of") => Ok(location::see_other(&next)),
        Err(error) => Err(error),
    }
}

/// `POST /o/{slug}/risks/{id}/evaluate`: an evaluation, and the next risk.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let round = Round::of(&request, form.text("of"), number);
    let told = match round.following() {
        Some(_) => texts::evaluated(number),
        None => texts::evaluated_last(number, round.numbers.len()),
    };
    let next = round.next();
    let recorded = record(&request, &form, number, move || Next::telling(next.clone(), told.clone())).await;
    let again = async |problems| EvaluatePage::read(&request, round, form, problems).await;
    request.answer(recorded, (String::new(), false), again).await
}

impl Round {
    /// The round with these numbers, which the page of this risk is a part of.
    fn of(request: &PageRequest, text: &str, number: RiskNumber) -> Self {
        let mut numbers: Vec<_> = text.split('.').take(MOST).filter_map(RiskNumber::parse).collect();
        if !numbers.contains(&number) {
            numbers = vec![number];
        }
        let place = numbers.iter().position(|it| *it == number).unwrap_or_default();
        Self { list: request.to("/risks"), numbers, place }
    }

    /// The numbers as the address has them.
    fn text(&self) -> String {
        self.numbers.iter().map(|it| it.number().to_string()).collect::<Vec<_>>().join(".")
    }

    /// The address of the page of one of them.
    fn at(&self, place: usize) -> Option<String> {
        let number = self.numbers.get(place)?;
        Some(format!("{}/{number}/evaluate?of={}", self.list, self.text()))
    }

    fn following(&self) -> Option<String> {
        self.at(self.place + 1)
    }

    /// The page after this one: that of the next risk, or after the last one the list.
    fn next(&self) -> String {
        self.following().unwrap_or_else(|| self.list.clone())
    }

    fn previous(&self) -> Option<String> {
        self.at(self.place.checked_sub(1)?)
    }
}

impl EvaluatePage {
    async fn read(request: &PageRequest, round: Round, form: Form, problems: Problems) -> Result<Self> {
        request.require(READ)?;
        request.require(WRITE)?;
        let (number, organization) = (number(request)?, request.id());
        let mut tx = request.read().await?;
        let risk = store::risks::get(&mut tx, organization, number, View::now()).await?;
        let last = match &risk.current {
            Some(it) => Some(store::evaluations::get(&mut tx, organization, number, it.evaluation).await?),
            None => None,
        };
        let frame = Layout::of(request, &mut tx, risk.title.clone(), Section::Risks).await?;
        Ok(Self { frame, round, risk, last, form, problems })
    }

    /// The beginning of the description, without its formatting.
    fn description(&self) -> String {
        let text = render::plain(&self.risk.description);
        match text.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
            None => text,
        }
    }

    /// What is chosen: each with the id of what has the focus afterwards.
    fn choices(&self) -> [(Choice, &'static str); 2] {
        let choice = |name, label, levels| Choice { name, label, levels };
        [
            (choice("likelihood", texts::LIKELIHOOD_WITHIN_A_YEAR, LIKELIHOODS), "impact"),
            (choice("impact", texts::IMPACT, IMPACTS), "save"),
        ]
    }
}
