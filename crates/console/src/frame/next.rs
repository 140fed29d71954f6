//! The page after a change: where it is, and what it tells if that is not the usual.

use bytes::Bytes;
use http::answer::Answer;

use crate::texts;

/// The page after a change.
pub(crate) struct Next {
    address: String,
    /// What it tells instead of the usual.
    told: Option<String>,
}

impl From<String> for Next {
    fn from(address: String) -> Self {
        Self { address, told: None }
    }
}

impl Next {
    /// The page at this address; it says so if nothing was changed.
    pub(crate) fn after(is_changed: bool, address: String) -> Self {
        Self { address, told: (!is_changed).then(|| texts::NOTHING_CHANGED.to_owned()) }
    }

    /// The page at this address, which tells this.
    pub(crate) fn telling(address: String, told: String) -> Self {
        Self { address, told: Some(told) }
    }

    /// The answer, which is kept with the key of the form: whoever sends the form again is told the same.
    pub(crate) fn answer(self) -> Answer {
        let body = Bytes::from(self.told.unwrap_or_default());
        Answer { body, ..Answer::see_other(self.address) }
    }
}

/// What such an answer tells instead of the usual.
pub(crate) fn told(answer: &Answer) -> Option<String> {
    std::str::from_utf8(&answer.body).ok().filter(|text| !text.is_empty()).map(str::to_owned)
}
