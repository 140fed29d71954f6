//! What is sent to create documents from files and from the library.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::document::{NewDocument, SLUG, SLUG_CHARACTERS, file, library, slug};
use domain::json::{FromJson as _, Pointer, array, checked, items_of};
use domain::schema::{Schema, TextSchema};
use domain::{FaultCode, Faults, Line, text};
use http::json::{Fields, Json};
use macros::Body;

use super::{Draft, Drafts, Given};

/// The most files of each kind, and the most policies of the library, of one call.
pub const MAX_FILES: usize = 50;

/// The most characters of a file: a body is not larger.
const FILE_CHARACTERS: usize = 1024 * 1024;

/// Documents to create from files and from the library.
#[derive(Debug, Body)]
#[body(check = Self::check_count(files, uploads, library))]
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
    /// Files as bytes that become Markdown.
    #[body(
        default,
        read = read_uploads,
        schema = <Vec<Upload>>::SCHEMA,
        most = MAX_FILES,
        json = r#"[{"name": "Visitors.html", "content": "PGgxPlZpc2l0b3JzPC9oMT48cD5TaWduIHRoZSBib29rLjwvcD48aW1nIHNyYz14Pg=="}]"#
    )]
    pub uploads: Vec<Uploaded>,
    /// The slugs of policies of the library.
    #[body(default, read = read_each(read_policy), schema = SLUGS, most = MAX_FILES, json = "[]")]
    pub library: Vec<NewDocument>,
}

/// A file with its bytes.
#[derive(Debug, Body)]
#[body(name = "DocumentUpload")]
struct Upload {
    /// The name of the file. Its end says what it is: a Word document (`.docx`), a page (`.html`, `.htm`), plain text (`.txt`) or
    /// Markdown (`.md`).
    #[body(example = "Visitors.html")]
    name: Line,
    /// The bytes in base64 (RFC 4648, section 4).
    #[body(schema = BASE64, example = "PGgxPlZpc2l0b3JzPC9oMT48cD5TaWduIHRoZSBib29rLjwvcD48aW1nIHNyYz14Pg==")]
    content: String,
    /// The slug of the document, instead of the file's own, or of one that is made from the title.
    #[body(read = checked(slug), schema = SLUG, example = "visitors")]
    slug: Option<String>,
    /// The title of the document, instead of the file's own.
    #[body(example = "Visitors")]
    title: Option<Line>,
}

/// The document of an upload.
#[derive(Debug)]
pub struct Uploaded {
    /// The name of the file.
    pub name: Line,
    /// The document, and what of the file it does not have.
    pub draft: Draft,
}

const BASE64: Schema =
    Schema::text(0, FILE_CHARACTERS, "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$");

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
        let uploads = self.uploads.into_iter().enumerate();
        let uploads = uploads.map(|(at, it)| (format!("#/uploads/{at}"), it.draft.new));
        files.chain(uploads).chain(library.map(|(at, new)| (format!("#/library/{at}"), new))).collect()
    }

    fn check_count(
        fields: &mut Fields<'_, '_>,
        files: Option<&Vec<NewDocument>>,
        uploads: Option<&Vec<Uploaded>>,
        library: Option<&Vec<NewDocument>>,
    ) {
        let counts = [files.map(Vec::len), uploads.map(Vec::len), library.map(Vec::len)];
        let is_empty =
            |(name, count): (&str, Option<usize>)| count.map_or(!fields.was_sent(name), |it| it == 0);
        if ["files", "uploads", "library"].into_iter().zip(counts).all(is_empty) {
            let detail = "must have at least one file, or `uploads` one, or `library` one policy";
            fields.fault("files", FaultCode::TooFew, detail);
        }
    }
}

type Read = fn(Json<'_>, &Pointer<'_>, &mut Faults) -> Option<NewDocument>;

fn read_each(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults, read: Read) -> Option<Vec<NewDocument>> {
    items_of(few(value, at, faults)?, at, faults, read)
}

/// The elements of an array that is not too long.
fn few<'a>(value: Json<'a>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Vec<Json<'a>>> {
    let elements = array(value, at, faults)?;
    if elements.len() > MAX_FILES {
        faults.add(at, FaultCode::TooMany, format_args!("must have at most {MAX_FILES} elements"));
        return None;
    }
    Some(elements)
}

fn read_uploads(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Vec<Uploaded>> {
    let elements = few(value, at, faults)?;
    let (expected, mut drafts, mut read) = (elements.len(), Drafts::of_request(), Vec::new());
    for (index, element) in elements.into_iter().enumerate() {
        if faults.has_more() {
            return None;
        }
        read.extend(read_upload(element, &at.index(index), faults, &mut drafts));
    }
    (read.len() == expected).then_some(read)
}

fn read_upload(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
    drafts: &mut Drafts,
) -> Option<Uploaded> {
    let Upload { name, content, slug, title } = Upload::from_json(value, at, faults)?;
    let Ok(bytes) = STANDARD.decode(content) else {
        faults.add(at.key("content"), FaultCode::Format, "must be base64");
        return None;
    };
    let given = Given { slug, title: title.map(String::from) };
    match drafts.read(&name, &bytes, given, at, faults) {
        Ok(draft) => Some(Uploaded { name, draft: draft? }),
        Err(why) => {
            faults.add(at.key("content"), FaultCode::Format, format_args!("cannot be read: {why}"));
            None
        }
    }
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
