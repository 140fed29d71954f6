//! The archive: parts by their names, and what refers to what (ECMA-376, part 2). Nothing is written to a disk.

use std::collections::HashMap;
use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::super::Unreadable;
use super::super::tree::Element;
use super::xml;

/// The most files in an archive.
const MOST_FILES: usize = 10_000;

/// The most bytes of the parts that are read, unpacked.
pub(in super::super) const MOST_BYTES: u64 = 32 * 1024 * 1024;

/// With what a file of Word 97 to 2003 begins, and one that is protected by a password ([MS-CFB], 2.2).
const COMPOUND_FILE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

pub(super) struct Package<'f, 'l> {
    archive: ZipArchive<Cursor<&'f [u8]>>,
    /// How many bytes may still be unpacked.
    left: &'l mut u64,
}

/// What a part refers to.
pub(super) struct Relation {
    /// The last word of its type.
    pub(super) kind: String,
    /// The name of a part, or an address outside.
    pub(super) target: String,
}

impl<'f, 'l> Package<'f, 'l> {
    pub(super) fn open(file: &'f [u8], left: &'l mut u64) -> Result<Self, Unreadable> {
        if file.starts_with(COMPOUND_FILE) {
            return Err(Unreadable::Protected);
        }
        if !file.starts_with(b"PK") {
            return Err(Unreadable::NotDocx);
        }
        let archive = ZipArchive::new(Cursor::new(file)).map_err(|_| Unreadable::Broken)?;
        if archive.len() > MOST_FILES {
            return Err(Unreadable::TooLarge);
        }
        Ok(Self { archive, left })
    }

    /// The tree of a part; none if there is no such part.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<Element>, Unreadable> {
        let Some(index) = self.archive.index_for_name(name) else { return Ok(None) };
        let file = self.archive.by_index(index).map_err(|_| Unreadable::Broken)?;
        let mut bytes = Vec::new();
        let read = file.take(*self.left + 1).read_to_end(&mut bytes);
        let is_larger = bytes.len() as u64 > *self.left;
        *self.left = self.left.saturating_sub(bytes.len() as u64);
        read.map_err(|_| Unreadable::Broken)?;
        if is_larger {
            return Err(Unreadable::TooLarge);
        }
        xml::tree(&super::super::decoded(&bytes)).map(Some)
    }

    /// The name of the part with the text.
    pub(super) fn main(&mut self) -> Result<String, Unreadable> {
        let relations = self.relations("")?;
        let main = relations.into_values().find(|relation| relation.kind == "officeDocument");
        Ok(main.map_or_else(|| "word/document.xml".to_owned(), |relation| relation.target))
    }

    /// What a part refers to, by id; of the whole archive if it has no name.
    pub(super) fn relations(&mut self, name: &str) -> Result<HashMap<String, Relation>, Unreadable> {
        let (folder, file) = name.rsplit_once('/').map_or(("", name), |(folder, file)| (folder, file));
        let path = format!("{folder}/_rels/{file}.rels");
        let Some(tree) = self.part(path.trim_start_matches('/'))? else { return Ok(HashMap::new()) };
        let relation = |element: &Element| {
            let target = element.attribute("Target")?;
            let is_outside = element.attribute("TargetMode") == Some("External");
            let target = match target.strip_prefix('/') {
                _ if is_outside => target.to_owned(),
                Some(absolute) => absolute.to_owned(),
                None => format!("{folder}/{target}").trim_start_matches('/').to_owned(),
            };
            let kind = element.attribute("Type")?.rsplit('/').next()?.to_owned();
            Some((element.attribute("Id")?.to_owned(), Relation { kind, target }))
        };
        Ok(tree.find("Relationship").into_iter().filter_map(relation).collect())
    }
}
