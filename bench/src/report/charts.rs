//! The charts of docs/benchmarks.md.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::Kept;
use super::theme::{self, BLUE, GRID, INK, RED};
use crate::Result;
use crate::figure::Unit;
use crate::load::Line;

const WIDTH: u32 = 960;
const LABEL_WIDTH: f64 = 470.0;
const LINE_HEIGHT: u32 = 26;
const FONT: &str = "sans-serif";

/// Where the figures stand, to the right of the longest bar.
const FIGURES: f64 = 750.0;

/// A bar of a chart.
struct Bar {
    label: String,
    value: f64,
    text: String,
    color: RGBColor,
}

/// Names of files, and what is in them.
pub(super) fn all(all: &[Kept]) -> Result<Vec<(&'static str, String)>> {
    let mut files = vec![
        ("bars.svg", horizontal("How much of each bar is used (less is better)", &used(all), Some(1.0))?),
        ("cpu.svg", horizontal("Processor time of one request", &cpu(all), None)?),
    ];
    if let Some(kept) = all.iter().find(|kept| !kept.outcome.memory.is_empty()) {
        files.push(("memory.svg", memory(&kept.outcome.memory)?));
    }
    Ok(files.into_iter().map(|(name, svg)| (name, theme::both(&svg))).collect())
}

fn used(all: &[Kept]) -> Vec<Bar> {
    let rows = all.iter().flat_map(|kept| &kept.outcome.rows);
    rows.map(|row| {
        let value = row.limit.used(row.result.spread.median);
        let color = if row.is_met() { BLUE } else { RED };
        let text = format!("{}, bar {}", row.result.text(), row.limit.text(row.result.unit));
        Bar { label: row.work.clone(), value, text, color }
    })
    .collect()
}

fn cpu(all: &[Kept]) -> Vec<Bar> {
    let lines = all.iter().flat_map(|kept| &kept.outcome.lines);
    lines
        .map(|Line { name, cpu, .. }| Bar {
            label: name.clone(),
            value: cpu.spread.median,
            text: cpu.text(),
            color: BLUE,
        })
        .collect()
}

/// Bars with their names on the left and their figures on the right, and a line at the mark.
fn horizontal(title: &str, bars: &[Bar], mark: Option<f64>) -> Result<String> {
    let lines = u32::try_from(bars.len())?;
    let height = LINE_HEIGHT * (lines + 2);
    let longest = bars.iter().map(|bar| bar.value).chain(mark).fold(0.0, f64::max);
    let scale = (FIGURES - 15.0 - LABEL_WIDTH) / longest;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        write(&root, title, (10, 14), HPos::Left, 18)?;
        let end = |value: f64| pixels(LABEL_WIDTH + value * scale);
        for (bar, line) in bars.iter().zip(1_i32..) {
            let middle = pixels(f64::from(LINE_HEIGHT)) * line + pixels(f64::from(LINE_HEIGHT)) / 2 + 8;
            let corners = [(end(0.0), middle - 7), (end(bar.value).max(end(0.0) + 1), middle + 7)];
            root.draw(&Rectangle::new(corners, bar.color.filled()))?;
            write(&root, &bar.label, (end(0.0) - 8, middle), HPos::Right, 14)?;
            write(&root, &bar.text, (pixels(FIGURES), middle), HPos::Left, 14)?;
        }
        if let Some(mark) = mark {
            let (top, bottom) = (pixels(f64::from(LINE_HEIGHT)), pixels(f64::from(height)) - 8);
            root.draw(&PathElement::new(vec![(end(mark), top), (end(mark), bottom)], INK.stroke_width(1)))?;
        }
        root.present()?;
    }
    Ok(svg)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn write(root: &Area<'_>, text: &str, at: (i32, i32), side: HPos, size: i32) -> Result<()> {
    let style = (FONT, size).into_font().color(&INK).pos(Pos::new(side, VPos::Center));
    root.draw(&Text::new(text.to_owned(), at, style))?;
    Ok(())
}

#[expect(clippy::cast_possible_truncation, reason = "a place within a chart")]
fn pixels(value: f64) -> i32 {
    value.round() as i32
}

/// Memory over creations.
fn memory(points: &[(f64, f64)]) -> Result<String> {
    let most = points.iter().map(|(_, memory)| *memory).fold(96.0, f64::max) * 1.1;
    let last = points.iter().map(|(created, _)| *created).fold(1.0, f64::max);
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, 320)).into_drawing_area();
        let mut chart = ChartBuilder::on(&root)
            .caption(
                "Memory in MiB (RssAnon) over incidents created; the bar is 96",
                (FONT, 18).into_font().color(&INK),
            )
            .margin(12)
            .x_label_area_size(28)
            .y_label_area_size(48)
            .build_cartesian_2d(0.0..last, 0.0..most)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style((FONT, 14).into_font().color(&INK))
            .x_label_formatter(&|created| Unit::Count.text(*created))
            .y_label_formatter(&|memory| format!("{memory:.0}"))
            .draw()?;
        chart.draw_series(LineSeries::new([(0.0, 96.0), (last, 96.0)], INK.stroke_width(1)))?;
        chart.draw_series(LineSeries::new(points.iter().copied(), BLUE.stroke_width(3)))?;
        root.present()?;
    }
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Case, Outcome};
    use crate::figure::{Limit, Row};

    #[test]
    fn a_bar_that_is_missed_is_red_and_names_are_written_safely() {
        let row = |work, value| Row::absolute(work, Unit::Millis, &[value], Limit::Below(5.0)).unwrap();
        let rows = vec![row("calm & <quick>", 4.0), row("slow", 6.0)];
        let outcome = Outcome { rows, memory: vec![(0.0, 9.0), (1e6, 40.0)], ..Outcome::default() };
        let files = all(&[Kept { case: Case::Tail, revision: "abc".to_owned(), outcome }]).unwrap();
        let names: Vec<_> = files.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["bars.svg", "cpu.svg", "memory.svg"]);
        let bars = &files[0].1;
        assert_eq!(bars.matches("fill=\"#0969DA\"").count() - bars.matches("[fill=\"#0969DA\"").count(), 1);
        assert_eq!(bars.matches("fill=\"#CF222E\"").count() - bars.matches("[fill=\"#CF222E\"").count(), 1);
        assert!(bars.contains("calm &amp; &lt;quick&gt;"), "{bars}");
        assert!(files.iter().all(|(_, svg)| svg.contains("prefers-color-scheme:dark")));
    }
}
