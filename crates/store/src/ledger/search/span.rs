//! Blocks of the index of searches whose rows of one word are beside each other.

use db::Engine;

/// How many blocks a span has. A search looks a word up in each span; a write changes rows that are spread over one span.
///
/// PostgreSQL spends ten times as long on finding a row as on reading the next one, and changes a row without a change of its
/// place in the index: of a million records, 16 lookups instead of 123 halve the time of a search. SQLite stores the row there, and
/// writes twice as long to spans of eight blocks.
pub(super) const fn size(engine: Engine) -> i64 {
    match engine {
        Engine::Sqlite => 1,
        Engine::Postgres => 8,
    }
}

/// The span of a block.
pub(super) fn of_block(engine: Engine, block: i64) -> i64 {
    block.div_euclid(size(engine))
}

/// The blocks of some spans.
pub(super) fn blocks(engine: Engine, spans: &[i64]) -> Vec<i64> {
    let size = size(engine);
    spans.iter().flat_map(|span| span * size..(span + 1) * size).collect()
}
