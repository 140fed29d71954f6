//! `GET /o/{slug}/reports/risks`: the report for a board, also as a file, and kept as a document.

use askama::Template;
use db::Tx;
use domain::document::{KeptReport, Proposal};
use domain::risk::Rating;
use domain::scale::{Grade, Scale};
use domain::{Author, OrgId, Scope};
use lists::input::risk_span::SpanParams;
use lists::printed_file::Form as FileForm;
use lists::risk_report::{self, FORMULA, RiskReport, WORST};
use store::risks::{HeatMap, RatingBasis};

use super::{READ, levels};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// So many changes are on the page.
const SHOWN: usize = 50;

#[derive(Template)]
#[template(path = "risks/report.html")]
struct ReportPage {
    frame: Layout,
    report: RiskReport,
    may_keep: bool,
    problems: Problems,
}

/// `GET /o/{slug}/reports/risks?from=2026-06-30&to=2026-09-30`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = report_page(&request, Problems::default()).await?;
    request.show(&page)
}

async fn report_page(request: &PageRequest, problems: Problems) -> Result<ReportPage> {
    request.require(READ)?;
    let report = read(request, SHOWN).await?;
    let mut tx = request.read().await?;
    let frame = Layout::of(request, &mut tx, texts::RISK_REPORT, Section::Risks).await?;
    let may_keep = request.may(Scope::DocumentsWrite);
    Ok(ReportPage { frame, report, may_keep, problems })
}

/// `POST /o/{slug}/reports/risks/keep`, with the same days: proposes the report as the text of a document.
pub(crate) async fn keep(mut request: PageRequest) -> Result {
    request.require(READ)?;
    request.require(&[Scope::DocumentsWrite])?;
    let form = request.form().await?;
    let documents = request.to("/documents");
    let days = days(&request)?;
    let mut tx = request.read().await?;
    let kept = risk_report::kept(&mut tx, request.id(), days).await?;
    drop(tx);
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        let document = KeptReport::default();
        store::proposals::keep_report(tx, organization, author, &document, kept.clone()).await
    };
    let next = move |it: Proposal| format!("{documents}/{}/proposals/{}", it.document, it.number);
    let kept = request.write(&form, change, next).await;
    let again = async |problems| report_page(&request, problems).await;
    request.answer(kept, (texts::REPORT_KEPT, false), again).await
}

/// `GET /o/{slug}/reports/risks/pdf`, `…/word` and `…/excel`, with the same days.
pub(crate) async fn file(request: PageRequest, form: FileForm) -> Result {
    request.require(READ)?;
    read(&request, risk_report::listed(form)).await?.file(&request.app, form).await
}

fn days(request: &PageRequest) -> Result<SpanParams> {
    let mut query = request.query();
    let days = SpanParams::of(&mut query);
    query.finish()?;
    Ok(days)
}

async fn read(request: &PageRequest, listed: usize) -> Result<RiskReport> {
    let days = days(request)?;
    let mut tx = request.read().await?;
    RiskReport::read(&mut tx, request.id(), days, listed).await
}

impl ReportPage {
    fn day(&self, day: &jiff::civil::Date) -> String {
        self.frame.clock.date(&day.to_string())
    }

    fn days(&self) -> String {
        format!("from={}&to={}", self.report.span.from.day, self.report.span.to.day)
    }

    fn prints_pdf(&self) -> bool {
        render::PRINTS_PDF
    }

    fn formula(&self) -> &'static str {
        FORMULA
    }

    fn most(&self) -> i64 {
        WORST
    }

    fn scale(&self) -> &Scale {
        self.report.scales.present()
    }

    fn likelihoods(&self) -> Vec<(i64, String)> {
        levels(&self.scale().content.likelihood)
    }

    fn impacts(&self) -> Vec<(i64, String)> {
        levels(&self.scale().content.impact).into_iter().rev().collect()
    }

    fn title(&self, basis: &RatingBasis) -> &'static str {
        match basis {
            RatingBasis::Inherent => texts::BASIS_INHERENT,
            RatingBasis::Current => texts::BASIS_CURRENT,
            RatingBasis::Target => texts::BASIS_TARGET,
        }
    }

    /// The band of a cell.
    fn grade_of(&self, likelihood: &i64, impact: &i64) -> Option<Grade> {
        let rating = Rating { likelihood: *likelihood, impact: *impact };
        self.report.scales.grade(rating, self.scale().number)
    }

    /// How many risks are in a cell; nothing where there are none.
    fn count(&self, map: &HeatMap, likelihood: &i64, impact: &i64) -> String {
        let is_here =
            |it: &&store::risks::Rated| (it.rating.likelihood, it.rating.impact) == (*likelihood, *impact);
        map.cells.iter().find(is_here).map_or_else(String::new, |it| it.count.to_string())
    }

    fn shown(&self) -> &[store::risk_changes::RiskChange] {
        self.report.changes.get(..SHOWN).unwrap_or(&self.report.changes)
    }
}
