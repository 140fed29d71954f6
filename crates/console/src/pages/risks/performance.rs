//! `GET /o/{slug}/risks/performance`: how far the planned reduction of the risks is reached, and what the figure is made of.

use askama::Template;
use domain::performance::{DEFAULT_PERIOD_DAYS, PERIOD_DAYS};
use domain::risk::{Rating, Risk};
use store::performance::{Performance, Worse};

use super::READ;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// So many risks are listed.
const SHOWN: i64 = 100;

/// The levels of a score, from the worst on.
const LEVELS: [&str; 4] = ["critical", "high", "medium", "low"];

#[derive(Template)]
#[template(path = "risks/performance.html")]
struct PerformancePage {
    frame: Layout,
    days: i64,
    figure: Performance,
    risks: Vec<Risk>,
    has_more: bool,
    worse: Vec<Worse>,
    has_more_worse: bool,
}

/// Risks that got worse for one reason.
struct Reason<'a> {
    title: &'static str,
    /// What the current rating is compared with.
    before: &'static str,
    /// How many have each level now, from the worst on.
    levels: Vec<(&'static str, usize)>,
    /// Each with what its current rating is above.
    risks: Vec<(&'a Worse, Rating)>,
}

/// `GET /o/{slug}/risks/performance?period_days=…`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let mut query = request.query();
    let days = query.integer("period_days", *PERIOD_DAYS.start(), *PERIOD_DAYS.end());
    query.finish()?;
    let days = days.unwrap_or(DEFAULT_PERIOD_DAYS);
    let mut tx = request.read().await?;
    let figure = store::performance::get(&mut tx, request.id(), days).await?;
    let found = store::performance::contributions(&mut tx, request.id(), days, SHOWN).await?;
    let worse = store::performance::worse(&mut tx, request.id(), days, SHOWN).await?;
    let frame = Layout::of(&request, &mut tx, texts::RISK_PERFORMANCE, Section::Risks).await?;
    request.show(&PerformancePage {
        frame,
        days,
        figure,
        risks: found.rows,
        has_more: found.has_more,
        worse: worse.rows,
        has_more_worse: worse.has_more,
    })
}

impl PerformancePage {
    fn periods(&self) -> [(i64, &'static str); 3] {
        [(30, "30 days"), (90, "90 days"), (365, "1 year")]
    }

    /// What got worse, by the reason. A risk may have both.
    fn reasons(&self) -> [Reason<'_>; 2] {
        let above_inherent = self.worse.iter().filter(|it| it.is_above_inherent());
        let above_inherent = above_inherent.map(|it| (it, it.inherent)).collect();
        let above_previous = self.worse.iter().filter(|it| it.is_above_previous());
        let above_previous = above_previous.filter_map(|it| Some((it, it.previous?))).collect();
        [
            self.reason(texts::ABOVE_INHERENT, texts::INHERENT, above_inherent),
            self.reason(texts::ABOVE_PREVIOUS, texts::PREVIOUS, above_previous),
        ]
    }

    fn reason<'a>(
        &self,
        title: &'static str,
        before: &'static str,
        risks: Vec<(&'a Worse, Rating)>,
    ) -> Reason<'a> {
        let of = |level| risks.iter().filter(|(it, _)| self.frame.band(it.current.score()) == level).count();
        let levels =
            LEVELS.map(|level| (level, of(level))).into_iter().filter(|(_, count)| *count > 0).collect();
        Reason { title, before, levels, risks }
    }

    /// How many of the shown risks are still where they began.
    fn unmoved(&self) -> usize {
        let is_unmoved = |risk: &&Risk| risk.current.is_some_and(|it| it.performance_basis_points == Some(0));
        self.risks.iter().filter(is_unmoved).count()
    }

    /// A risk with whose numbers the formula can be shown: one that is on its way, or at least has a planned reduction.
    fn example(&self) -> Option<&Risk> {
        let reached =
            |risk: &Risk| risk.current.and_then(|it| it.performance_basis_points).unwrap_or_default();
        let on_its_way = self.risks.iter().find(|risk| (1..10_000).contains(&reached(risk)));
        let has_plan =
            |risk: &&Risk| risk.target.is_some_and(|target| risk.inherent.score() > target.score());
        on_its_way.or_else(|| self.risks.iter().find(has_plan))
    }

    /// Hundredths of a per cent as a length in a drawing.
    fn width(&self, basis_points: &i64) -> String {
        format!("{}.{:02}%", basis_points / 100, basis_points % 100)
    }
}
