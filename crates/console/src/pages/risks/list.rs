//! `GET /o/{slug}/risks`: the register of risks.

use askama::Template;
use db::Tx;
use domain::acceptance::{RiskAcceptance, RiskDecision};
use domain::risk::{EvaluationDue, ReviewDue, Risk, RiskPatch, RiskStatus, Treatment};
use domain::saved_view::ViewedList;
use domain::scale::Grade;
use domain::{Author, Error, ExpectedVersion, OrgId, RiskNumber, Scope};
use http::query::Query;
use store::list::{Direction, Sort};
use store::risks::{RiskFilter, RiskSort};

use super::bulk::What;
use super::filter::asked_for;
use super::show::{ShowPage, show_page};
use super::{DELETE, READ, WRITE};
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

#[derive(Template)]
#[template(path = "risks/list.html")]
struct RisksPage {
    frame: Layout,
    list: ListPage<Risk>,
}

/// `GET /o/{slug}/risks`: the worst first, unless `sort` says otherwise.
pub(crate) async fn page(request: PageRequest) -> Result {
    list::show(request, |_, frame, list| RisksPage { frame, list }).await
}

impl Noun for Risk {
    type Operation = What;
    type Page = ShowPage;
    const WORDS: texts::Noun = texts::A_RISK;
    const TITLE: &'static str = texts::RISKS;
    const VIEWED: ViewedList = ViewedList::Risks;
    const SECTION: Section = Section::Risks;
    const READ: &'static [Scope] = READ;
    const WRITE: &'static [Scope] = WRITE;
    const DELETE: &'static [Scope] = DELETE;
    const NAMED: &'static [(&'static str, &'static str)] = &[
        (texts::OPEN, ""),
        (texts::ASSIGNED_TO_ME, "?owner=me"),
        (texts::EVALUATION_OVERDUE, "?evaluation=overdue"),
        (texts::REVIEW_OVERDUE, "?review=overdue"),
        (texts::DECISION_MISSING, "?decision=missing"),
        (texts::CLOSED, "?status=closed"),
        (texts::ALL, "?status=open&status=closed"),
    ];
    const SORT: Sort<RiskSort> = Sort { by: RiskSort::CurrentScore, direction: Direction::Descending };
    const LATELY_CHANGED: RiskSort = RiskSort::UpdatedDate;
    const FILTER: fn(&mut Query<'_>, &PageRequest) -> RiskFilter = asked_for;
    const CONTROLS: fn(&Source<'_>) -> Vec<Facet> = |of| {
        let status = of.words("status", texts::STATUS, RiskStatus::ALL, words::label);
        let is_shown = |status: &str| match of.asked.has("status") {
            true => of.asked.is("status", status),
            false => of.asked.has("q") || status == RiskStatus::Open.as_str(),
        };
        vec![
            status.with_chosen(is_shown),
            of.people("owner", texts::OWNER),
            of.words("treatment", texts::TREATMENT, Treatment::ALL, words::label),
            of.values("category", texts::CATEGORY, str::to_owned),
            of.values("band", texts::BAND, str::to_owned),
            of.words("acceptance", texts::ACCEPTANCE, RiskAcceptance::ALL, words::label),
            of.tags(),
            of.words("evaluation", texts::EVALUATION, EvaluationDue::ALL, words::label),
            of.words("review", texts::REVIEW, ReviewDue::ALL, |it| match it {
                ReviewDue::Overdue => words::label(it),
                ReviewDue::Due30 => texts::WITHIN_30_DAYS.to_owned(),
            }),
        ]
    };
    const DATES: &'static [(&'static str, &'static str)] =
        &[("created", texts::CREATED), ("evaluated", texts::EVALUATED), ("updated", texts::UPDATED)];
    const IS_RATED: fn(&RiskPatch) -> bool = RiskPatch::is_rated;
    const OTHER_ACTION: Option<(&'static str, &'static str)> = Some(("evaluate", texts::EVALUATE));
    const OTHER_FILTERS: fn(&Form, &Layout) -> Vec<(String, &'static str)> = |asked, _| {
        let controls = asked.all("control").map(|it| (format!("{}: {it}", texts::CONTROL), "control"));
        let missing = asked.is("decision", RiskDecision::Missing.as_str());
        controls.chain(missing.then(|| (texts::DECISION_MISSING.to_owned(), "decision"))).collect()
    };
    const DELETED: fn(Risk) -> Deleted = |it| Deleted {
        number: it.number.to_string(),
        title: it.title.into(),
        severity: None,
        deleted_date: it.deleted_date,
    };

    async fn show(request: &PageRequest, form: Form, problems: Problems) -> Result<ShowPage> {
        show_page(request, form, problems).await
    }

    async fn latest(_: &mut Tx, _: &PageRequest) -> store::Result<Option<i64>> {
        Ok(None)
    }

    async fn move_one(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        number: RiskNumber,
        expected: &ExpectedVersion,
        to: Move,
    ) -> store::Result<bool> {
        match to {
            Move::Delete => store::risks::delete(tx, organization, author, number, expected).await?,
            Move::Restore => {
                store::risks::restore(tx, organization, author, number, expected).await?;
            }
        }
        Ok(true)
    }

    async fn restore(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        numbers: &[RiskNumber],
    ) -> store::Result<usize> {
        let mut restored = 0;
        for number in numbers {
            match store::risks::restore(tx, organization, author, *number, &ExpectedVersion::Any).await {
                Ok(_) => restored += 1,
                // Somebody else was faster.
                Err(store::Error(Error::NotFound(_))) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(restored)
    }
}

impl RisksPage {
    /// Whether the person may evaluate a risk: an open one.
    fn may_evaluate(&self, risk: &Risk) -> bool {
        self.list.may_write && risk.status == RiskStatus::Open
    }

    /// Where a rating stands on a line from 0 to the highest score of its scale.
    fn place(&self, grade: &Option<Grade>) -> String {
        format!("{}%", grade.as_ref().map_or(0, Grade::share) / 100)
    }
}
