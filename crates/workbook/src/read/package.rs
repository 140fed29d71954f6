//! The archive that a workbook is. Nothing is written to a disk, and nothing outside the archive is read.

use std::collections::HashMap;
use std::io::{BufReader, Cursor};

use zip::ZipArchive;

use super::limited::Limited;
use super::xml::{Node, Xml, attribute};
use crate::refused::{MOST_BYTES, Refused};

/// The most files in an archive.
const MOST_FILES: usize = 10_000;

/// The most bytes of the name of a folder in an archive.
const MOST_FOLDER: usize = 1_000;

/// How many times larger than itself an archive may declare that it is when unpacked, beyond what is small anyway.
const MOST_RATIO: u64 = 200;

pub(super) struct Package<'f> {
    archive: ZipArchive<Cursor<&'f [u8]>>,
    /// How many bytes may still be unpacked.
    left: u64,
    size: u64,
}

impl<'f> Package<'f> {
    pub(super) fn open(file: &'f [u8]) -> Result<Self, Refused> {
        let too_many = || Refused::too_many("files in it", MOST_FILES);
        if declares_too_many(file) {
            return Err(too_many());
        }
        let archive = ZipArchive::new(Cursor::new(file)).map_err(|_| Refused::Broken)?;
        if archive.len() > MOST_FILES {
            return Err(too_many());
        }
        Ok(Self { archive, left: MOST_BYTES, size: file.len() as u64 })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.archive.index_for_name(name).is_some()
    }

    /// The XML of a part; none if there is no such part. What it declares to be too large is not unpacked at all.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<Xml<'_>>, Refused> {
        let Some(index) = self.archive.index_for_name(name) else { return Ok(None) };
        let file = self.archive.by_index(index).map_err(|error| match error {
            zip::result::ZipError::UnsupportedArchive(_) => Refused::Protected,
            _ => Refused::Broken,
        })?;
        let small = 32 * 1024 * 1024;
        if file.size() > self.left || file.size() > small && file.size() / MOST_RATIO > self.size {
            return Err(Refused::TooLarge { what: "bytes when it is unpacked", most: MOST_BYTES });
        }
        Ok(Some(Xml::new(BufReader::new(Limited::new(file, &mut self.left)))))
    }

    /// What a part refers to within the archive: kind and name of the part, by id.
    pub(super) fn relations(&mut self, name: &str) -> Result<HashMap<String, (String, String)>, Refused> {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let path = format!("{folder}/_rels/{file}.rels");
        let mut relations = HashMap::new();
        // Each target is kept with it.
        if folder.len() > MOST_FOLDER {
            return Err(Refused::Broken);
        }
        let Some(mut xml) = self.part(path.trim_start_matches('/'))? else { return Ok(relations) };
        loop {
            match xml.next()? {
                Node::Start(start) if start.local_name().as_ref() == "Relationship" => {
                    let (Some(id), Some(kind), Some(target)) =
                        (attribute(&start, "Id"), attribute(&start, "Type"), attribute(&start, "Target"))
                    else {
                        continue;
                    };
                    if attribute(&start, "TargetMode").is_some_and(|mode| mode == "External") {
                        continue;
                    }
                    let target = match target.strip_prefix('/') {
                        Some(absolute) => absolute.to_owned(),
                        None => format!("{folder}/{target}").trim_start_matches('/').to_owned(),
                    };
                    if relations.len() >= MOST_FILES {
                        return Err(Refused::too_many("relations", MOST_FILES));
                    }
                    let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
                    relations.insert(id.into_owned(), (kind, target));
                }
                Node::End => return Ok(relations),
                _ => {}
            }
        }
    }
}

/// Whether an end record of ZIP64, which is anywhere in the file, declares more files than are read: memory would be reserved for
/// all of them. Another end record declares at most 65,535.
fn declares_too_many(file: &[u8]) -> bool {
    let count = |record: &[u8]| record.last_chunk().map_or(0, |count| u64::from_le_bytes(*count));
    let mut records = file.windows(40).filter(|record| record.starts_with(b"PK\x06\x06"));
    records.any(|record| count(record) > MOST_FILES as u64)
}
