//! The filters of the list that have no control of their own: links of figures and of home have them.

use domain::figures::{Figure, Outcome};
use domain::incident::Incident;
use domain::record::Field;

use crate::frame::form::Form;
use crate::frame::layout::Layout;
use crate::texts;

/// Those of an address in words, each with the address of the list without it.
pub(super) fn removable(asked: &Form, frame: &Layout) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (name, of) in [
        ("detected_from", texts::detected_from as fn(&str) -> String),
        ("detected_to", texts::detected_before),
        ("updated_since", texts::updated_since),
    ] {
        let at = domain::time::parse(asked.text(name));
        all.extend(at.map(|at| (of(&frame.clock.short(&at)), asked.query_with(name, None))));
    }
    for Field { name, label, .. } in Incident::filtered() {
        let words = asked.all(name).map(|value| format!("{label}: {value}"));
        all.extend(words.map(|words| (words, asked.query_with(name, None))));
    }
    for outcome in Outcome::ALL {
        let found = Figure::ALL.iter().filter(|figure| asked.is(outcome.as_str(), figure.as_str()));
        let words = found.map(|figure| texts::found_by(*outcome, &frame.label(figure)));
        all.extend(words.map(|words| (words, asked.query_with(outcome.as_str(), None))));
    }
    all
}
