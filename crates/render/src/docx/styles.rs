//! The styles of a Word document.

use docx_rs::{
    AbstractNumbering, BorderType, Docx, HeightRule, Level, LevelJc, LevelText, LineSpacing, NumberFormat,
    Paragraph, ParagraphBorder, ParagraphBorderPosition, ParagraphBorders, RunFonts, SpecialIndentType,
    Start, Style, StyleType, Table, TableBorder, TableBorderPosition, TableCell, TableCellMargins, TableRow,
    WidthType,
};

/// The lists with bullets.
pub(super) const BULLETS: usize = 2;
/// The numbered lists.
pub(super) const NUMBERS: usize = 3;
/// The lists of the text have the numbers after this one.
pub(super) const FIRST_LIST: usize = 10;

/// How far the items of a list are indented, in twentieths of a point.
pub(super) const INDENT: i32 = 425;

/// The font of texts, which Word and LibreOffice have or replace by one of the same widths.
const FONT: &str = "Calibri";
/// The font of code.
pub(super) const FIXED: &str = "Courier New";

/// The colour of lines.
const GREY: &str = "C9D0D9";

/// A document with the styles, and without text.
pub(super) fn styled() -> Docx {
    let font = RunFonts::new().ascii(FONT).hi_ansi(FONT).cs(FONT).east_asia(FONT);
    let mut docx = Docx::new()
        .default_fonts(font)
        .default_size(21)
        .default_line_spacing(LineSpacing::new().after(120).line(276))
        .add_abstract_numbering(levels(BULLETS, |_| ("bullet", "•".to_owned())))
        .add_abstract_numbering(levels(NUMBERS, |level| ("decimal", format!("%{}.", level + 1))));
    for (level, size) in [(1, 32), (2, 26), (3, 23), (4, 21), (5, 21), (6, 21)] {
        let heading = paragraph(&format!("Heading{level}"), &format!("heading {level}"));
        docx =
            docx.add_style(heading.size(size).bold().outline_lvl(level - 1).line_spacing(spacing(300, 100)));
    }
    docx.add_style(paragraph("Title", "Title").size(52).bold().line_spacing(spacing(600, 300)))
        .add_style(paragraph("Small", "Small").size(17).color("55606E"))
        .add_style(paragraph("ListParagraph", "List Paragraph"))
        .add_style(paragraph("Quote", "Quote").italic())
        .add_style(
            paragraph("Source", "Source")
                .size(17)
                .line_spacing(spacing(0, 0))
                .fonts(RunFonts::new().ascii(FIXED).hi_ansi(FIXED)),
        )
        .add_style(paragraph("Rule", "Rule"))
        .add_style(paragraph("TableHead", "Table Head").size(19).bold().line_spacing(spacing(40, 40)))
        .add_style(paragraph("TableText", "Table Text").size(19).line_spacing(spacing(40, 40)))
        .add_style(paragraph("AfterTable", "After Table").size(8))
        .add_style(paragraph("FootnoteText", "footnote text").size(18))
        .add_style(
            Style::new("Hyperlink", StyleType::Character)
                .name("Hyperlink")
                .color("0B57D0")
                .underline("single"),
        )
}

fn paragraph(id: &str, name: &str) -> Style {
    Style::new(id, StyleType::Paragraph).name(name).based_on("Normal")
}

/// What is left free before and after a paragraph, in twentieths of a point.
fn spacing(before: u32, after: u32) -> LineSpacing {
    LineSpacing::new().before(before).after(after)
}

fn levels(id: usize, text: impl Fn(usize) -> (&'static str, String)) -> AbstractNumbering {
    (0..=8).fold(AbstractNumbering::new(id), |numbering, level| {
        let (format, text) = text(level);
        let left = INDENT * (i32::try_from(level).unwrap_or(0) + 1);
        let level = Level::new(
            level,
            Start::new(1),
            NumberFormat::new(format),
            LevelText::new(text),
            LevelJc::new("left"),
        );
        numbering.add_level(level.indent(Some(left), Some(SpecialIndentType::Hanging(INDENT)), None, None))
    })
}

/// A line over the width of the text.
pub(super) fn rule() -> Paragraph {
    let line =
        ParagraphBorder::new(ParagraphBorderPosition::Bottom).val(BorderType::Single).size(4).color(GREY);
    let mut rule = Paragraph::new().style("Rule");
    rule.property = rule.property.set_borders(ParagraphBorders::with_empty().set(line));
    rule
}

/// A table with lines between its rows, as wide as the text.
pub(super) fn table(rows: Vec<TableRow>) -> Table {
    use TableBorderPosition::{Bottom, InsideH, Top};
    let line = |position| TableBorder::new(position).border_type(BorderType::Single).size(4).color(GREY);
    let table = Table::new(rows).width(5_000, WidthType::Pct).clear_all_border();
    let table =
        [Top, Bottom, InsideH].into_iter().fold(table, |table, position| table.set_border(line(position)));
    table.margins(TableCellMargins::new().margin(20, 80, 20, 80))
}

/// The mark of a row that each page repeats: docx-rs writes no `w:tblHeader`, and nothing else here sets the height of a row.
const HEIGHT: &str = r#"<w:trHeight w:val="1" w:hRule="atLeast" />"#;

/// The row with the titles of a table's columns.
pub(super) fn head(cells: Vec<TableCell>) -> TableRow {
    TableRow::new(cells).cant_split().row_height(1.0).height_rule(HeightRule::AtLeast)
}

/// The same document, whose tables have their head on each page.
pub(super) fn with_heads(document: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(document).replace(HEIGHT, "<w:tblHeader />").into_bytes()
}
