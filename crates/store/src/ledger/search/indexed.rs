//! What the index has of a unit.

use std::collections::BTreeMap;

use domain::search::{Texts, Weight};

/// What the index has of a record by itself, or of a part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Indexed {
    /// Of a document.
    pub(crate) id: Option<String>,
    /// Whether its words are among those of restricted incidents.
    pub(crate) restricted: bool,
    /// Its words.
    pub(crate) texts: Texts,
}

impl Indexed {
    /// The words with their weights, if they are in this half of the index.
    pub(super) fn words_in(&self, restricted: bool) -> BTreeMap<&str, Weight> {
        if self.restricted == restricted { self.texts.words() } else { BTreeMap::new() }
    }
}

/// The new weights of words: by block and word, as they are stored, and then by offset.
pub(super) type Weights<'t> = BTreeMap<(i64, &'t str), Vec<(usize, Option<Weight>)>>;
