//! DOCX (ECMA-376, WordprocessingML) to blocks.

mod body;
mod field;
mod list;
mod numbering;
mod package;
mod properties;
mod run;
mod styles;
mod tables;
mod xml;

use std::collections::HashMap;
use std::rc::Rc;

use super::block::Blocks;
use super::lost::{Lost, Report};
use super::tree::Element;
use super::{Imported, Unreadable, finished};
use field::Field;
use numbering::Numbering;
use package::Package;
use styles::Styles;

pub(super) use package::MOST_BYTES;

/// Reads a file; `left` is how many bytes of its parts may be unpacked, from which those are taken that were.
pub(super) fn read(file: &[u8], left: &mut u64) -> Result<Imported, Unreadable> {
    let mut package = Package::open(file, left)?;
    let main = package.main()?;
    let document = package.part(&main)?.ok_or(Unreadable::NotDocx)?;
    let relations = package.relations(&main)?;
    let mut part = |kind: &str| match relations.values().find(|relation| relation.kind == kind) {
        Some(relation) => package.part(&relation.target),
        None => Ok(None),
    };
    let styles = Styles::read(part("styles")?.as_ref());
    let numbering = Numbering::read(part("numbering")?.as_ref(), &styles);
    let (footnotes, endnotes) =
        (part("footnotes")?.unwrap_or_default(), part("endnotes")?.unwrap_or_default());
    let has_headers =
        relations.values().any(|relation| matches!(relation.kind.as_str(), "header" | "footer"));
    let links = relations.into_iter().filter(|(_, relation)| relation.kind == "hyperlink");
    let mut reader = Reader {
        styles,
        numbering,
        links: links.map(|(id, relation)| (id, Rc::from(relation.target))).collect(),
        note_texts: note_texts(&footnotes, "footnote").chain(note_texts(&endnotes, "endnote")).collect(),
        notes: Vec::new(),
        note_numbers: HashMap::new(),
        fields: Vec::new(),
        report: Report::default(),
        title: None,
    };
    let mut blocks = Blocks::default();
    if let Some(body) = document.child("document").and_then(|document| document.child("body")) {
        reader.blocks(body, &mut blocks);
    }
    if has_headers {
        reader.report.add(Lost::PageHeader);
    }
    let notes = reader.write_notes();
    let core = package.part("docProps/core.xml").unwrap_or_default();
    let name = core.and_then(|core| core.find("title").first().map(|title| title.text()));
    Ok(finished(blocks, &notes, reader.title, name, reader.report))
}

/// A kind of note and its id.
type NoteId = (&'static str, String);

fn note_texts<'t>(part: &'t Element, kind: &'static str) -> impl Iterator<Item = (NoteId, &'t Element)> {
    let notes = part.elements().flat_map(Element::elements).filter(move |note| note.name == kind);
    notes.filter_map(move |note| Some(((kind, note.attribute("id")?.to_owned()), note)))
}

struct Reader<'t> {
    styles: Styles,
    numbering: Numbering,
    /// The addresses of links.
    links: HashMap<String, Rc<str>>,
    note_texts: HashMap<NoteId, &'t Element>,
    /// The notes that are referred to, in the order of their numbers.
    notes: Vec<NoteId>,
    note_numbers: HashMap<NoteId, usize>,
    /// The fields that are open here, the innermost last.
    fields: Vec<Field>,
    report: Report,
    title: Option<String>,
}

impl Reader<'_> {
    /// The number of a note that is referred to; none if it has no text.
    fn note(&mut self, kind: &'static str, id: &str) -> Option<usize> {
        let known = (kind, id.to_owned());
        self.note_texts.get(&known)?;
        let notes = &mut self.notes;
        let number = self.note_numbers.entry(known).or_insert_with_key(|known| {
            notes.push(known.clone());
            notes.len()
        });
        Some(*number)
    }

    /// The blocks of the notes, which can refer to further notes.
    fn write_notes(&mut self) -> super::Notes {
        let mut out = super::Notes::default();
        while let Some(note) = self.notes.get(out.len()) {
            let text = self.note_texts.get(note).copied();
            let mut blocks = Blocks::default();
            self.fields.clear();
            if let Some(text) = text {
                self.blocks(text, &mut blocks);
            }
            out.push(blocks.nested());
        }
        out
    }
}
