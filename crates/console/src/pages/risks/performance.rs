//! `GET /o/{slug}/risks/performance`: how far the planned reduction of the risks is reached, and what the figure is made of.

use askama::Template;
use db::Tx;
use domain::performance::{DEFAULT_PERIOD_DAYS, Exclusion, PERIOD_DAYS, Step, cutoff};
use domain::time::floor;
use jiff::Timestamp;
use lists::risk_figures;
use store::Deleted;
use store::journal::AsOf;
use store::performance::{Computed, Graded, Part, Performance, Period, Point, Worse};
use store::risks::RiskFilter;

use super::READ;
use super::line::Line;
use crate::frame::clock::{Clock, Typed};
use crate::frame::form::{Form, ZONE};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// So many risks are listed.
const SHOWN: i64 = 100;

/// So many risks are looked at for those that are left out.
const LOOKED_AT: i64 = 200;

#[derive(Template)]
#[template(path = "risks/performance.html")]
struct PerformancePage {
    frame: Layout,
    days: i64,
    computed: Computed,
    figure: Performance,
    /// The figure of the period before, as it was known then.
    previous: Option<Performance>,
    line: Option<Line>,
    /// The time that was asked for.
    form: Form,
    /// The time that is looked back to; none for the present.
    past: Option<AsOf>,
    problem: Option<&'static str>,
    /// Those of the first risks that do not count.
    left_out: Vec<Part>,
    has_more_parts: bool,
    /// Those that count, with the scores that were recorded.
    risks: Vec<Part>,
    has_more: bool,
    worse: Vec<Worse>,
    has_more_worse: bool,
}

/// Risks that got worse for one reason.
struct Reason<'a> {
    title: &'static str,
    /// What the current rating is compared with.
    before: &'static str,
    /// How many are in each band now, from the worst on.
    bands: Vec<(&'a str, usize)>,
    /// Each with the evaluation before, if its current rating is above that; else it is above the inherent score.
    risks: Vec<(&'a Worse, Option<&'a Graded>)>,
}

/// `GET /o/{slug}/risks/performance?period_days=…&at=…`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let mut query = request.query();
    let days = query.integer("period_days", *PERIOD_DAYS.start(), *PERIOD_DAYS.end());
    for name in ["at", "at_instant", ZONE] {
        query.text(name);
    }
    query.finish()?;
    let (days, id, filter) = (days.unwrap_or(DEFAULT_PERIOD_DAYS), request.id(), RiskFilter::default());
    let (asked, form) = at(request.asked(), &request.clock);
    let mut tx = request.read().await?;
    let resolved = match asked {
        Some(at) => store::journal::resolve(&mut tx, id, Some(at), None).await?,
        None => None,
    };
    let now = store::performance::period(&mut tx, id, days).await?;
    let period = resolved.map_or(now, |it| Period { until: it.at, as_of_seq: Some(it.seq), ..now });
    let computed = store::performance::compute(&mut tx, id, period, &filter).await?;
    let points = points(&request, &mut tx, period).await?;
    let parts =
        store::performance::parts(&mut tx, id, (period, Deleted::Without), &filter, None, LOOKED_AT).await?;
    let found = store::performance::contributions(&mut tx, id, days, SHOWN).await?;
    let worse = store::performance::worse(&mut tx, id, days, SHOWN).await?;
    let frame = Layout::of(&request, &mut tx, texts::RISK_PERFORMANCE, Section::Risks).await?;
    request.show(&PerformancePage {
        frame,
        days,
        computed,
        figure: computed.figure,
        previous: points.first().map(|point| point.figure),
        line: Line::of(&points, &request.clock),
        problem: (!form.text("at").is_empty() && resolved.is_none()).then_some(texts::NOT_IN_THE_PAST),
        form,
        past: resolved,
        left_out: parts.rows.into_iter().filter(|part| part.excluded.is_some()).collect(),
        has_more_parts: parts.has_more,
        risks: found.rows,
        has_more: found.has_more,
        worse: worse.rows,
        has_more_worse: worse.has_more,
    })
}

/// The time that is looked back to, and the form that shows it; one that is not clear stays as it was typed.
fn at(asked: Form, clock: &Clock) -> (Option<Timestamp>, Form) {
    let at = match asked.typed("at", clock) {
        Typed::Nothing => None,
        Typed::Moment(at) | Typed::Unclear([at, _]) => Some(at),
        Typed::Other(text) => domain::time::parse(&text),
    };
    match at.filter(|_| asked.moments("at", clock).is_empty()) {
        Some(at) => (Some(at), Form::default().with_times([("at", Some(at))], clock)),
        None => (at, asked),
    }
}

/// The figures of a period length, from the end of the period before until the end of this one, or the last full hour.
async fn points(request: &PageRequest, tx: &mut Tx, period: Period) -> Result<Vec<Point>> {
    let end = match period.as_of_seq {
        Some(_) => period.until,
        None => floor(period.until, 3_600),
    };
    let step = match period.days {
        ..=45 => Step::Day,
        46..=2_500 => Step::Week,
        _ => Step::Month,
    };
    let mut moments = step.moments(cutoff(end, period.days), end).unwrap_or_default();
    if moments.last().is_some_and(|last| *last < end) {
        moments.push(end);
    }
    let (id, filter) = (request.id(), RiskFilter::default());
    Ok(risk_figures::series(&request.app, tx, id, (period.days, step), &filter, moments).await?)
}

/// The risks come with the worst first.
fn reason<'a>(
    title: &'static str,
    before: &'static str,
    risks: Vec<(&'a Worse, Option<&'a Graded>)>,
) -> Reason<'a> {
    let mut bands: Vec<(&str, usize)> = Vec::new();
    for grade in risks.iter().filter_map(|(it, _)| it.current.grade.as_ref()) {
        match bands.iter_mut().find(|(name, _)| *name == grade.name) {
            Some((_, count)) => *count += 1,
            None => bands.push((&grade.name, 1)),
        }
    }
    Reason { title, before, bands, risks }
}

impl PerformancePage {
    fn periods(&self) -> [(i64, &'static str); 3] {
        [(30, "30 days"), (90, "90 days"), (365, "1 year")]
    }

    fn left_out_for(&self, why: &Exclusion) -> &'static str {
        texts::excluded_for(*why)
    }

    /// What got worse, by the reason. A risk may have both.
    fn reasons(&self) -> [Reason<'_>; 2] {
        let above_inherent = self.worse.iter().filter(|it| it.is_above_inherent());
        let above_inherent = above_inherent.map(|it| (it, None)).collect();
        let above_previous = self.worse.iter().filter(|it| it.is_above_previous());
        let above_previous = above_previous.map(|it| (it, it.previous.as_ref())).collect();
        [
            reason(texts::ABOVE_INHERENT, texts::INHERENT, above_inherent),
            reason(texts::ABOVE_PREVIOUS, texts::PREVIOUS, above_previous),
        ]
    }

    /// How many of the shown risks are still where they began.
    fn unmoved(&self) -> usize {
        let is_unmoved =
            |it: &&Part| it.risk.current.is_some_and(|it| it.performance_basis_points == Some(0));
        self.risks.iter().filter(is_unmoved).count()
    }

    /// A risk with whose recorded scores the formula can be shown: one that is on its way, or at least has a planned reduction.
    fn example(&self) -> Option<&Part> {
        let mut risks = self.risks.iter();
        let reached =
            |it: &Part| it.risk.current.and_then(|it| it.performance_basis_points).unwrap_or_default();
        let on_its_way = risks.clone().find(|it| (1..10_000).contains(&reached(it)));
        let has_plan = |it: &&Part| it.inherent_score > it.target_score;
        on_its_way.or_else(|| risks.find(has_plan))
    }

    /// Hundredths of a per cent as a length in a drawing.
    fn width(&self, basis_points: &i64) -> String {
        format!("{}.{:02}%", basis_points / 100, basis_points % 100)
    }
}
