//! Files that people have become drafts: for the console, the API and the command line.

mod body;

use std::borrow::Cow;
use std::collections::BTreeSet;

use domain::Faults;
use domain::document::{NewDocument, file, suggested_slug};
use domain::json::{FromJson as _, Json, Pointer};
use render::import;

pub use body::{DocumentImport, MAX_FILES, Uploaded};

/// The most bytes of XML that the Word documents of one request have together.
const REQUEST_BYTES: u64 = 64 * 1024 * 1024;

/// The ends of the names of files with a text that stays as it is.
const TEXTS: [&str; 3] = ["", "md", "markdown"];

/// A file as a text.
#[derive(Debug)]
pub struct Opened {
    /// The title: the document's own, else the name of the file.
    pub title: String,
    /// The text: a policy file, or Markdown.
    pub text: String,
    /// What was in the file and is not in the text.
    pub not_kept: Vec<String>,
    /// Whether the text is a policy file, which has its own title and items.
    is_policy: bool,
}

/// Opens a file, which by the end of its name is a Word document, a page or a text; any other must be a policy file.
///
/// # Errors
/// Why it cannot be read, as the rest of a sentence.
pub fn open(name: &str, file: &[u8]) -> Result<Opened, String> {
    let mut left = REQUEST_BYTES;
    open_within(name, file, &mut left)
}

fn open_within(name: &str, file: &[u8], left: &mut u64) -> Result<Opened, String> {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let imported = import::by_name(name, file, left).map_err(|unreadable| unreadable.to_string())?;
    if let Some(it) = imported {
        let not_kept = it.not_kept.iter().map(ToString::to_string).collect();
        let title = it.title.unwrap_or_else(|| stem.to_owned());
        return Ok(Opened { title, text: it.markdown, not_kept, is_policy: false });
    }
    let text = import::decoded(file).replace("\r\n", "\n");
    let is_policy = file::is_file(&text);
    if !is_policy && !TEXTS.contains(&&*ending.to_lowercase()) {
        return Err("only Word documents (.docx), HTML, Markdown and plain text can be opened".to_owned());
    }
    Ok(Opened { title: stem.to_owned(), text, not_kept: Vec::new(), is_policy })
}

/// A document to create from a file.
#[derive(Debug)]
pub struct Draft {
    /// The document.
    pub new: NewDocument,
    /// What was in the file and is not in the document.
    pub not_kept: Vec<String>,
}

/// What is said beside a file, and stands instead of what the file says.
#[derive(Debug, Default)]
pub struct Given {
    /// The slug of the document.
    pub slug: Option<String>,
    /// Its title.
    pub title: Option<String>,
}

/// Reads files that come in together, one after the other.
#[derive(Debug)]
pub struct Drafts {
    slugs: BTreeSet<String>,
    /// How many bytes of XML the next files may have.
    left: u64,
}

impl Drafts {
    /// Reads the files of one request.
    pub fn of_request() -> Self {
        Self::within(REQUEST_BYTES)
    }

    /// Reads files of the operator, of which each may be as large as one alone.
    pub fn of_operator() -> Self {
        Self::within(u64::MAX)
    }

    fn within(left: u64) -> Self {
        Self { slugs: BTreeSet::new(), left }
    }

    /// The document of a file at `at`: a policy file, or one whose template is the text. The slug of the latter is made from its
    /// title, with a number if an earlier file has it. Adds what is wrong with the document; there is then none.
    ///
    /// # Errors
    /// Why the file cannot be read.
    pub fn read(
        &mut self,
        name: &str,
        file: &[u8],
        mut given: Given,
        at: &Pointer<'_>,
        faults: &mut Faults,
    ) -> Result<Option<Draft>, String> {
        let Opened { title, text, not_kept, is_policy } = open_within(name, file, &mut self.left)?;
        if !is_policy {
            let title = given.title.get_or_insert(title);
            let mut slugs = (1..).map(|count| suggested_slug(title, count));
            let free = || slugs.find(|slug| !self.slugs.contains(slug)).unwrap_or_default();
            given.slug.get_or_insert_with(free);
        }
        let member = |name, value| (Cow::Borrowed(name), Json::String(Cow::Owned(value)));
        let given = [("slug", given.slug), ("title", given.title)].into_iter();
        let mut members: Vec<_> = given.filter_map(|(name, value)| Some(member(name, value?))).collect();
        let mut found = Faults::new();
        let new = if is_policy {
            file::read_with(&text, members, at, &mut found)
        } else {
            members.push(member("template", text));
            NewDocument::from_json(Json::Object(members), at, &mut found)
        };
        // What was read is not the whole if there is a fault.
        let new = new.filter(|_| found.is_empty());
        faults.extend(found);
        self.slugs.extend(new.iter().map(|new| new.slug.clone()));
        Ok(new.map(|new| Draft { new, not_kept }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(drafts: &mut Drafts, name: &str, file: &[u8]) -> Result<Option<Draft>, String> {
        drafts.read(name, file, Given::default(), Pointer::ROOT, &mut Faults::new())
    }

    #[test]
    fn a_file_is_what_its_name_or_its_first_line_says() {
        let drafts = &mut Drafts::of_request();
        let page = read(drafts, "a.HTML", b"<h1>Clear desk</h1><p>Lock it.</p><img src=x>").unwrap().unwrap();
        assert_eq!((page.new.slug.as_str(), page.not_kept.len()), ("clear-desk", 1));
        let markdown = read(drafts, "Clear desk.md", b"# Rule\r\n\r\nLock it.\r\n").unwrap().unwrap();
        assert_eq!(markdown.new.slug, "clear-desk-2", "an earlier file has the slug");
        assert_eq!(markdown.new.template.as_deref(), Some("# Rule\n\nLock it.\n"));
        let policy = b"---\r\nslug: locks\r\ntitle: Locks\r\n---\r\nLock it.\r\n";
        assert_eq!(read(drafts, "policy.export", policy).unwrap().unwrap().new.slug, "locks");
        assert!(read(drafts, "policy.pdf", b"%PDF-1.7").unwrap_err().starts_with("only Word documents"));
        assert!(read(drafts, "policy.docx", b"none").unwrap_err().contains("not a Word document"));
    }

    #[test]
    fn a_file_with_a_fault_is_no_draft_and_takes_no_slug() {
        let (mut drafts, mut faults) = (Drafts::of_request(), Faults::new());
        let long = format!("<h1>Locks</h1><p>{}</p>", "x".repeat(70_000));
        let at = Pointer::ROOT;
        let given = Given::default();
        assert!(drafts.read("a.html", long.as_bytes(), given, at, &mut faults).unwrap().is_none());
        assert_eq!(faults.iter().map(|it| it.pointer.as_str()).collect::<Vec<_>>(), ["#/template"]);
        let draft = read(&mut drafts, "Locks.txt", b"Lock it.").unwrap().unwrap();
        assert_eq!(draft.new.slug, "locks");
    }

    #[test]
    fn what_is_given_stands_instead_of_what_the_file_says() {
        let text = |text: &str| Some(text.to_owned());
        let read = |name: &str, file: &str, given: Given| {
            let (mut drafts, mut faults) = (Drafts::of_request(), Faults::new());
            let draft = drafts.read(name, file.as_bytes(), given, Pointer::ROOT, &mut faults).unwrap();
            assert!(faults.is_empty(), "{faults:?}");
            draft.map(|draft| (draft.new.slug, draft.new.title.to_string())).unwrap()
        };
        let said = |slug: &str, title: &str| (slug.to_owned(), title.to_owned());
        let page = "<h1>Visitors</h1><p>Sign.</p>";
        let named = |name: &str| Given { title: text(name), slug: None };
        assert_eq!(read("a.html", page, named("Guests")), said("guests", "Guests"));
        let placed = Given { slug: text("a-1"), title: None };
        assert_eq!(read("a.html", page, placed), said("a-1", "Visitors"));
        let policy = "---\nslug: not one\ntitle: Locks\n---\nLock it.\n";
        let placed = Given { slug: text("locks"), title: None };
        assert_eq!(read("a.md", policy, placed), said("locks", "Locks"));
        let both = Given { slug: text("b"), title: text("B") };
        assert_eq!(read("a.md", "---\nlanguage: de\n---\nX\n", both), said("b", "B"));
    }

    #[test]
    fn word_documents_of_a_request_are_limited_together() {
        let word = include_bytes!("../../render/tests/corpus/policy.docx");
        let mut left = u64::MAX;
        import::by_name("a.docx", word, &mut left).unwrap();
        let bytes = u64::MAX - left;
        let mut drafts = Drafts::within(bytes + bytes / 2);
        assert!(read(&mut drafts, "a.docx", word).unwrap().is_some());
        assert!(read(&mut drafts, "b.docx", word).unwrap_err().contains("too large together"));
        assert!(read(&mut drafts, "c.txt", b"Lock it.").unwrap().is_some());
    }
}
