//! Documents that come in as files, or from the library.

use macros::Body;

use super::library::library;
use super::{NewDocument, SLUG_CHARACTERS, file};
use crate::fault::{FaultCode, Faults};
use crate::json::{Fields, FromJson as _, Json, Pointer, array, items_of};
use crate::schema::{Schema, TextSchema};
use crate::text;

/// The most files, and the most policies of the library, of one call.
pub const MAX_FILES: usize = 50;

/// The most characters of a file: a body is not larger.
const FILE_CHARACTERS: usize = 1024 * 1024;

/// Documents to create from files and from the library.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(check = Self::check_count(files, library))]
pub struct DocumentImport {
    /// The files, each as a text: Markdown behind YAML (docs/documents.md, "Files").
    #[body(
        default,
        read = read_each(read_file),
        schema = FILES,
        most = MAX_FILES,
        json = "[\"---\\nslug: clear-desk\\ntitle: Clear desk policy\\n---\\n# Rule\\n\\nLock your screen.\\n\"]"
    )]
    pub files: Vec<NewDocument>,
    /// The slugs of policies of the library.
    #[body(default, read = read_each(read_policy), schema = SLUGS, most = MAX_FILES, json = "[]")]
    pub library: Vec<NewDocument>,
}

const FILES: Schema = list_of(&Schema::Text(TextSchema::of(0, FILE_CHARACTERS, text::ANY)));

const SLUGS: Schema = list_of(&Schema::Text(TextSchema::of(0, SLUG_CHARACTERS, text::ANY)));

const fn list_of(of: &'static Schema) -> Schema {
    Schema::List { of, least: 0, most: MAX_FILES }
}

impl DocumentImport {
    /// All documents, each with the place that it has in the body.
    pub fn placed(self) -> Vec<(String, NewDocument)> {
        let files = self.files.into_iter().enumerate().map(|(at, new)| (format!("#/files/{at}"), new));
        let library = self.library.into_iter().enumerate();
        files.chain(library.map(|(at, new)| (format!("#/library/{at}"), new))).collect()
    }

    fn check_count(
        fields: &mut Fields<'_, '_>,
        files: Option<&Vec<NewDocument>>,
        library: Option<&Vec<NewDocument>>,
    ) {
        let is_empty = |name, list: Option<&Vec<_>>| list.map_or(!fields.was_sent(name), Vec::is_empty);
        if is_empty("files", files) && is_empty("library", library) {
            fields.fault("files", FaultCode::TooFew, "must have at least one file, or `library` one policy");
        }
    }
}

type Read = fn(Json<'_>, &Pointer<'_>, &mut Faults) -> Option<NewDocument>;

fn read_each(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults, read: Read) -> Option<Vec<NewDocument>> {
    let elements = array(value, at, faults)?;
    if elements.len() > MAX_FILES {
        faults.add(at, FaultCode::TooMany, format_args!("must have at most {MAX_FILES} elements"));
        return None;
    }
    items_of(elements, at, faults, read)
}

fn read_file(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<NewDocument> {
    file::read(&String::from_json(value, at, faults)?, at, faults)
}

fn read_policy(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<NewDocument> {
    let slug = String::from_json(value, at, faults)?;
    let found = library().iter().find(|policy| policy.slug == slug);
    if found.is_none() {
        faults.add(at, FaultCode::Enum, "must be the slug of a policy that `GET /v1/library` lists");
    }
    found.cloned()
}
