//! A tag that was read from a file.

use crate::change::Change;
use crate::tag::{NewTag, TagName, TagPatch};

/// A tag that was read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedTag {
    /// What it has.
    pub new: NewTag,
    /// Other names that lead to it.
    pub aliases: Vec<TagName>,
}

impl ImportedTag {
    /// The change of a tag that is there: what the file has, and nothing else. By one of its other names it is not renamed.
    pub fn patch(&self, is_own_name: bool) -> TagPatch {
        let NewTag { name, color, description } = &self.new;
        let description = description.as_ref().filter(|text| !text.is_empty());
        TagPatch {
            name: is_own_name.then(|| name.clone()),
            color: color.clone(),
            description: description.map_or(Change::Keep, |text| Change::Set(text.clone())),
        }
    }
}
