//! Files that people have become drafts: for the console, the API and the command line.

mod body;

use std::borrow::Cow;
use std::collections::BTreeSet;

use domain::Faults;
use domain::document::{NewDocument, file, suggested_slug};
use domain::json::{FromJson as _, Json, Pointer};
use render::import;

pub use body::{DocumentImport, MAX_FILES, Uploaded};

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
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let imported = import::by_name(name, file).map_err(|unreadable| unreadable.to_string())?;
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

/// Reads files that come in together, one after the other.
#[derive(Debug, Default)]
pub struct Drafts {
    slugs: BTreeSet<String>,
}

impl Drafts {
    /// The document of a file at `at`: a policy file, or one whose template is the text. The slug of the latter is made from its
    /// title, with a number if an earlier file has it. Adds what is wrong with the document; there is then none.
    ///
    /// # Errors
    /// Why the file cannot be read.
    pub fn read(
        &mut self,
        name: &str,
        file: &[u8],
        at: &Pointer<'_>,
        faults: &mut Faults,
    ) -> Result<Option<Draft>, String> {
        let Opened { title, text, not_kept, is_policy } = open(name, file)?;
        let new = if is_policy {
            file::read(&text, at, faults)
        } else {
            let mut slugs = (1..).map(|count| suggested_slug(&title, count));
            let slug = slugs.find(|slug| !self.slugs.contains(slug)).unwrap_or_default();
            let members = [("slug", slug), ("title", title), ("template", text)];
            let members = members.map(|(name, value)| (Cow::Borrowed(name), Json::String(Cow::Owned(value))));
            NewDocument::from_json(Json::Object(members.into()), at, faults)
        };
        self.slugs.extend(new.iter().map(|new| new.slug.clone()));
        Ok(new.map(|new| Draft { new, not_kept }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(drafts: &mut Drafts, name: &str, file: &[u8]) -> Result<Option<Draft>, String> {
        drafts.read(name, file, Pointer::ROOT, &mut Faults::new())
    }

    #[test]
    fn a_file_is_what_its_name_or_its_first_line_says() {
        let drafts = &mut Drafts::default();
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
        let (mut drafts, mut faults) = (Drafts::default(), Faults::new());
        let long = format!("<h1>Locks</h1><p>{}</p>", "x".repeat(70_000));
        let at = Pointer::ROOT;
        assert!(drafts.read("a.html", long.as_bytes(), at, &mut faults).unwrap().is_none());
        assert_eq!(faults.iter().map(|it| it.pointer.as_str()).collect::<Vec<_>>(), ["#/template"]);
        let draft = read(&mut drafts, "Locks.txt", b"Lock it.").unwrap().unwrap();
        assert_eq!(draft.new.slug, "locks");
    }
}
