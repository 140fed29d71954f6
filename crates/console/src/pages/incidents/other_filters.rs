//! The filters of the list that have no control of their own: links of figures and of home have them.

use domain::figures::{Figure, Outcome};

use crate::frame::form::Form;
use crate::frame::layout::Layout;
use crate::texts;

/// Those of an address in words, each with its parameter.
pub(super) fn in_words(asked: &Form, frame: &Layout) -> Vec<(String, &'static str)> {
    let mut all = Vec::new();
    for outcome in Outcome::ALL {
        let found = Figure::ALL.iter().filter(|figure| asked.is(outcome.as_str(), figure.as_str()));
        all.extend(found.map(|figure| (texts::found_by(*outcome, &frame.label(figure)), outcome.as_str())));
    }
    all
}
