//! What was just done, told on the next page: a sentence, and whether it can be undone. It travels in a cookie for the
//! moment between the two pages.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The most bytes of a sentence that the cookie carries.
const MOST_BYTES: usize = 1_000;

/// What was just done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Done {
    /// A sentence.
    pub(crate) text: String,
    /// What undoes it, if anything: the id of the request that did it, or a page of the organization that a form is sent to.
    pub(crate) undo: Option<String>,
}

impl Done {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), undo: None }
    }

    /// The same with what undoes it.
    pub(crate) fn undone_by(self, undo: &str) -> Self {
        Self { undo: Some(undo.to_owned()), ..self }
    }

    /// The page that undoes it.
    pub(crate) fn undo_page(&self) -> &str {
        self.undo.as_deref().filter(|undo| undo.starts_with('/')).unwrap_or("/undo")
    }

    /// The value of the cookie.
    pub(crate) fn sealed(&self) -> String {
        let text = self.text.get(..self.text.floor_char_boundary(MOST_BYTES)).unwrap_or_default();
        URL_SAFE_NO_PAD.encode(format!("{}\n{text}", self.undo.as_deref().unwrap_or_default()))
    }

    /// What the value of a cookie says; none if it is not of ours.
    pub(crate) fn open(value: &str) -> Option<Self> {
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(value).ok()?).ok()?;
        let (undo, text) = text.split_once('\n')?;
        let undo = (!undo.is_empty()).then(|| undo.to_owned());
        Some(Self { text: text.to_owned(), undo })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_survives_its_cookie() {
        for done in [Done::new("“INC-0001” is closed; ü"), Done::new("Moved.").undone_by("r-1")] {
            assert_eq!(Done::open(&done.sealed()), Some(done));
        }
        assert!(Done::open(&Done::new("é".repeat(2_000)).sealed()).unwrap().text.len() <= MOST_BYTES);
        for other in ["", "x", "é", "AAAA"] {
            assert_eq!(Done::open(other), None, "{other}");
        }
    }
}
