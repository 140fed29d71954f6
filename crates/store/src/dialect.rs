//! What the two engines cannot say in the same words. Everything else is one SQL text.

use db::Engine;

/// A table `name (number, position)` made of the one parameter `$2`, a JSON array of integers:
/// `position` counts from 0. The number of statements, and their text, do not depend on its length.
///
/// Each engine has its own function that takes a JSON array apart. PostgreSQL is told that the
/// parameter itself is text, because that is how it is sent.
pub(crate) fn numbers_table(engine: Engine, name: &str) -> String {
    match engine {
        Engine::Sqlite => {
            format!("(SELECT value AS number, key AS position FROM json_each($2)) AS {name}")
        }
        Engine::Postgres => format!(
            "(SELECT CAST(element AS BIGINT) AS number, place - 1 AS position
              FROM json_array_elements_text(CAST(CAST($2 AS TEXT) AS JSON)) WITH ORDINALITY AS list (element, place)
             ) AS {name}"
        ),
    }
}

/// The parameter that [`numbers_table`] takes apart.
pub(crate) fn numbers_parameter(numbers: impl IntoIterator<Item = i64>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    format!("[{}]", numbers.join(","))
}
