//! A text in Markdown as a PDF that assistive programs can read (PDF/UA-1, ISO 14289-1). A fixed program of Typst makes it, which
//! gets the texts as values: nothing in a text is read as Typst.

mod characters;
mod columns;
#[cfg(test)]
mod tests;
mod tree;
mod world;

use typst::diag::SourceDiagnostic;
use typst::foundations::{Array, Dict, IntoValue, Smart, Value};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

use self::world::{Fonts, Printed};
use crate::paper::{Paper, Table, Unprintable};

/// A PDF of a text and what stands around it. The same text makes the same bytes. A text that is longer, deeper or more laborious
/// than texts are stands in it as it was written. Thirty pages take a third of a second of a processor, the most laborious text
/// seven seconds.
pub fn pdf(paper: &Paper<'_>) -> Result<Vec<u8>, Unprintable> {
    let made = document(paper).and_then(|document| exported(paper, &document));
    // What it remembers of one text is of no use for the next.
    typst::comemo::evict(0);
    made
}

/// The pages.
fn document(paper: &Paper<'_>) -> Result<PagedDocument, Unprintable> {
    match laid_out(paper, blocks(paper, true)) {
        Err(Unprintable::Failed(_)) => laid_out(paper, blocks(paper, false)),
        made => made,
    }
}

/// The texts with their titles. They are as they were written if nobody reads them, or a text is no such text.
fn blocks(paper: &Paper<'_>, are_read: bool) -> Array {
    let (mut blocks, mut before) = (Vec::new(), tree::Before::default());
    for (title, text) in paper.texts() {
        let read = if are_read { tree::read(text, title.is_some(), &mut before) } else { None };
        blocks.extend(title.map(tree::title));
        blocks.extend(read.unwrap_or_else(|| tree::source(text)));
    }
    blocks.into_iter().collect()
}

fn laid_out(paper: &Paper<'_>, blocks: Array) -> Result<PagedDocument, Unprintable> {
    let fonts = Fonts::default();
    characters::check(paper, &blocks, &fonts)?;
    let inputs = paper.inputs(blocks, &fonts);
    typst::compile::<PagedDocument>(&Printed::new(inputs, fonts)).output.map_err(|faults| failed(&faults))
}

fn exported(paper: &Paper<'_>, document: &PagedDocument) -> Result<Vec<u8>, Unprintable> {
    let standards = PdfStandards::new(&[PdfStandard::Ua_1])
        .map_err(|fault| Unprintable::Failed(fault.message().to_string()))?;
    let options = PdfOptions {
        creator: Smart::Custom(Some("Bailiwick".to_owned())),
        ident: Smart::Custom(format!("{} {}", paper.title, paper.foot)),
        standards,
        ..PdfOptions::default()
    };
    typst_pdf::pdf(document, &options).map_err(|faults| failed(&faults))
}

fn failed(faults: &[SourceDiagnostic]) -> Unprintable {
    Unprintable::Failed(faults.iter().map(|it| it.message.as_str()).collect::<Vec<_>>().join("; "))
}

impl Paper<'_> {
    /// The values of the program. What stands around the text, such as names and the summaries of earlier versions, has a
    /// question mark for a character that no font has: it can no longer be changed.
    fn inputs(&self, blocks: Array, fonts: &Fonts) -> Dict {
        let known = |text: &str| characters::replaced(text, fonts);
        let facts = self.facts.iter().map(|(label, value)| texts([*label, &known(value)])).collect::<Array>();
        let tables = self.tables.iter().map(|it| it.value(known)).collect::<Array>();
        let (language, region) = language(self.language);
        let values = [
            ("title", line(self.title)),
            ("lang", language.into_value()),
            ("region", region.map_or(Value::None, IntoValue::into_value)),
            ("head", line(self.head)),
            ("foot", line(self.foot)),
            ("draft", self.draft.map_or(Value::None, line)),
            ("contents", self.contents.map_or(Value::None, line)),
            ("facts", facts.into_value()),
            ("tables", tables.into_value()),
            ("blocks", blocks.into_value()),
        ];
        values.into_iter().map(|(name, value)| (name.into(), value)).collect()
    }
}

impl Table<'_> {
    fn value(&self, known: impl Fn(&str) -> String) -> Value {
        let widths = columns::widths(self);
        let cell =
            |(text, width): (String, &usize)| characters::broken(&text, columns::room(*width)).into_value();
        let head = self.head.iter().map(|it| (*it).to_owned()).zip(&widths).map(cell).collect::<Array>();
        let row = |row: &Vec<String>| {
            row.iter().map(|it| known(it)).zip(&widths).map(cell).collect::<Array>().into_value()
        };
        let rows = self.rows.iter().map(row).collect::<Array>();
        let values = [
            ("title", line(self.title)),
            ("head", head.into_value()),
            ("rows", rows.into_value()),
            ("widths", widths.iter().map(|it| (*it).into_value()).collect::<Array>().into_value()),
        ];
        values.into_iter().map(|(name, value)| (name.into(), value)).collect::<Dict>().into_value()
    }
}

/// The language and the region that Typst knows a language by (BCP 47); English without any.
fn language(tag: &str) -> (&str, Option<&str>) {
    let is_short =
        |part: &&str| (2..=3).contains(&part.len()) && part.bytes().all(|it| it.is_ascii_alphabetic());
    let mut parts = tag.split('-');
    match parts.next().filter(is_short) {
        Some(language) => (language, parts.find(|part| part.len() == 2 && is_short(part))),
        None => ("en", None),
    }
}

fn line(text: &str) -> Value {
    characters::broken(text, characters::LINE).into_value()
}

fn texts<'t>(all: impl IntoIterator<Item = &'t str>) -> Value {
    all.into_iter().map(line).collect::<Array>().into_value()
}
