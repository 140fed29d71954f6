//! Charts that can be read on a light page and on a dark one: an SVG asks for the reader's preference itself.

use plotters::style::RGBColor;

/// Text and axes.
pub(super) const INK: RGBColor = RGBColor(0x1F, 0x23, 0x28);
/// Lines of the grid.
pub(super) const GRID: RGBColor = RGBColor(0xD0, 0xD7, 0xDE);
/// Figures.
pub(super) const BLUE: RGBColor = RGBColor(0x09, 0x69, 0xDA);
/// Figures that miss their bar.
pub(super) const RED: RGBColor = RGBColor(0xCF, 0x22, 0x2E);

/// Each colour and what it is on a dark page.
const DARK: [(&str, &str); 4] =
    [("#1F2328", "#E6EDF3"), ("#D0D7DE", "#3D444D"), ("#0969DA", "#58A6FF"), ("#CF222E", "#FF7B72")];

/// Adds the colours for dark pages to a drawing.
pub(super) fn both(svg: &str) -> String {
    let rules: Vec<String> = DARK
        .iter()
        .map(|(light, dark)| {
            format!("[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}")
        })
        .collect();
    let style = format!("<style>@media (prefers-color-scheme:dark){{{}}}</style>", rules.concat());
    match svg.split_once(">\n") {
        Some((head, drawing)) => format!("{head}>\n{style}\n{drawing}"),
        None => svg.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_has_its_counterpart() {
        for color in [INK, GRID, BLUE, RED] {
            let RGBColor(r, g, b) = color;
            let text = format!("#{r:02X}{g:02X}{b:02X}");
            assert!(DARK.iter().any(|(light, _)| *light == text), "{text}");
        }
        let svg = both("<svg width=\"1\">\n<rect fill=\"#1F2328\"/></svg>\n");
        assert!(svg.starts_with("<svg width=\"1\">\n<style>@media") && svg.ends_with("</svg>\n"), "{svg}");
    }
}
