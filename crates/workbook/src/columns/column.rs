//! A column with what it is imported as.

use super::field::Field;

/// A column of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// From 0.
    pub index: usize,
    /// Its name in the header, of several rows with a colon between.
    pub name: String,
    /// The first thing that stands below.
    pub sample: String,
    /// What it is imported as.
    pub field: Field,
    /// Why.
    pub reason: String,
}

impl Column {
    /// Whether a text is its name, or the name of its group.
    pub(crate) fn is_named(&self, text: &str) -> bool {
        self.name.split(": ").any(|part| part == text)
    }
}
