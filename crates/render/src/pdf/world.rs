//! What the program sees: the standard library, its fonts and its values. It has no files and no clock.

use typst::diag::{FileError, FileResult};
use typst::foundations::{Bytes, Datetime, Dict, Duration};
use typst::syntax::{FileId, Source};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt as _, World};

/// The program.
const PROGRAM: &str = include_str!("document.typ");

/// The fonts that are printed with.
pub(super) struct Fonts {
    fonts: Vec<Font>,
    book: LazyHash<FontBook>,
}

impl Default for Fonts {
    fn default() -> Self {
        let fonts: Vec<Font> = typst_assets::fonts().flat_map(|font| Font::iter(Bytes::new(font))).collect();
        let book = LazyHash::new(FontBook::from_fonts(&fonts));
        Self { fonts, book }
    }
}

impl Fonts {
    /// Whether one of them has the character.
    pub(super) fn have(&self, character: char) -> bool {
        self.fonts.iter().any(|font| font.info().coverage.contains(u32::from(character)))
    }
}

/// The program with its values.
pub(super) struct Printed {
    library: LazyHash<Library>,
    main: Source,
    fonts: Fonts,
}

impl Printed {
    pub(super) fn new(inputs: Dict, fonts: Fonts) -> Self {
        let library = LazyHash::new(Library::builder().with_inputs(inputs).build());
        Self { library, main: Source::detached(PROGRAM), fonts }
    }
}

impl World for Printed {
    fn library(&self) -> &LazyHash<Library> {
        &self.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &self.fonts.book
    }

    fn main(&self) -> FileId {
        self.main.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.main.id() { Ok(self.main.clone()) } else { Err(FileError::AccessDenied) }
    }

    fn file(&self, _: FileId) -> FileResult<Bytes> {
        Err(FileError::AccessDenied)
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.fonts.fonts.get(index).cloned()
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}
