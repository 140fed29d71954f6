//! `GET /o/{slug}/incidents/figures`: how long incidents take. Each number leads to the incidents behind it.

mod chart;
mod drawing;
mod rows;

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use askama::Template;
use domain::Scope;
use domain::figures::{Figure, GroupBy, Include, Outcome};
use domain::incident::Sees;
use domain::severity::Severity;
use http::query::Query;
use jiff::ToSpan;
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use lists::input::incident_figures::Behind;
use store::incidents::{FigureQuery, Figures, Group, IncidentFilter};
use store::list::TimeRange;

use self::chart::Chart;
use self::rows::{FigureRow, GroupRow, PeriodRow};
use crate::frame::clock::length;
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// So many weeks or months are drawn, the latest ones.
const PERIODS: usize = 12;

/// So many groups are listed.
const GROUPS: usize = 50;

/// The days that are taken: each begins and ends at a moment that lists take too, in every time zone.
const DAYS: RangeInclusive<Date> = date(1, 1, 1)..=date(9999, 12, 29);

/// From the worst on, as columns and filters have them.
const SEVERITIES: [Severity; 5] =
    [Severity::Critical, Severity::High, Severity::Medium, Severity::Low, Severity::Undetermined];

#[derive(Template)]
#[template(path = "incidents/figures.html")]
struct FiguresPage {
    frame: Layout,
    /// The query as a form, whose boxes are ticked.
    asked: Form,
    /// Whether the last day lies before the first.
    is_reversed: bool,
    group_by: GroupBy,
    zone_name: String,
    found: Figures,
    rows: Vec<FigureRow>,
    charts: Vec<Chart>,
    periods: Vec<PeriodRow>,
    groups: Vec<GroupRow>,
    /// Whether there are more periods or groups than are shown.
    is_cut: bool,
    /// The list of all incidents that are counted.
    all: String,
    sees_all: bool,
    /// The journal's latest entry.
    seq: i64,
}

/// `GET /o/{slug}/incidents/figures?from=…&to=…&group_by=…&severity=…&include=…`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(&[Scope::IncidentsRead])?;
    let zone = request.organization.time_zone();
    let mut query = request.query();
    let (asked, is_reversed) = read(&mut query, &zone);
    query.finish()?;
    let viewer = request.viewer();
    let mut tx = request.read().await?;
    let found = store::incidents::figures(&mut tx, &request.organization, &viewer, &asked).await?;
    let seq = tx.read_head(request.id()).await?.map_or(0, |head| head.seq);
    let frame = Layout::of(&request, &mut tx, texts::INCIDENT_FIGURES, Section::Incidents).await?;
    let lists = Lists { base: frame.base.clone(), asked: &asked, zone: &zone };
    let is_cut = found.groups.len() > lists.most();
    let (charts, periods, groups) = match asked.group_by {
        Some(GroupBy::Week | GroupBy::Month) => {
            let latest = found.groups.get(found.groups.len().saturating_sub(PERIODS)..).unwrap_or_default();
            (Chart::all(latest, &lists), PeriodRow::all(latest, &lists), Vec::new())
        }
        _ => {
            let mut groups: Vec<_> = found.groups.iter().collect();
            if is_cut {
                groups.sort_by_key(|(_, sums)| Reverse(sums.total));
            }
            groups.truncate(GROUPS);
            (Vec::new(), Vec::new(), GroupRow::all(&groups, &lists))
        }
    };
    let page = FiguresPage {
        asked: request.asked(),
        is_reversed,
        group_by: asked.group_by.unwrap_or(GroupBy::Month),
        zone_name: request.organization.time_zone_name().to_owned(),
        rows: FigureRow::all(&found.all, &lists),
        charts,
        periods,
        groups,
        is_cut,
        all: lists.of(None, None),
        sees_all: viewer.sees() == Sees::All,
        seq,
        frame,
        found,
    };
    if is_reversed { request.show_again(&page) } else { request.show(&page) }
}

/// What is asked for, and whether the last day lies before the first: nothing is counted then.
fn read(query: &mut Query<'_>, zone: &TimeZone) -> (FigureQuery, bool) {
    let day = |text: &str| text.parse().ok().filter(|day| DAYS.contains(day));
    let from: Option<Date> = query.parsed("from", texts::DAY_EXPECTED, day);
    let to = query.parsed("to", texts::DAY_EXPECTED, day);
    let is_reversed = from.zip(to).is_some_and(|(from, to)| to < from);
    let begin = |day: Date| zone.to_timestamp(day.at(0, 0, 0, 0)).ok();
    let detected = TimeRange {
        from: from.and_then(begin),
        before: to.and_then(|day| day.checked_add(1.day()).ok()).and_then(begin),
    };
    let asked = FigureQuery {
        filter: IncidentFilter { severity: query.words("severity"), detected, ..IncidentFilter::default() },
        include: query.words("include"),
        group_by: Some(query.word("group_by").unwrap_or(GroupBy::Month)),
    };
    (asked, is_reversed)
}

/// The addresses of the lists behind the numbers.
struct Lists<'a> {
    base: String,
    asked: &'a FigureQuery,
    zone: &'a TimeZone,
}

impl Lists<'_> {
    fn of(&self, group: Option<&Group>, found: Option<(Figure, Outcome)>) -> String {
        self.behind(self.asked, group, found)
    }

    /// The list of the incidents of a severity in a group.
    fn of_severity(&self, group: &Group, severity: Severity) -> String {
        let filter = IncidentFilter { severity: vec![severity], ..self.asked.filter.clone() };
        let asked = FigureQuery { filter, ..self.asked.clone() };
        self.behind(&asked, Some(group), None)
    }

    fn behind(&self, asked: &FigureQuery, group: Option<&Group>, found: Option<(Figure, Outcome)>) -> String {
        let behind = Behind { asked, group, found, zone: self.zone };
        format!("{}/incidents?{}", self.base, behind.query())
    }

    /// The most groups that are shown.
    fn most(&self) -> usize {
        if self.asked.group_by.and_then(GroupBy::unit).is_some() { PERIODS } else { GROUPS }
    }
}

impl FiguresPage {
    fn groupings(&self) -> [GroupBy; 5] {
        [GroupBy::Month, GroupBy::Week, GroupBy::Severity, GroupBy::Kind, GroupBy::Tag]
    }

    fn grouped(&self, by: &GroupBy) -> String {
        self.asked.query_with("group_by", Some(by.as_str()))
    }

    fn severities(&self) -> [Severity; 5] {
        SEVERITIES
    }

    fn includes(&self) -> [Include; 2] {
        [Include::NearMiss, Include::Retrospective]
    }

    fn is_narrowed(&self) -> bool {
        ["from", "to", "severity", "include"].iter().any(|name| self.asked.has(name))
    }

    /// The figures that stand above the table: how long the middle one took, and the list of those measured.
    fn headlines(&self) -> Vec<(String, &'static str, &str)> {
        let headline = |figure, text| {
            let (_, summary) = self.found.all.figures.iter().find(|(it, _)| *it == figure)?;
            let row = self.rows.iter().find(|row| row.figure == figure)?;
            Some((length(summary.p50?), text, row.measured.as_str()))
        };
        let respond = headline(Figure::TimeToRespond, texts::TIME_TO_RESPOND);
        respond.into_iter().chain(headline(Figure::TimeToContain, texts::TIME_TO_CONTAIN)).collect()
    }

    /// How many of the figures are incomplete.
    fn incomplete(&self) -> usize {
        self.found.all.figures.iter().filter(|(_, summary)| summary.n_open > 0).count()
    }

    /// Whether a chart has so few lengths that it shows each.
    fn has_few(&self) -> bool {
        self.charts.iter().any(|it| it.is_few && !it.points.is_empty())
    }

    /// Those that are not closed, and their list.
    fn open(&self) -> Option<(usize, &str)> {
        let row = self.rows.iter().find(|row| row.figure == Figure::TimeToClose)?;
        Some((row.open.n, row.open.list.as_str()))
    }

    /// What is left out, in words.
    fn left_out(&self) -> String {
        texts::left_out(&self.found.excluded)
    }
}
