//! Where a document keeps its own words, as it is told and as it is stored with a proposal.

use serde::{Deserialize, Serialize};

/// The most places that are stored with a proposal.
const MOST_PLACES: usize = 200;

/// The most characters of each of their texts that are stored.
const MOST_CHARACTERS: usize = 2_000;

/// A place that both the document and the library changed: the document keeps its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptText {
    /// The item; none for the template.
    pub item: Option<String>,
    /// The member of the item, of an option with its id: `options/all/text`; none for the item or the template.
    pub member: Option<String>,
    /// What the document has; none if it was removed there.
    pub own: Option<String>,
    /// What the library offers; none if it was removed there.
    pub offered: Option<String>,
}

impl KeptText {
    /// The same with the beginnings of long texts.
    fn shortened(&self) -> Self {
        let short = |text: &String| match text.char_indices().nth(MOST_CHARACTERS) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
            None => text.clone(),
        };
        let [own, offered] = [&self.own, &self.offered].map(|text| text.as_ref().map(short));
        Self { own, offered, ..self.clone() }
    }

    fn is_same_place(&self, other: &Self) -> bool {
        (&self.item, &self.member, &self.own) == (&other.item, &other.member, &other.own)
    }
}

/// The text of the library that a proposal has taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenText {
    /// The hash of it.
    pub sha256: String,
    /// Where the document kept its own words.
    pub kept: Vec<KeptText>,
}

/// Where own words stay, as a proposal stores it in which they stayed at `earlier` places before: the first places, and the
/// beginnings of long texts.
pub fn kept_after(earlier: &[KeptText], kept: &[KeptText]) -> Vec<KeptText> {
    let mut all: Vec<_> = kept.iter().take(MOST_PLACES).map(KeptText::shortened).collect();
    for it in earlier {
        if all.len() < MOST_PLACES && !all.iter().any(|new| new.is_same_place(it)) {
            all.push(it.clone());
        }
    }
    all
}

/// The text that keeps these places: a JSON array. None for no place.
pub fn kept_to_stored(kept: &[KeptText]) -> Option<String> {
    // Texts only: serializing them cannot fail.
    (!kept.is_empty()).then(|| serde_json::to_string(kept).unwrap_or_default())
}

/// The places that a text keeps; none if it is no such text.
pub fn kept_from_stored(text: &str) -> Option<Vec<KeptText>> {
    serde_json::from_str(text).ok()
}
