//! `GET /o/{slug}/reports/risks`: the report for a board, also as a file.

use askama::Template;
use domain::risk::Rating;
use domain::scale::{Grade, Scale};
use lists::input::risk_span::SpanParams;
use lists::printed_file::Form as FileForm;
use lists::risk_report::{FORMULA, RiskReport, WORST};
use store::risks::{HeatMap, RatingBasis};

use super::{READ, levels};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// So many changes are on the page.
const SHOWN: usize = 50;

#[derive(Template)]
#[template(path = "risks/report.html")]
struct ReportPage {
    frame: Layout,
    report: RiskReport,
}

/// `GET /o/{slug}/reports/risks?from=2026-06-30&to=2026-09-30`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let report = read(&request).await?;
    let mut tx = request.read().await?;
    let frame = Layout::of(&request, &mut tx, texts::RISK_REPORT, Section::Risks).await?;
    request.show(&ReportPage { frame, report })
}

/// `GET /o/{slug}/reports/risks/pdf`, `…/word` and `…/excel`, with the same days.
pub(crate) async fn file(request: PageRequest, form: FileForm) -> Result {
    request.require(READ)?;
    read(&request).await?.file(&request.app, form).await
}

async fn read(request: &PageRequest) -> Result<RiskReport> {
    let mut query = request.query();
    let days = SpanParams::of(&mut query);
    query.finish()?;
    let mut tx = request.read().await?;
    RiskReport::read(&mut tx, request.id(), days).await
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
