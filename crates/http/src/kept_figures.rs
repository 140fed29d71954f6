//! Figures of the past: they are computed once, and the latest are kept.

use quick_cache::sync::Cache;

/// How many answers are kept; one has at most some hundred figures.
const KEPT: usize = 256;

/// The figures that one process has computed last. Their keys name the organization, and all that they depend on.
pub struct KeptFigures(Cache<String, Vec<(i64, i64)>>);

impl Default for KeptFigures {
    fn default() -> Self {
        Self(Cache::new(KEPT))
    }
}

impl KeptFigures {
    /// The figures with this key, if they are kept.
    pub fn get(&self, key: &str) -> Option<Vec<(i64, i64)>> {
        self.0.get(key)
    }

    /// Keeps figures that no later request with this key may find different.
    pub fn keep(&self, key: String, figures: Vec<(i64, i64)>) {
        self.0.insert(key, figures);
    }
}
