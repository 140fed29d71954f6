//! Workbooks of Excel (ECMA-376, part 1, 18).

mod address;
mod escapes;
mod sheet;
mod strings;
mod styles;

use super::package::Package;
use super::xml::{Node, attribute};
use crate::draft::Draft;
use crate::refused::Refused;
use crate::sheet::{Format, Workbook};
use sheet::Context;
use styles::Shown;

/// What the workbook says of itself.
#[derive(Default)]
struct Book {
    /// Id of the part, name, and whether it is hidden, of each sheet.
    sheets: Vec<(String, String, bool)>,
    counts_from_1904: bool,
}

pub(super) fn read(package: &mut Package<'_>) -> Result<Workbook, Refused> {
    let main = package.relations("")?.into_values().find(|(kind, _)| kind == "officeDocument");
    let main = main.map_or_else(|| "xl/workbook.xml".to_owned(), |(_, target)| target);
    let book = book(package, &main)?;
    let relations = package.relations(&main)?;
    let of_kind =
        |wanted| relations.values().find_map(|(kind, target)| (kind == wanted).then_some(target.as_str()));
    let mut draft = Draft::default();
    let strings = strings::read(package, of_kind("sharedStrings"), &mut draft)?;
    let styles: Vec<Shown> = styles::read(package, of_kind("styles"))?;
    let context = Context { strings, styles: &styles, counts_from_1904: book.counts_from_1904 };
    for (id, name, is_hidden) in &book.sheets {
        // A chart has a sheet of its own kind.
        let Some((kind, target)) = relations.get(id) else { continue };
        if kind != "worksheet" {
            continue;
        }
        draft.begin_sheet(name, *is_hidden)?;
        if let Some(mut xml) = package.part(target)? {
            sheet::read(&mut xml, &context, &mut draft)?;
        }
    }
    draft.finish(Format::Xlsx, None, None)
}

fn book(package: &mut Package<'_>, main: &str) -> Result<Book, Refused> {
    // An archive that is something else, such as a document of Word.
    let Some(mut xml) = package.part(main)? else { return Err(Refused::Unknown) };
    let mut book = Book::default();
    let mut is_workbook = false;
    loop {
        match xml.next()? {
            Node::Start(start) => match start.local_name().as_ref() {
                "workbook" => is_workbook = true,
                "workbookPr" => {
                    let from = attribute(&start, "date1904");
                    book.counts_from_1904 = from.is_some_and(|from| from == "1" || from == "true");
                }
                "sheet" if book.sheets.len() <= crate::refused::MOST_SHEETS => {
                    let is_hidden = attribute(&start, "state").is_some_and(|state| state != "visible");
                    let name = attribute(&start, "name").unwrap_or_default().into_owned();
                    let id = attribute(&start, "id").unwrap_or_default().into_owned();
                    book.sheets.push((id, name, is_hidden));
                }
                _ => {}
            },
            Node::End if is_workbook => return Ok(book),
            Node::End => return Err(Refused::Unknown),
            _ => {}
        }
    }
}
