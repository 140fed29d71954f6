//! Editions of the review.

use super::Part;
use crate::timeline::clause::Clause;

/// What happened to an edition of the review.
pub(super) fn clauses(part: &mut Part<'_, '_>) -> Vec<Clause> {
    let is_first = part.id == "1";
    let (is_made, state) = (part.take_made(), part.take_text("state"));
    part.take("published_date");
    let of = if is_first { String::new() } else { format!("edition {} of ", part.id) };
    if state == Some("published") {
        return vec![format!("published {of}the review").into()];
    }
    if is_made {
        return vec![
            if is_first { "started the review" } else { "started a new edition of the review" }.into(),
        ];
    }
    let mut clauses: Vec<Clause> = Vec::new();
    clauses.extend(state.map(|state| match state {
        "in_review" => format!("submitted {of}the review").into(),
        "draft" => format!("moved {of}the review back to draft").into(),
        other => format!("set the state of {of}the review to {other}").into(),
    }));
    clauses.extend(part.rest(&format!("{of}the review")));
    clauses
}
