//! Looking through the texts of a record one after the other, so that they need not be in memory together.

use super::{SearchQuery, Texts, Weight};

/// What a query has found in the texts of a record so far.
#[derive(Debug, Clone)]
pub struct Looking<'q> {
    query: &'q SearchQuery,
    /// The best weight of each term.
    best: Vec<Option<Weight>>,
    /// Whether one of the texts has what the query excludes.
    is_excluded: bool,
}

impl SearchQuery {
    /// A look through the texts of a record.
    pub fn looking(&self) -> Looking<'_> {
        Looking { query: self, best: vec![None; self.terms.len()], is_excluded: false }
    }
}

impl Looking<'_> {
    /// Looks at some of the texts.
    pub fn look_at(&mut self, texts: &Texts) {
        for (best, term) in self.best.iter_mut().zip(&self.query.terms) {
            *best = (*best).max(term.weight_in(texts));
        }
        self.is_excluded |= self.query.excluded.iter().any(|term| term.weight_in(texts).is_some());
    }

    /// How good a match the texts are: the worst of the terms' best weights. None: they are no match.
    pub fn weight(&self) -> Option<Weight> {
        if self.query.is_empty() || self.is_excluded {
            return None;
        }
        let weights: Option<Vec<Weight>> = self.best.iter().copied().collect();
        Some(weights?.into_iter().min().unwrap_or(Weight::Rest))
    }
}
