//! The chart of a figure by week or month: median and p90 on a logarithmic scale, or each length if they are few. Marks and texts
//! stand in per cent, so only the lines are stretched.

use domain::figures::{FEW, Figure, FigureStatus, Outcome, Summaries, Summary, Unit as PeriodUnit};
use store::incidents::Group;

use super::Lists;
use super::drawing::{At, Scale, Tick, band, decimal, path, percent};
use super::rows::{Count, name};
use crate::frame::words;
use crate::pages::incidents::unit::Unit;
use crate::texts;

/// The most periods that the axis names.
const MOST_NAMES: usize = 6;

/// A figure by week or month as it is drawn, with its table.
pub(crate) struct Chart {
    pub(crate) id: &'static str,
    pub(crate) name: String,
    pub(crate) dates: &'static str,
    pub(crate) ticks: Vec<Tick>,
    /// The area between both lines, in a box of 1000 by 158.
    pub(crate) band: String,
    pub(crate) p90: String,
    pub(crate) p50: String,
    /// None if nothing was measured.
    pub(crate) points: Vec<Point>,
    /// Whether the points are the lengths themselves.
    pub(crate) is_few: bool,
    pub(crate) periods: Vec<Period>,
    /// What the chart shows, in a sentence.
    pub(crate) description: String,
}

/// The median of a period, or one length.
pub(crate) struct Point {
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) is_open: bool,
    pub(crate) length: String,
    /// The height of the length.
    pub(crate) length_y: String,
    /// Whether the length stands beside it.
    pub(crate) is_named: bool,
}

/// A week or month of the axis and of the table.
pub(crate) struct Period {
    pub(crate) x: String,
    /// Below the axis, unless it has no room.
    pub(crate) label: Option<String>,
    pub(crate) name: String,
    pub(crate) n: Count,
    pub(crate) p50: String,
    pub(crate) p90: String,
    pub(crate) status: String,
}

impl Chart {
    /// The chart of each figure.
    pub(super) fn all(periods: &[(Group, Summaries)], lists: &Lists<'_>) -> Vec<Self> {
        let chart = |(place, figure): (usize, &Figure)| Self::of(place, *figure, periods, lists);
        Figure::ALL.iter().enumerate().map(chart).collect()
    }

    fn of(place: usize, figure: Figure, periods: &[(Group, Summaries)], lists: &Lists<'_>) -> Self {
        let summaries: Vec<(&Group, &Summary)> =
            periods.iter().filter_map(|(group, it)| Some((group, &it.figures.get(place)?.1))).collect();
        let unit = Unit::of(summaries.iter().map(|(_, it)| *it));
        let is_few = summaries.iter().map(|(_, it)| it.n).sum::<usize>() <= FEW;
        let drawn = |it: &&Summary| match is_few {
            true => it.few.clone(),
            false => it.p50.into_iter().chain(it.p90).collect(),
        };
        let lengths = summaries.iter().flat_map(|(_, it)| drawn(it));
        let scale = Scale::of(unit, lengths);
        let at = |place: usize, seconds: f64| At { x: x(place, summaries.len()), y: scale.y(seconds) };
        let line = |value: fn(&Summary) -> Option<f64>| -> Vec<Option<At>> {
            let values = summaries.iter().enumerate().map(|(place, (_, it))| Some((place, value(it)?)));
            values.map(|value| value.map(|(place, seconds)| at(place, seconds))).collect()
        };
        let (p50, p90) =
            if is_few { (Vec::new(), Vec::new()) } else { (line(|it| it.p50), line(|it| it.p90)) };
        let mut points: Vec<Point> = Vec::new();
        for (place, (_, it)) in summaries.iter().enumerate() {
            let lengths = if is_few { it.few.clone() } else { it.p50.into_iter().collect() };
            let is_open = it.n_open > 0 && !is_few;
            points.extend(lengths.into_iter().map(|it| point(at(place, it), unit.length(it), is_open)));
        }
        if let Some(last) = points.last_mut() {
            last.is_named = !is_few;
        }
        let named = |(place, (group, it)): (usize, &(&Group, &Summary))| {
            period((place, summaries.len()), group, figure, it, unit, lists)
        };
        Self {
            id: figure.as_str(),
            name: words::label(&figure),
            dates: texts::dates_of(figure),
            ticks: scale.ticks(),
            band: band(&p50, &p90),
            p90: path(&p90),
            p50: path(&p50),
            points,
            is_few,
            description: texts::figure_chart(&medians_of(&summaries, unit)),
            periods: summaries.iter().enumerate().map(named).collect(),
        }
    }
}

fn point(at: At, length: String, is_open: bool) -> Point {
    Point {
        x: percent(at.x),
        y: decimal(at.y),
        is_open,
        length,
        length_y: decimal(at.y - 9.0),
        is_named: false,
    }
}

/// The periods with their medians, for the description.
fn medians_of(summaries: &[(&Group, &Summary)], unit: Unit) -> Vec<(String, String)> {
    let measured = summaries.iter().filter(|(_, it)| it.n > 0);
    measured.map(|(group, it)| (name(group), unit.shown(it.p50))).collect()
}

fn period(
    (place, of): (usize, usize),
    group: &Group,
    figure: Figure,
    it: &Summary,
    unit: Unit,
    lists: &Lists<'_>,
) -> Period {
    // The last one has a name, and of many every second, third, … before it.
    let is_named = (of - 1 - place).is_multiple_of(of.div_ceil(MOST_NAMES));
    let label = match group {
        Group::Period(period) => {
            let day = period.first_day();
            let format = match period.unit() {
                PeriodUnit::Week => "%-d %b",
                PeriodUnit::Month if day.month() == 1 => "%Y",
                PeriodUnit::Month => "%b",
            };
            is_named.then(|| day.strftime(format).to_string())
        }
        Group::Severity(_) | Group::Kind(_) | Group::Tag(..) => None,
    };
    Period {
        x: percent(x(place, of)),
        label,
        name: name(group),
        n: Count { n: it.n, list: lists.of(Some(group), Some((figure, Outcome::Measured))) },
        p50: unit.shown(it.p50),
        p90: unit.shown(it.p90),
        status: if it.status() == FigureStatus::NoData { String::new() } else { texts::figure_status(it) },
    }
}

/// Where a period stands, in thousandths of the width.
fn x(place: usize, of: usize) -> f64 {
    if of < 2 { 500.0 } else { 50.0 + 900.0 * place as f64 / (of - 1) as f64 }
}
