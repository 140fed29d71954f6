//! Lists of risks: what they can be filtered and sorted by.

use std::collections::HashSet;

use db::{Tx, Value};
use domain::acceptance::{RiskAcceptance, RiskDecision};
use domain::document::{Control, Day};
use domain::risk::{EvaluationDue, Risk, RiskStatus, Treatment};
use domain::scale::Scales;
use domain::search::{SearchKind, SearchQuery};
use domain::text::folded;
use domain::{OrgId, RiskNumber, UserId};
use macros::boxed;

use super::due::DueFilter;
use super::read::{RiskRow, add_parts, evaluated_at, latest_evaluation, of_latest, select};
use super::tag_links::TAGS;
use crate::ledger::error::Result;
use crate::ledger::list::{
    Direction, Filter, ListQuery, Position, SEQ, Select, Sort, SortColumn, SortValue, TagFilter, TimeRange,
};
use crate::ledger::page::Page;
use crate::ledger::record::Stored;
use crate::ledger::search::{self, Found, FoundOrder, Ranks};
use crate::ledger::view::View;
use crate::{acceptances, scales};

/// Stands for the band of the latest evaluation, which is in no column of a risk.
pub(super) const BAND: &str = "band";

/// Stands for the state of the acceptances of a risk.
pub(super) const ACCEPTANCE: &str = "acceptance";

/// What a caller asks of the list of risks.
pub type RiskQuery = ListQuery<RiskFilter, RiskSort>;

/// Which risks a list has. What is empty lets every risk through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RiskFilter {
    /// Risks with one of these statuses.
    pub status: Vec<RiskStatus>,
    /// Risks of one of these owners; `None` is a risk without an owner.
    pub owner: Vec<Option<UserId>>,
    /// Risks with one of these treatments.
    pub treatment: Vec<Treatment>,
    /// Risks that one of these controls concerns.
    pub control: Vec<Control>,
    /// Risks with one of these texts in these fields.
    pub texts: Vec<(&'static str, Vec<String>)>,
    /// Risks with these tags.
    pub tags: TagFilter,
    /// Risks created at this time.
    pub created: TimeRange,
    /// Risks changed at this time.
    pub updated: TimeRange,
    /// Risks whose latest evaluation describes this time.
    pub evaluated: TimeRange,
    /// Risks whose next review or evaluation is due.
    pub due: DueFilter,
    /// Risks whose latest evaluation is in a band with one of these names, without regard to case.
    pub band: Vec<String>,
    /// Risks whose acceptances are in one of these states.
    pub acceptance: Vec<RiskAcceptance>,
    /// Risks of whose acceptance this is open.
    pub decision: Option<RiskDecision>,
    /// Risks that a search finds. Of the present only.
    pub q: Option<SearchQuery>,
}

domain::words! {
    "RiskSort"
    /// What risks can be sorted by.
    pub enum RiskSort {
        /// The number.
        Number = "number",
        /// The band of the latest evaluation, and within it the share of the scale's highest score; a risk without one comes last.
        CurrentScore = "current_score",
        /// When the risk was last changed.
        UpdatedDate = "updated_date",
        /// The day of the next review; a risk without one comes last.
        NextReviewDate = "next_review_date",
    }
}

/// The latest risk first.
impl Default for Sort<RiskSort> {
    fn default() -> Self {
        Self { by: RiskSort::Number, direction: Direction::Descending }
    }
}

impl RiskFilter {
    /// What the search finds, as a filter.
    pub(super) async fn searched(&self, tx: &mut Tx, organization: OrgId) -> Result<Option<Filter<'static>>> {
        Ok(found(tx, organization, self).await?.map(|found| found.filter(tx.engine())))
    }

    /// The filter on the bands that the scales say.
    pub(super) fn graded(&self, scales: &Scales, view: View) -> Option<Filter<'static>> {
        let is_named = |code: &i64| {
            let band = scales::band_of_code(scales, *code);
            band.is_some_and(|band| self.band.iter().any(|name| folded(name) == folded(&band.name)))
        };
        (!self.band.is_empty()).then(|| {
            let code = of_latest(&scales::band_code(scales, "known"), view.as_of_seq.map(|_| SEQ));
            let codes = scales::codes(scales).filter(is_named).map(Value::from).collect();
            Filter::AnyOf(BAND, vec![vec![Filter::Expression(code, codes)]])
        })
    }

    /// The filters on acceptances on a day, as of the view.
    pub(super) fn accepted_on(&self, today: &Day, scales: &Scales, view: View) -> Vec<Filter<'static>> {
        let seq = view.as_of_seq.map(|_| SEQ);
        let is_true = |condition: String| {
            let expression = format!("CASE WHEN {condition} THEN CAST(1 AS BIGINT) END");
            Filter::Expression(expression, vec![Value::Integer(1)])
        };
        let of_state = |state| vec![is_true(acceptances::decision_state(state, seq, today))];
        let states: Vec<_> = self.acceptance.iter().copied().map(of_state).collect();
        let states = (!states.is_empty()).then_some(Filter::AnyOf(ACCEPTANCE, states));
        let missing = self.decision.map(|RiskDecision::Missing| {
            let code = of_latest(&scales::band_code(scales, "known"), seq);
            is_true(acceptances::is_decision_missing(&code, scales, seq, today))
        });
        states.into_iter().chain(missing).collect()
    }

    /// The filters on what is computed: days, bands and acceptances, as of the view.
    pub(super) async fn computed(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        view: View,
        scales: &Scales,
    ) -> Result<Vec<Filter<'static>>> {
        let due = self.due.filters(tx, organization, view, scales).await?;
        let accepted = match self.acceptance.is_empty() && self.decision.is_none() {
            true => Vec::new(),
            false => self.accepted_on(&acceptances::today(tx, organization, view).await?, scales, view),
        };
        Ok(due.into_iter().chain(self.graded(scales, view)).chain(accepted).collect())
    }

    /// The filters but for the search and for what is computed.
    pub(crate) fn filters(&self) -> impl Iterator<Item = Filter<'_>> {
        let filters = [
            Filter::words("status", &self.status),
            Filter::people("owner", &self.owner),
            Filter::words("treatment", &self.treatment),
            Filter::has_text("controls", self.control.iter().map(Control::as_str)),
            Filter::tags(TAGS.link, &self.tags),
        ];
        let texts = self.texts.iter().filter_map(|(field, texts)| Filter::texts(field, texts));
        let times = [
            Filter::times("created_date", self.created),
            Filter::times("updated_date", self.updated),
            Filter::times_of(evaluated_at, self.evaluated),
        ];
        filters.into_iter().chain(times).flatten().chain(texts)
    }
}

impl RiskSort {
    fn column(self, scales: &Scales) -> SortColumn {
        match self {
            Self::Number => SortColumn::key(),
            Self::CurrentScore => SortColumn::joined(&scales::order(scales, "e")),
            Self::UpdatedDate => SortColumn::column("updated_date"),
            Self::NextReviewDate => SortColumn::nullable("next_review_date"),
        }
    }

    /// Where a risk stands in this order.
    pub fn position(self, risk: &Risk) -> Position {
        let value: Option<SortValue> = match self {
            Self::Number => return Position::of_key(risk.number.number()),
            Self::CurrentScore => risk.grades.current.as_ref().map(|grade| grade.order.into()),
            Self::UpdatedDate => Some(risk.updated_date.into()),
            Self::NextReviewDate => risk.next_review_date.as_ref().map(|day| day.date().into()),
        };
        Position::of(value, risk.number.number())
    }
}

/// The risks that the filter lets through, called `r`, with these columns of their latest evaluations `e`. Its search does not
/// count.
pub(crate) fn with_latest<'q>(
    organization: OrgId,
    view: View,
    filter: &'q RiskFilter,
    columns: &'static str,
) -> Select<'q, Risk> {
    Select::of(organization, view).with(columns, latest_evaluation).filters(filter.filters())
}

/// Up to `limit` risks of a list.
#[boxed]
pub async fn list(tx: &mut Tx, organization: OrgId, query: &RiskQuery, limit: i64) -> Result<Page<Risk>> {
    let scales = scales::known(tx, organization, query.view).await?;
    list_graded(tx, organization, query, &scales, limit).await
}

/// The same for a caller who has the scales that the view sees.
#[boxed]
pub async fn list_graded(
    tx: &mut Tx,
    organization: OrgId,
    query: &RiskQuery,
    scales: &Scales,
    limit: i64,
) -> Result<Page<Risk>> {
    let ListQuery { view, filter, sort, after } = query;
    if filter.q.is_some() && sort.by == RiskSort::Number {
        let order = FoundOrder::Number(sort.direction);
        return Ok(list_found(tx, organization, query, scales, order, limit).await?.0);
    }
    let searched = filter.searched(tx, organization).await?;
    let computed = filter.computed(tx, organization, *view, scales).await?;
    let select = select(organization, *view).filters(filter.filters()).filters(computed).filters(searched);
    let select = select.sort(sort.by.column(scales), "number", sort.direction, after.as_ref());
    let mut page = select.page(tx, limit).await?.map(|RiskRow(risk)| risk);
    add_parts(tx, organization, *view, &mut page.rows).await?;
    Ok(page.map(|risk| risk.graded(scales)))
}

/// Up to `limit` risks of a list in the order of its search: the best matches first, and of those the latest. The order of the
/// list does not count.
#[boxed]
pub async fn list_ranked(
    tx: &mut Tx,
    organization: OrgId,
    query: &RiskQuery,
    limit: i64,
) -> Result<(Page<Risk>, Ranks)> {
    let scales = scales::known(tx, organization, query.view).await?;
    list_found(tx, organization, query, &scales, FoundOrder::Best, limit).await
}

/// Up to `limit` risks of a list with a search in an order of what was found: no more of them are read than a page needs.
async fn list_found(
    tx: &mut Tx,
    organization: OrgId,
    query: &RiskQuery,
    scales: &Scales,
    order: FoundOrder,
    limit: i64,
) -> Result<(Page<Risk>, Ranks)> {
    let found = found(tx, organization, &query.filter).await?.unwrap_or_default();
    page_of(tx, organization, query, &found, scales, order, limit).await
}

/// What the search of a filter finds now, if it has one.
#[boxed]
pub async fn found(tx: &mut Tx, organization: OrgId, filter: &RiskFilter) -> Result<Option<Found>> {
    let Some(query) = &filter.q else { return Ok(None) };
    Ok(Some(search::find(tx, organization, SearchKind::Risk, query).await?))
}

/// Up to `limit` risks of a list in the order of their numbers. What its search found is known, so that all pages have the same.
#[boxed]
pub async fn list_by_number(
    tx: &mut Tx,
    organization: OrgId,
    query: &RiskQuery,
    found: Option<&Found>,
    limit: i64,
) -> Result<Page<Risk>> {
    let Some(found) = found else { return list(tx, organization, query, limit).await };
    let scales = scales::known(tx, organization, query.view).await?;
    let order = FoundOrder::Number(query.sort.direction);
    Ok(page_of(tx, organization, query, found, &scales, order, limit).await?.0)
}

async fn page_of(
    tx: &mut Tx,
    organization: OrgId,
    query: &RiskQuery,
    found: &Found,
    scales: &Scales,
    order: FoundOrder,
    limit: i64,
) -> Result<(Page<Risk>, Ranks)> {
    let ListQuery { view, filter, after, .. } = query;
    let computed = filter.computed(tx, organization, *view, scales).await?;
    let of = |among| {
        select(organization, *view).filters(filter.filters()).filters(computed.iter().cloned()).filter(among)
    };
    let number = |RiskRow(risk): &RiskRow| risk.number.number();
    let page = search::page(tx, found, (order, after.as_ref(), limit), of, number).await?;
    let (mut page, ranks) = page.map(|RiskRow(risk)| risk).page();
    add_parts(tx, organization, *view, &mut page.rows).await?;
    Ok((page.map(|risk| risk.graded(scales)), ranks))
}

/// The numbers of the first `limit` risks of a list, from the least on. A search finds none that has lost its words.
pub(super) async fn numbers(
    tx: &mut Tx,
    organization: OrgId,
    filter: &RiskFilter,
    limit: i64,
) -> Result<Vec<i64>> {
    let select = filtered(tx, organization, View::now(), filter).await?;
    let numbers = select.numbers_from_the_least(tx, limit).await?;
    match &filter.q {
        Some(query) => search::still_found(tx, organization, SearchKind::Risk, query, numbers).await,
        None => Ok(numbers),
    }
}

/// How many risks a list has on all its pages.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, view: View, filter: &RiskFilter) -> Result<i64> {
    filtered(tx, organization, view, filter).await?.count(tx).await
}

/// The risks that a filter lets through. The scales are read only if it asks for what they say.
async fn filtered<'f>(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    filter: &'f RiskFilter,
) -> Result<Select<'f, Risk>> {
    let searched = filter.searched(tx, organization).await?;
    let is_outdated = filter.due.evaluation.contains(&EvaluationDue::ScaleOutdated);
    let scales = match is_outdated || !filter.band.is_empty() || filter.decision.is_some() {
        true => scales::known(tx, organization, view).await?,
        false => Scales::default(),
    };
    let computed = filter.computed(tx, organization, view, &scales).await?;
    Ok(Select::of(organization, view).filters(filter.filters()).filters(computed).filters(searched))
}

/// Which of these risks the view sees.
#[boxed]
pub async fn existing(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    numbers: &[RiskNumber],
) -> Result<HashSet<RiskNumber>> {
    let numbers = numbers.iter().map(|number| number.number().into());
    let Some(filter) = Filter::any_of("number", numbers) else { return Ok(HashSet::new()) };
    let found: Vec<Stored<Risk>> = Select::<Risk>::of(organization, view).filter(filter).all(tx).await?;
    Ok(found.into_iter().map(|Stored(risk)| risk.number).collect())
}
