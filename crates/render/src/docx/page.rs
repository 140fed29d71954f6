//! What stands around the text of a Word document: its first page, and the head and foot of each page.

use docx_rs::{
    BreakType, Docx, Footer, Header, NumPages, PageMargin, PageNum, Paragraph, Run, Tab, TabValueType,
    TableCell, TableRow, WidthType,
};

use super::{styles, xml};
use crate::paper::{self, Paper};

/// A4, in twentieths of a point.
const PAGE: (u32, u32) = (11_906, 16_838);
const MARGIN: i32 = 1_417;

/// How wide the labels of the first page are.
const LABEL: usize = 2_200;

/// A document with all but the text.
pub(super) fn begin(paper: &Paper<'_>) -> Docx {
    let width = usize::try_from(PAGE.0).unwrap_or(0) - 2 * usize::try_from(MARGIN).unwrap_or(0);
    let right = Tab::new().val(TabValueType::Right).pos(width);
    let line = || Paragraph::new().style("Small").add_tab(right.clone());
    let head =
        [paper.draft, Some(paper.head)].into_iter().flatten().filter(|it| !it.is_empty()).collect::<Vec<_>>();
    let head =
        line().add_run(Run::new().add_text(xml(paper.title)).add_tab().add_text(xml(&head.join(" · "))));
    let foot = line()
        .add_run(Run::new().add_text(xml(paper.foot)).add_tab())
        .add_page_num(PageNum::new())
        .add_run(Run::new().add_text(" / "))
        .add_num_pages(NumPages::new());
    let margin = PageMargin::new().left(MARGIN).right(MARGIN).top(MARGIN).bottom(MARGIN);
    let mut docx = styles::styled()
        .page_size(PAGE.0, PAGE.1)
        .page_margin(margin)
        .header(Header::new().add_paragraph(head))
        .footer(Footer::new().add_paragraph(foot))
        .add_paragraph(Paragraph::new().style("Title").add_run(Run::new().add_text(xml(paper.title))));
    let facts = paper.facts.iter().map(|(label, value)| {
        let label = cell("TableHead", label).width(LABEL, WidthType::Dxa);
        TableRow::new(vec![label, cell("TableText", value).width(width - LABEL, WidthType::Dxa)])
    });
    docx = docx.add_table(styles::table(facts.collect()).set_grid(vec![LABEL, width - LABEL]));
    for table in &paper.tables {
        docx = titled(docx, table);
    }
    if paper.texts().next().is_none() {
        return docx;
    }
    docx.add_paragraph(Paragraph::new().add_run(Run::new().add_break(BreakType::Page)))
}

fn titled(docx: Docx, table: &paper::Table<'_>) -> Docx {
    let title = Paragraph::new().style("TableHead").keep_next(true).add_run(Run::new().add_text(table.title));
    let head = styles::head(table.head.iter().map(|text| cell("TableHead", text)).collect());
    let row = |row: &Vec<String>| {
        TableRow::new(row.iter().map(|text| cell("TableText", text)).collect()).cant_split()
    };
    let rows = std::iter::once(head).chain(table.rows.iter().map(row)).collect();
    docx.add_paragraph(Paragraph::new()).add_paragraph(title).add_table(styles::table(rows))
}

fn cell(style: &str, text: &str) -> TableCell {
    TableCell::new().add_paragraph(Paragraph::new().style(style).add_run(Run::new().add_text(xml(text))))
}
